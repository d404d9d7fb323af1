"""Einstein's summation: products of any number of tensors, summed over the subscripts that the result lacks.

An equation and the operands' shapes are made into a plan once. Subscripts of one operand alone are dealt with by views
and sums; what is left are products of two operands in which each subscript occurs at least twice among the operands and
the result. These are one operation, `contract`, whose pulls are again such products.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtype_names import scalar_name
from ..tensor import Tensor
from .declare import argument_error, multilinear
from .expose import expose

if TYPE_CHECKING:
    from collections.abc import Sequence

    Shape = tuple[int, ...]

# ------------------------------------------------------------------------------------------------ products of two


@lru_cache(maxsize=1024)
def _layout(first: str, second: str, result: str) -> tuple[Any, ...]:
    """How a product of two is laid out for `matmul`: the orders of both, how many subscripts of each kind, and the result's order."""
    batch = [s for s in result if s in first and s in second]
    left = [s for s in result if s in first and s not in second]
    right = [s for s in result if s in second and s not in first]
    summed = [s for s in first if s in second and s not in result]
    made = batch + left + right
    return (
        tuple(first.index(s) for s in batch + left + summed),
        tuple(second.index(s) for s in batch + summed + right),
        len(batch),
        len(left),
        len(summed),
        tuple(made.index(s) for s in result),
    )


def _contract(a: Any, b: Any, first: str, second: str, result: str) -> Any:
    """The product of two arrays with these subscripts, summed over those that the result lacks."""
    order_a, order_b, batch, left, summed, back = _layout(first, second, result)
    if back != tuple(range(len(back))) and not batch:
        # with the operands exchanged the result may come in the right order, and then lies in memory as PyTorch's does
        exchanged = _layout(second, first, result)
        if exchanged[5] == tuple(range(len(back))):
            a, b = b, a
            order_a, order_b, batch, left, summed, back = exchanged
    if a.dtype != b.dtype:
        common = np.result_type(a, b)
        a, b = a.astype(common), b.astype(common)
    a, b = a.transpose(order_a), b.transpose(order_b)
    middle, right = a.shape[: batch + left], b.shape[batch + summed :]
    if not summed:
        b = b.reshape((*b.shape[:batch], *(1,) * left, *right))
        made = np.multiply(a.reshape((*middle, *(1,) * len(right))), b, out=...)
        return made.transpose(back)
    k = math.prod(a.shape[batch + left :])
    n, m = math.prod(middle[batch:]), math.prod(right)
    dtype = a.dtype
    if dtype.itemsize == 2 and dtype.kind != "i":  # NumPy would sum halves in halves
        a, b = a.astype(np.float32), b.astype(np.float32)
    if batch:
        made = np.matmul(a.reshape((*middle[:batch], n, k)), b.reshape((*middle[:batch], k, m)))
    else:
        made = a.reshape(n, k).dot(b.reshape(k, m))
    made = made.astype(dtype, copy=False).reshape(middle + right)
    return made if back == tuple(range(len(back))) else made.transpose(back)


def _dtypes(first: Any, second: Any) -> None:
    if first._array.dtype != second._array.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(first.dtype)} but found {scalar_name(second.dtype)}; convert one of them with "
            f".to({first.dtype})"
        )
    if first._array.dtype.kind == "b":
        raise NotImplementedError("\"bmm\" not implemented for 'Bool': convert the tensors to numbers first")


def _pull_first(F: Any, t: Any, other: Any, first: str, second: str, result: str) -> Any:
    return F.einsum_pair(t, other, result, second, first)


def _pull_second(F: Any, t: Any, self: Any, first: str, second: str, result: str) -> Any:
    return F.einsum_pair(self, t, first, result, second)


_rules: dict[str, Any] = {"self": _pull_first, "other": _pull_second}
_subscripts = ("first", "second", "result")
contract = multilinear("einsum_pair", _contract, _rules, _subscripts, node="ViewBackward0", check=_dtypes)
#: the same where nothing is summed: it promotes, as multiplication does
multiply = multilinear("einsum_multiply", _contract, _rules, _subscripts, node="MulBackward0", promote="common")

# ------------------------------------------------------------------------------------------------ the equation


def _fail(message: str) -> RuntimeError:
    return RuntimeError(f"einsum(): {message}")


def _subscripts_of(text: str, start: int, where: str, found: str) -> list[str]:
    """The subscripts of one operand or of the result, with "..." for the ellipsis; `start` is the place in the equation."""
    made: list[str] = []
    i = 0
    while i < len(text):
        s = text[i]
        if s == " ":
            pass
        elif s == ".":
            if "..." in made:
                raise _fail(f"found '.' for {where} {found}")
            if text[i : i + 3] != "...":
                raise _fail(
                    f"found '.' for {where} that is not part of any ellipsis" + (" (...)" if where == "output" else "")
                )
            made.append("...")
            i += 2
        elif s.isascii() and s.isalpha():
            made.append(s)
        else:
            raise _fail(
                f"invalid subscript given at index {start + i} in the equation string, subscripts must be in [a-zA-Z]"
            )
        i += 1
    return made


def _parse(equation: str) -> tuple[list[list[str]], list[str] | None]:
    """The subscripts of each operand and, where the equation gives them, of the result."""
    arrow = equation.find("->")
    inputs = equation if arrow < 0 else equation[:arrow]
    operands: list[list[str]] = []
    start = 0
    for i, part in enumerate(inputs.split(",")):
        operands.append(_subscripts_of(part, start, f"operand {i}", "for which an ellipsis was already found"))
        start += len(part) + 1
    if arrow < 0:
        return operands, None
    result = _subscripts_of(equation[arrow + 2 :], arrow + 2, "output", "but an ellipsis (...) was already found")
    for s in result:
        if s != "..." and result.count(s) > 1:
            raise _fail(f"output subscript {s} appears more than once in the output")
    return operands, result


class _Plan:
    """What to do with operands of certain shapes.

    singles  for each operand: the diagonals to take, the dimensions of length 1 to drop, those to sum, and the
    subscripts left pairs    (place of the first, place of the second, subscripts of both and of the product) for each
    product of two order    for a single operand, the order of its dimensions in the result
    """

    __slots__ = ("order", "pairs", "singles")

    def __init__(self) -> None:
        self.singles: list[tuple[Any, ...]] = []
        self.pairs: list[tuple[int, int, str, str, str]] = []
        self.order: tuple[int, ...] = ()


def _ellipses(operands: list[list[str]], shapes: tuple[Shape, ...]) -> list[str]:
    """The operands' subscripts with those that their ellipses stand for, which are numbers as characters beyond the letters."""
    covered = []
    for i, (subscripts, shape) in enumerate(zip(operands, shapes, strict=True)):
        letters = len(subscripts) - ("..." in subscripts)
        if "..." not in subscripts and letters != len(shape):
            raise _fail(
                f"the number of subscripts in the equation ({letters}) does not match the number of dimensions ({len(shape)}) "
                f"for operand {i} and no ellipsis was given"
            )
        if letters > len(shape):
            raise _fail(
                f"the number of subscripts in the equation ({letters}) is more than the number of dimensions ({len(shape)}) "
                f"for operand {i}"
            )
        covered.append(len(shape) - letters if "..." in subscripts else 0)
    most = max(covered, default=0)
    return [
        "".join(_hidden(most)[most - n :] if s == "..." else s for s in subscripts)
        for subscripts, n in zip(operands, covered, strict=True)
    ]


def _hidden(n: int) -> str:
    return "".join(chr(0x100 + i) for i in range(n))


def _sizes(operands: list[str], shapes: tuple[Shape, ...], hidden: str) -> dict[str, int]:
    """The length that each subscript stands for."""
    sizes: dict[str, int] = {}
    for i, (subscripts, shape) in enumerate(zip(operands, shapes, strict=True)):
        own: dict[str, int] = {}
        for s, n in zip(subscripts, shape, strict=True):
            if own.setdefault(s, n) != n:
                raise _fail(f"subscript {s} is repeated for operand {i} but the sizes don't match, {n} != {own[s]}")
        for s, n in own.items():
            seen = sizes.get(s, 1)
            if n != 1 and seen not in (1, n):
                if s in hidden:
                    raise _fail(
                        f"dimension {hidden.index(s)} covered by ellipsis in operand {i}has size {n} which does not broadcast "
                        f"with previously seen ellipsis with size {seen} for the respective dimension"
                    )
                raise _fail(
                    f"subscript {s} has size {n} for operand {i} which does not broadcast with previously seen size {seen}"
                )
            sizes[s] = seen if n == 1 else n
    return sizes


@lru_cache(maxsize=512)
def _plan(equation: str, shapes: tuple[Shape, ...]) -> _Plan:
    """How to compute an equation for operands of these shapes."""
    parsed, given = _parse(equation)
    if len(parsed) != len(shapes):
        more = "more" if len(shapes) > len(parsed) else "fewer"
        raise _fail(f"{more} operands were provided than specified in the equation")
    operands = _ellipses(parsed, shapes)
    hidden = "".join(sorted({s for subscripts in operands for s in subscripts if s >= "\u0100"}))
    if given is None:
        once = sorted(s for s in set("".join(operands)) - set(hidden) if "".join(operands).count(s) == 1)
        result = hidden + "".join(once)
    else:
        for s in given:
            if s != "..." and not any(s in subscripts for subscripts in operands):
                raise _fail(f"output subscript {s} does not appear in the equation for any input operand")
        result = "".join(hidden if s == "..." else s for s in given)
    sizes = _sizes(operands, shapes, hidden)
    plan = _Plan()
    left = [_single(plan, s, shape, sizes) for s, shape in zip(operands, shapes, strict=True)]
    for i, subscripts in enumerate(left):
        alone = [s for s in subscripts if s not in result and not any(s in o for j, o in enumerate(left) if j != i)]
        dims = tuple(subscripts.index(s) for s in alone)
        left[i] = "".join(s for s in subscripts if s not in alone)
        plan.singles[i] = (*plan.singles[i], dims, left[i])
    if len(left) == 1:
        plan.order = tuple(left[0].index(s) for s in result)
    _pair_up(plan, left, result, sizes)
    return plan


def _single(plan: _Plan, subscripts: str, shape: Shape, sizes: dict[str, int]) -> str:
    """Plan one operand's diagonals and the dropping of what broadcasts; gives the subscripts that are left."""
    diagonals = []
    lengths = list(shape)
    labels = list(subscripts)
    while True:
        again = next((s for s in labels if labels.count(s) > 1), None)
        if again is None:
            break
        i = labels.index(again)
        j = labels.index(again, i + 1)
        diagonals.append((i, j))
        n = lengths[i]
        for k in (j, i):
            del labels[k], lengths[k]
        labels.append(again)
        lengths.append(n)
    dropped = tuple(i for i, s in enumerate(labels) if lengths[i] == 1 and sizes[s] != 1)
    plan.singles.append((tuple(diagonals), dropped))
    return "".join(s for i, s in enumerate(labels) if i not in dropped)


def _pair_up(plan: _Plan, left: list[str], result: str, sizes: dict[str, int]) -> None:
    """Plan the products of two: always the pair whose product is cheapest next."""
    left = list(left)
    while len(left) > 1:
        best: Any = None
        for i in range(len(left)):
            for j in range(i + 1, len(left)):
                rest = [o for k, o in enumerate(left) if k not in (i, j)]
                both = dict.fromkeys(left[i] + left[j])
                kept = [s for s in both if s in result or any(s in o for o in rest)]
                cost = (
                    math.prod(sizes[s] for s in kept) - math.prod(sizes[s] for s in left[i])
                    - math.prod(sizes[s] for s in left[j]),
                    math.prod(sizes[s] for s in both),
                )  # fmt: skip
                if len(left) == 2:
                    kept = list(result)
                if best is None or cost < best[0]:
                    best = (cost, i, j, "".join(kept))
        _, i, j, kept = best
        plan.pairs.append((i, j, left[i], left[j], kept))
        left = [o for k, o in enumerate(left) if k not in (i, j)]
        left.append(kept)


# ------------------------------------------------------------------------------------------------ the function


def _text(subscripts: Sequence[Any]) -> str:
    """A list of subscripts as a part of an equation."""
    made = []
    for s in subscripts:
        if s is Ellipsis:
            made.append("...")
        elif 0 <= s < 52:
            made.append(chr(ord("A") + s) if s < 26 else chr(ord("a") + s - 26))
        else:
            raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return "".join(made)


def _arguments(args: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The equation and the operands, of either form of the call."""
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts "
            "list"
        )
    if isinstance(args[0], Tensor):
        operands = list(args[: len(args) // 2 * 2 : 2])
        equation = ",".join(_text(s) for s in args[1::2])
        if len(args) % 2:
            equation += "->" + _text(args[-1])
        return equation, operands
    if not isinstance(args[0], str):
        raise TypeError(f"einsum(): argument 'equation' (position 1) must be str, not {type(args[0]).__name__}")
    operands = list(args[1:])
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = list(operands[0])
    return args[0], operands


def einsum(*args: Any) -> Tensor:
    """The products of the operands' elements, summed over the subscripts that the result lacks (Einstein's notation).

    einsum(equation, *operands): the equation names the dimensions of each operand by letters, between commas; after
    "->" may stand those of the result, otherwise it has the letters that occur once, in alphabetical order. "..."
    stands for any number of further dimensions, which broadcast. A letter twice in one operand takes the diagonal.
    einsum(operand, subscripts, ..., [result]): the same with lists of numbers from 0 to 51 for letters, and `...`.
    With more than two operands, the products are taken in the order that keeps them smallest.
    Raises RuntimeError if the equation and the shapes do not fit.

    >>> import wengert
    >>> a = wengert.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> wengert.einsum("ij,jk->ik", a, a)
    tensor([[ 7., 10.],
            [15., 22.]])
    >>> wengert.einsum("ii->i", a)
    tensor([1., 4.])
    """
    equation, operands = _arguments(args)
    for i, x in enumerate(operands):
        if not isinstance(x, Tensor):
            raise argument_error("einsum", f"operand {i}", i + 2, x)
    plan = _plan(equation, tuple([x._array.shape for x in operands]))
    for i, (diagonals, dropped, summed, _) in enumerate(plan.singles):
        x = operands[i]
        for first, second in diagonals:
            x = x.diagonal(0, first, second)
        if dropped:
            x = x.squeeze(dropped)
        if summed:
            x = x.sum(summed)
        operands[i] = x
    for i, j, first, second, result in plan.pairs:
        y = operands.pop(j)
        x = operands.pop(i)
        product = contract if any(s not in result for s in first) else multiply
        operands.append(product(x, y, first, second, result))
    made: Tensor = operands[0]
    return made if plan.pairs else made.permute(plan.order)


__all__ = expose(__name__, functions="einsum")
