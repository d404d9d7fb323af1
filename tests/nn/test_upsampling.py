"""Resizing: what the samples of operations cannot say."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w
import wengert.nn.functional as F
from wengert import nn


def test_enlarged_and_averaged_again():
    x = w.rand(2, 3, 4, 5)
    large = F.interpolate(x, scale_factor=3)
    assert w.equal(large[:, :, 1::3, 1::3], x)
    assert w.allclose(F.interpolate(large, (4, 5), mode="area"), x)


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("antialias", [False, True])
def test_what_is_constant_stays_so(mode, antialias):
    x = w.full((1, 2, 9, 7), 3.0)
    made = F.interpolate(x, (4, 13), mode=mode, antialias=antialias)
    assert w.allclose(made, w.full((1, 2, 4, 13), 3.0))
    bytes_ = F.interpolate(x.to(w.uint8), (4, 13), mode=mode, antialias=antialias)
    assert w.equal(bytes_, w.full((1, 2, 4, 13), 3, dtype=w.uint8))


def test_a_ramp_stays_a_ramp_between_aligned_corners():
    x = w.linspace(0, 1, 5, dtype=w.float64).expand(1, 1, 5)
    made = F.interpolate(x, 13, mode="linear", align_corners=True)
    np.testing.assert_allclose(made[0, 0].numpy(), np.linspace(0, 1, 13))


def test_antialiasing_of_a_single_column():
    # PyTorch gives the first element everywhere
    x = w.rand(1, 1, 8, 2, dtype=w.float64)
    both = F.interpolate(x, (5, 2), mode="bicubic", antialias=True)
    assert w.equal(F.interpolate(x[..., :1], (5, 1), mode="bicubic", antialias=True), both[..., :1])


def test_infinity_stays_where_it_is():
    x = w.tensor([[[w.inf, 1.0, 2.0, 3.0]]], requires_grad=True)
    made = F.interpolate(x, 8, mode="linear")
    assert made[0, 0].isfinite().tolist() == [False] * 3 + [True] * 5
    made.backward(w.tensor([[[1.0, 1, 1, 1, 1, 1, 1, w.inf]]]))
    assert x.grad[0, 0].tolist() == [1.75 + 0.25, 2.0, 2.0, w.inf]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: F.interpolate(x), ValueError, "either size or scale_factor should be defined"),
        (lambda x: F.interpolate(x, 3, 2), ValueError, "only one of size or scale_factor"),
        (lambda x: F.interpolate(x, (3,)), ValueError, "same number of spatial dimensions"),
        (lambda x: F.interpolate(x, 0), RuntimeError, "should be greater than 0"),
        (lambda x: F.interpolate(x, 2.5), TypeError, "'size' must be int"),
        (lambda x: F.interpolate(x, scale_factor="2"), TypeError, "'scale_factor' must be float"),
        (lambda x: F.interpolate(x, 3, mode="linear"), NotImplementedError, "Got 4D input, but linear mode needs 3D"),
        (lambda x: F.interpolate(x, 3, mode="cubic"), NotImplementedError, "got cubic"),
        (lambda x: F.interpolate(x, 3, align_corners=False), ValueError, "align_corners option can only be set"),
        (lambda x: F.interpolate(x, 3, antialias=True), ValueError, "Anti-alias option is restricted"),
        (lambda x: F.interpolate(x.long(), 3), NotImplementedError, "not implemented for 'Long'"),
        (lambda x: F.pixel_shuffle(x, 2), RuntimeError, r"input.size\(-3\)=2 is not divisible by 4"),
        (lambda x: F.pixel_unshuffle(x, 3), RuntimeError, r"input.size\(-2\)=4 is not divisible by 3"),
        (lambda x: F.channel_shuffle(x, 3), RuntimeError, "Got 2 channels and 3 groups"),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call(w.zeros(1, 2, 4, 4))


def test_old_names_warn():
    x = w.zeros(1, 2, 4, 4)
    with pytest.warns(UserWarning, match="upsample_bilinear` is deprecated"):
        assert F.upsample_bilinear(x, 8).shape == (1, 2, 8, 8)
    assert repr(nn.Upsample(scale_factor=2)) == "Upsample(scale_factor=2.0, mode='nearest')"
