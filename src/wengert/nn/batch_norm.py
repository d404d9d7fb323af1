"""Layers that normalise channels by statistics of which they may keep a running mean: over a batch, or for each example."""

from __future__ import annotations

import warnings
from typing import Any

from .. import dtypes
from ..creation import empty, ones, tensor, zeros
from ..tensor import Tensor
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


class _NormBase(Module):
    """What batch and instance normalisation have in common: parameters, running statistics, and their state."""

    _version = 2
    dims: tuple[int, ...]  # how many dimensions an input may have

    weight: Parameter | None
    bias: Parameter | None
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            made = Parameter(empty(num_features, device=device, dtype=dtype)) if wanted else None
            self.register_parameter(name, made)
        if track_running_stats:
            self.register_buffer("running_mean", zeros(num_features, device=device, dtype=dtype))
            self.register_buffer("running_var", ones(num_features, device=device, dtype=dtype))
            self.register_buffer("num_batches_tracked", tensor(0, dtype=dtypes.int64))
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget the batches seen so far."""
        if self.track_running_stats:
            assert self.running_mean is not None
            assert self.running_var is not None
            assert self.num_batches_tracked is not None
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Forget the batches seen so far, set the weight to ones and the bias to zeros."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in self.dims:
            wanted = " or ".join(f"{n}D" for n in self.dims)
            raise ValueError(f"expected {wanted} input (got {input.dim()}D input)")

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, missing_keys: list[str],
        unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:  # fmt: skip
        version = local_metadata.get("version", None)
        key = prefix + "num_batches_tracked"
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            kept = self.num_batches_tracked  # states of version 1 do not count the batches
            state_dict[key] = kept if kept is not None else tensor(0, dtype=dtypes.int64)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class _BatchNorm(_NormBase):
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the mean of all batches
                momentum = 1.0 / float(self.num_batches_tracked)
        of_batch = self.training or (self.running_mean is None and self.running_var is None)
        keeps = not self.training or self.track_running_stats
        return F.batch_norm(
            input, self.running_mean if keeps else None, self.running_var if keeps else None, self.weight, self.bias, of_batch,
            momentum, self.eps,
        )  # fmt: skip


class BatchNorm1d(_BatchNorm):
    """Standardises each channel over the batch, then multiplies by a weight and adds a bias: inputs (N, C) or (N, C, L).

    num_features         the number of channels C
    eps                  is added to the variance
    momentum             how far running mean and variance move towards those of a batch; None: they are the mean of all batches
    affine               whether there are weight and bias
    track_running_stats  whether running statistics are kept, which are taken in evaluation
    bias                 whether there is a bias

    >>> import wengert
    >>> wengert.nn.BatchNorm1d(1)(wengert.tensor([[1.0], [3.0]])).detach()
    tensor([[-1.0000],
            [ 1.0000]])
    """

    dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """`BatchNorm1d` of inputs (N, C, H, W)."""

    dims = (4,)


class BatchNorm3d(_BatchNorm):
    """`BatchNorm1d` of inputs (N, C, D, H, W)."""

    dims = (5,)


class _InstanceNorm(_NormBase):
    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
        track_running_stats: bool = False, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _apply_norm(self, input: Tensor) -> Tensor:
        momentum = 0.0 if self.momentum is None else self.momentum
        return F.instance_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, self.training or not self.track_running_stats,
            momentum, self.eps,
        )  # fmt: skip

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        alone = input.dim() == self.dims[0]  # without a dimension for the batch
        channels = input.size(0 if alone else 1)
        if channels != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={0 if alone else 1} to match num_features ({self.num_features}), but got: {channels}."
                )
            warnings.warn(
                f"input's size at dim={0 if alone else 1} does not match num_features. You can silence this warning by not passing in "
                "num_features, which is not used because affine=False",
                stacklevel=2,
            )
        return self._apply_norm(input.unsqueeze(0)).squeeze(0) if alone else self._apply_norm(input)


class InstanceNorm1d(_InstanceNorm):
    """Standardises each channel of each example: inputs (N, C, L) or (C, L). The arguments are those of `BatchNorm1d`.

    >>> import wengert
    >>> wengert.nn.InstanceNorm1d(1)(wengert.tensor([[[1.0, 3.0]]]))
    tensor([[[-1.0000,  1.0000]]])
    """

    dims = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """`InstanceNorm1d` of inputs (N, C, H, W) or (C, H, W)."""

    dims = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """`InstanceNorm1d` of inputs (N, C, D, H, W) or (C, D, H, W)."""

    dims = (4, 5)
