"""Matrix decompositions: what they are where vectors are not unique, what they refuse, and how results lie in memory."""

from __future__ import annotations

import math

import numpy as np
import pytest

import wengert as torch
from wengert.autograd import grad
from wengert.linalg import LinAlgError

linalg = torch.linalg
W = torch.tensor([[1.0, 2.0, -1.0], [0.5, 5.0, 2.0], [3.0, -2.0, 0.25]], dtype=torch.float64)


def leaf(data, dtype=torch.float64):
    return torch.tensor(data, dtype=dtype, requires_grad=True)


def rotation(n=3, seed=0, complex=False):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(n, n))
    return np.linalg.qr(a + 1j * rng.normal(size=(n, n)) if complex else a)[0]


def of_matrix(f, a):
    """The function of a Hermitian matrix that is f of its eigenvalues."""
    values, vectors = linalg.eigh(a)
    return (vectors * f(values)[..., None, :]) @ vectors.mH


def divided_difference(f, slope, values):
    """f[x, y] of all pairs of values: the slope where they are equal."""
    x, y = values[:, None], values[None, :]
    with np.errstate(all="ignore"):
        return np.where(np.isclose(x, y, rtol=1e-9), slope(x + 0 * y), (f(x) - f(y)) / (x - y))


class TestEigenvaluesThatCoincide:
    @pytest.mark.parametrize("values", [(1.0, 1.0, 1.0), (1.0, 1.0, 3.0), (2.0, -1.0, 2.0)])
    @pytest.mark.parametrize("seed", [None, 1, 2])
    @pytest.mark.parametrize("complex", [False, True])
    @pytest.mark.parametrize(
        ("f", "slope", "ours"),
        [
            (np.exp, np.exp, torch.exp),
            (np.square, lambda x: 2 * x, torch.square),
            (lambda x: 1 / x, lambda x: -1 / x**2, torch.reciprocal),
        ],
        ids=["exp", "square", "inverse"],
    )
    def test_functions_of_matrices(self, values, seed, complex, f, slope, ours):
        q = np.eye(3) if seed is None else rotation(seed=seed, complex=complex)
        a = q * np.array(values) @ q.conj().T
        x = torch.from_numpy(a.astype(np.complex128 if complex else np.float64)).requires_grad_()
        w = W.to(x.dtype) * (1 + 0.5j) if complex else W
        (g,) = grad((of_matrix(ours, x) * w).real.sum(), x)
        # Daleckii and Krein: in the eigenvectors' coordinates the derivative is multiplied by divided differences
        h = w.conj().numpy()
        exact = (
            q @ (divided_difference(f, slope, np.array(values)) * (q.conj().T @ (h + h.conj().T) @ q) / 2) @ q.conj().T
        )
        found = g.numpy()
        np.testing.assert_allclose((found + found.conj().T) / 2, exact, rtol=1e-6, atol=1e-6)

    def test_a_sum_of_functions_of_the_matrix_and_of_its_eigenvalues(self):
        x = leaf(np.diag([2.0, 2.0, 2.0]))
        values, vectors = linalg.eigh(x)
        (g,) = grad((((vectors * values.exp()) @ vectors.mT) * W).sum() + values.square().sum(), x)
        exact = math.exp(2) * (W + W.mT).numpy() / 2 + 4 * np.eye(3)
        np.testing.assert_allclose((g + g.mT).numpy() / 2, exact, rtol=1e-9)

    def test_vectors_that_are_not_used(self):
        q = rotation(seed=3)
        a = q * np.array([1.0, 1.0, 4.0]) @ q.T
        x = leaf(a)
        top = linalg.eigh(x)[1][:, 2]
        (g,) = grad((top * (W @ top)).sum(), x)
        step = 1e-6
        e = np.array([[0.3, 0.1, -0.2], [0.1, -0.5, 0.7], [-0.2, 0.7, 0.9]])

        def value(b):
            t = np.linalg.eigh(b)[1][:, 2]
            return t @ W.numpy() @ t

        numeric = (value(a + step * e) - value(a - step * e)) / (2 * step)
        assert (g.numpy() * e).sum() == pytest.approx(numeric, rel=1e-6)

    def test_the_hessian_of_a_function_of_the_eigenvalues(self):
        x = leaf(np.eye(2))
        (g,) = grad(linalg.eigvalsh(x).exp().sum(), x, create_graph=True)
        (h,) = grad((g * W[:2, :2]).sum(), x)
        np.testing.assert_allclose((h + h.mT).numpy() / 2, math.e * (W + W.mT).numpy()[:2, :2] / 2, rtol=1e-9)

    def test_a_function_that_is_not_differentiable_there_is_not_finite(self):
        x = leaf(np.eye(2))
        (g,) = grad((linalg.eigh(x)[1] * W[:2, :2]).sum(), x)
        assert not np.isfinite(g.numpy()).all()

    def test_what_leaves_no_trace_is_nan_and_not_wrong(self):
        x = leaf(np.eye(2))
        (g,) = grad(
            of_matrix(torch.log, x).sum(), x
        )  # log(1) is 0: the vectors' cotangent is 0, but not for want of use
        assert np.isnan(g.numpy()[0, 1])
        values, vectors = linalg.eig(x)
        (g,) = grad(values.real.sum() + vectors.abs().sum(), x)
        assert np.isnan(g.numpy()[0, 1])

    def test_values_that_are_close_but_not_equal_keep_their_quotients(self):
        """Many values of a large matrix in float32 are close; of a function that no limit is known for, nothing becomes nan."""
        rng = np.random.default_rng(13)
        a = rng.normal(size=(60, 60)).astype(np.float32)
        a = a + a.T
        weights = torch.from_numpy(rng.normal(size=(60, 60)).astype(np.float32))
        x = torch.from_numpy(a).requires_grad_()
        values, vectors = linalg.eigh(x)
        (g,) = grad((vectors * weights).sum() + (values * weights[0]).sum(), x)
        y = torch.from_numpy(a.astype(np.float64)).requires_grad_()
        again = linalg.eigh(y)
        signs = torch.from_numpy(np.sign((vectors.detach().numpy() * again[1].detach().numpy()).sum(0)))
        (h,) = grad((again[1] * signs * weights.double()).sum() + (again[0] * weights[0].double()).sum(), y)
        np.testing.assert_allclose(g.numpy(), h.numpy(), rtol=2e-2, atol=2e-2)

    def test_the_next_derivative_through_a_limit_is_nan(self):
        x = leaf(np.eye(2))
        (g,) = grad((of_matrix(torch.exp, x) * W[:2, :2]).sum(), x, create_graph=True)
        np.testing.assert_allclose((g + g.mT).detach().numpy(), math.e * (W + W.mT).numpy()[:2, :2], rtol=1e-9)
        (h,) = grad(g.square().sum(), x)
        assert np.isnan(h.numpy()).any()

    def test_pushed_tangents_of_vectors_that_jump_are_not_finite(self):
        _, (of_values, of_vectors) = torch.func.jvp(
            linalg.eigh, (torch.eye(2),), (torch.tensor([[1.0, 2.0], [2.0, 5.0]]),)
        )
        assert not np.isfinite(of_vectors.numpy()).all()
        _, (of_values, of_vectors) = torch.func.jvp(linalg.eigh, (torch.eye(2),), (torch.tensor([3.0, 4.0]).diag(),))
        assert of_values.tolist() == [3, 4]
        assert of_vectors.tolist() == [[0, 0], [0, 0]]


class TestSingularValues:
    @pytest.mark.parametrize("values", [(1.0, 1.0, 1.0), (3.0, 1.0, 1.0)])
    @pytest.mark.parametrize("rows", [3, 4])
    def test_that_coincide(self, values, rows):
        u, v = rotation(rows, 4)[:, :3], rotation(3, 5)
        x = leaf(u * np.array(values) @ v.T)
        w = torch.from_numpy(np.random.default_rng(6).normal(size=(rows, 3)))
        U, S, Vh = linalg.svd(x, full_matrices=False)
        (g,) = grad((((U * S) @ Vh) * w).sum(), x)
        np.testing.assert_allclose(g.numpy(), w.numpy(), rtol=1e-7, atol=1e-7)

    def test_cubes_of_those_that_coincide(self):
        x = leaf(np.diag([2.0, 2.0, 2.0]))
        U, S, Vh = linalg.svd(x)
        (g,) = grad((((U * S**3) @ Vh) * W).sum(), x)
        y = leaf(np.diag([2.0, 2.0, 2.0]))
        (exact,) = grad((y @ y.mT @ y * W).sum(), y)
        np.testing.assert_allclose(g.numpy(), exact.numpy(), rtol=1e-9)

    def test_of_zero_whose_vectors_are_not_used(self):
        a = np.outer([1.0, 2.0, 2.0, 4.0], [2.0, 1.0, 2.0])
        x = leaf(a)
        U, S, Vh = linalg.svd(x, full_matrices=False)
        low = (U[:, :1] * S[:1]) @ Vh[:1]
        w = np.random.default_rng(7).normal(size=(4, 3))
        (g,) = grad((low * torch.from_numpy(w)).sum(), x)
        u, v = a[:, :1] / np.linalg.norm(a[:, 0]), a[:1].T / np.linalg.norm(a[0])
        # the best approximation of rank 1 moves within its tangent space
        exact = u @ u.T @ w + w @ v @ v.T - u @ u.T @ w @ v @ v.T
        np.testing.assert_allclose(g.numpy(), exact, rtol=1e-9, atol=1e-12)

    def test_the_nuclear_norm_of_zero_has_a_subgradient(self):
        x = leaf(np.zeros((3, 2)))
        (g,) = grad(linalg.svdvals(x).sum(), x)
        np.testing.assert_allclose(np.linalg.svd(g.numpy())[1], 1)

    def test_vectors_beside_the_first_have_no_gradient(self):
        x = leaf(W[:, :2].numpy())
        U, _, _ = linalg.svd(x)
        (g,) = grad(U[:, 2].sum(), x)
        assert not g.numpy().any()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("eigh", "linalg_eigh_backward: The eigenvectors in the complex case are specified up to multiplication by e"),
        ("eig", "linalg_eig_backward: The eigenvectors in the complex case are specified up to multiplication by e"),
        ("svd", "svd_backward: The singular vectors in the complex case are specified up to multiplication by e"),
    ],
)
def test_a_function_of_the_phases_is_refused(name, words):
    a = W.to(torch.complex128) * (1 + 1j)
    x = (a + a.mH).detach().requires_grad_()
    results = getattr(linalg, name)(x)
    vectors = results[1 if name.startswith("eig") else 0]
    with pytest.raises(RuntimeError, match=words.replace("^", r"\^")):
        grad(vectors.real.sum(), x)
    (g,) = grad(vectors.abs().square().sum(), x)
    np.testing.assert_allclose(g.numpy(), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: linalg.qr(leaf(W.numpy()), mode="r").R.sum().backward(), "The derivative of linalg.qr depends on Q"),
        (
            lambda: linalg.qr(leaf(W[:, :2].numpy()), mode="complete").Q.sum().backward(),
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols",
        ),
    ],
)
def test_qr_without_a_derivative(call, words):
    with pytest.raises(RuntimeError, match=words):
        call()


def test_geqrf_has_no_derivative():
    with pytest.raises(NotImplementedError, match="the derivative for 'geqrf' is not implemented"):
        torch.geqrf(leaf(W.numpy())).a.sum().backward()


class TestElimination:
    @pytest.mark.parametrize("shape", [(40, 40), (3, 20, 33), (2, 35, 17), (1, 150, 150)])
    @pytest.mark.parametrize("dtype", ["float32", "complex128"])
    def test_the_factors_and_the_pivots(self, shape, dtype):
        rng = np.random.default_rng(9)
        a = np.asarray(rng.normal(size=shape) + (1j * rng.normal(size=shape) if dtype[0] == "c" else 0)).astype(dtype)
        P, L, U = linalg.lu(torch.from_numpy(a))
        np.testing.assert_allclose((P @ L @ U).numpy(), a, atol=1e-4 if dtype == "float32" else 1e-11)
        assert np.absolute(L.numpy()).max() < 1.0001 if dtype == "float32" else 2**0.5
        LU, pivots = linalg.lu_factor(torch.from_numpy(a))
        again = torch.lu_unpack(LU, pivots)
        for x, y in zip((P, L, U), again, strict=True):
            np.testing.assert_array_equal(x.numpy(), y.numpy())

    def test_a_singular_matrix(self):
        a = torch.tensor([[[1.0, 2.0], [2.0, 4.0]], [[1.0, 0.0], [0.0, 1.0]]])
        LU, _, info = linalg.lu_factor_ex(a)
        assert LU[0].tolist() == [[2, 4], [0.5, 0]]
        assert info.tolist() == [2, 0]
        words = r"\(Batch element 0\): U\[2,2\] is zero and using it on lu_solve would result in a division by zero"
        with pytest.raises(RuntimeError, match="torch.linalg.lu_factor: " + words):
            linalg.lu_factor(a)
        with pytest.raises(RuntimeError, match="torch.linalg.lu_factor_ex: " + words):
            linalg.lu_factor_ex(a, check_errors=True)
        assert torch.lu(a, get_infos=True)[2].tolist() == [2, 0]

    def test_a_column_of_zeros(self):
        LU, pivots, info = linalg.lu_factor_ex(torch.tensor([[0.0, 1.0], [0.0, 2.0]]))
        assert (LU.tolist(), pivots.tolist(), info.item()) == ([[0, 1], [0, 2]], [1, 2], 1)


class TestSymmetricElimination:
    @pytest.mark.parametrize("shape", [(60, 60), (5, 12, 12), (0, 3, 3)])
    @pytest.mark.parametrize("kind", ["real", "complex", "hermitian"])
    def test_solutions(self, shape, kind):
        """More rows than changes are gathered at a time, zeros on the diagonal, and blocks at different places in one batch."""
        rng = np.random.default_rng(10)
        a = rng.normal(size=shape) + (0 if kind == "real" else 1j * rng.normal(size=shape))
        a = a + (a.mT.conj() if kind == "hermitian" else a.mT)
        rows = np.arange(shape[-1])
        a[..., rows, rows] = a[..., rows, rows].real * rng.integers(0, 2, shape[:-1])
        b = rng.normal(size=(*shape[:-1], 2)).astype(a.dtype)
        LD, pivots = linalg.ldl_factor(torch.from_numpy(a), hermitian=kind == "hermitian")
        assert not np.triu(LD.numpy(), 1).any()
        assert (pivots.numpy() < 0).any() or not a.size
        x = linalg.ldl_solve(LD, pivots, torch.from_numpy(b), hermitian=kind == "hermitian")
        np.testing.assert_allclose(a @ x.numpy(), b, atol=1e-9)

    def test_only_the_lower_triangle_is_read(self):
        a = torch.tensor([[4.0, 9.0], [2.0, 3.0]])
        assert linalg.ldl_factor(a).LD.tolist() == [[4, 0], [0.5, 2]]

    def test_a_zero_block(self):
        assert linalg.ldl_factor_ex(torch.zeros(2, 2)).info.item() == 1
        with pytest.raises(RuntimeError, match=r"torch.linalg.ldl_factor: D\[1,1\] is zero"):
            linalg.ldl_factor(torch.zeros(2, 2))
        with pytest.raises(RuntimeError, match=r"torch.linalg.ldl_factor_ex: \(Batch element 0\): D\[1,1\] is zero"):
            linalg.ldl_factor_ex(torch.zeros(1, 2, 2), check_errors=True)

    def test_it_has_no_derivative(self):
        with pytest.raises(RuntimeError, match="derivative for aten::linalg_ldl_factor_ex is not implemented"):
            linalg.ldl_factor(leaf(np.eye(2))).LD.sum().backward()


class TestRank:
    def test_tolerances(self):
        a = torch.tensor([10.0, 1.0, 1e-3, 0.0], dtype=torch.float64).diag()
        assert linalg.matrix_rank(a).item() == 3
        assert linalg.matrix_rank(a, rtol=0.05).item() == 2
        assert linalg.matrix_rank(a, atol=0.05).item() == 2
        assert linalg.matrix_rank(a, atol=0.05, rtol=0.5).item() == 1
        assert linalg.matrix_rank(-a, hermitian=True).item() == 3
        assert linalg.matrix_rank(a, 2.0).item() == 1
        b = torch.stack([a, 2 * a])
        assert linalg.matrix_rank(b, atol=torch.tensor([5.0, 30.0])).tolist() == [1, 0]
        assert linalg.matrix_rank(b, atol=torch.tensor([[5.0], [0.5], [1e-4]])).tolist() == [[1, 1], [2, 2], [3, 3]]

    def test_the_pseudoinverse_leaves_out_what_counts_as_zero(self):
        a = torch.tensor([4.0, 2.0, 0.5]).diag()
        assert linalg.pinv(a, rtol=0.2).diagonal().tolist() == [0.25, 0.5, 0]
        assert linalg.pinv(a, 0.2).diagonal().tolist() == [0.25, 0.5, 0]
        assert linalg.pinv(-a, atol=1.0, hermitian=True).diagonal().tolist() == [-0.25, -0.5, 0]
        assert torch.pinverse(a, 0.6).diagonal().tolist() == [0.25, 0, 0]
        many = linalg.pinv(a, atol=torch.tensor([1.0, 3.0]))
        assert many.shape == (2, 3, 3)
        assert many[1].diagonal().tolist() == [0.25, 0, 0]

    def test_the_derivative_of_the_pseudoinverse_of_a_singular_matrix_moves_with_its_rank(self):
        u = leaf([[1.0], [2.0], [-1.0]])
        v = leaf([[0.5, 1.0, 3.0]])
        got = grad((linalg.pinv(u @ v) * W).sum(), (u, v))
        want = grad(((v.mT @ u.mT) / ((u * u).sum() * (v * v).sum()) * W).sum(), (u, v))
        for a, b in zip(got, want, strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-9)


class TestLowRank:
    @pytest.mark.parametrize("shape", [(8, 5), (2, 4, 9)])
    def test_a_matrix_of_low_rank(self, shape):
        rng = np.random.default_rng(11)
        a = rng.normal(size=(*shape[:-1], 2)) @ rng.normal(size=(*shape[:-2], 2, shape[-1]))
        x = torch.from_numpy(a).requires_grad_()
        U, S, V = torch.svd_lowrank(x, q=3)
        np.testing.assert_allclose(((U * S[..., None, :]) @ V.mT).detach().numpy(), a, atol=1e-12)
        U, S, V = torch.svd_lowrank(x, q=2)
        (g,) = grad(S.sum(), x)
        u, _, vh = np.linalg.svd(a, full_matrices=False)
        np.testing.assert_allclose(g.numpy(), u[..., :2] @ vh[..., :2, :], atol=1e-9)

    def test_a_matrix_is_subtracted_first(self):
        a = torch.ones(4, 3, dtype=torch.float64)
        assert torch.svd_lowrank(a, 2, M=a[:1])[1].abs().max() < 1e-12

    def test_principal_components(self):
        rng = np.random.default_rng(12)
        data = torch.from_numpy(rng.normal(size=(50, 2)) * [5.0, 0.1] + [100.0, 0.0])
        _, S, V = torch.pca_lowrank(data, q=1)
        assert abs(V[0, 0].item()) == pytest.approx(1, abs=1e-3)
        assert (S**2 / 49).item() == pytest.approx(data[:, 0].var().item(), rel=1e-3)

    @pytest.mark.parametrize(("options", "words"), [({"q": 9}, "q(=9) must be"), ({"niter": -1}, "niter(=-1) must be")])
    def test_refusals(self, options, words):
        with pytest.raises(ValueError) as caught:
            torch.pca_lowrank(torch.ones(3, 2), **options)
        assert str(caught.value).startswith(words)


class TestExtremeEigenvalues:
    def symmetric(self, *shape, seed=14):
        a = np.random.default_rng(seed).normal(size=shape)
        return torch.from_numpy(a @ a.mT + np.eye(shape[-1]))

    @pytest.mark.parametrize("largest", [True, False])
    def test_the_ends_of_the_spectrum(self, largest):
        a = self.symmetric(2, 40, 40)
        E, V = torch.lobpcg(a, 3, largest=largest)
        every = linalg.eigvalsh(a)
        np.testing.assert_allclose(E.numpy(), (every[:, -3:].flip(-1) if largest else every[:, :3]).numpy(), rtol=1e-10)
        np.testing.assert_allclose((a @ V).numpy(), (V * E[:, None]).numpy(), atol=1e-5)

    def test_a_second_matrix_and_an_approximate_inverse(self):
        a, b = self.symmetric(20, 20), self.symmetric(20, 20, seed=15)
        E, V = torch.lobpcg(a, 2, B=b)
        np.testing.assert_allclose((a @ V).numpy(), (b @ V * E).numpy(), atol=1e-5)
        steps = []
        E, _ = torch.lobpcg(
            a, 1, iK=torch.from_numpy(np.linalg.inv(a.numpy())), largest=False, tracker=lambda s: steps.append(s.E)
        )
        assert E.item() == pytest.approx(linalg.eigvalsh(a)[0].item(), rel=1e-10)
        assert 0 < len(steps) < 30
        assert torch.lobpcg(a, 1, niter=2)[0].shape == (1,)

    @pytest.mark.parametrize(
        ("call", "kind", "words"),
        [
            (
                lambda a: torch.lobpcg(a, 5),
                ValueError,
                "LOBPCG algorithm is not applicable when the number of A rows (=12)",
            ),
            (lambda a: torch.lobpcg(a[:3]), AssertionError, "A must be square, got shape torch.Size([3, 12])"),
            (
                lambda a: torch.lobpcg(a, 1, B=a[:3]),
                AssertionError,
                "A and B must have same shape, got torch.Size([12, 12])",
            ),
            (
                lambda a: torch.lobpcg(a, 1, X=a[:3, :1]),
                AssertionError,
                "X shape mismatch: got torch.Size([3, 1]), expected",
            ),
            (
                lambda a: torch.lobpcg(a.detach().requires_grad_(), 1, B=a)[0].sum().backward(),
                ValueError,
                "lobpcg.backward does not support backward with B != I yet.",
            ),
        ],
    )
    def test_refusals(self, call, kind, words):
        with pytest.raises(kind) as caught:
            call(self.symmetric(12, 12))
        assert str(caught.value).startswith(words)


class TestNorms:
    def test_of_empty_matrices(self):
        for order in ("fro", "nuc", 2, 1, math.inf):
            for shape in ((2, 0, 3), (2, 3, 0)):
                assert linalg.matrix_norm(torch.zeros(shape), order).tolist() == [0, 0]
        with pytest.raises(IndexError, match=r"amin\(\): Expected reduction dim 1 to have non-zero size"):
            linalg.matrix_norm(torch.zeros(2, 3, 0), -1)
        assert linalg.cond(torch.zeros(2, 0, 0), 1).tolist() == [0, 0]

    def test_the_condition_of_a_singular_matrix_is_infinite(self):
        for order in (1, -1, math.inf, "fro"):
            assert linalg.cond(torch.ones(2, 2), order).item() == math.inf

    @pytest.mark.parametrize(
        ("call", "kind", "words"),
        [
            (lambda a: linalg.matrix_norm(a, 3), RuntimeError, "linalg.matrix_norm: Order 3 not supported"),
            (lambda a: linalg.matrix_norm(a, "x"), RuntimeError, "linalg.matrix_norm: Order x not supported"),
            (lambda a: linalg.matrix_norm(a, None), TypeError, "linalg_matrix_norm() received an invalid combination"),
            (
                lambda a: linalg.matrix_norm(a, dim=(0,)),
                RuntimeError,
                "linalg.matrix_norm: dim must be a 2-tuple. Got 0",
            ),
            (lambda a: linalg.matrix_norm(a, dim=(0, -2)), RuntimeError, "linalg.matrix_norm: dims must be different"),
            (lambda a: linalg.matrix_norm(a.half(), 2), RuntimeError, "linalg.matrix_norm: Low precision dtypes not"),
            (
                lambda a: linalg.norm(a[None], 2),
                RuntimeError,
                "linalg.norm: If dim is not specified but ord is, the input",
            ),
            (
                lambda a: linalg.norm(a, dim=(0, 1, 2)),
                RuntimeError,
                "linalg.norm: If dim is specified, it must be of length",
            ),
            (
                lambda a: torch.norm(a[None], "nuc"),
                RuntimeError,
                "linalg.matrix_norm: dim must be a 2-tuple. Got 0 1 2",
            ),
            (lambda a: linalg.cond(a, 3), RuntimeError, "linalg.cond got an invalid norm type: 3"),
            (lambda a: linalg.cond(a, 1), RuntimeError, "linalg.cond(ord=1): A must be batches of square matrices"),
            (
                lambda a: linalg.cond(a[0]),
                RuntimeError,
                "linalg.cond: The input tensor must have at least 2 dimensions",
            ),
        ],
    )
    def test_refusals(self, call, kind, words):
        with pytest.raises(kind) as caught:
            call(torch.ones(2, 3))
        assert str(caught.value).startswith(words)

    def test_the_second_derivative_of_the_square_of_the_norm_at_zero(self):
        x = leaf([[0.0, 0.0], [3.0, 4.0]])
        (g,) = grad((linalg.vector_norm(x, dim=1) ** 2).sum(), x, create_graph=True)
        weights = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64)
        (h,) = grad((g * weights).sum(), x)
        np.testing.assert_allclose(h.numpy(), 2 * weights.numpy(), rtol=1e-12)


class TestFailures:
    def test_cholesky_names_the_matrix_and_the_order(self):
        a = torch.eye(2).expand(3, 2, 2).clone()
        a[1] = torch.tensor([[1.0, 2.0], [2.0, 1.0]])
        with pytest.raises(LinAlgError, match=r"linalg.cholesky: \(Batch element 1\): .*leading minor of order 2"):
            linalg.cholesky(a)
        L, info = linalg.cholesky_ex(a)
        assert info.tolist() == [0, 2, 0]
        assert L[1].tolist() == [[1, 0], [2, -3]]
        assert L[0].tolist() == [[1, 0], [0, 1]]
        assert linalg.cholesky_ex(a, upper=True).L[1].tolist() == [[1, 2], [0, -3]]
        with pytest.raises(LinAlgError, match=r"linalg.cholesky_ex: \(Batch element 1\)"):
            linalg.cholesky_ex(a, check_errors=True)

    def test_cholesky_of_nan(self):
        assert linalg.cholesky_ex(torch.full((2, 2), math.nan)).info.item() == 1

    def test_svd_of_nan(self):
        a = torch.ones(1, 2, 2)
        a[0, 1, 0] = math.inf
        with pytest.raises(LinAlgError, match=r"linalg.svd: \(Batch element 0\): .*non-finite values"):
            linalg.svd(a)

    def test_eigh_of_nan_is_nan_and_leaves_the_others(self):
        a = torch.eye(2).expand(2, 2, 2).clone()
        a[0, 0, 0] = math.nan
        values, vectors = linalg.eigh(a)
        assert np.isnan(values[0].numpy()).all()
        assert np.isnan(vectors[0].numpy()).all()
        assert values[1].tolist() == [1, 1]
        assert linalg.eigvalsh(a)[1].tolist() == [1, 1]
        assert np.isnan(linalg.eigvalsh(a)[0].numpy()).all()
        a[0] = torch.tensor([[1.0, math.nan], [0.0, 1.0]])
        assert linalg.eigvalsh(a).tolist() == [[1, 1], [1, 1]]  # in the triangle that is not read

    def test_eig_of_nan(self):
        with pytest.raises(RuntimeError, match="torch.linalg.eig: input tensor should not contain infs or NaNs"):
            linalg.eig(torch.full((2, 2), math.nan))


def test_results_lie_in_memory_by_columns():
    a = W.expand(2, 3, 3)
    positive = a @ a.mT
    for result in (
        *linalg.qr(a),
        linalg.svd(a).U,
        linalg.eigh(positive)[1],
        linalg.eig(a)[1],
        linalg.cholesky(positive),
    ):
        assert result.stride() == (9, 1, 3)


def test_the_error_is_shown_as_in_pytorch():
    assert repr(LinAlgError) == "<class 'torch._C._LinAlgError'>"
    assert issubclass(LinAlgError, RuntimeError)
