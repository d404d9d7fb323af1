"""What the rules of decompositions share: adjoints of matrices and parts of them, on arrays and tensors alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.modes import get_mode
from ...tensor import Tensor, wrap
from ..complex_numbers import is_complex
from ..joining import cat
from ..namespace import provide


def adjoint(F: Any, a: Any) -> Any:
    """The conjugate transpose of matrices."""
    return F.conj(a).mT if is_complex(a) else a.mT


def lower_half(F: Any, a: Any) -> Any:
    """The lower triangle of matrices, with half of the diagonal."""
    return (F.tril(a, 0) + F.tril(a, -1)) * 0.5


def on_diagonal(F: Any, a: Any) -> Any:
    """Matrices with the last dimension of `a` on their diagonals."""
    return F.diag_embed(a, 0, a.ndim - 1, a.ndim)


def plus(a: Any, b: Any) -> Any:
    """The sum of two terms, of which each may be None for zero."""
    return b if a is None else a if b is None else a + b


def constant(like: Any, array: Any) -> Any:
    """An array as `like` is: a tensor or an array."""
    return wrap(array) if isinstance(like, Tensor) else array


def differentiated(x: Tensor) -> bool:
    """Whether a derivative may be asked for, for which vectors are needed where their values alone are the result."""
    mode = get_mode()
    return bool(mode.dual_level) or (mode.grad and x.requires_grad)


def raw(x: Any) -> Any:
    """The array of a tensor, or the array itself: for what a rule looks at without computing with it."""
    return x._array if isinstance(x, Tensor) else x


provide("cat", np.concatenate, cat)
