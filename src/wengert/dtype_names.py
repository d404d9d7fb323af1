"""The names that PyTorch's messages have for dtypes, beside the one that a dtype prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .dtypes import dtype

_SCALARS = {
    "bool": "Bool", "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long",
    "float16": "Half", "bfloat16": "BFloat16", "float32": "Float", "float64": "Double", "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}  # fmt: skip
_CXX = {
    "bool": "bool", "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int",
    "int64": "long int", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip
_FIXED_WIDTH = {"uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int64": "int64_t"}


def scalar_name(d: dtype) -> str:
    """PyTorch's internal name of a dtype: `Float`."""
    return _SCALARS[d.name]


def tensor_name(d: dtype) -> str:
    """What PyTorch once called tensors of a dtype: `torch.FloatTensor`."""
    return f"torch.{_SCALARS[d.name]}Tensor"


TENSOR_NAMES = {f"torch.{scalar}Tensor": name for name, scalar in _SCALARS.items()}


def c_name(d: dtype) -> str:
    """The name of the dtype's elements in C++: `long int`."""
    return _CXX[d.name]


def c_type(d: dtype) -> str:
    """The same with integers named by their width: `int64_t`."""
    return _FIXED_WIDTH.get(d.name) or _CXX[d.name]
