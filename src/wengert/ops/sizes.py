"""Sizes, and other sequences of integers, as arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def sizes(
    function: str, args: Sequence[Any], name: str = "size", named: dict[str, Any] | None = None, position: int = 1
) -> tuple[int, ...]:
    """Integers given one by one, as one sequence, or by the name of the argument.

    position: of the argument, counted as PyTorch's messages count.
    Raises TypeError for anything else, and where nothing is given.
    """
    if not named and args:
        given: Any = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
        for n in given:
            if type(n) is not int:
                break
        else:
            return tuple(given)
    if named:
        if args or name not in named or len(named) > 1:
            extra = next(n for n in named if args or n != name)
            raise TypeError(
                f"{function}() got an unexpected keyword argument '{extra}': the argument's name is '{name}'"
            )
        args = (named[name],)
    elif not args:
        raise TypeError(f'{function}() missing 1 required positional arguments: "{name}"')
    values: Any = args
    sequence = False
    if len(args) == 1:
        only = args[0]
        if isinstance(only, (tuple, list)):
            values, sequence = only, True
        elif not _is_integer(only):
            raise TypeError(
                f"{function}(): argument '{name}' (position {position}) must be tuple of ints, not {type(only).__name__}"
            )
    found = []
    for i, n in enumerate(values):
        if type(n) is not int and not _is_integer(n):
            if i == 0 and not sequence:
                raise TypeError(
                    f"{function}() takes {position} positional argument{'s' * (position > 1)} but {position - 1 + len(args)} "
                    f"were given: give '{name}' as integers, not {type(n).__name__}"
                )
            if i == 0:
                raise TypeError(
                    f"{function}(): argument '{name}' (position {position}) must be tuple of ints, but found element of type "
                    f"{type(n).__name__} at pos 0"
                )
            raise TypeError(
                f"{function}(): argument '{name}' failed to unpack the object at pos {i + 1} with error \"type must be tuple of "
                f'ints,but got {type(n).__name__}"'
            )
        found.append(n if type(n) is int else n.__index__())
    return tuple(found)


def _is_integer(n: Any) -> bool:
    if isinstance(n, bool) or not hasattr(n, "__index__"):
        return False
    try:
        n.__index__()
    except TypeError:
        return False
    return True


def infer_size(shape: tuple[int, ...], count: int) -> tuple[int, ...]:
    """The shape with its -1 worked out, for so many elements.

    Raises RuntimeError, in PyTorch's words, where that is not possible.
    """
    known = 1
    unknown = -1
    for i, n in enumerate(shape):
        if n == -1:
            if unknown >= 0:
                raise RuntimeError(f"only one dimension can be inferred: {list(shape)}")
            unknown = i
        elif n < 0:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {list(shape)}")
        else:
            known *= n
    if unknown < 0:
        if known != count:
            raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
        return shape
    if known == 0 and count == 0:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified dimension size -1 can be any "
            "value and is ambiguous"
        )
    if known == 0 or count % known:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return (*shape[:unknown], count // known, *shape[unknown + 1 :])
