"""Comparison of derivatives with finite differences: `gradcheck` and `gradgradcheck`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..tensor import Tensor, wrap
from .api import grad

if TYPE_CHECKING:
    from collections.abc import Callable


class GradcheckError(RuntimeError):
    """A derivative does not equal the finite difference."""


def _differentiable(inputs: tuple[Any, ...]) -> list[Tensor]:
    found = [x for x in inputs if isinstance(x, Tensor) and x.requires_grad]
    found += [y for x in inputs if isinstance(x, (list, tuple)) for y in x if isinstance(y, Tensor) and y.requires_grad]
    return found


def _outputs(result: Any) -> list[Tensor]:
    parts = result if isinstance(result, (tuple, list)) else (result,)
    return [o for o in parts if isinstance(o, Tensor) and (o.is_floating_point() or o.is_complex())]


def _reals(array: Any) -> Any:
    """The elements as a flat array of reals: of a complex number two, its real and its imaginary part."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _from_reals(values: Any, like: Any) -> Any:
    if like.dtype.kind == "c":
        return np.asarray(values, like.real.dtype).view(like.dtype).reshape(like.shape)
    return np.asarray(values, like.dtype).reshape(like.shape)


def _numerical(func: Callable[..., Any], inputs: tuple[Any, ...], x: Tensor, outs: list[Tensor], eps: float) -> list[Any]:
    """For each output the matrix of derivatives by the real parts of `x`, by differences of second order."""
    from .modes import no_grad

    count = _reals(x._array).size
    made = [np.zeros((_reals(o._array).size, count)) for o in outs]
    base = x._array.copy()
    for k in range(count):
        sides = []
        for sign in (1, -1):
            moved = _reals(base).astype(np.float64).copy()
            moved[k] += sign * eps
            with no_grad():
                x._array[...] = _from_reals(moved, base)
                sides.append([_reals(o._array).astype(np.float64).copy() for o in _outputs(func(*inputs))])
        x._array[...] = base
        for matrix, a, b in zip(made, sides[0], sides[1], strict=True):
            matrix[:, k] = (a - b) / (2 * eps)
    return made


def _analytical(o: Tensor, xs: list[Tensor]) -> list[Any]:
    """For each input the matrix of derivatives of one output, by reverse mode, row by row."""
    count = _reals(o._array).size
    made = [np.zeros((count, _reals(x._array).size)) for x in xs]
    for k in range(count):
        unit = np.zeros(count)
        unit[k] = 1
        found: Any = [None] * len(xs)
        if o.requires_grad:
            found = grad(o, xs, wrap(_from_reals(unit, o._array)), retain_graph=True, allow_unused=True)
        for matrix, g in zip(made, found, strict=True):
            if g is not None:
                matrix[k] = _reals(g._array)
    return made


def _pushed(func: Callable[..., Any], inputs: tuple[Any, ...], x: Tensor, outs: list[Tensor]) -> list[Any]:
    """For each output the matrix of derivatives by `x`, by forward mode, column by column."""
    from ..ops.forward_mode import tangent_of
    from .forward_ad import dual_level, make_dual
    from .modes import get_mode

    count = _reals(x._array).size
    made = [np.zeros((_reals(o._array).size, count)) for o in outs]
    for k in range(count):
        unit = np.zeros(count)
        unit[k] = 1
        with dual_level():
            dual = make_dual(x, wrap(_from_reals(unit, x._array)))
            result = _outputs(func(*[dual if y is x else y for y in inputs]))
            for matrix, o in zip(made, result, strict=True):
                t = tangent_of(o, get_mode().dual_level)
                if t is not None:
                    matrix[:, k] = _reals(t.detach()._array)
    return made


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

    func              takes the inputs and returns a tensor or several
    inputs            a tensor or a tuple; in double precision, or the differences are too coarse
    eps               the step of the differences
    atol, rtol        how far a derivative may be off
    raise_exception   raise GradcheckError, rather than return False
    nondet_tol        how far two backward passes over the same graph may differ
    check_forward_ad  compare forward mode too
    fast_mode         compare one random projection of the Jacobian instead of all of it

    >>> import wengert
    >>> x = wengert.tensor([0.5, 1.5], dtype=wengert.float64, requires_grad=True)
    >>> wengert.autograd.gradcheck(lambda x: x.sin() * x, (x,))
    True
    """
    try:
        _gradcheck(
            func, inputs, eps, atol, rtol, nondet_tol, check_undefined_grad, check_grad_dtypes,
            check_batched_grad or check_batched_forward_grad, check_forward_ad, check_backward_ad, fast_mode,
        )  # fmt: skip
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _gradcheck(
    func: Any, inputs: Any, eps: float, atol: float, rtol: float, nondet_tol: float, undefined: bool, dtypes_too: bool,
    batched: bool, forward: bool, backward: bool, fast: bool,
) -> None:  # fmt: skip
    if batched:
        raise NotImplementedError(
            "gradcheck: check_batched_grad needs vmap, which wengert does not have yet; leave it out"
        )
    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    xs = _differentiable(given)
    if not xs:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True."
        )
    for i, x in enumerate(given):
        if isinstance(x, Tensor) and x.requires_grad and x._array.dtype.itemsize < (16 if x.is_complex() else 8):
            import warnings

            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check will likely "
                "fail if all the inputs are not of double precision floating point or complex. ",
                UserWarning,
                stacklevel=4,
            )
    for x in xs:
        if any(s == 0 and n > 1 for s, n in zip(x._array.strides, x._array.shape, strict=True)):
            raise RuntimeError(
                "The input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able to "
                "compute the numerical gradients correctly. You should call .contiguous on the input before passing it to "
                "gradcheck."
            )
    outs = _outputs(func(*given))
    if not any(o.requires_grad for o in outs):
        for i, x in enumerate(xs):
            for j, matrix in enumerate(_numerical(func, given, x, outs, eps)):
                if np.any(abs(matrix) > atol):
                    raise GradcheckError(
                        f"Numerical gradient for function expected to be zero, but output {j} depends on input {i}"
                    )
        return
    for i, x in enumerate(xs):
        numeric = _numerical(func, given, x, outs, eps)
        if forward:
            for j, (n, a) in enumerate(zip(numeric, _pushed(func, given, x, outs), strict=True)):
                _compare(n, a, i, j, atol, rtol, fast, "Jacobian computed with forward mode mismatch")
        if not backward:
            continue
        for j, o in enumerate(outs):
            (analytic,) = _analytical(o, [x])
            _compare(numeric[j], analytic, i, j, atol, rtol, fast, "Jacobian mismatch")
            (again,) = _analytical(o, [x])
            if np.any(abs(analytic - again) > nondet_tol):
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
                    "different values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism "
                    f"was {nondet_tol}."
                )
    if dtypes_too and backward:
        for o in outs:
            if o.requires_grad:
                found = grad(o, xs, wrap(np.ones_like(o._array)), retain_graph=True, allow_unused=True)
                for g, x in zip(found, xs, strict=True):
                    if g is not None and g.dtype is not x.dtype:
                        raise GradcheckError(f"Expected gradient of dtype {x.dtype}, got {g.dtype}")
    if undefined and backward:
        _check_undefined(func, given, xs)


def _check_undefined(func: Any, given: tuple[Any, ...], xs: list[Tensor]) -> None:
    """Raise if the backward of a node cannot stand that a cotangent is not there, or makes something of it."""
    outs = [o for o in _outputs(func(*given)) if o.requires_grad]
    if len(outs) < 2:
        return
    for o in outs:
        try:
            grad(o, xs, wrap(np.zeros_like(o._array)), retain_graph=True, allow_unused=True)
        except Exception as error:
            raise GradcheckError(
                "Expected backward function to handle undefined output grads. Please look at 'Notes about undefined output "
                "gradients' in 'tools/autograd/derivatives.yaml'"
            ) from error


def _compare(numeric: Any, analytic: Any, i: int, j: int, atol: float, rtol: float, fast: bool, what: str) -> None:
    a, n = analytic, numeric
    if fast and a.size:
        rng = np.random.default_rng(0)
        u = rng.standard_normal(a.shape[0])
        v = rng.standard_normal(a.shape[1])
        a, n = u @ a @ v / np.sqrt(a.size), u @ n @ v / np.sqrt(n.size)
    if not np.allclose(a, n, rtol, atol, equal_nan=True):
        raise GradcheckError(
            f"{what} for output {j} with respect to input {i},\nnumerical:{np.asarray(numeric.T)}\n"
            f"analytical:{np.asarray(analytic.T)}\n"
        )


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
    """Compare the second derivatives of `func` with finite differences of the first; arguments as of `gradcheck`.

    grad_outputs: the cotangents of the outputs, which are differentiated by too; by default random.

    >>> import wengert
    >>> x = wengert.tensor([0.5, 1.5], dtype=wengert.float64, requires_grad=True)
    >>> wengert.autograd.gradgradcheck(lambda x: x.sin() * x, (x,))
    True
    """
    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    outs = [o for o in _outputs(func(*given)) if o.requires_grad]
    if grad_outputs is None:
        rng = np.random.default_rng(0)
        weights = []
        for o in outs:
            w = rng.uniform(0.1, 1.0, o._array.shape)
            if o.is_complex():
                w = w + 1j * rng.uniform(0.1, 1.0, o._array.shape)
            weights.append(wrap(np.asarray(w, o._array.dtype)).requires_grad_())
    else:
        weights = [grad_outputs] if isinstance(grad_outputs, Tensor) else list(grad_outputs)
    count = len(weights)

    def first(*args: Any) -> Any:
        xs, ws = args[:-count], args[-count:]
        leaves = _differentiable(xs)
        results = [o for o in _outputs(func(*xs)) if o.requires_grad]
        found = grad(results, leaves, ws, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(
        first, (*given, *weights), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes, check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev, fast_mode=fast_mode, masked=masked,
    )  # fmt: skip
