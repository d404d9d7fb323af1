"""Tables of vectors that are looked up by number."""

from __future__ import annotations

from typing import Any

from ..autograd.modes import no_grad
from ..creation import empty
from ..tensor import Tensor
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


class _Table(Module):
    """What both have in common: the table, and its options."""

    weight: Parameter

    def _set(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None, max_norm: float | None, norm_type: float,
        scale_grad_by_freq: bool, sparse: bool, weight: Tensor | None, freeze: bool, device: Any, dtype: Any,
    ) -> None:  # fmt: skip
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        if weight is None:
            made = empty((num_embeddings, embedding_dim), device=device, dtype=dtype)
            self.weight = Parameter(made, requires_grad=not freeze)
            self.reset_parameters()
        else:
            if list(weight.shape) != [num_embeddings, embedding_dim]:
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(weight, requires_grad=not freeze)
        self.sparse = sparse

    def reset_parameters(self) -> None:
        """Draw the table anew, normal, with zeros in the row of the padding."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)


def _check_table(embeddings: Tensor) -> None:
    if embeddings.dim() != 2:
        raise AssertionError("Embeddings parameter is expected to be 2-dimensional")


class Embedding(_Table):
    """A vector for each number: a table whose rows are looked up, and learned.

    num_embeddings      the number of rows
    embedding_dim       their length
    padding_idx         a row that is zeros at first and gets no gradient
    max_norm            rows that are looked up are first scaled down, in place, to this norm (`norm_type`)
    scale_grad_by_freq  divide each row's gradient by how often it was looked up

    Raises AssertionError for a padding row that is not there.

    >>> import wengert
    >>> wengert.nn.Embedding(10, 3)(wengert.tensor([[1, 2], [4, 5]])).shape
    torch.Size([2, 2, 3])
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False, _weight: Tensor | None = None,
        _freeze: bool = False, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(
            num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, _weight, _freeze, device,
            dtype,
        )  # fmt: skip

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    def extra_repr(self) -> str:
        shown = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.padding_idx is not None:
            shown += f", padding_idx={self.padding_idx}"
        if self.max_norm is not None:
            shown += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            shown += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq is not False:
            shown += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        return shown + (", sparse=True" if self.sparse is not False else "")

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
    ) -> Embedding:  # fmt: skip
        """The module around a table that is there; `freeze`: which is not learned.

        Raises AssertionError for a table that has not two dimensions.

        >>> import wengert
        >>> wengert.nn.Embedding.from_pretrained(wengert.tensor([[1.0, 2.0], [3.0, 4.0]]))(wengert.tensor([1]))
        tensor([[3., 4.]])
        """
        _check_table(embeddings)
        rows, length = embeddings.shape
        return cls(
            rows,
            length,
            padding_idx,
            max_norm,
            norm_type,
            scale_grad_by_freq,
            sparse,
            _weight=embeddings,
            _freeze=freeze,
        )


class EmbeddingBag(_Table):
    """Sums, means or maxima of bags of rows of a table, without the rows in between.

    num_embeddings, embedding_dim  the number of rows, and their length
    mode                           "sum", "mean" or "max"
    include_last_offset            the last offset given is the end of the last bag
    padding_idx                    a row that does not count
    max_norm, norm_type, scale_grad_by_freq  as of `Embedding`

    >>> import wengert
    >>> wengert.nn.EmbeddingBag(10, 3)(wengert.tensor([1, 2, 4]), wengert.tensor([0, 2])).shape
    torch.Size([2, 3])
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, max_norm: float | None = None, norm_type: float = 2.0,
        scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, _weight: Tensor | None = None,
        include_last_offset: bool = False, padding_idx: int | None = None, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(
            num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, _weight, False, device,
            dtype,
        )  # fmt: skip
        self.mode = mode
        self.include_last_offset = include_last_offset

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Tensor:
        return F.embedding_bag(
            input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode, self.sparse,
            per_sample_weights, self.include_last_offset, self.padding_idx,
        )  # fmt: skip

    def extra_repr(self) -> str:
        shown = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.max_norm is not None:
            shown += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            shown += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq is not False:
            shown += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        shown += f", mode={self.mode!r}"
        return shown + ("" if self.padding_idx is None else f", padding_idx={self.padding_idx}")

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, max_norm: float | None = None, norm_type: float = 2.0,
        scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> EmbeddingBag:  # fmt: skip
        """The module around a table that is there; `freeze`: which is not learned."""
        _check_table(embeddings)
        rows, length = embeddings.shape
        made = cls(
            rows,
            length,
            max_norm,
            norm_type,
            scale_grad_by_freq,
            mode,
            sparse,
            embeddings,
            include_last_offset,
            padding_idx,
        )
        made.weight.requires_grad = not freeze
        return made
