"""Activations as modules: each calls the function of the same name with what it was made with."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from . import functional as F
from .module import Module

__all__: list[str] = []


def _module(name: str, function: Any, doc: str, **options: Any) -> Any:
    """A module class that keeps some options, hands them to a function, and prints those that PyTorch prints."""
    names = tuple(options)
    defaults = tuple(options.values())

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        Module.__init__(self)
        if len(args) > len(names):
            raise TypeError(f"{name}.__init__() takes at most {len(names)} arguments ({len(args)} given)")
        given = dict(zip(names, args))
        for key, value in kwargs.items():
            if key not in options or key in given:
                raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{key}'")
            given[key] = value
        for key, default in zip(names, defaults, strict=True):
            object.__setattr__(self, key, given.get(key, default))

    if not options:

        def forward(self: Any, input: Tensor) -> Any:
            return function(input)

    else:

        def forward(self: Any, input: Tensor) -> Any:
            space = self.__dict__
            return function(input, *[space[n] for n in names])

    def extra_repr(self: Any) -> str:
        shown = []
        for n in names:
            value = getattr(self, n)
            if n == "inplace":
                if value:
                    shown.append("inplace=True")
            elif name in ("Softmax", "LogSoftmax", "Softmin", "GLU"):
                shown.append(f"{n}={value}")
            elif name in ("Hardshrink", "Softshrink"):
                shown.append(f"{value}")
            else:
                shown.append(f"{n}={value!r}")
        return ", ".join(shown)

    made = type(
        name,
        (Module,),
        {"__init__": __init__, "forward": forward, "extra_repr": extra_repr, "__doc__": doc, "__module__": __name__},
    )
    __all__.append(name)
    return made


ReLU = _module("ReLU", F.relu, "max(x, 0), elementwise.", inplace=False)
ReLU6 = _module("ReLU6", F.relu6, "x between 0 and 6, elementwise.", inplace=False)
LeakyReLU = _module(
    "LeakyReLU", F.leaky_relu, "x, or x times the slope where negative.", negative_slope=0.01, inplace=False
)
ELU = _module("ELU", F.elu, "x, or alpha (exp(x) - 1) where negative.", alpha=1.0, inplace=False)
SELU = _module("SELU", F.selu, "The self-normalising ELU.", inplace=False)
CELU = _module("CELU", F.celu, "x, or alpha (exp(x / alpha) - 1) where negative.", alpha=1.0, inplace=False)
GELU = _module("GELU", F.gelu, "x times the normal distribution function at x.", approximate="none")
SiLU = _module("SiLU", F.silu, "x times sigmoid(x).", inplace=False)
Mish = _module("Mish", F.mish, "x times tanh(softplus(x)).", inplace=False)
Sigmoid = _module("Sigmoid", F.sigmoid, "1 / (1 + exp(-x)), elementwise.")
Tanh = _module("Tanh", F.tanh, "The hyperbolic tangent, elementwise.")
Softsign = _module("Softsign", F.softsign, "x / (1 + |x|), elementwise.")
Tanhshrink = _module("Tanhshrink", F.tanhshrink, "x - tanh(x), elementwise.")
LogSigmoid = _module("LogSigmoid", F.logsigmoid, "log(sigmoid(x)), elementwise.")
Hardsigmoid = _module("Hardsigmoid", F.hardsigmoid, "x / 6 + 1 / 2 between 0 and 1.", inplace=False)
Hardswish = _module("Hardswish", F.hardswish, "x times hardsigmoid(x).", inplace=False)
Hardshrink = _module("Hardshrink", F.hardshrink, "x, or 0 where it is within lambd of 0.", lambd=0.5)
Softshrink = _module("Softshrink", F.softshrink, "x moved by lambd towards 0.", lambd=0.5)
Hardtanh = _module("Hardtanh", F.hardtanh, "x between two bounds.", min_val=-1.0, max_val=1.0, inplace=False)
Softplus = _module("Softplus", F.softplus, "log(1 + exp(beta x)) / beta.", beta=1.0, threshold=20.0)
GLU = _module("GLU", F.glu, "The first half of a dimension times the sigmoid of the second.", dim=-1)
Softmax = _module("Softmax", F.softmax, "exp(x) scaled to sum 1 along a dimension.", dim=None)
LogSoftmax = _module("LogSoftmax", F.log_softmax, "The logarithm of softmax.", dim=None)
Softmin = _module("Softmin", F.softmin, "softmax(-x).", dim=None)
