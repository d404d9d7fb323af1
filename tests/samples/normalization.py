"""Normalisation over the last dimensions, channels, groups and examples."""

import numpy as np

from . import S, T

_F = "nn.functional."


def _standard(a, axes, eps):
    return (a - a.mean(axes, keepdims=True)) / np.sqrt(a.var(axes, keepdims=True) + eps)


def _layer(a, shape, weight=None, bias=None, eps=1e-5):
    made = _standard(a, tuple(range(a.ndim - len(shape), a.ndim)), eps)
    made = made if weight is None else made * weight
    return made if bias is None else made + bias


def _batch(a, mean, variance, weight=None, bias=None, training=False, eps=1e-5, **_):
    beside = (1, -1) + (1,) * (a.ndim - 2)
    if training:
        made = _standard(a, (0, *range(2, a.ndim)), eps)
    else:
        made = (a - mean.reshape(beside)) / np.sqrt(variance.reshape(beside) + eps)
    made = made if weight is None else made * weight.reshape(beside)
    return made if bias is None else made + bias.reshape(beside)


def _group(a, groups, weight=None, bias=None, eps=1e-5):
    made = _standard(a.reshape(a.shape[0], groups, -1), (2,), eps).reshape(a.shape)
    beside = (1, -1) + (1,) * (a.ndim - 2)
    made = made if weight is None else made * weight.reshape(beside)
    return made if bias is None else made + bias.reshape(beside)


def _instance(a, eps=1e-5):
    return _standard(a, tuple(range(2, a.ndim)), eps)


def _rms(a, shape, weight=None, eps=2.220446049250313e-16):
    axes = tuple(range(a.ndim - len(shape), a.ndim))
    made = a / np.sqrt((a * a).mean(axes, keepdims=True) + eps)
    return made if weight is None else made * weight


_mean = T(3, grad=False)
_variance = T(3, low=0.5, high=2.0, grad=False)

SAMPLES = [
    S(_F + "layer_norm", T(2, 4), (4,), value=_layer),
    S(_F + "layer_norm", T(2, 3, 4), (3, 4), T(3, 4), T(3, 4), 0.1, value=_layer),
    S(_F + "layer_norm", T(2, 4, transposed=True), (4,), T(4), value=_layer),
    S(_F + "layer_norm", T(4), (4,), None, T(4), value=_layer),
    S(_F + "layer_norm", T(0, 4), (4,), T(4)),
    S(_F + "batch_norm", T(4, 3), None, None, T(3), T(3), training=True, value=_batch),
    S(_F + "batch_norm", T(2, 3, 2, 2), None, None, T(3), None, training=True, eps=0.1, value=_batch),
    S(_F + "batch_norm", T(4, 3), _mean, _variance, T(3), T(3), value=_batch),
    S(_F + "batch_norm", T(2, 3, 4), _mean, _variance, None, T(3), value=_batch),
    S(_F + "batch_norm", T(2, 3, 4), _mean, _variance, eps=0.1, value=_batch),
    S(_F + "group_norm", T(2, 4, 3), 2, T(4), T(4), value=_group),
    S(_F + "group_norm", T(2, 4), 2, None, T(4), value=_group),
    S(_F + "group_norm", T(2, 4, 2, 2), 4, eps=0.1, value=lambda a, groups, eps: _group(a, groups, eps=eps)),
    S(_F + "instance_norm", T(2, 3, 4), value=_instance),
    S(_F + "instance_norm", T(2, 3, 2, 2), None, None, T(3), T(3)),
    S(_F + "instance_norm", T(2, 3, 4), _mean, _variance, T(3), use_input_stats=False),
    S(_F + "rms_norm", T(2, 4), (4,), value=_rms),
    S(_F + "rms_norm", T(2, 3, 4), (3, 4), T(3, 4), value=_rms),
    S(_F + "local_response_norm", T(2, 4, 3), 3, alpha=0.5),
    S(_F + "local_response_norm", T(1, 3, 2, 2), 2, alpha=1.0, beta=0.5, k=2.0),
]
