"""The named tuples that operations with several results return, such as `max(dim=...)`."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


class Result(tuple):  # type: ignore[type-arg]
    """A tuple whose elements have names too."""

    __slots__ = ()

    fields: tuple[str, ...] = ()
    n_fields = n_sequence_fields = 0
    n_unnamed_fields = 0

    def __new__(cls, sequence: Iterable[Any] = (), dict: Any = None) -> Result:
        made = tuple.__new__(cls, sequence)
        if len(made) != cls.n_fields:
            raise TypeError(
                f"torch.return_types.{cls.__name__}() takes a {cls.n_fields}-sequence ({len(made)}-sequence given)"
            )
        return made

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __repr__(self) -> str:
        parts = ",\n".join(f"{name}={value!r}" for name, value in zip(self.fields, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{parts})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self).__name__, tuple(self))


def _restore(name: str, values: tuple[Any, ...]) -> Result:
    made: Result = globals()[name](values)
    return made


def _make(name: str, *fields: str) -> type[Result]:
    body: dict[str, Any] = {field: property(itemgetter(i)) for i, field in enumerate(fields)}
    body.update(
        __slots__=(),
        __module__="torch.return_types",
        fields=fields,
        n_fields=len(fields),
        n_sequence_fields=len(fields),
    )
    return type(name, (Result,), body)


max = _make("max", "values", "indices")
min = _make("min", "values", "indices")
aminmax = _make("aminmax", "min", "max")
frexp = _make("frexp", "mantissa", "exponent")
cummax = _make("cummax", "values", "indices")
cummin = _make("cummin", "values", "indices")
kthvalue = _make("kthvalue", "values", "indices")
median = _make("median", "values", "indices")
mode = _make("mode", "values", "indices")
nanmedian = _make("nanmedian", "values", "indices")
sort = _make("sort", "values", "indices")
topk = _make("topk", "values", "indices")
linalg_cholesky_ex = _make("linalg_cholesky_ex", "L", "info")
linalg_qr = _make("linalg_qr", "Q", "R")
linalg_svd = _make("linalg_svd", "U", "S", "Vh")
linalg_eigh = _make("linalg_eigh", "eigenvalues", "eigenvectors")
linalg_eig = _make("linalg_eig", "eigenvalues", "eigenvectors")
linalg_lu = _make("linalg_lu", "P", "L", "U")
linalg_lu_factor = _make("linalg_lu_factor", "LU", "pivots")
linalg_lu_factor_ex = _make("linalg_lu_factor_ex", "LU", "pivots", "info")
linalg_ldl_factor = _make("linalg_ldl_factor", "LD", "pivots")
linalg_ldl_factor_ex = _make("linalg_ldl_factor_ex", "LD", "pivots", "info")
lu_unpack = _make("lu_unpack", "P", "L", "U")
geqrf = _make("geqrf", "a", "tau")
qr = _make("qr", "Q", "R")
svd = _make("svd", "U", "S", "V")
_lu_with_info = _make("_lu_with_info", "LU", "pivots", "info")
linalg_solve_ex = _make("linalg_solve_ex", "result", "info")
linalg_inv_ex = _make("linalg_inv_ex", "inverse", "info")
linalg_slogdet = _make("linalg_slogdet", "sign", "logabsdet")
slogdet = _make("slogdet", "sign", "logabsdet")
triangular_solve = _make("triangular_solve", "solution", "cloned_coefficient")
linalg_lstsq = _make("linalg_lstsq", "solution", "residuals", "rank", "singular_values")
histogram = _make("histogram", "hist", "bin_edges")
histogramdd = _make("histogramdd", "hist", "bin_edges")
