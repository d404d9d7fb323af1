"""Convolutions, padding, windows as columns."""

import numpy as np

from . import S, T

_F = "nn.functional."


def _slow(x, w, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """A convolution by its definition."""
    rank = x.ndim - 2
    s, p, d = ((v,) * rank if isinstance(v, int) else v for v in (stride, padding, dilation))
    x = np.pad(x, ((0, 0), (0, 0), *((n, n) for n in p)))
    out = [(n - b * (k - 1) - 1) // a + 1 for n, k, a, b in zip(x.shape[2:], w.shape[2:], s, d, strict=True)]
    made = np.zeros((x.shape[0], w.shape[0], *out))
    inputs, filters = x.shape[1] // groups, w.shape[0] // groups
    for o in range(w.shape[0]):
        own = x[:, o // filters * inputs :][:, :inputs]
        for place in np.ndindex(*out):
            where = tuple(slice(i * a, i * a + b * (k - 1) + 1, b) for i, k, a, b in zip(place, w.shape[2:], s, d))
            made[(slice(None), o, *place)] = (own[(..., *where)] * w[o]).reshape(x.shape[0], -1).sum(1)
    return made if bias is None else made + bias.reshape(-1, *(1,) * rank)


def _alone(x, w, *more, **options):
    return _slow(x[None], w, *more, **options)[0]


def _pad(mode):
    return lambda a, pad, *_: np.pad(
        a, [(0, 0)] * (a.ndim - len(pad) // 2) + [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)], mode=mode
    )


SAMPLES = [
    S(_F + "conv1d", T(2, 3, 7), T(4, 3, 3), T(4), value=_slow),
    S(_F + "conv1d", T(2, 4, 9), T(6, 2, 3), stride=2, padding=1, dilation=2, groups=2, value=_slow),
    S(_F + "conv1d", T(3, 7), T(4, 3, 2), value=_alone),
    S(_F + "conv2d", T(2, 3, 5, 4), T(2, 3, 3, 2), T(2), padding=1, value=_slow),
    S(_F + "conv2d", T(2, 3, 5, 6), T(2, 3, 3, 3), T(2), stride=(2, 1), padding=(0, 1), value=_slow),
    S(_F + "conv2d", T(2, 3, 4, 4), T(6, 1, 2, 2), groups=3, value=_slow),
    S(_F + "conv2d", T(2, 4, 3, 3), T(2, 4, 1, 1), T(2), value=_slow),
    S(_F + "conv2d", T(1, 2, 3, 3), T(2, 2, 3, 3), padding=4, value=_slow),
    S(_F + "conv2d", T(0, 2, 3, 3), T(2, 2, 2, 2), T(2)),
    S(_F + "conv2d", T(1, 2, 4, 5), T(2, 2, 3, 3), padding="same"),
    S(_F + "conv2d", T(2, 2, 4, 4, complex=True), T(2, 2, 2, 2, complex=True)),
    S(_F + "conv3d", T(1, 2, 3, 4, 3), T(2, 2, 2, 2, 2), T(2), padding=(1, 0, 1), value=_slow),
    S(_F + "conv_transpose1d", T(2, 3, 4), T(3, 2, 3), T(2), stride=2, padding=1, output_padding=1),
    S(_F + "conv_transpose1d", T(2, 3, 3), T(3, 2, 2), stride=2, dilation=3, output_padding=2),
    S(_F + "conv_transpose2d", T(2, 2, 3, 3), T(2, 3, 2, 2), T(3)),
    S(_F + "conv_transpose2d", T(2, 4, 3, 2), T(4, 1, 3, 3), stride=2, padding=1, groups=2, dilation=2),
    S(_F + "conv_transpose3d", T(1, 2, 2, 2, 2), T(2, 1, 2, 2, 2), T(1), stride=(1, 2, 1)),
    S("convolution", T(1, 2, 5), T(3, 2, 2), T(3), [2], [1], [1], False, [0], 1),
    S("convolution", T(1, 2, 5), T(2, 3, 2), T(3), [2], [1], [1], True, [1], 1),
    S("conv_tbc", T(5, 2, 3), T(2, 3, 4), T(4), 1),
    S(_F + "unfold", T(2, 2, 4, 3), 2),
    S(_F + "unfold", T(1, 5, 5), (2, 3), 2, 1, (2, 1)),
    S(_F + "fold", T(2, 8, 6), (4, 3), 2),
    S(_F + "fold", T(6, 9), (5, 5), (2, 3), 2, 1, (2, 1)),
    S("constant_pad_nd", T(2, 3), (1, 2), value=lambda a, pad: np.pad(a, ((0, 0), pad))),
    S("constant_pad_nd", T(2, 3, 2), (-1, 2, 1, -1), 2.5),
    S(_F + "pad", T(2, 3), (1, 2, 0, 1), value=_pad("constant")),
    *[
        S(_F + "pad", T(2, 4), (1, 2), mode, value=_pad(numpy))
        for mode, numpy in (("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap"))
    ],
    *[
        S(_F + "pad", T(2, 3, 4), (1, 2, 2, 1), mode, value=_pad(numpy))
        for mode, numpy in (("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap"))
    ],
    *[S(_F + "pad", T(1, 2, 3, 2, 3), (1, -1, 0, 1, 2, 1), mode) for mode in ("reflect", "replicate", "circular")],
]
