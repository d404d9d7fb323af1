"""Einstein's summation."""

import numpy as np

from . import S, T


def _einsum(*args):
    return np.einsum(*args)


def _s(equation, *shapes, **kwargs):
    return S("einsum", equation, *(T(*s, **kwargs) for s in shapes), value=_einsum)


SAMPLES = [
    _s("i->", (3,)),
    _s("ij->ji", (2, 3)),
    _s("ij->j", (2, 3)),
    _s("ii", (3, 3)),
    _s("ii->i", (3, 3)),
    _s("iji->j", (3, 2, 3)),
    _s("ij,jk", (2, 3), (3, 4)),
    _s("ij,jk->ki", (2, 3), (3, 4)),
    _s("ij,kj->ik", (2, 3), (4, 3)),
    _s("i,i->i", (3,), (3,)),
    _s("i,j->ij", (3,), (2,)),
    _s("i,j->ji", (3,), (2,)),
    _s("ij,jk->k", (2, 3), (3, 4)),
    _s("bij,bjk->bik", (2, 3, 4), (2, 4, 2)),
    _s("bij,bjk->kbi", (2, 3, 4), (2, 4, 2)),
    _s("bhid,bhjd->bhij", (2, 2, 3, 4), (2, 2, 3, 4)),
    _s("...ij,...jk->...ik", (2, 3, 4), (4, 2)),
    _s("...i,i...->...", (2, 3), (3, 1)),
    _s("ij,ij->", (1, 3), (2, 1)),
    _s("i,j,k->ijk", (2,), (3,), (2,)),
    _s("ij,jk,kl,l->i", (2, 3), (3, 4), (4, 2), (2,)),
    _s("ijj,jk->ik", (2, 3, 3), (3, 2)),
    _s("ij,jk->ik", (2, 3), (3, 4), complex=True),
    S("einsum", T(2, 3), [0, 1], T(3, 4), [1, 2], [2, 0], value=_einsum),
    S("einsum", T(2, 3), [..., 1], T(3, 4), [1, 2], value=_einsum),
]
