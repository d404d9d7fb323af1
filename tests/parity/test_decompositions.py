"""Matrix decompositions say the same as PyTorch's: values, dtypes, strides, names of nodes, kinds of tuples, errors."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import wengert

torch = pytest.importorskip("torch")

_rng = np.random.default_rng(12)


def _matrix(*shape, complex=False):
    a = _rng.normal(size=shape)
    return a + 1j * _rng.normal(size=shape) if complex else a


_square = _matrix(2, 3, 3)
_hermitian = _matrix(3, 3, complex=True)
_hermitian = _hermitian + _hermitian.conj().T
ARRAYS = {
    "a": _matrix(4, 3),
    "w": _matrix(2, 3, 5),
    "f": _matrix(3, 3).astype(np.float32),
    "c": _matrix(3, 3, complex=True),
    "s": _square,
    "p": _square @ _square.mT + np.eye(3),
    "d": (_hermitian @ _hermitian + np.eye(3)),
    "h": _hermitian,
    "z": np.zeros((2, 3, 3)),
    "n": np.full((3, 3), np.nan),
    "e": np.zeros((0, 0)),
    "x": np.zeros((0, 3)),
    "y": np.zeros((2, 3, 0)),
    "v": np.ones(3),
    "o": np.array(2.0),
    "i": np.ones((3, 3), np.int64),
    "b": np.ones((3, 3), bool),
    "t": np.ones((3, 3), np.float16),
    "g": np.array([[0.5, 0.2, 0.0], [0.1, 0.5, 0.3]]),
    "k": np.array([[1.0, 2.0], [2.0, 1.0]]),
}
FIRST = (
    "torch.cholesky", "torch.cholesky_inverse", "L.cholesky", "L.cholesky_ex", "L.qr", "torch.qr", "L.svd", "L.svdvals", "torch.svd",
    "L.eigh", "L.eigvalsh", "L.eig", "L.lu", "L.lu_factor", "L.lu_factor_ex", "torch.lu", "L.ldl_factor_ex", "torch.geqrf",
    "L.matrix_rank", "L.pinv", "torch.pinverse", "L.cond", "L.matrix_norm", "L.norm", "torch.nuclear_norm",
)  # fmt: skip
#: where PyTorch's answer is no standard: it takes empty matrices that are not square for factorizable, and reads only parts of a
#: factor's complex diagonal; and vectors that are not unique
NO_STANDARD = {
    "torch.cholesky(x)", "torch.cholesky(y)", "torch.cholesky_inverse(c)", "L.svd(w)", "torch.nuclear_norm([1])",
    "L.matrix_norm(y, -2)",
}  # fmt: skip
SWEEP = [
    f"{f}({x})" for f in FIRST for x in ("a", "w", "f", "c", "p", "d", "e", "x", "y", "v", "o", "i", "b", "t", "[1]")
]
CALLS = """
L.cholesky(s); L.cholesky(k); L.cholesky_ex(k, check_errors=True); L.cholesky(p, upper=True); L.cholesky(d, upper=True)
L.cholesky(n); torch.cholesky(d, True); torch.cholesky(s); p.cholesky(upper=True); torch.cholesky_inverse(z)
torch.cholesky_inverse(p, True); torch.cholesky_solve(a, p); torch.cholesky_solve(s, p); torch.cholesky_solve(c, d, True)
torch.cholesky_solve(w, p); torch.cholesky_solve(v, p); torch.cholesky_solve(s, a); torch.cholesky_solve(c, p)
torch.cholesky_solve(s, 1); s.cholesky_solve(p); torch.cholesky_solve(w[:, :, :1], p[0])
L.qr(a, "complete"); L.qr(a, mode="r"); L.qr(w, "complete"); L.qr(a, "x"); torch.qr(a, False); a.qr(); L.qr(c)
L.svd(a, False); L.svd(w, full_matrices=False); L.svd(a, driver="gesvd"); L.svdvals(a, driver="gesvd"); L.svd(n)
torch.svd(a, False); torch.svd(a, compute_uv=False); a.svd(); L.svd(c); torch.svd(c); torch.svd(o); L.svdvals(n)
L.eigh(h, "U"); L.eigh(h, "u"); L.eigh(h, "X"); L.eigh(h, 1); L.eigvalsh(h, "U"); L.eig(n); L.eigvals(c)
L.lu(a, pivot=False); L.lu(s); L.lu(z); L.lu_factor(z); L.lu_factor_ex(z, check_errors=True); torch.lu(z); s.lu(); L.lu(n)
torch.lu(s, get_infos=True); torch.lu(a, pivot=False); L.lu_factor(c); torch.lu_unpack(*L.lu_factor(a))
torch.lu_unpack(*L.lu_factor(w), unpack_data=False); torch.lu_unpack(*L.lu_factor(w), unpack_pivots=False)
torch.lu_unpack(a, L.lu_factor(a)[1].long()); torch.lu_unpack(a, L.lu_factor(a)[1] * 9); torch.lu_unpack(v, 1)
torch.lu_unpack(v, L.lu_factor(a)[1]); torch.lu_unpack(i, L.lu_factor(f)[1])
L.lu_solve(*L.lu_factor(s), s); L.lu_solve(*L.lu_factor(s), s, left=False); L.lu_solve(*L.lu_factor(c), c, adjoint=True)
L.lu_solve(*L.lu_factor(c), c, left=False, adjoint=True); L.lu_solve(*L.lu_factor(s), w); L.lu_solve(*L.lu_factor(s), v)
L.lu_solve(*L.lu_factor(s), a); L.lu_solve(*L.lu_factor(s), a, left=False); L.lu_solve(*L.lu_factor(f), s)
L.lu_solve(L.lu_factor(s)[0], L.lu_factor(f)[1], s); L.lu_solve(f, v, f); L.lu_solve(f, L.lu_factor(f)[1] - 5, f)
torch.lu_solve(s, *L.lu_factor(s)); s.lu_solve(*L.lu_factor(s)); torch.lu_solve(v, *L.lu_factor(s))
L.ldl_factor(h, hermitian=True); L.ldl_factor(c + c.mT); L.ldl_factor(k); L.ldl_factor(a); L.ldl_factor(i)
L.ldl_solve(*L.ldl_factor(p), s); L.ldl_solve(*L.ldl_factor(h, hermitian=True), c, hermitian=True)
L.ldl_solve(*L.ldl_factor(p), a); L.ldl_solve(*L.ldl_factor(p), c); L.ldl_solve(L.ldl_factor(p)[0], v, s)
L.ldl_solve(L.ldl_factor(p)[0], p[:, 0], s); L.ldl_solve(i, v, i); L.ldl_solve(*L.ldl_factor(p), w)
L.householder_product(*torch.geqrf(a)); L.householder_product(a, v[:2].double()); L.householder_product(w, g)
torch.orgqr(c * 0.5, c[0]); L.householder_product(a, v.float()); L.householder_product(a, v.repeat(2)); L.householder_product(v, v)
L.householder_product(a, s); L.householder_product(a, 1); L.householder_product(s, p[0])
torch.ormqr(a, v, a @ a.mT); torch.ormqr(a, v, a @ a.mT, False, True); torch.ormqr(a, v, a, transpose=True); torch.ormqr(s, g, s)
torch.ormqr(a, v, a.mT, left=False); torch.ormqr(a, v, s[0]); torch.ormqr(a, v, v); torch.ormqr(v, v, a); torch.ormqr(a, v[:2], a)
torch.ormqr(a, v.float(), a); torch.ormqr(a, v, a.float()); torch.ormqr(s, v, s); torch.ormqr(s, g, a); torch.ormqr(i, v.long(), i)
L.matrix_rank(p, atol=1e3); L.matrix_rank(p, rtol=0.5); L.matrix_rank(p, 1e-3); L.matrix_rank(p, tol=0.5, hermitian=True)
L.matrix_rank(a, hermitian=True); L.matrix_rank(p, atol=v[:2]); L.matrix_rank(p, atol=v); L.matrix_rank(p, rtol=h[0, :2])
L.matrix_rank(p, atol=g[:, :1]); L.matrix_rank(n); L.matrix_rank(c, rtol=g[0, 0])
L.pinv(a, 0.5); L.pinv(a, rtol=0.5); L.pinv(p, atol=v[:2]); L.pinv(p, atol=v); L.pinv(h, hermitian=True); L.pinv(a, hermitian=True)
L.pinv(a, atol=h[0, 0]); L.pinv(n); L.pinv(p, g[:, 0]); a.pinverse(); torch.pinverse(a, 0.5); L.pinv(c)
torch.nuclear_norm(w, (0, 2), True); torch.norm(w, "nuc"); torch.norm(w, "nuc", (0, 2)); torch.norm(a, "nuc"); torch.norm(v, "nuc")
L.matrix_norm(w, dim=1); L.matrix_norm(w, "nuc", (0,)); L.matrix_norm(w, 1, (0, 0)); L.matrix_norm(w, 2, (0, 7))
L.matrix_norm(w, 3); L.matrix_norm(w, 0.5); L.matrix_norm(w, "x"); L.matrix_norm(w, None); L.matrix_norm(w, [1])
L.matrix_norm(a, dtype=torch.float32); L.matrix_norm(f, dtype=torch.float64); L.matrix_norm(f, "nuc", dtype=torch.float64)
L.matrix_norm(f, dtype=torch.complex64); L.matrix_norm(f, dtype=torch.int32); L.matrix_norm(c, dtype=torch.float64)
L.norm(w, 2); L.norm(w, dim=(0, 1, 2)); L.norm(w, "fro", dim=1); L.norm(w, 2, dim=(0, 0)); L.norm(w, keepdim=True); L.norm(o, 2)
L.norm(a, 2); L.norm(v, 3); L.norm(v, "fro"); L.norm(a, "nuc", dim=(0, 1), keepdim=True); L.norm(w, 3, dim=1); L.norm(w, dim=())
L.cond(a, 1); L.cond(a, "fro"); L.cond(a, 3); L.cond(s, 0.5); L.cond(s, "x"); L.cond(z[0], 1); L.cond(i, 1); L.cond(i, "nuc")
"""
ORDERS = ("'fro'", "'nuc'", "2", "-2", "1", "-1", "float('inf')", "-float('inf')")
CALLS = [*re.split(r";\s*|\n", CALLS.strip()), *SWEEP]
CALLS += [f"L.{f}({x}, {p})" for f in ("matrix_norm", "cond") for x in ("s", "f", "c", "y", "z") for p in ORDERS]
CALLS += [f"L.matrix_norm(w, {p}, (2, 0), keepdim={keep})" for p in ORDERS for keep in (True, False)]


def evaluate(lib, call, grad):
    names = {k: lib.from_numpy(v.copy()) for k, v in ARRAYS.items()}
    if grad:
        names = {k: v.requires_grad_() if v.is_floating_point() or v.is_complex() else v for k, v in names.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return eval(call, {"torch": lib, "L": lib.linalg, **names})
        except Exception as error:
            return error


def describe(result):
    results = result if isinstance(result, tuple) else (result,)
    shown = [
        (
            tuple(r.shape), str(r.dtype), tuple(r.stride()) if r.numel() else None, r.requires_grad and r.grad_fn.name(),
        )
        for r in results
    ]  # fmt: skip
    return type(result).__name__, shown


@pytest.mark.parametrize("call", sorted({*CALLS} - NO_STANDARD))
def test_alike(call):
    theirs, ours = evaluate(torch, call, False), evaluate(wengert, call, False)
    if isinstance(theirs, Exception):
        assert isinstance(ours, Exception), f"torch: {theirs!r}"
        words = str(theirs).split("\nException raised")[0]
        assert type(ours).__name__ == type(theirs).__name__, ours
        assert str(ours).replace(";", ".").startswith(words.replace(";", ".").rstrip(". ")), (
            f"torch: {words}\nwengert: {ours}"
        )
        return
    if isinstance(ours, Exception):
        raise ours
    assert describe(ours) == describe(theirs)
    for a, b in zip(
        ours if isinstance(ours, tuple) else (ours,), theirs if isinstance(theirs, tuple) else (theirs,), strict=True
    ):
        tolerance = 1e-3 if "16" in str(a.dtype) else 1e-5 if str(a.dtype)[-2:] == "32" else 1e-9
        # signs and phases of vectors are not defined
        np.testing.assert_allclose(np.abs(a.numpy()), np.abs(b.resolve_conj().numpy()), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("call", sorted({c for c in CALLS if "ldl" not in c} - NO_STANDARD))
def test_nodes_are_alike(call):
    theirs, ours = evaluate(torch, call, True), evaluate(wengert, call, True)
    if not isinstance(theirs, Exception):
        assert describe(ours) == describe(theirs)


@pytest.mark.parametrize(
    "call", ["torch.svd_lowrank(a, 2)", "torch.svd_lowrank(w, 9, 1, M=w * 2)", "torch.pca_lowrank(w, 2)"]
)
def test_random_projections_are_alike(call):
    torch.manual_seed(5)
    wengert.manual_seed(5)
    for a, b in zip(evaluate(wengert, call, False), evaluate(torch, call, False), strict=True):
        np.testing.assert_allclose(np.abs(a.numpy()), np.abs(b.numpy()), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "name", ["cholesky", "cholesky_ex", "eig", "eigh", "ldl_factor", "ldl_factor_ex", "lu", "lu_factor", "qr", "svd"]
)
def test_results_are_printed_alike(name):
    theirs, ours = getattr(torch.linalg, name)(torch.eye(2)), getattr(wengert.linalg, name)(wengert.eye(2))
    assert re.sub(r"-(?=[01]\.)| ", "", repr(ours)) == re.sub(
        r"-(?=[01]\.)| ", "", repr(theirs)
    )  # signs are not defined


@pytest.mark.parametrize("largest", [True, False])
def test_extreme_eigenvalues_are_alike(largest):
    a = _matrix(30, 30)
    a, weights = a @ a.T, _matrix(30, 2)
    found = []
    for lib in (torch, wengert):
        lib.manual_seed(6)
        x = lib.from_numpy(a.copy()).requires_grad_()
        E, V = lib.lobpcg(x, 2, largest=largest, tol=1e-11)
        (g,) = lib.autograd.grad((V * V.detach().sign() * lib.from_numpy(weights)).sum() + E.square().sum(), x)
        found.append((E.detach().numpy(), g.numpy()))
        assert E.grad_fn.name() == "LOBPCGAutogradFunctionBackward"
    for theirs, ours in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
