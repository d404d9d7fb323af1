"""Matrix products."""

import numpy as np

from . import S, T


def _affine(beta=1, alpha=1, product=np.matmul):
    return lambda c, a, b, **_: beta * c + alpha * product(a, b)


def _linear(x, w, b=0):
    return x @ w.T + b


def _bilinear(x, y, w, b=0):
    return np.einsum("...i,oij,...j->...o", x, w, y) + b


_shapes = [
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((5, 2, 3), (3,)), ((3,), (5, 3, 2)),
    ((5, 2, 3), (5, 3, 4)), ((2, 3), (5, 3, 4)), ((6, 1, 2, 3), (5, 3, 2)), ((1, 2, 3), (4, 3, 2)), ((0, 3), (3, 2)),
    ((2, 0), (0, 3)), ((2, 2, 0), (0, 3)), ((1, 1), (1, 1)),
]  # fmt: skip

SAMPLES = [
    *(S("matmul", T(*a), T(*b), value=np.matmul) for a, b in _shapes),
    S("matmul", T(3, 2, transposed=True), T(2, 4), value=np.matmul),
    *(S("matmul", T(*a, complex=True), T(*b, complex=True), value=np.matmul) for a, b in _shapes[:8]),
    S("mm", T(2, 3), T(3, 4), value=np.matmul),
    S("mm", T(2, 3, transposed=True), T(3, 4, transposed=True), value=np.matmul),
    S("bmm", T(5, 2, 3), T(5, 3, 4), value=np.matmul),
    S("mv", T(2, 3), T(3), value=np.matmul),
    S("dot", T(3), T(3), value=np.dot),
    S("vdot", T(3), T(3), value=np.vdot),
    S("vdot", T(3, complex=True), T(3, complex=True), value=np.vdot),
    S("outer", T(3), T(2), value=np.outer),
    S("outer", T(3, complex=True), T(2, complex=True), value=np.outer),
    S("inner", T(3), T(3), value=np.inner),
    S("inner", T(2, 3), T(4, 5, 3), value=np.inner),
    S("inner", T(2, 3), T(), value=np.inner),
    S("kron", T(2, 3), T(2), value=np.kron),
    S("kron", T(2), T(3, 2), value=np.kron),
    S("tensordot", T(2, 3, 4), T(3, 4, 2), value=lambda a, b: np.tensordot(a, b, 2)),
    S("tensordot", T(2, 3), T(3, 4), 1, value=np.tensordot),
    S("tensordot", T(2, 3), T(3, 4), 0, value=np.tensordot),
    S("tensordot", T(2, 3, 4), T(4, 5, 2), ((0, 2), (2, 0)), value=np.tensordot),
    S("ops.products.multi_dot", [T(2, 3), T(3, 5), T(5, 2), T(2, 4)], value=np.linalg.multi_dot),
    S("ops.products.multi_dot", [T(3), T(3, 5), T(5)], value=np.linalg.multi_dot),
    S("addmm", T(2, 4), T(2, 3), T(3, 4), value=_affine()),
    S("addmm", T(4), T(2, 3), T(3, 4), beta=0.5, alpha=2.0, value=_affine(0.5, 2)),
    S("addmm", T(2, 1), T(2, 3), T(3, 4), beta=0, value=_affine(0)),
    S("addmm", T(2, 4, complex=True), T(2, 3, complex=True), T(3, 4, complex=True), value=_affine()),
    S("addmv", T(2), T(2, 3), T(3), alpha=-1.5, value=_affine(alpha=-1.5)),
    S("addmv", T(), T(2, 3), T(3), value=_affine()),
    S("addbmm", T(2, 4), T(5, 2, 3), T(5, 3, 4), beta=2, value=_affine(2, product=lambda a, b: (a @ b).sum(0))),
    S("baddbmm", T(5, 2, 4), T(5, 2, 3), T(5, 3, 4), alpha=2, value=_affine(alpha=2)),
    S("baddbmm", T(2, 1), T(5, 2, 3), T(5, 3, 4), value=_affine()),
    S("addr", T(3, 2), T(3), T(2), beta=2, alpha=3, value=_affine(2, 3, np.outer)),
    S("addr", T(2), T(3), T(2), value=_affine(product=np.outer)),
    S("ops.products.bilinear", T(2, 3), T(2, 2), T(4, 3, 2), T(4), value=_bilinear),
    S("ops.products.bilinear", T(3), T(2), T(4, 3, 2), value=_bilinear),
    S("ops.products.bilinear", T(2, 2, 3), T(2, 2, 2), T(1, 3, 2), value=_bilinear),
    *(S("ops.affine.linear", T(*s, 3), T(4, 3), value=_linear) for s in ((), (2,), (5, 2), (2, 1, 3), (0,))),
    *(S("ops.affine.linear", T(*s, 3), T(4, 3), T(4), value=_linear) for s in ((), (2,), (5, 2), (2, 1, 3), (0,))),
    S("ops.affine.linear", T(2, 3), T(3), value=lambda x, w: x @ w),
    S("ops.affine.linear", T(2, 3), T(4, 3), T(1), value=_linear),
    S("ops.affine.linear", T(2, 3, complex=True), T(4, 3, complex=True), T(4, complex=True), value=_linear),
]
