"""Tensor: what a user holds. A NumPy array, a version, and the edge of the graph that it stands at.

The methods that compute something are attached from `ops` (see `ops.expose`); here is what a tensor is and knows of itself.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes
from .autograd.modes import get_mode
from .autograd.node import AccumulateGrad, Node, Output, Retained, rare_of
from .device import CPU, device, layout, strided
from .dtype_names import scalar_name
from .size import Size
from .storage import address, contiguous_strides, owner_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .autograd.hooks import Handle

    Array = np.ndarray[Any, np.dtype[Any]]


class Extra:
    """What few tensors have.

    grad      the gradient of a tensor that has no accumulator
    retained  where `retain_grad` receives the gradient
    view      of a view, how it comes of its base
    inference whether it was made in inference mode
    frozen    the accumulator of a leaf that does not require grad any more: its graphs still lead there
    tangents  in forward mode, the tangent at each open level
    """

    __slots__ = ("frozen", "grad", "inference", "name", "post_accumulate", "retained", "tangents", "view")

    def __init__(self) -> None:
        self.frozen: AccumulateGrad | None = None
        self.grad: Tensor | None = None
        self.retained: Retained | None = None
        self.view: View | None = None
        self.inference = False
        self.tangents: dict[int, Tensor] | None = None
        self.name: str | None = None


class View:
    """How a view comes of its base: the operations to replay when the base has a new history.

    base   the tensor that owns the memory; never itself a view
    chain  ((operation, further arguments), ...) from the base to the view
    made   None, or a word for how it was made, where that forbids in-place writes that are recorded
    lost   then, the edge that it had before the base got another history
    """

    __slots__ = ("base", "chain", "lost", "made")

    def __init__(self, base: Tensor, chain: tuple[Any, ...], made: str | None = None) -> None:
        self.base = base
        self.chain = chain
        self.made = made
        self.lost: Any = None


class Tensor:
    """A multi-dimensional array of one dtype that can be differentiated through.

    Made by `wengert.tensor`, `wengert.from_numpy` and the other creation functions, and by operations on tensors.

    >>> import wengert
    >>> x = wengert.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """

    __slots__ = ("__dict__", "__weakref__", "_array", "_cell", "_edge", "_extra")
    __array_priority__ = 1000  # NumPy's numbers leave `number * tensor` to the tensor

    _array: Array
    _cell: list[Any]  # [version, weak references to the views of this memory...]
    _edge: Any  # unset in a view whose base got another history: `edge_of` finds the new edge
    _extra: Extra | None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        from .creation import legacy_tensor

        return legacy_tensor(cls, *args, **kwargs)

    if TYPE_CHECKING:  # the operations, attached by `ops`
        new_tensor: Any
        new_full: Any

        def __getattr__(self, name: str) -> Any: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __getitem__(self, index: Any) -> Tensor: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...

    # ------------------------------------------------------------------------------------ what it is

    @property
    def shape(self) -> Size:
        """The lengths of the dimensions."""
        return Size(self._array.shape)

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the length of one dimension."""
        if dim is None:
            return Size(self._array.shape)
        return self._array.shape[wrap_dim(dim, self._array.ndim)]

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self._array.ndim

    def dim(self) -> int:
        """How many dimensions there are."""
        return self._array.ndim

    ndimension = dim

    def numel(self) -> Any:
        """How many elements there are."""
        return self._array.size

    nelement = numel

    @property
    def dtype(self) -> dtypes.dtype:
        """The type of the elements."""
        return dtypes.of(self._array.dtype)

    @property
    def device(self) -> device:
        """Where the tensor lies: always the CPU."""
        return CPU

    @property
    def layout(self) -> layout:
        """How the elements are stored: always `strided`."""
        return strided

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._array.itemsize

    def element_size(self) -> int:
        """Bytes of one element."""
        return self._array.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._array.nbytes

    def stride(self, dim: int | None = None) -> Any:
        """How many elements in memory lie from one index to the next, for each dimension or for one."""
        array = self._array
        if not array.size:  # NumPy's strides say nothing there
            found = contiguous_strides(array.shape)
            return found if dim is None else found[wrap_dim(dim, len(found))]
        steps = array.strides
        item = array.itemsize
        if dim is not None:
            return steps[wrap_dim(dim, len(steps))] // item
        return tuple(n // item for n in steps)

    def storage_offset(self) -> int:
        """How many elements lie in memory before the first one."""
        return (address(self._array) - address(owner_of(self._array))) // self._array.itemsize

    def data_ptr(self) -> int:
        """The address of the first element, 0 if there is none."""
        return self._array.ctypes.data if self._array.size else 0

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Whether the elements lie in memory in the order of their indices."""
        from .device import channels_last, channels_last_3d

        if memory_format is channels_last or memory_format is channels_last_3d:
            wanted = 4 if memory_format is channels_last else 5
            return self._array.ndim == wanted and bool(np.moveaxis(self._array, 1, -1).flags.c_contiguous)
        return bool(self._array.flags.c_contiguous)

    def is_floating_point(self) -> bool:
        """Whether the elements are floating-point numbers."""
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Whether the elements are complex numbers."""
        return self._array.dtype.kind == "c"

    def is_signed(self) -> bool:
        """Whether the dtype has negative numbers."""
        return self.dtype.is_signed

    def is_inference(self) -> bool:
        """Whether the tensor was made in inference mode."""
        return self._extra is not None and self._extra.inference

    is_cuda = is_sparse = is_quantized = is_meta = is_mkldnn = is_mps = is_xpu = is_nested = False
    is_cpu = True

    def is_conj(self) -> bool:
        """Whether conjugation is pending: never, it is done at once."""
        return False

    def is_neg(self) -> bool:
        """Whether negation is pending: never, it is done at once."""
        return False

    def get_device(self) -> int:
        """-1, PyTorch's number for the CPU."""
        return -1

    # ------------------------------------------------------------------------------------ as Python and NumPy values

    def item(self) -> Any:
        """The only element, as a Python number.

        Raises RuntimeError if there is not exactly one.
        """
        array = self._array
        if array.size != 1:
            raise RuntimeError(
                f"a Tensor with {array.size} elements cannot be converted to Scalar. "
                f"It has the shape {tuple(array.shape)}; use tolist() or numpy() for all of its elements"
            )
        return array.item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers; of a 0-d tensor the number."""
        return self._array.tolist()

    def numpy(self, *, force: bool = False) -> Array:
        """The elements as a NumPy array that shares the tensor's memory.

        force: detach first, if the tensor requires grad.
        Raises RuntimeError if the tensor requires grad.
        """
        if edge_of(self) is not None and not force:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError(f"a tensor of {self.dtype} cannot be seen as {np.dtype(dtype)} without a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None
    ) -> Any:
        if edge_of(self) is not None:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        array = self._array
        if not array.flags.writeable:
            array = array.copy()
        return array.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __bool__(self) -> bool:
        array = self._array
        if array.size != 1:
            if array.size == 0:
                raise RuntimeError(
                    "Boolean value of Tensor with no values is ambiguous: ask for numel() or use any() or all()"
                )
            raise RuntimeError(
                f"Boolean value of Tensor with more than one value is ambiguous: it has the shape {tuple(array.shape)}; "
                "use any() or all()"
            )
        return bool(array.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind not in "biu":
            raise TypeError(
                "only integer tensors of a single element can be converted to an index: this one is "
                f"{self.dtype} of the shape {tuple(self._array.shape)}"
            )
        return int(self._array.item())

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self._array)

    def __iter__(self) -> Iterator[Tensor]:
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, element: Any) -> bool:
        if isinstance(element, (Tensor, int, float, complex)):
            found: Any = self == element
            return bool(found.any())
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.")

    __hash__ = object.__hash__

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        from .printing import tensor_repr

        return tensor_repr(self, tensor_contents)

    def __reduce_ex__(self, protocol: Any) -> Any:
        from .serialization import reduce_tensor

        return reduce_tensor(self)

    def __copy__(self) -> Tensor:
        from .serialization import copy_tensor

        return copy_tensor(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        from .serialization import deepcopy_tensor

        return deepcopy_tensor(self, memo)

    def __dir__(self) -> list[str]:
        return sorted({*dir(type(self)), *self.__dict__})

    # ------------------------------------------------------------------------------------ its place in the graph

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded."""
        try:
            if self._edge is not None:
                return True
        except AttributeError:  # a view whose base got another history
            return edge_of(self._extra.view.base) is not None  # type: ignore[union-attr]
        extra = self._extra
        if extra is None or extra.view is None or extra.view.made != "no_grad":
            return False
        return (
            edge_of(extra.view.base) is not None
        )  # PyTorch says so of views made under no_grad, though nothing is recorded

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if value and self.dtype.category < dtypes.FLOAT:
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        self.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Switch the recording of operations on this leaf on or off, in place; returns the tensor.

        Raises RuntimeError for dtypes that have no gradients and for tensors that were computed.
        """
        edge = edge_of(self)
        if requires_grad:
            if edge is None:
                if self._array.dtype.kind not in "fc" and not self.dtype.is_floating_point:
                    raise RuntimeError("only Tensors of floating point dtype can require gradients")
                if self.is_inference() and not get_mode().inference:
                    raise RuntimeError(
                        "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed. "
                        "Use tensor.clone() for a normal tensor"
                    )
                extra = self._extra
                if extra is not None and extra.frozen is not None:
                    accumulator, extra.frozen = extra.frozen, None
                    accumulator.thaw(self._array)
                else:
                    accumulator = AccumulateGrad(self)
                self._edge = accumulator
                if extra is not None and extra.grad is not None:
                    accumulator.grad, extra.grad = extra.grad, None
        elif edge is not None:
            if type(edge) is not AccumulateGrad:
                raise RuntimeError(
                    "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
                    "subgraph that doesn't require differentiation use var_no_grad = var.detach()."
                )
            self._edge = None
            extra = extra_of(self)
            extra.frozen, extra.grad = edge, edge.grad
            edge.freeze()
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether the tensor was made by the user rather than recorded as the result of an operation."""
        edge = edge_of(self)
        return edge is None or type(edge) is AccumulateGrad

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that made this tensor, None of a leaf."""
        edge = edge_of(self)
        if edge is None or type(edge) is AccumulateGrad:
            return None
        found: Node = edge.node if type(edge) is Output else edge
        return found

    @property
    def output_nr(self) -> int:
        """Which of its operation's outputs the tensor is."""
        edge = edge_of(self)
        return edge.index if type(edge) is Output else 0

    @property
    def grad(self) -> Tensor | None:
        """The gradient that `backward` accumulated here, None if there is none yet."""
        edge = edge_of(self)
        if type(edge) is AccumulateGrad:
            return edge.grad
        extra = self._extra
        if extra is not None:
            if extra.retained is not None:
                return extra.retained.grad
            if extra.grad is not None:
                return extra.grad
        if edge is not None:
            import warnings

            warnings.warn(
                "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
                "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
                "Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure "
                "you access the leaf Tensor instead.",
                UserWarning,
                stacklevel=2,
            )
        return None

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            check_gradient(self, value)
        edge = edge_of(self)
        if type(edge) is AccumulateGrad:
            edge.grad = value
        elif self._extra is not None and self._extra.retained is not None:
            self._extra.retained.grad = value
        elif value is not None or self._extra is not None:
            extra_of(self).grad = value

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def retain_grad(self) -> None:
        """Have `backward` put the gradient of this computed tensor into its `grad` too.

        Raises RuntimeError if the tensor does not require grad.
        """
        edge = edge_of(self)
        if edge is None:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if type(edge) is AccumulateGrad:
            return
        node, index = (edge.node, edge.index) if type(edge) is Output else (edge, 0)
        extra = extra_of(self)
        rare = rare_of(node)
        if extra.retained is None:
            extra.retained = rare.retained.setdefault(index, Retained())

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad` was asked for, and the tensor is not a leaf."""
        return self._extra is not None and self._extra.retained is not None

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Accumulate in the leaves' `grad` the gradient of this tensor by each of them.

        gradient      the cotangent of this tensor, of its shape; may be left out for one element, then it is 1
        retain_graph  keep what the graph needs for another pass (default: `create_graph`)
        create_graph  record the gradients' computation too, so that they can be differentiated
        inputs        accumulate in these tensors only

        >>> import wengert
        >>> x = wengert.tensor(3.0, requires_grad=True)
        >>> (x**2).backward()
        >>> x.grad
        tensor(6.)
        """
        global _backward
        if _backward is None:
            from .autograd.api import backward as _backward
        _backward(self, gradient, retain_graph, create_graph, None, inputs)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Handle:
        """Call `hook(grad)` whenever this tensor's gradient is computed; what it returns replaces the gradient.

        Returns a handle whose `remove()` takes the hook away.
        Raises RuntimeError if the tensor does not require grad.
        """
        from .autograd.hooks import Handle

        edge = edge_of(self)
        if edge is None:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node, index = (edge.node, edge.index) if type(edge) is Output else (edge, 0)
        return Handle(rare_of(node).tensor_hooks.setdefault(index, {}), hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> Handle:
        """Call `hook(self)` whenever a gradient has been accumulated in this leaf.

        Raises RuntimeError if the tensor does not require grad or is not a leaf.
        """
        from .autograd.hooks import Handle

        edge = edge_of(self)
        if edge is None:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if type(edge) is not AccumulateGrad:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        if edge.post_accumulate is None:
            edge.post_accumulate = {}
        return Handle(edge.post_accumulate, hook)

    def detach(self) -> Tensor:
        """This tensor cut off from the graph: the same memory and version, no gradient.

        >>> import wengert
        >>> x = wengert.ones(2, requires_grad=True)
        >>> y = (x * 2).detach()
        >>> y.requires_grad
        False
        """
        made = alias(self._array, self._cell, None)
        if self._extra is not None and self._extra.inference:
            extra_of(made).inference = True  # the cell is shared
        return made

    def detach_(self) -> Tensor:
        """Cut this tensor off from the graph, in place.

        Raises RuntimeError for a view, whose base would stay in the graph.
        """
        extra = self._extra
        if extra is not None and extra.view is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
                "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() "
                "cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
                "torch/optim/optimizer.py as the solution."
            )
        if extra is not None and extra.retained is not None:
            extra.grad, extra.retained = extra.retained.grad, None
        if type(self._edge) is AccumulateGrad:
            return self.requires_grad_(False)
        self._edge = None
        return self

    @property
    def data(self) -> Tensor:
        """The same memory as a tensor with no history and a version of its own: writes to it go unnoticed by the graph."""
        return alias(self._array, [0], None)

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        edge = edge_of(self)
        if edge is not None and value.dtype.category < dtypes.FLOAT:
            raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
        rebind(self, value._array)

    @property
    def _version(self) -> int:
        """How often the memory has been written since it was made."""
        if self.is_inference():
            raise RuntimeError("Inference tensors do not track version counter.")
        version: int = self._cell[0]
        return version

    @property
    def _base(self) -> Tensor | None:
        """Of a view, the tensor that owns the memory."""
        extra = self._extra
        return None if extra is None or type(extra.view) is not View else extra.view.base

    def _is_view(self) -> bool:
        return self._extra is not None and type(self._extra.view) is View

    @property
    def name(self) -> str | None:
        """None; in PyTorch the name that a back end gave."""
        return None


_backward: Any = None  # `autograd.api.backward`, which needs this module before it can be imported
_new = object.__new__


def wrap(array: Any) -> Tensor:
    """A constant tensor around a NumPy array, whose memory it shares."""
    made: Tensor = _new(Tensor)
    made._array = array
    made._cell = [0]
    made._edge = None
    made._extra = None
    return made


def alias(array: Any, cell: list[Any], edge: Any) -> Tensor:
    """A tensor around an array with the version cell and the edge given."""
    made: Tensor = _new(Tensor)
    made._array = array
    made._cell = cell
    made._edge = edge
    made._extra = None
    return made


class Uncounted(list[Any]):
    """The version cell of the tensors made in inference mode: it has no version, so that no node can keep them."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        if index == 0:
            raise RuntimeError(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
                "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it "
                "in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
            )
        return super().__getitem__(index)


def mark_inference(x: Tensor) -> None:
    """Make `x`, which is new, a tensor of inference mode."""
    extra_of(x).inference = True
    if type(x._cell) is list:
        x._cell = Uncounted([0])


def extra_of(x: Tensor) -> Extra:
    """The tensor's `Extra`, made if it has none yet."""
    extra = x._extra
    if extra is None:
        extra = x._extra = Extra()
    return extra


def edge_of(x: Tensor) -> Any:
    """The tensor's edge; of a view whose base was written to, the one by which it now comes of the base."""
    try:
        return x._edge
    except AttributeError:
        from .ops.inplace import edge_of_view

        x._edge = edge_of_view(x)
        return x._edge


def register_view(view: Tensor) -> None:
    """Let writes to the view's memory know of it, so that its edge is looked up again."""
    cell = view._cell
    cell.append(weakref.ref(view))
    if len(cell) & 63 == 0:
        forget_the_gone(cell)


def forget_the_gone(cell: list[Any]) -> None:
    """Take the views that are gone off the list, if a look at three of them says that it is worth going through all."""
    if cell[-2]() is None or cell[1]() is None or cell[len(cell) >> 1]() is None:
        cell[1:] = [r for r in cell[1:] if r() is not None]


def rebind(x: Tensor, array: Array) -> None:
    """Give the tensor another memory."""
    x._array = array
    edge = edge_of(x)
    if type(edge) is AccumulateGrad:
        edge.array = array


def wrap_dim(dim: int, ndim: int) -> int:
    """`dim` counted from the front.

    Raises IndexError, in PyTorch's words, where the tensor has no such dimension.
    """
    limit = ndim or 1
    if not -limit <= dim < limit:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {dim})")
    return dim + limit if dim < 0 else dim


def check_gradient(x: Tensor, value: Any) -> None:
    """Raise as PyTorch does unless `value` can be the gradient of `x`."""
    if not isinstance(value, Tensor):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
    if value is x:
        raise RuntimeError("can't assign Variable as its own grad")
    if value._array.shape != x._array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(value._array.shape)}' to a tensor of size '{list(x._array.shape)}'. "
            "Please ensure that the gradient and the tensor are the same size"
        )
    if value._array.dtype != x._array.dtype:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{scalar_name(value.dtype).lower()}' to a tensor with grad_dtype "
            f"'{scalar_name(x.dtype)}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype): convert "
            f"it with .to({x.dtype})"
        )
