"""Forward mode as a transformation of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..autograd.forward_ad import make_dual
from ..ops.forward_mode import close_level, open_level, primal_of, tangent_of
from ..tensor import Tensor, wrap
from .tree import build, change, describe, flatten

if TYPE_CHECKING:
    from collections.abc import Callable


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """The value of a function, and its derivative along a direction.

    primals   the arguments, a tuple: of tensors, or of tuples, lists and dictionaries of them
    tangents  the direction, of the same structure and shapes
    strict    whether it is an error if the value does not depend on the primals
    has_aux   whether `func` returns (value, something else), which is then returned third

    Calls may be nested, in each other and in `grad`, for higher derivatives.
    Raises RuntimeError where primals and tangents differ in structure or shape.

    >>> import wengert
    >>> wengert.func.jvp(lambda x: x**3, (wengert.tensor(2.0),), (wengert.tensor(1.0),))
    (tensor(8.), tensor(12.))
    """
    name = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{name}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals). Got {type(primals).__name__}"
        )
    xs, structure = flatten(primals)
    ts, other = flatten(tangents)
    if structure != other:
        raise RuntimeError(
            f"{name}: Expected primals and tangents to have the same python structure. For example, if primals is a tuple of 3 "
            f"tensors, tangents also must be. Got primals with structure {describe(structure)} and tangents with structure "
            f"{describe(other)}"
        )
    if not xs:
        raise RuntimeError(f"{name}: Expected primals to contain at least one Tensor.")
    for what, values in (("primals", xs), ("tangents", ts)):
        for x in values:
            if not isinstance(x, Tensor):
                raise RuntimeError(f"{name}: Expected {what} to only contain Tensors, got {type(x)}")
    level = open_level()
    try:
        duals = [make_dual(x, t) for x, t in zip(xs, ts, strict=True)]
        result = func(*build(structure, duals))
        aux = None
        if has_aux:
            if not (isinstance(result, tuple) and len(result) == 2):
                raise RuntimeError(f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True")
            result, aux = result
        outs, shape = flatten(result)
        pushed = []
        for x in outs:
            if not isinstance(x, Tensor):
                raise RuntimeError(
                    f"{name}: expected f(*primals) to return only tensors, got unsupported type {type(x)}"
                )
            t = tangent_of(x, level)
            if t is None:
                if strict:
                    raise RuntimeError(
                        "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not "
                        "allowed with strict=True."
                    )
                t = wrap(np.zeros(x._array.shape, x._array.dtype))
            pushed.append(t)
        values = [primal_of(x, level) for x in outs]
        aux = change(lambda x: primal_of(x, level), aux)
    finally:
        close_level()
    found = (build(shape, values), build(shape, pushed))
    return (*found, aux) if has_aux else found


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of a function, and the function that takes tangents of its arguments to the derivative along them.

    That function evaluates `func` at the primals each time.

    >>> import wengert
    >>> value, push = wengert.func.linearize(lambda x: x**2, wengert.tensor([1.0, 2.0]))
    >>> push(wengert.tensor([1.0, 0.0]))
    tensor([2., 0.])
    """

    def push(*tangents: Any) -> Any:
        return jvp(func, primals, tangents)[1]

    return func(*primals), push
