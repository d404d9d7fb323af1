"""How an operation is declared, called, recorded and differentiated. Read this first.

    tanh = diagonal("tanh", np.tanh, lambda F, t, out: t - t * out * out)
    mul = diagonal("mul", np.multiply, lambda F, t, other: t * other, lambda F, t, self: t * self)

A declaration names the forward, a function of arrays, and for each input a *rule*: a function, linear in `t`, that is the
input's column of the Jacobian. The parameters of a rule after `F` and `t` say what it needs, and so what a node keeps:

    self, other, ...      an input, by its name           out, values, ...   an output, by its name
    self_shape            the shape of an input           dim, keepdim, ...  a further ("static") argument, by its name

`F` is one of the two namespaces of `ops.namespace`. With `arrays`, a rule is what `backward` runs; with `tensors`, the same rule
is recorded itself (`create_graph=True`) or pushes a tangent forward (`func.jvp`).

kind          the rule is                        the push is
diagonal      the diagonal of the Jacobian       the rules themselves, summed over the inputs
linear        the transpose                      the forward of the tangent
multilinear   the transpose in that input        the forward with one input replaced by its tangent, summed
general       the transpose                      `push` if it is given, else the transpose of the transpose
flat          none                               none

An operation on complex values whose forward is holomorphic needs nothing more: `Adjust` conjugates around the rule. One that
is not says `holomorphic=False`; its rule is then the adjoint, as it stands.

`Operation.apply` (in `operation`) is how an operation is called, in full; `specialise` makes of it the paths that are taken by
float32 and float64 tensors when no rare mode is on. A test holds the two against each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .operation import (
    NUMBERS,
    OPERANDS,
    Operation,
    argument_error,
    check_broadcast,
    mark_view,
    not_a_tensor,
    number_array,
)
from .specialise import F32, F64, Aside, aside, specialise_binary, specialise_unary
from .specialise_several import specialise
from .specialise_view import specialise_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from .operation import Rule

__all__ = [
    "F32",
    "F64",
    "NUMBERS",
    "OPERANDS",
    "Aside",
    "Operation",
    "argument_error",
    "aside",
    "check_broadcast",
    "diagonal",
    "flat",
    "general",
    "linear",
    "mark_view",
    "multilinear",
    "not_a_tensor",
    "number_array",
    "operator_form",
    "specialise",
    "specialise_binary",
    "specialise_unary",
]  # fmt: skip


def choose(op: Operation) -> Any:
    """The specialised path for an elementwise operation."""
    if (
        op.statics
        or len(op.outputs) > 1
        or len(op.inputs) > 2
        or (len(op.inputs) == 2 and not takes_out(op.forward))
        or len(op.rules) == 1 < len(op.inputs)
    ):
        return specialise(op)
    return specialise_unary(op) if len(op.inputs) == 1 else specialise_binary(op)


def documented(function: Any, doc: str | None) -> Any:
    """The function of a declared operation with its docstring."""
    function.__doc__ = doc
    return function


def takes_out(forward: Any) -> bool:
    """Whether a forward takes `out=...`, by which NumPy gives an array also where the result has no dimensions."""
    return isinstance(forward, np.ufunc) or "out" in (getattr(forward, "__kwdefaults__", None) or ())


def operator_form(function: Any) -> Any:
    """A declared operation on two operands as one of Python's operators."""
    return specialise_binary(function.operation, operator=True)


def diagonal(
    name: str,
    forward: Callable[..., Any],
    *rules: Rule | None,
    inputs: tuple[str, ...] | None = None,
    promote: str | None = "common",
    doc: str | None = None,
    **more: Any,
) -> Any:
    """Declare an elementwise operation: a rule for each input, in order."""
    names = inputs or (("self",), ("self", "other"), ("self", "other", "third"))[max(len(rules), 1) - 1]
    op = Operation(name, forward, dict(zip(names, rules, strict=True)), kind="diagonal", promote=promote, **more)
    return documented(choose(op), doc)


def flat(
    name: str,
    forward: Callable[..., Any],
    inputs: tuple[str, ...] = ("self",),
    promote: str | None = "common",
    doc: str | None = None,
    **more: Any,
) -> Any:
    """Declare an operation without a derivative."""
    op = Operation(name, forward, dict.fromkeys(inputs), kind="flat", promote=promote, **more)
    return documented(choose(op), doc)


def linear(name: str, forward: Callable[..., Any], rule: Rule, statics: tuple[str, ...] = (), **more: Any) -> Any:
    """Declare an operation linear in its one input, with its transpose; `view=True` says that it gives a view of its input."""
    op = Operation(name, forward, {"self": rule}, kind="linear", statics=statics, **more)
    return specialise_view(op) if op.view else specialise(op)


def multilinear(
    name: str, forward: Callable[..., Any], rules: dict[str, Rule | None], statics: tuple[str, ...] = (), **more: Any
) -> Any:
    """Declare an operation linear in each of its inputs, with the transpose in each."""
    return specialise(Operation(name, forward, rules, kind="multilinear", statics=statics, **more))


def general(
    name: str, forward: Callable[..., Any], rules: dict[str, Rule | None], statics: tuple[str, ...] = (), **more: Any
) -> Any:
    """Declare any other differentiable operation, with the transpose of its Jacobian for each input."""
    return specialise(Operation(name, forward, rules, kind="general", statics=statics, **more))
