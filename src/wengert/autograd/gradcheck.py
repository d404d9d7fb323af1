"""Comparison of derivatives with finite differences: `gradcheck` and `gradgradcheck`.

Everything is compared in real coordinates: a complex number counts as two, its real and its imaginary part. The derivative of
each output by each input is then a real matrix, whatever their dtypes, and the gradient by PyTorch's convention (the conjugate of
the Wirtinger derivative, doubled) is a row of it.
"""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Tensor, wrap
from .api import grad

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Array = np.ndarray[Any, np.dtype[Any]]

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """A derivative is not what finite differences say."""


# ------------------------------------------------------------------------------------------------ coordinates


def _reals(array: Array) -> Array:
    """The elements as a flat array of float64 coordinates."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return (flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat).astype(np.float64)


def _from_reals(values: Array, like: Array) -> Array:
    """The array of the shape and dtype of `like` that has these coordinates."""
    if like.dtype.kind == "c":
        return values.astype(like.real.dtype).view(like.dtype).reshape(like.shape)
    return values.astype(like.dtype).reshape(like.shape)


def _count(x: Tensor) -> int:
    return x._array.size * (2 if x._array.dtype.kind == "c" else 1)


def _unit(place: int, like: Tensor) -> Array:
    values = np.zeros(_count(like))
    values[place] = 1
    return _from_reals(values, like._array)


# ------------------------------------------------------------------------------------------------ what is compared


class _Subject:
    """The function under test, its inputs, those of them that have a derivative, and the outputs that do."""

    def __init__(self, func: Callable[..., Any], inputs: tuple[Any, ...]) -> None:
        self.func = func
        self.inputs = inputs
        self.xs = [x for x in _tensors(inputs) if x.requires_grad]
        every = self.outputs(inputs)
        self.places = [i for i, o in enumerate(every) if o.requires_grad]
        self.every = every

    def outputs(self, inputs: Sequence[Any]) -> list[Tensor]:
        result = self.func(*inputs)
        parts = list(result) if isinstance(result, (tuple, list)) else [result]
        for i, o in enumerate(parts):
            if not isinstance(o, Tensor):
                raise TypeError(
                    f"gradcheck: the function has to return tensors, but output {i} is of type {type(o).__name__}"
                )
        return parts

    def differentiable(self) -> list[Tensor]:
        """The outputs that have a derivative, computed anew."""
        outs = self.outputs(self.inputs)
        return [outs[i] for i in self.places]

    def moved(self, x: Tensor, step: Array) -> list[Array]:
        """The coordinates of all outputs where those of `x` are moved by `step`."""
        before = x._array.copy()
        x._array[...] = _from_reals(_reals(before) + step, before)
        try:
            return [_reals(o._array) for o in self.outputs(self.inputs)]
        finally:
            x._array[...] = before

    def slope(self, x: Tensor, direction: Array, eps: float) -> list[Array]:
        """The derivative of all outputs along a direction of `x`, by a central difference."""
        plus, minus = self.moved(x, eps * direction), self.moved(x, -eps * direction)
        with np.errstate(all="ignore"):
            return [(p - m) / (2 * eps) for p, m in zip(plus, minus, strict=True)]

    def numerical(self, x: Tensor, eps: float) -> list[Array]:
        """For each output the matrix of its derivatives by `x`, column by column."""
        count = _count(x)
        made = [np.zeros((_count(o), count)) for o in self.every]
        for k in range(count):
            for matrix, column in zip(made, self.slope(x, np.eye(1, count, k)[0], eps), strict=True):
                matrix[:, k] = column
        return made

    def pulled(self, out: Tensor, x: Tensor, cotangent: Array) -> Array:
        """The coordinates of the gradient by `x`."""
        (g,) = grad(out, x, wrap(cotangent), retain_graph=True, allow_unused=True)
        return np.zeros(_count(x)) if g is None else _reals(g._array)

    def analytical(self, out: Tensor, x: Tensor) -> Array:
        """The matrix of the derivatives of one output by `x` as reverse mode has it, row by row."""
        made = np.zeros((_count(out), _count(x)))
        for k in range(len(made)):
            made[k] = self.pulled(out, x, _unit(k, out))
        return made

    def pushed(self, x: Tensor, direction: Array) -> list[Array]:
        """The derivative of all outputs along a direction of `x`, as forward mode has it."""
        from .forward_ad import dual_level, make_dual, unpack_dual

        with dual_level():
            dual = make_dual(x.detach() if not x.requires_grad else x, wrap(_from_reals(direction, x._array)))
            outs = self.outputs(_replaced(self.inputs, x, dual))
            tangents = [unpack_dual(o).tangent for o in outs]
            return [np.zeros(_count(o)) if t is None else _reals(t._array) for o, t in zip(outs, tangents, strict=True)]

    def forward(self, x: Tensor) -> list[Array]:
        """For each output the matrix of its derivatives by `x` as forward mode has it, column by column."""
        count = _count(x)
        made = [np.zeros((_count(o), count)) for o in self.every]
        for k in range(count):
            for matrix, column in zip(made, self.pushed(x, np.eye(1, count, k)[0]), strict=True):
                matrix[:, k] = column
        return made


def _tensors(inputs: Any) -> list[Tensor]:
    """The tensors among the inputs, also those in lists and tuples."""
    found: list[Tensor] = []
    for x in inputs:
        if isinstance(x, Tensor):
            if not any(x is y for y in found):
                found.append(x)
        elif isinstance(x, (list, tuple)):
            found += [y for y in _tensors(x) if not any(y is z for z in found)]
    return found


def _replaced(inputs: Any, old: Tensor, new: Tensor) -> Any:
    return type(inputs)(
        [new if x is old else _replaced(x, old, new) if isinstance(x, (list, tuple)) else x for x in inputs]
    )


# ------------------------------------------------------------------------------------------------ the checks


def _mismatch(
    what: str, numeric: Array, analytic: Array, place: int, number: int, x: Tensor, out: Tensor
) -> GradcheckError:
    note = ""
    if x._array.dtype.kind == "c" or out._array.dtype.kind == "c":
        note = "\nA complex number counts as two rows or columns: its real and its imaginary part."
    kind = x._array.dtype if x._array.dtype.kind != "c" else x._array.real.dtype
    return GradcheckError(
        f"{what} for output {number} with respect to input {place},\nnumerical:{wrap(numeric.T.astype(kind))}\n"
        f"analytical:{wrap(analytic.T.astype(kind))}\n{note}"
    )


def _compare_slowly(
    subject: _Subject, eps: float, atol: float, rtol: float, forward: bool, backward: bool, tol: float
) -> None:
    outs = subject.differentiable()
    for place, x in enumerate(subject.xs):
        numeric = subject.numerical(x, eps)
        if backward:
            for number, out in zip(subject.places, outs, strict=True):
                analytic = subject.analytical(out, x)
                if not np.allclose(analytic, numeric[number], rtol, atol, equal_nan=True):
                    raise _mismatch("Jacobian mismatch", numeric[number], analytic, place, number, x, out)
                _check_reentrant(analytic, subject.analytical(out, x), tol)
        if forward:
            made = subject.forward(x)
            for number, out in zip(subject.places, outs, strict=True):
                if not np.allclose(made[number], numeric[number], rtol, atol, equal_nan=True):
                    raise _mismatch(
                        "Jacobian computed with forward mode mismatch",
                        numeric[number],
                        made[number],
                        place,
                        number,
                        x,
                        out,
                    )


def _compare_fast(
    subject: _Subject, eps: float, atol: float, rtol: float, forward: bool, backward: bool, tol: float
) -> None:
    """Compare one random linear combination of each matrix."""
    outs = subject.differentiable()
    rng = np.random.default_rng(2024)

    def weights(x: Tensor) -> Array:
        values: Array = rng.uniform(0.1, 1.0, _count(x))
        return values / np.linalg.norm(values) if values.size else values

    for place, x in enumerate(subject.xs):
        u = weights(x)
        numeric = subject.slope(x, u, eps)
        made = subject.pushed(x, u) if forward else None
        for number, out in zip(subject.places, outs, strict=True):
            v = weights(out)
            near = atol * u.sum() * v.sum()
            n = v @ numeric[number]
            for what, found in (("Jacobian mismatch", None), ("Jacobian computed with forward mode mismatch", made)):
                if found is None and (not backward or "forward" in what):
                    continue
                cotangent = _from_reals(v, out._array)
                a = v @ found[number] if found is not None else u @ subject.pulled(out, x, cotangent)
                if found is None:
                    _check_reentrant(a, u @ subject.pulled(out, x, cotangent), tol)
                if np.allclose(a, n, rtol, near, equal_nan=True):
                    continue
                numerical = subject.numerical(x, eps)[number]
                analytical = subject.analytical(out, x) if found is None else subject.forward(x)[number]
                raise GradcheckError(
                    f"{what} for output {number} with respect to input {place},\nnumerical:{n}\nanalytical:{a}\n\n"
                    "The above quantities relating the numerical and analytical jacobians are computed in fast mode. Below, they "
                    f"are recomputed in slow mode:\n\nNumerical:\n {wrap(numerical.T)}\nAnalytical:\n{wrap(analytical.T)}\n\n"
                    f"The max per-element difference (slow mode) is: {abs(numerical - analytical).max(initial=0)}.\n"
                )


def _check_reentrant(first: Any, second: Any, tol: float) -> None:
    if np.any(abs(first - second) > tol):
        raise GradcheckError(
            "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different "
            "values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism was "
            f"{tol}.\n\nIf this is expected, pass `nondet_tol=<tol>`."
        )


def _check_linear(subject: _Subject, dtypes_too: bool) -> None:
    """Raise if a zero cotangent gives other than zeros, or a gradient has another shape or dtype than its input."""
    outs = subject.differentiable()
    zeros = [wrap(np.zeros(o._array.shape, o._array.dtype)) for o in outs]
    for x, g in zip(subject.xs, grad(outs, subject.xs, zeros, allow_unused=True), strict=True):
        if g is None:
            continue
        if g._array.any():
            raise GradcheckError("backward not multiplied by grad_output")
        if g.shape != x.shape:
            raise GradcheckError(f"grad is incorrect size: {list(g.shape)} for an input of {list(x.shape)}")
        if dtypes_too and g.dtype is not x.dtype:
            raise GradcheckError(f"grad is incorrect type: {g.dtype} for an input of {x.dtype}")


def _check_undefined(subject: _Subject) -> None:
    """Raise if a derivative cannot do with a gradient of some outputs only, or makes something of none."""
    outs = subject.differentiable()
    if len(outs) < 2:
        return
    for o in outs:
        zeros = wrap(np.zeros(o._array.shape, o._array.dtype))
        try:
            found = grad(o, subject.xs, zeros, retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            raise GradcheckError(
                "Expected backward function to handle undefined output grads: the gradients of the outputs that are not used are "
                'None. Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
            ) from error
        if any(g is not None and g._array.any() for g in found):
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please look at "
                '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
            )


def _checked_inputs(inputs: Any) -> tuple[Any, ...]:
    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    found = False
    for i, x in enumerate(_tensors(given)):
        if not x.requires_grad:
            continue
        found = True
        if x._array.dtype.itemsize < (16 if x.is_complex() else 8):
            import warnings

            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check will likely "
                "fail if all the inputs are not of double precision floating point or complex. ",
                UserWarning,
                stacklevel=4,
            )
        if any(s == 0 and n > 1 for s, n in zip(x._array.strides, x._array.shape, strict=True)):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able "
                "to compute the numerical gradients correctly. You should call .contiguous on the input before passing it to "
                "gradcheck."
            )
    if not found:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    return given


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the derivatives of `func` by those inputs that require grad with finite differences.

    func               takes the inputs and returns a tensor or several
    inputs             a tensor or a tuple; in double precision, or the differences are too coarse
    eps                the step of the differences
    atol, rtol         how far a derivative may be off
    raise_exception    raise GradcheckError, rather than return False
    nondet_tol         how far two backward passes over one graph may differ
    check_undefined_grad   also use the outputs of a function with several one by one
    check_grad_dtypes  also compare the gradients' dtypes with the inputs'
    check_forward_ad, check_backward_ad   what to check
    fast_mode          compare one random combination of all derivatives, at the cost of three evaluations
    masked             without effect: there are no sparse tensors

    Raises GradcheckError where a derivative is off, ValueError if no input requires grad, NotImplementedError for
    `check_batched_grad`, which needs vmap.

    >>> import wengert
    >>> x = wengert.tensor([0.5, 1.5], dtype=wengert.float64, requires_grad=True)
    >>> wengert.autograd.gradcheck(lambda x: x.sin() * x, (x,))
    True
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad or check_batched_forward_grad:
        raise NotImplementedError(
            "gradcheck: check_batched_grad and check_batched_forward_grad need vmap, which wengert does not have; leave them out"
        )
    given = _checked_inputs(inputs)
    try:
        subject = _Subject(func, given)
        if not subject.places:
            for x in subject.xs:
                if any(abs(matrix).max(initial=0) > atol for matrix in subject.numerical(x, eps)):
                    raise GradcheckError("Numerical gradient for function expected to be zero")
            return True
        compare = _compare_fast if fast_mode else _compare_slowly
        compare(subject, eps, atol, rtol, check_forward_ad, check_backward_ad, nondet_tol)
        if check_backward_ad:
            _check_linear(subject, check_grad_dtypes)
            if check_undefined_grad:
                _check_undefined(subject)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compare the second derivatives of `func` with finite differences of the first; the other arguments are `gradcheck`'s.

    grad_outputs                 the cotangents of the outputs, by which is differentiated too; by default random ones
    gen_non_contig_grad_outputs  let the random ones lie apart in memory
    check_fwd_over_rev, check_rev_over_rev   whether to differentiate the gradient in forward mode, in reverse mode

    >>> import wengert
    >>> x = wengert.tensor([0.5, 1.5], dtype=wengert.float64, requires_grad=True)
    >>> wengert.autograd.gradgradcheck(lambda x: x.sin() * x, (x,))
    True
    """
    given = _checked_inputs(inputs)
    if grad_outputs is None:
        subject = _Subject(func, given)
        weights = [_random_like(subject.every[i], gen_non_contig_grad_outputs) for i in subject.places]
    else:
        weights = [grad_outputs] if isinstance(grad_outputs, Tensor) else list(grad_outputs)
    count = len(weights)
    known = [x.requires_grad for x in _tensors(given)]

    def first(*args: Any) -> Any:
        inner = args[: len(args) - count]
        leaves = [x for x, needed in zip(_tensors(inner), known, strict=True) if needed]
        result = func(*inner)
        outs = [o for o in (result if isinstance(result, (tuple, list)) else (result,)) if o.requires_grad]
        found = grad(outs, leaves, args[len(args) - count :], create_graph=True, allow_unused=True)
        return tuple([g for g in found if g is not None])

    return gradcheck(
        first, (*given, *weights), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes, check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev, fast_mode=fast_mode, masked=masked,
    )  # fmt: skip


def _random_like(o: Tensor, apart: bool) -> Tensor:
    rng = np.random.default_rng(7)
    values = rng.uniform(-1, 1, 2 * _count(o))
    array = _from_reals(values[: _count(o)], o._array)
    if apart and array.size:
        spread = np.zeros((*array.shape, 2), array.dtype)
        spread[..., 0] = array
        array = spread[..., 0]
    return wrap(array).requires_grad_()


class _Module(types.ModuleType):
    """This module, which in PyTorch is hidden by the function of its name."""

    def __call__(self, *args: Any, **kwargs: Any) -> bool:
        return gradcheck(*args, **kwargs)


sys.modules[__name__].__class__ = _Module
