"""Functions of layers and losses: `torch.nn.functional`."""

from __future__ import annotations

from typing import Any

from ..ops.activation import (
    celu,
    celu_,
    elu,
    elu_,
    hardtanh,
    hardtanh_,
    leaky_relu,
    leaky_relu_,
    prelu,
    relu,
    relu6,
    relu_,
    rrelu,
    rrelu_,
    selu,
    selu_,
    threshold,
    threshold_,
)  # fmt: skip
from ..ops.affine import linear
from ..ops.affine_grid import affine_grid
from ..ops.attention import scaled_dot_product_attention
from ..ops.average_pool import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
)  # fmt: skip
from ..ops.binary_loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    multilabel_soft_margin_loss,
    soft_margin_loss,
)  # fmt: skip
from ..ops.class_loss import cross_entropy, nll_loss
from ..ops.convolution import conv1d, conv2d, conv3d, conv_tbc, conv_transpose1d, conv_transpose2d, conv_transpose3d
from ..ops.ctc import ctc_loss
from ..ops.distance import pdist
from ..ops.dropout import dropout1d, dropout2d, dropout3d
from ..ops.dropout import functional_alpha_dropout as alpha_dropout
from ..ops.dropout import functional_dropout as dropout
from ..ops.dropout import functional_feature_alpha_dropout as feature_alpha_dropout
from ..ops.embedding import functional_embedding as embedding
from ..ops.embedding import functional_embedding_bag as embedding_bag
from ..ops.fold import fold, unfold
from ..ops.fractional_pool import fractional_max_pool2d, fractional_max_pool3d
from ..ops.functions import sigmoid, tanh
from ..ops.grid_sample import grid_sample
from ..ops.interpolate import interpolate, upsample, upsample_bilinear, upsample_nearest
from ..ops.linear_cross_entropy import linear_cross_entropy
from ..ops.loss import gaussian_nll_loss, huber_loss, kl_div, l1_loss, mse_loss, poisson_nll_loss, smooth_l1_loss
from ..ops.margin_loss import (
    cosine_embedding_loss,
    cosine_similarity,
    hinge_embedding_loss,
    margin_ranking_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    pairwise_distance,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)  # fmt: skip
from ..ops.max_pool import adaptive_max_pool2d, adaptive_max_pool3d
from ..ops.max_pool import functional_adaptive_max_pool1d as adaptive_max_pool1d
from ..ops.max_pool import functional_max_pool1d as max_pool1d
from ..ops.max_pool import functional_max_pool2d as max_pool2d
from ..ops.max_pool import functional_max_pool3d as max_pool3d
from ..ops.normalization import functional_batch_norm as batch_norm
from ..ops.normalization import functional_group_norm as group_norm
from ..ops.normalization import functional_instance_norm as instance_norm
from ..ops.normalization import functional_layer_norm as layer_norm
from ..ops.normalization import local_response_norm, rms_norm
from ..ops.padding import functional_pad as pad
from ..ops.products import bilinear
from ..ops.shrink import hardshrink, softshrink, softsign, tanhshrink
from ..ops.shuffle import channel_shuffle, native_channel_shuffle, pixel_shuffle, pixel_unshuffle
from ..ops.smooth import gelu, glu, hardsigmoid, hardswish, logsigmoid, mish, silu, softplus
from ..ops.softmax import functional_log_softmax as log_softmax
from ..ops.softmax import functional_softmax as softmax
from ..ops.softmax import softmin
from ..ops.unpool import max_unpool1d, max_unpool2d, max_unpool3d
from ..tensor import Tensor as _Tensor

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool2d",
    "adaptive_max_pool3d", "affine_grid", "alpha_dropout", "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_norm",
    "bilinear", "binary_cross_entropy", "binary_cross_entropy_with_logits", "celu", "celu_", "channel_shuffle",
    "conv1d", "conv2d", "conv3d", "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
    "cosine_embedding_loss", "cosine_similarity", "cross_entropy", "ctc_loss", "dropout", "dropout1d", "dropout2d",
    "dropout3d", "elu", "elu_", "embedding", "embedding_bag", "feature_alpha_dropout", "fold",
    "fractional_max_pool2d", "fractional_max_pool3d", "gaussian_nll_loss", "gelu", "glu", "grid_sample", "group_norm",
    "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "hardtanh_", "hinge_embedding_loss", "huber_loss",
    "instance_norm", "interpolate", "kl_div", "l1_loss", "layer_norm", "leaky_relu", "leaky_relu_", "linear",
    "linear_cross_entropy", "local_response_norm", "log_softmax", "logsigmoid", "lp_pool1d", "lp_pool2d", "lp_pool3d",
    "margin_ranking_loss", "max_pool1d", "max_pool2d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d",
    "mish", "mse_loss", "multi_margin_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss",
    "native_channel_shuffle", "nll_loss", "normalize", "one_hot", "pad", "pairwise_distance", "pdist",
    "pixel_shuffle", "pixel_unshuffle", "poisson_nll_loss", "prelu", "relu", "relu6", "relu_", "rms_norm", "rrelu",
    "rrelu_", "scaled_dot_product_attention", "selu", "selu_", "sigmoid", "silu", "smooth_l1_loss",
    "soft_margin_loss", "softmax", "softmin", "softplus", "softshrink", "softsign", "tanh", "tanhshrink", "threshold",
    "threshold_", "triplet_margin_loss", "triplet_margin_with_distance_loss", "unfold", "upsample",
    "upsample_bilinear", "upsample_nearest",
]  # fmt: skip


def normalize(input: _Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: _Tensor | None = None) -> Any:
    """The input divided along a dimension by its p-norm, or by eps where that is larger.

    >>> import wengert
    >>> wengert.nn.functional.normalize(wengert.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    made = input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    if out is None:
        return made
    from ..ops.inplace import into

    return into(out, made)


def one_hot(tensor: _Tensor, num_classes: int = -1) -> Any:
    """For each integer a row of zeros with a 1 at its place.

    >>> import wengert
    >>> wengert.nn.functional.one_hot(wengert.tensor([1, 0]))
    tensor([[0, 1],
            [1, 0]])
    """
    import numpy as np

    from .. import dtypes
    from ..tensor import wrap

    if tensor.dtype is not dtypes.int64:
        raise RuntimeError(f"one_hot is only applicable to index tensor of type LongTensor, got {tensor.dtype}")
    array = tensor._array
    if not array.size and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if array.size and array.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    count = int(array.max()) + 1 if num_classes == -1 else num_classes
    if array.size and array.max() >= count:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return wrap((array[..., None] == np.arange(count)).astype(np.int64))
