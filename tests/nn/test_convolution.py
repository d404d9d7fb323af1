"""Convolutions as layers, and what the function does beyond its samples."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w
import wengert.nn.functional as F
from wengert import nn
from wengert.ops.convolve import Geometry, convolve, convolve_input, convolve_weight

_LARGE = [
    ((5, 3, 40, 40), (4, 3, 3, 3), 1, 1, 1),  # more windows than are laid out at a time
    ((70, 2, 9, 9), (3, 2, 2, 2), 1, 0, 1),
    ((3, 4, 6, 6), (2, 4, 5, 5), 1, 2, 1),  # too many windows across an edge to be laid out by stretches
    ((3, 4, 8, 8), (4, 2, 3, 3), 2, 1, 2),
]


@pytest.mark.parametrize(("image", "filters", "stride", "padding", "groups"), _LARGE)
def test_the_three_products_are_one_form(image, filters, stride, padding, groups):
    rng = np.random.default_rng(0)
    g = Geometry((stride,) * 2, (padding,) * 2, (1, 1), groups)
    x, weight = rng.normal(size=image), rng.normal(size=filters)
    y = convolve(x, weight, g)
    t = rng.normal(size=y.shape)
    expected = (t * y).sum()
    assert (convolve_input(t, weight, image[2:], g) * x).sum() == pytest.approx(expected)
    assert (convolve_weight(t, x, filters[2:], g) * weight).sum() == pytest.approx(expected)


def test_parts_of_a_batch_are_convolved_alike():
    rng = np.random.default_rng(0)
    x, weight = rng.normal(size=(70, 2, 9, 9)), rng.normal(size=(3, 2, 2, 2))
    g = Geometry((1, 1), (0, 0), (1, 1), 1)
    np.testing.assert_allclose(convolve(x, weight, g)[40:41], convolve(x[40:41], weight, g))


def test_same_padding_keeps_the_size_and_puts_what_is_odd_behind():
    x = w.tensor([[[1.0, 0.0, 0.0, 0.0]]])
    kernel = w.tensor([[[1.0, 2.0]]])
    with pytest.warns(UserWarning, match="padding='same' with even kernel lengths"):
        made = F.conv1d(x, kernel, padding="same")
    assert made.tolist() == [[[1.0, 0.0, 0.0, 0.0]]]
    assert F.conv1d(x, w.tensor([[[1.0, 2.0, 3.0]]]), padding="same").tolist() == [[[2.0, 1.0, 0.0, 0.0]]]


def test_parameters_start_uniform_within_the_square_root_of_a_filter():
    layer = nn.Conv2d(4, 200, (3, 3), groups=2)
    for p in layer.parameters():
        assert p.abs().max().item() <= 1 / np.sqrt(18)
        assert p.abs().max().item() > 0.95 / np.sqrt(18)


@pytest.mark.parametrize(("mode", "numpy"), [("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")])
def test_padding_modes_pad_before_the_convolution(mode, numpy):
    layer = nn.Conv1d(1, 1, 3, padding=2, padding_mode=mode, bias=False, dtype=w.float64)
    x = np.random.default_rng(0).normal(size=(2, 1, 5))
    around = w.from_numpy(np.pad(x, ((0, 0), (0, 0), (2, 2)), mode=numpy))
    np.testing.assert_allclose(layer(w.from_numpy(x)).detach().numpy(), F.conv1d(around, layer.weight).detach().numpy())


def test_an_output_size_is_reached_or_refused():
    layer = nn.ConvTranspose2d(2, 3, 3, 2)
    image = w.ones(1, 2, 4, 4)
    assert layer(image, output_size=(10, 9)).shape == (1, 3, 10, 9)
    with pytest.raises(ValueError, match="valid sizes range from"):
        layer(image, output_size=(12, 10))


def test_a_convolution_that_raises_has_drawn_and_changed_nothing():
    x, weight = w.ones(1, 2, 3), w.ones(3, 2, 2)
    with pytest.raises(RuntimeError, match=r"expected input\[1, 2, 3\] to have 4 channels, but got 2 channels instead"):
        F.conv1d(x, w.ones(3, 4, 2))
    with pytest.raises(RuntimeError, match="Kernel size can't be greater than actual input size"):
        F.conv1d(x, weight, dilation=3)
    assert x._version == weight._version == 0


def test_halves_are_added_up_in_single_precision():
    x = w.ones(1, 4096, 1, dtype=w.float16)
    assert F.conv1d(x, w.full((1, 4096, 1), 0.5, dtype=w.float16)).item() == 2048.0


def test_a_layer_refuses_an_unknown_padding():
    # not compared with PyTorch's text: it shows a set, in an order that changes from run to run
    with pytest.raises(ValueError, match="Invalid padding string 'foo', should be one of"):
        w.nn.Conv2d(4, 6, 3, padding="foo")
