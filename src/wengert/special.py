"""Special functions, as `torch.special` has them."""

from __future__ import annotations

from .ops.angles import sinc
from .ops.combination import xlog1py, xlogy
from .ops.functions import exp2, expm1, log1p
from .ops.functions import sigmoid as expit
from .ops.gamma import digamma, i0, i0e, i1, i1e, polygamma, zeta
from .ops.gamma import digamma as psi
from .ops.gamma import igamma as gammainc
from .ops.gamma import igammac as gammaincc
from .ops.gamma import lgamma as gammaln
from .ops.gamma import mvlgamma as multigammaln
from .ops.rounding import round
from .ops.softmax import log_softmax, logsumexp, softmax
from .ops.special import entr, erf, erfc, erfcx, erfinv, log_ndtr, logit, ndtr, ndtri

__all__ = [
    "digamma", "entr", "erf", "erfc", "erfcx", "erfinv", "exp2", "expit", "expm1", "gammainc", "gammaincc", "gammaln", "i0",
    "i0e", "i1", "i1e", "log1p", "log_ndtr", "log_softmax", "logit", "logsumexp", "multigammaln", "ndtr", "ndtri", "polygamma",
    "psi", "round", "sinc", "softmax", "xlog1py", "xlogy", "zeta",
]  # fmt: skip
