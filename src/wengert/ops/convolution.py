"""Convolutions and transposed convolutions in one, two and three dimensions: their arguments, as PyTorch checks them."""

from __future__ import annotations

import warnings
from typing import Any

from ..dtype_names import c_name, scalar_name, tensor_name
from ..tensor import Tensor
from .convolve import Geometry, biased, biased_transposed, times_first
from .declare import argument_error
from .dims import combination_error
from .expose import expose
from .padding import pad_constant

# ------------------------------------------------------------------------------------------------ checks

_OVERLOADS = tuple(
    f"(Tensor input, Tensor weight, Tensor bias = None, tuple of ints stride = 1, {padding}, tuple of ints dilation = 1, int groups = 1)"
    for padding in ("tuple of ints padding = 0", 'str padding = "valid"')
)


def _is_ints(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(hasattr(n, "__index__") and not isinstance(n, bool) for n in value)
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _check_types(function: str, input: Any, weight: Any, bias: Any, groups: Any, **several: Any) -> None:
    """Raise TypeError for arguments of other types than a convolution takes."""
    if (
        isinstance(input, Tensor)
        and isinstance(weight, Tensor)
        and (bias is None or isinstance(bias, Tensor))
        and type(groups) is int
        and all(map(_is_ints, several.values()))
    ):
        return
    if "output_padding" not in several:
        given = [type(x).__name__ for x in (input, weight)]
        if bias is not None and not isinstance(bias, Tensor):
            given.append(f"bias={type(bias).__name__}")
        given += [f"{name}={type(x).__name__}" for name, x in several.items() if not _is_ints(x)]
        if type(groups) is not int:
            given.append(f"groups={type(groups).__name__}")
        raise combination_error(function, f"({', '.join(given)})", _OVERLOADS)
    for position, (name, x) in enumerate((("input", input), ("weight", weight)), 1):
        if not isinstance(x, Tensor):
            raise argument_error(function, name, position, x)
    if bias is not None and not isinstance(bias, Tensor):
        raise argument_error(function, "bias", 3, bias)
    for name, x in several.items():
        if not _is_ints(x):
            raise TypeError(f"{function}(): argument '{name}' must be tuple of ints, not {type(x).__name__}")
    raise TypeError(f"{function}(): argument 'groups' must be int, not {type(groups).__name__}")


def _for_each(name: str, given: Any, rank: int, typed: int) -> tuple[int, ...]:
    """A number for each axis; `typed` is how many axes the function has, which a single number is first repeated to."""
    found = tuple([int(n) for n in given]) if isinstance(given, (tuple, list)) else (int(given),) * typed
    if len(found) == 1:
        found *= rank
    if len(found) != rank:
        values = "values" if rank else "value"
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {rank} {values} to match the convolution dimensions, but got "
            f"{name}={list(found)}"
        )
    return found


def _batched(function: str, input: Tensor, rank: int) -> bool:
    """Whether the input has a dimension for the batch."""
    if input.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {function}, but got input of size: {list(input.shape)}"
        )
    return input.ndim == rank + 2


def _check_numbers(g: Geometry, output_padding: tuple[int, ...] = ()) -> None:
    if any(p < 0 for p in g.padding):
        raise RuntimeError("negative padding is not supported")
    if any(p < 0 for p in output_padding):
        raise RuntimeError("negative output_padding is not supported")
    if any(s <= 0 for s in g.stride):
        raise RuntimeError("non-positive stride is not supported")
    if any(d <= 0 for d in g.dilation):
        raise RuntimeError("non-positive dilation is not supported")
    if g.groups <= 0:
        raise RuntimeError("non-positive groups is not supported")


def _check_shapes(input: Tensor, weight: Tensor, bias: Tensor | None, g: Geometry, transposed: bool) -> None:
    """Raise, in PyTorch's words, if the channels of the operands do not fit."""
    shape, groups = list(weight.shape), g.groups
    if shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {shape} instead"
        )
    if shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size [{shape}] instead"
        )
    wanted = shape[0] if transposed else shape[1] * groups
    given = f"transposed={int(transposed)}" if transposed else f"groups={groups}"
    if input.shape[1] != wanted:
        raise RuntimeError(
            f"Given {given}, weight of size {shape}, expected input{list(input.shape)} to have {wanted} channels, but got "
            f"{input.shape[1]} channels instead"
        )
    out = shape[1] * groups if transposed else shape[0]
    if bias is not None and (bias.ndim != 1 or bias.shape[0] != out):
        of = f"Given {given}, weight" if transposed else "Given weight"
        raise RuntimeError(
            f"{of} of size {shape}, expected bias to be 1-dimensional with {out} elements, but got bias of size "
            f"{list(bias.shape)} instead"
        )


def _check_dtypes(input: Tensor, weight: Tensor, bias: Tensor | None, transposed: bool) -> None:
    if weight.dtype is not input.dtype:
        if input.dtype.is_complex or weight.dtype.is_complex:
            names = [tensor_name(x.dtype) for x in (input, weight)]
            shown = names[0].replace("torch.", "CPU").replace("Tensor", "Type")
            raise RuntimeError(f"Input type ({shown}) and weight type ({names[1]}) should be the same")
        if input.dtype.is_floating_point and input._array.dtype.itemsize < 8:
            names = ["CPUBFloat16Type" if x.dtype.name == "bfloat16" else tensor_name(x.dtype) for x in (input, weight)]
            raise RuntimeError(
                f"Input type ({names[0]}) and weight type ({names[1]}) should be the same or input should be a MKLDNN tensor and "
                f"weight is a dense tensor: convert one of them, e.g. with .to({input.dtype})"
            )
        raise RuntimeError(
            f"expected scalar type {scalar_name(input.dtype)} but found {scalar_name(weight.dtype)}: convert the input or the weight"
        )
    if bias is not None and bias.dtype is not input.dtype:
        raise RuntimeError(
            f"Input type ({c_name(input.dtype)}) and bias type ({c_name(bias.dtype)}) should be the same"
        )
    if input._array.dtype.kind == "b":
        volume = input.ndim == 5
        kernel = (
            f"slow_conv_transpose{2 + volume}d_out_cpu"
            if transposed
            else ("slow_conv2d_cpu", "compute_columns3d")[volume]
        )
        raise NotImplementedError(f"\"{kernel}\" not implemented for 'Bool': convert the operands to floating point")


def _by(values: Any) -> str:
    return f"({' x '.join(map(str, values))})"


# ------------------------------------------------------------------------------------------------ convolutions


def _same(x: Tensor, kernel: tuple[int, ...], stride: Any, dilation: tuple[int, ...]) -> tuple[Tensor, tuple[int, ...]]:
    """The input and the padding with which the output has the size of the input; what is odd in it is put behind."""
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    total = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
    if any(n % 2 for n in total):
        warnings.warn(
            "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be created",
            stacklevel=4,
        )
        x = pad_constant(x, tuple([(0, n % 2) for n in total]), 0)
    return x, tuple([n // 2 for n in total])


def _convolve(
    function: str, typed: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: Any
) -> Tensor:
    named = isinstance(padding, str)
    _check_types(
        function, input, weight, bias, groups, stride=stride, padding=0 if named else padding, dilation=dilation
    )
    batched = _batched(function, input, typed)
    x = input if batched else input.unsqueeze(0)
    rank = weight.ndim - 2
    s, d = _for_each("stride", stride, rank, typed), _for_each("dilation", dilation, rank, typed)
    kernel = tuple(weight.shape[2:])
    if not named:
        p = _for_each("padding", padding, rank, typed)
    elif padding == "same":
        x, p = _same(x, kernel, s, d)
    elif padding == "valid":
        p = (0,) * rank
    else:
        raise RuntimeError(f"Invalid padding string: '{padding}': it is 'same' or 'valid'")
    made = _checked(x, weight, bias, Geometry(s, p, d, groups))
    return made if batched else made.squeeze(0)


def _checked(x: Tensor, weight: Tensor, bias: Tensor | None, g: Geometry) -> Any:
    _check_numbers(g)
    _check_shapes(x, weight, bias, g, False)
    size, kernel = x.shape[2:], weight.shape[2:]
    padded = [n + 2 * p for n, p in zip(size, g.padding, strict=True)]
    if any(n < d * (k - 1) + 1 for n, k, d in zip(padded, kernel, g.dilation, strict=True)):
        reach = [d * (k - 1) + 1 for k, d in zip(kernel, g.dilation, strict=True)]
        raise RuntimeError(
            f"Calculated padded input size per channel: {_by(padded)}. Kernel size: {_by(reach)}. Kernel size can't be greater than "
            "actual input size"
        )
    _check_dtypes(x, weight, bias, False)
    return biased(x, weight, bias, g)


def conv1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Tensor:  # fmt: skip
    """The windows of signals, each weighted by filters and summed.

    input     signals (N, C, L) or (C, L)
    weight    filters (O, C / groups, K)
    bias      a number for each filter, added
    stride    how far it is from window to window
    padding   how many zeros are put at both ends; or "same" (as many windows as elements) or "valid" (none)
    dilation  how far it is between the elements of a window
    groups    into how many the channels are divided, each with filters of its own

    Returns (N, O, windows), or without N.
    Raises RuntimeError for shapes, numbers and dtypes that do not fit, TypeError for other types.

    >>> import wengert
    >>> wengert.conv1d(wengert.tensor([[[1.0, 2.0, 4.0]]]), wengert.tensor([[[-1.0, 1.0]]]))
    tensor([[[1., 2.]]])
    """
    return _convolve("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Tensor:  # fmt: skip
    """`conv1d` of images (N, C, H, W) or (C, H, W) by filters (O, C / groups, KH, KW); numbers may be pairs.

    >>> import wengert
    >>> wengert.conv2d(wengert.ones(1, 1, 3, 3), wengert.ones(1, 1, 2, 2), padding=1)[0, 0]
    tensor([[1., 2., 2., 1.],
            [2., 4., 4., 2.],
            [2., 4., 4., 2.],
            [1., 2., 2., 1.]])
    """
    return _convolve("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Tensor:  # fmt: skip
    """`conv1d` of volumes (N, C, D, H, W) or (C, D, H, W) by filters (O, C / groups, KD, KH, KW); numbers may be triples.

    >>> import wengert
    >>> wengert.conv3d(wengert.ones(1, 1, 2, 2, 2), wengert.ones(1, 1, 2, 2, 2)).item()
    8.0
    """
    return _convolve("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


# ------------------------------------------------------------------------------------------------ transposed convolutions


def _check_output_padding(g: Geometry, output_padding: tuple[int, ...]) -> None:
    if all(o < s or o < d for o, s, d in zip(output_padding, g.stride, g.dilation, strict=True)):
        return
    rows = {"output_padding": output_padding, "stride": g.stride, "dilation": g.dilation}
    if len(output_padding) == 1:  # PyTorch has a signal as an image of one line
        rows = {name: (0 if name == "output_padding" else 1, *values) for name, values in rows.items()}
    axes = ("depth", "height", "width")[-len(rows["stride"]) :]
    shown = " ".join(
        f"{name}_{axis}: {n}" for name, values in rows.items() for axis, n in zip(axes, values, strict=True)
    )
    raise RuntimeError(f"output padding must be smaller than either stride or dilation, but got {shown}")


def _transposed(x: Tensor, weight: Tensor, bias: Tensor | None, g: Geometry, output_padding: tuple[int, ...]) -> Any:
    _check_numbers(g, output_padding)
    _check_shapes(x, weight, bias, g, True)
    size = tuple(
        [
            (n - 1) * s - 2 * p + d * (k - 1) + o + 1
            for n, k, s, p, d, o in zip(
                x.shape[2:], weight.shape[2:], g.stride, g.padding, g.dilation, output_padding, strict=True
            )
        ]
    )
    _check_output_padding(g, output_padding)
    if any(n < 1 for n in size):
        raise RuntimeError(
            f"Given input size per channel: {_by(x.shape[2:])}. Calculated output size per channel: {_by(size)}. Output size is too small"
        )
    _check_dtypes(x, weight, bias, True)
    return biased_transposed(x, weight, bias, size, g)


def _convolve_transposed(
    function: str, typed: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, output_padding: Any, groups: Any,
    dilation: Any,
) -> Tensor:  # fmt: skip
    _check_types(
        function,
        input,
        weight,
        bias,
        groups,
        stride=stride,
        padding=padding,
        output_padding=output_padding,
        dilation=dilation,
    )
    batched = _batched(function, input, typed)
    rank = weight.ndim - 2
    s, p, o, d = (
        _for_each(name, given, rank, typed)
        for name, given in (
            ("stride", stride), ("padding", padding), ("output_padding", output_padding), ("dilation", dilation),
        )
    )  # fmt: skip
    made: Tensor = _transposed(input if batched else input.unsqueeze(0), weight, bias, Geometry(s, p, d, groups), o)
    return made if batched else made.squeeze(0)


def conv_transpose1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    """The transpose of `conv1d`: each element spreads a filter, and what overlaps is added.

    input           signals (N, C, L) or (C, L)
    weight          filters (C, O / groups, K)
    output_padding  how much longer the output is made at its end: of the lengths that `conv1d` takes to L, which one
    The other arguments are those of `conv1d`.

    Returns (N, O, (L - 1) * stride - 2 * padding + dilation * (K - 1) + output_padding + 1), or without N.
    Raises RuntimeError for shapes, numbers and dtypes that do not fit, TypeError for other types.

    >>> import wengert
    >>> wengert.conv_transpose1d(wengert.tensor([[[1.0, 2.0]]]), wengert.tensor([[[1.0, 1.0]]]), stride=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    return _convolve_transposed(
        "conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def conv_transpose2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    """`conv_transpose1d` of images (N, C, H, W) or (C, H, W) by filters (C, O / groups, KH, KW); numbers may be pairs."""
    return _convolve_transposed(
        "conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def conv_transpose3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    """`conv_transpose1d` of volumes (N, C, D, H, W) or (C, D, H, W) by filters (C, O / groups, KD, KH, KW)."""
    return _convolve_transposed(
        "conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def convolution(
    input: Tensor, weight: Tensor, bias: Tensor | None, stride: Any, padding: Any, dilation: Any, transposed: bool,
    output_padding: Any, groups: int,
) -> Tensor:  # fmt: skip
    """A convolution, or a transposed one, in as many dimensions as the weight has.

    >>> import wengert
    >>> wengert.convolution(wengert.ones(1, 1, 3), wengert.ones(1, 1, 2), None, [1], [0], [1], False, [0], 1)
    tensor([[[2., 2.]]])
    """
    _check_types("convolution", input, weight, bias, groups, stride=stride, padding=padding, dilation=dilation)
    rank = weight.ndim - 2
    if input.ndim != weight.ndim:
        raise RuntimeError(
            f"Expected {rank + 2}-dimensional input for {rank + 2}-dimensional weight {list(weight.shape)}, but got "
            f"{input.ndim}-dimensional input of size {list(input.shape)} instead"
        )
    s, p, d, o = (
        _for_each(name, given, rank, rank)
        for name, given in (
            ("stride", stride), ("padding", padding), ("dilation", dilation), ("output_padding", output_padding),
        )
    )  # fmt: skip
    g = Geometry(s, p, d, groups)
    made: Tensor = _transposed(input, weight, bias, g, o) if transposed else _checked(input, weight, bias, g)
    return made


def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """`conv1d` of signals (L, N, C) by filters (K, C, O), with `pad` zeros at both ends.

    >>> import wengert
    >>> wengert.conv_tbc(wengert.ones(3, 1, 1), wengert.ones(2, 1, 1), wengert.zeros(1)).flatten()
    tensor([2., 2.])
    """
    if input.ndim != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if weight.ndim != 3:
        raise RuntimeError("Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.")
    if bias.ndim != 1:
        raise RuntimeError("Bias must be 1-D")
    if input.shape[2] != weight.shape[1]:
        raise RuntimeError("Input dim 2 (input channels) is not == dim 1 in the weight tensor")
    if bias.shape[0] != weight.shape[2]:
        raise RuntimeError("Bias size must equal dim 2 in the weight tensor (output channels).")
    g = Geometry((1,), (pad,), (1,), 1)
    _check_numbers(g)
    _check_dtypes(input, weight, bias, False)
    if input.shape[0] + 2 * pad < weight.shape[0]:
        raise RuntimeError(
            f"Kernel size can't be greater than actual input size: {weight.shape[0]} on {input.shape[0]} and twice {pad} elements"
        )
    made: Tensor = times_first(input, weight, bias, g)
    return made


__all__ = expose(
    __name__,
    functions="conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution conv_tbc",
)
