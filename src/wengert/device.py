"""device, layout and memory_format: the CPU, strided, and the orders of elements that PyTorch names."""

from __future__ import annotations

from typing import Any


class device:
    """Where a tensor lies. wengert computes on the CPU only: other devices have a name, and are refused where they are used.

    >>> import wengert
    >>> wengert.device("cpu")
    device(type='cpu')
    """

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __new__(cls, type: Any = "cpu", index: int | None = None) -> device:
        if isinstance(type, device):
            return type
        if not isinstance(type, str):
            raise TypeError(
                f"device(): argument 'type' must be str, not {type.__class__.__name__}: wengert has one device, 'cpu'"
            )
        kind, _, number = type.partition(":")
        if number:
            if index is not None:
                raise RuntimeError(
                    f"type (string) must not include an index because index was passed explicitly: {type}"
                )
            if not number.isdigit():
                raise RuntimeError(f"Invalid device string: '{type}'")
            index = int(number)
        if kind != "cpu" and kind not in _OTHERS:
            raise RuntimeError(
                f"Expected one of {', '.join(('cpu', *_OTHERS))} device type at start of device string: {type}"
            )
        self = object.__new__(cls)
        self.type = kind
        self.index = index
        return self

    def __repr__(self) -> str:
        return (
            f"device(type='{self.type}')" if self.index is None else f"device(type='{self.type}', index={self.index})"
        )

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> tuple[Any, ...]:
        return device, (self.type, self.index)

    def __enter__(self) -> device:
        return self

    def __exit__(self, *_: object) -> None:
        return None


_OTHERS = ("cuda", "mps", "xpu", "meta", "mkldnn", "hip", "xla", "mtia", "vulkan", "privateuseone")
CPU = device("cpu")


def check_device(value: Any, layout: Any = None) -> None:
    """Raise unless `value` (None, a string or a device) means the CPU, and NotImplementedError for a sparse layout.

    Raises AssertionError for CUDA, as a PyTorch without it does, and RuntimeError for other devices.
    """
    if value is not None and value is not CPU:
        wanted = device(value)
        if wanted.type == "cuda":
            raise AssertionError(
                "Torch not compiled with CUDA enabled: wengert computes on the CPU only. Use device='cpu', or choose it where "
                "cuda.is_available() is False"
            )
        if wanted.type != "cpu":
            raise RuntimeError(
                f"Device type {wanted.type} is not available: wengert computes on the CPU only. Use device='cpu'"
            )
    if layout is not None and layout is not strided:
        raise NotImplementedError(f"the layout {layout} is not implemented: tensors are dense, of layout torch.strided")


class _Named:
    """A constant that prints as its name."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> str:
        return self._name


class layout(_Named):
    """How elements are stored; tensors have `strided` only."""

    __slots__ = ()


class memory_format(_Named):
    """The order of a tensor's elements in memory: one of the four constants."""

    __slots__ = ()


strided = layout("strided")
sparse_coo = layout("sparse_coo")  # known by its name, and refused
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
