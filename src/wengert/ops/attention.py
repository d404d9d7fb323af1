"""Scaled dot-product attention, some queries at a time: neither forward nor backward holds all scores at once.

With P the softmax of the scores S = scale Q K^T + bias, O = P V. Of a cotangent t, dV = P^T t, and with dP = t V^T and
dS = P (dP - sum(dP P)) along each row, dQ = scale dS K and dK = scale dS^T Q. Queries that may look at no key get zeros.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from ..dtype_names import c_name, scalar_name
from ..tensor import Tensor, wrap
from .declare import F32, general
from .dims import check_tensor
from .dropout import dropout
from .matmul import matmul
from .namespace import arrays, provide, tensors
from .softmax import soft

_BLOCK = 1 << 20  # scores that are held at a time

# ------------------------------------------------------------------------------------------------ masks


def _bias(mask: Any, causal: bool, rows: range, keys: int, d: Any) -> tuple[Any, Any]:
    """What is added to the scores of some queries (None for nothing), and which of them may look at a key (None for all)."""
    bias = None
    if mask is not None:
        part = mask if mask.shape[-2] == 1 else mask[..., rows.start : rows.stop, :]
        bias = np.where(part, 0, -np.inf).astype(d) if part.dtype.kind == "b" else part.astype(d, copy=False)
    if causal:
        hidden = np.arange(keys) > np.arange(rows.start, rows.stop)[:, None]
        bias = np.where(hidden, np.array(-np.inf, d), 0 if bias is None else bias).astype(d, copy=False)
    if bias is None:
        return None, None
    alive = (bias > -np.inf).any(-1, keepdims=True)
    if alive.all():
        return bias, None
    return np.where(alive, bias, np.array(0, d)), alive.astype(d)


# ------------------------------------------------------------------------------------------------ one block


def _weights(F: Any, q: Any, k: Any, bias: Any, alive: Any, scale: float) -> Any:
    """P, of all queries given."""
    scores = F.matmul(q * scale, k.mT)
    made = F.softmax(scores if bias is None else scores + bias, scores.ndim - 1)
    return made if alive is None else made * alive


def _pull_scores(F: Any, t: Any, v: Any, weights: Any) -> Any:
    """dS."""
    of_weights = F.matmul(t, v.mT)
    return weights * (of_weights - F.sum(of_weights * weights, (weights.ndim - 1,), True))


# ------------------------------------------------------------------------------------------------ all of them


def _blocks(q: Any, k: Any) -> Any:
    """The queries in blocks."""
    n, each = q.shape[-2], math.prod(q.shape[:-2]) * k.shape[-2]
    step = max(1, _BLOCK // max(1, each))
    for start in range(0, n, step):
        yield range(start, min(n, start + step))


def _rows(a: Any, rows: range) -> Any:
    return a[..., rows.start : rows.stop, :]


def _attend(q: Any, k: Any, v: Any, mask: Any, scale: float, causal: bool) -> Any:
    d = q.dtype
    if d.itemsize == 2:
        return _attend(q.astype(F32), k.astype(F32), v.astype(F32), mask, scale, causal).astype(d)
    made = np.empty((*q.shape[:-1], v.shape[-1]), d)
    for rows in _blocks(q, k):
        bias, alive = _bias(mask, causal, rows, k.shape[-2], d)
        made[..., rows.start : rows.stop, :] = _weights(arrays, _rows(q, rows), k, bias, alive, scale) @ v
    return made


def _pull_arrays(of: str, t: Any, q: Any, k: Any, v: Any, mask: Any, scale: float, causal: bool) -> Any:
    """The gradient for one of q, k and v, block by block."""
    d = q.dtype
    if d.itemsize == 2:
        t, q, k, v = (a.astype(F32) for a in (t, q, k, v))
        return _pull_arrays(of, t, q, k, v, mask, scale, causal).astype(d)
    made: Any = np.zeros({"q": q, "k": k, "v": v}[of].shape, d)
    for rows in _blocks(q, k):
        bias, alive = _bias(mask, causal, rows, k.shape[-2], d)
        queries, part = _rows(q, rows), _rows(t, rows)
        weights = _weights(arrays, queries, k, bias, alive, scale)
        if of == "v":
            made += weights.mT @ part
            continue
        of_scores = _pull_scores(arrays, part, v, weights)
        if of == "q":
            made[..., rows.start : rows.stop, :] = of_scores @ k
        else:
            made += of_scores.mT @ queries
    return made if of == "v" else made * d.type(scale)


def _pull_tensors(of: str, t: Any, q: Any, k: Any, v: Any, mask: Any, scale: float, causal: bool) -> Any:
    """The same recorded, of all queries at once."""
    raw = mask._array if isinstance(mask, Tensor) else mask
    bias, alive = _bias(raw, causal, range(q.shape[-2]), k.shape[-2], q._array.dtype)
    weights = _weights(
        tensors, q, k, None if bias is None else wrap(bias), None if alive is None else wrap(alive), scale
    )
    if of == "v":
        return matmul(weights.mT, t)
    of_scores = _pull_scores(tensors, t, v, weights)
    return (matmul(of_scores, k) if of == "q" else matmul(of_scores.mT, q)) * scale


provide("pull_attention", _pull_arrays, _pull_tensors)
attend = general(
    "attention", _attend,
    {
        "q": lambda F, t, q, k, v, mask, scale, causal: F.pull_attention("q", t, q, k, v, mask, scale, causal),
        "k": lambda F, t, q, k, v, mask, scale, causal: F.pull_attention("k", t, q, k, v, mask, scale, causal),
        "v": lambda F, t, q, k, v, mask, scale, causal: F.pull_attention("v", t, q, k, v, mask, scale, causal),
        "mask": None,
    },
    ("scale", "causal"), node="ScaledDotProductFlashAttentionForCpuBackward0",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ function


def _check(query: Any, key: Any, value: Any, mask: Any) -> None:
    for position, (name, x) in enumerate((("query", query), ("key", key), ("value", value)), 1):
        check_tensor("scaled_dot_product_attention", x, name, position)
    kinds = [x.dtype for x in (query, key, value)]
    if len(set(kinds)) > 1:
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {c_name(kinds[0])} key.dtype: "
            f"{c_name(kinds[1])} and value.dtype: {c_name(kinds[2])} instead."
        )
    if min(x.ndim for x in (query, key, value)) < 2:
        raise RuntimeError(
            f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {query.ndim} key.dim: {key.ndim} and "
            f"value.dim: {value.ndim} instead."
        )
    if query.dtype.is_complex:
        raise NotImplementedError(f"\"softmax_lastdim_kernel_impl\" not implemented for '{scalar_name(query.dtype)}'")
    if not query.dtype.is_floating_point:
        raise RuntimeError(f"expected scalar type Float but found {scalar_name(query.dtype)}: convert the operands")
    if mask is not None:
        check_tensor("scaled_dot_product_attention", mask, "attn_mask", 4)
        if mask.dtype not in (dtypes.bool, dtypes.float32, query.dtype):
            raise RuntimeError(
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
                f"{c_name(mask.dtype)} and  query.dtype: {c_name(query.dtype)} instead."
            )


def _more_heads(query: Tensor, x: Tensor) -> Tensor:
    """Keys or values of fewer heads, each as often as queries share it."""
    heads, own = query.shape[-3], x.shape[-3]
    if not own or heads % own:
        raise RuntimeError(
            f"Number of heads in key and value must divide the number of heads in query: found {own} and {heads}"
        )
    return x.repeat_interleave(heads // own, -3)


def _softmax_all(query: Tensor, key: Tensor, mask: Tensor | None, causal: bool, scale: float) -> Any:
    """The weights of all queries at once, recorded with those of the mask."""
    scores = matmul(query * scale, key.mT)
    if causal:
        hidden = np.triu(np.ones((query.shape[-2], key.shape[-2]), bool), 1)
        scores = scores.masked_fill(wrap(hidden), -math.inf)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -math.inf) if mask.dtype is dtypes.bool else scores + mask
    dead = wrap((scores._array == -np.inf).all(-1, keepdims=True))
    return soft(scores.masked_fill(dead, 0.0), scores.ndim - 1).masked_fill(dead, 0.0)


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0, is_causal: bool = False,
    scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    """Means of the values, weighted for each query by the softmax of its products with the keys.

    query       (..., L, E)
    key, value  (..., S, E) and (..., S, Ev)
    attn_mask   which keys a query may look at (bool), or what is added to their scores; broadcasts to (..., L, S)
    dropout_p   the probability with which a weight is dropped, in training or not
    is_causal   query i may look at keys up to the i-th only
    scale       what the products are multiplied by, by default 1 / sqrt(E)
    enable_gqa  keys and values may have fewer heads (dimension -3), each shared by several of the queries

    Returns (..., L, Ev): zeros for a query that may look at no key.
    Raises RuntimeError for shapes and dtypes that do not fit.

    >>> import wengert
    >>> q, kv = wengert.zeros(1, 1, 2), wengert.tensor([[[1.0, 2.0], [3.0, 4.0]]])
    >>> wengert.nn.functional.scaled_dot_product_attention(q, kv, kv)
    tensor([[[2., 3.]]])
    """
    _check(query, key, value, attn_mask)
    if enable_gqa and query.ndim > 2:
        key, value = _more_heads(query, key), _more_heads(query, value)
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1]) if query.shape[-1] else 0.0
    if query.shape[-1] != key.shape[-1] or dropout_p or (attn_mask is not None and attn_mask.requires_grad):
        weights = _softmax_all(query, key, attn_mask, is_causal, scale)
        made: Tensor = matmul(dropout(weights, dropout_p, True) if dropout_p else weights, value)
        return made
    from .operation import check_broadcast

    shapes = [x.shape[:-2] for x in (query, key, value)]
    if len(set(shapes)) > 1:
        check_broadcast(shapes)
        batch = np.broadcast_shapes(*shapes)
        query, key, value = (
            x if x.shape[:-2] == batch else x.expand(*batch, *x.shape[-2:]) for x in (query, key, value)
        )
    if attn_mask is not None:
        scores = (*query.shape[:-1], key.shape[-2])
        check_broadcast([scores, tuple(attn_mask.shape)])
        if attn_mask.ndim < 2:
            attn_mask = attn_mask.expand(1, key.shape[-2])
        if attn_mask.shape[-1] != key.shape[-2]:
            attn_mask = attn_mask.expand(*attn_mask.shape[:-1], key.shape[-2])
    attended: Tensor = attend(query, key, value, attn_mask, scale, is_causal)
    return attended
