"""How tensors print: one case of every rule. tests/parity/test_printing.py compares thousands with PyTorch."""

from __future__ import annotations

import math

import pytest

import wengert as w

NAN, INF = math.nan, math.inf
DEFAULTS = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}


@pytest.fixture(autouse=True)
def defaults():
    yield
    w.set_printoptions(profile="default")
    w.set_default_dtype(w.float32)


PRINTED = [
    # what the elements decide
    (lambda: w.tensor(1.5), "tensor(1.5000)"),
    (lambda: w.tensor(2.0), "tensor(2.)"),
    (lambda: w.tensor(3), "tensor(3)"),
    (lambda: w.tensor(True), "tensor(True)"),
    (lambda: w.tensor(1e-5), "tensor(1.0000e-05)"),
    (lambda: w.tensor([1.0, 1000.0]), "tensor([   1., 1000.])"),
    (lambda: w.tensor([1.0, 1001.0]), "tensor([1.0000e+00, 1.0010e+03])"),
    (lambda: w.tensor([1e8]), "tensor([100000000.])"),
    (lambda: w.tensor([1.5e8]), "tensor([1.5000e+08])"),
    (lambda: w.tensor([0.0001]), "tensor([1.0000e-04])"),
    (lambda: w.tensor([0.0001], dtype=w.float64), "tensor([0.0001], dtype=torch.float64)"),
    (lambda: w.tensor([0.1, 100.0]), "tensor([  0.1000, 100.0000])"),
    (lambda: w.tensor([-1.5, 2.0]), "tensor([-1.5000,  2.0000])"),
    (lambda: w.tensor([-0.0, 0.0]), "tensor([-0., 0.])"),
    (lambda: w.tensor([-0.0, 0.5]), "tensor([-0.0000, 0.5000])"),
    (lambda: w.tensor([NAN]), "tensor([nan])"),
    (lambda: w.tensor([1.0, NAN, -INF]), "tensor([1., nan, -inf])"),
    (lambda: w.tensor([1.5, NAN, INF, -INF]), "tensor([1.5000,    nan,    inf,   -inf])"),
    (lambda: w.tensor([1e5, -1.0, INF]), "tensor([ 1.0000e+05, -1.0000e+00,         inf])"),
    (lambda: w.tensor([1, -200, 3]), "tensor([   1, -200,    3])"),
    (lambda: w.tensor([True, False]), "tensor([ True, False])"),
    (lambda: w.tensor([1.0, 65504.0], dtype=w.float16), "tensor([1.0000e+00, 6.5504e+04], dtype=torch.float16)"),
    (lambda: w.tensor([1 + 2j, 3.5 - 1j]), "tensor([1.0000+2.j, 3.5000-1.j])"),
    (lambda: w.tensor([1 + 2j, 3 - 100j]), "tensor([1.+2.j, 3.-100.j])"),
    (lambda: w.tensor([complex(NAN, INF)]), "tensor([nan+infj])"),
    (lambda: w.tensor([complex(-0.0, -0.0)]), "tensor([-0.-0.j])"),
    # what follows them
    (lambda: w.tensor(-3, dtype=w.int8), "tensor(-3, dtype=torch.int8)"),
    (lambda: w.tensor([1j], dtype=w.complex128), "tensor([0.+1.j], dtype=torch.complex128)"),
    (lambda: w.tensor([1.0, 2.0], requires_grad=True), "tensor([1., 2.], requires_grad=True)"),
    (lambda: w.tensor([1.0], requires_grad=True) + 1, "tensor([2.], grad_fn=<AddBackward0>)"),
    (
        lambda: w.tensor([1.0] * 5, dtype=w.float64, requires_grad=True) + 1,
        "tensor([2., 2., 2., 2., 2.], dtype=torch.float64, grad_fn=<AddBackward0>)",
    ),
    (
        lambda: w.tensor([1.25] * 6, dtype=w.float64, requires_grad=True) + 1,
        "tensor([2.2500, 2.2500, 2.2500, 2.2500, 2.2500, 2.2500], dtype=torch.float64,\n       grad_fn=<AddBackward0>)",
    ),
    # nothing
    (lambda: w.tensor([]), "tensor([])"),
    (lambda: w.tensor([], dtype=w.int64), "tensor([], dtype=torch.int64)"),
    (lambda: w.zeros(0, 3, dtype=w.bool), "tensor([], size=(0, 3), dtype=torch.bool)"),
    (lambda: w.zeros(2, 0, requires_grad=True) * 2, "tensor([], size=(2, 0), grad_fn=<MulBackward0>)"),
    # lines, brackets, summaries
    (lambda: w.ones(2, 2), "tensor([[1., 1.],\n        [1., 1.]])"),
    (lambda: w.ones(2, 1, 2), "tensor([[[1., 1.]],\n\n        [[1., 1.]]])"),
    (lambda: w.ones(2, 1, 1, 1), "tensor([[[[1.]]],\n\n\n        [[[1.]]]])"),
    (
        lambda: w.arange(20.0),
        "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,\n"
        "        14., 15., 16., 17., 18., 19.])",
    ),
    (lambda: w.arange(1001), "tensor([   0,    1,    2,  ...,  998,  999, 1000])"),
    (
        lambda: w.arange(1200).reshape(100, 12)[:, :],
        "tensor([[   0,    1,    2,  ...,    9,   10,   11],\n"
        "        [  12,   13,   14,  ...,   21,   22,   23],\n"
        "        [  24,   25,   26,  ...,   33,   34,   35],\n"
        "        ...,\n"
        "        [1164, 1165, 1166,  ..., 1173, 1174, 1175],\n"
        "        [1176, 1177, 1178,  ..., 1185, 1186, 1187],\n"
        "        [1188, 1189, 1190,  ..., 1197, 1198, 1199]])",
    ),
    (
        lambda: w.ones(300, 2, 2),
        "tensor([[[1., 1.],\n         [1., 1.]],\n\n"
        "        [[1., 1.],\n         [1., 1.]],\n\n"
        "        [[1., 1.],\n         [1., 1.]],\n\n"
        "        ...,\n\n"
        "        [[1., 1.],\n         [1., 1.]],\n\n"
        "        [[1., 1.],\n         [1., 1.]],\n\n"
        "        [[1., 1.],\n         [1., 1.]]])",
    ),
]


@pytest.mark.parametrize(("make", "text"), PRINTED, ids=[text.split("\n")[0] for _, text in PRINTED])
def test_repr(make, text):
    assert repr(make()) == text
    assert str(make()) == text


def test_bfloat16():
    pytest.importorskip("ml_dtypes")
    x = w.tensor([1e-5, 1.5], dtype=w.bfloat16)
    assert repr(x) == "tensor([1.0014e-05, 1.5000e+00], dtype=torch.bfloat16)"
    assert f"{x[1]:.2f}" == "1.50"


@pytest.mark.parametrize(
    ("dtype", "text"),
    [
        ("float64", "tensor([1.])"),
        ("float32", "tensor([1.], dtype=torch.float32)"),
        ("complex128", "tensor([1.+0.j])"),
        ("complex64", "tensor([1.+0.j], dtype=torch.complex64)"),
        ("int64", "tensor([1])"),
        ("bool", "tensor([True])"),
    ],
)
def test_default_dtype_goes_without_saying(dtype, text):
    w.set_default_dtype(w.float64)
    assert repr(w.tensor([1], dtype=getattr(w, dtype))) == text


OPTIONS = [
    ({"precision": 2}, [1.23456, 2.0], "tensor([1.23, 2.00])"),
    ({"precision": 0}, [1.5, 2.0], "tensor([2, 2])"),
    ({"sci_mode": True}, [1.0, 0.0], "tensor([1.0000e+00, 0.0000e+00])"),
    ({"sci_mode": True}, [0.0, NAN], "tensor([0., nan])"),
    ({"sci_mode": True}, [1, 2], "tensor([1, 2])"),
    ({"sci_mode": False}, [1e10, 1.5], "tensor([10000000000.0000,           1.5000])"),
    ({"sci_mode": False}, [1e-10], "tensor([0.0000])"),
    ({"threshold": 4, "edgeitems": 1}, [1, 2, 3, 4, 5], "tensor([1,  ..., 5])"),
    ({"threshold": 4, "edgeitems": 0}, [1, 2, 3, 4, 5], "tensor([...], size=(5,))"),
    ({"edgeitems": 0}, [[1], [2]], "tensor([[1],\n        [2]], size=(2, 1))"),
    ({"linewidth": 0}, [1.5, 2.0], "tensor([1.5000,\n        2.0000])"),
    ({"linewidth": 17}, [1, 2, 3, 4], "tensor([1, 2, 3,\n        4])"),
    ({"profile": "short"}, [1.23456], "tensor([1.23])"),
    ({"profile": "short", "precision": 3}, [1.23456], "tensor([1.235])"),
]


def recorded():
    return w.ones(2, dtype=w.float64, requires_grad=True) * 1


def eight_recorded():
    return w.arange(8, dtype=w.float64).requires_grad_() * 1


LIMITS = [  # the last value of an option that lets something pass, and the first that does not
    ({"threshold": 7}, lambda: w.arange(7), "tensor([0, 1, 2, 3, 4, 5, 6])"),
    ({"threshold": 6}, lambda: w.arange(7), "tensor([0, 1, 2,  ..., 4, 5, 6])"),
    ({"threshold": 4}, lambda: w.arange(6), "tensor([0, 1, 2, 3, 4, 5])"),  # all of them are edge items
    ({"linewidth": 62}, recorded, "tensor([1., 1.], dtype=torch.float64, grad_fn=<MulBackward0>)"),
    ({"linewidth": 61}, recorded, "tensor([1., 1.], dtype=torch.float64,\n       grad_fn=<MulBackward0>)"),
    ({"linewidth": 38}, recorded, "tensor([1., 1.], dtype=torch.float64,\n       grad_fn=<MulBackward0>)"),
    ({"linewidth": 37}, recorded, "tensor([1., 1.],\n       dtype=torch.float64,\n       grad_fn=<MulBackward0>)"),
    (
        {"linewidth": 50},
        eight_recorded,
        "tensor([0., 1., 2., 3., 4., 5., 6., 7.],\n       dtype=torch.float64, grad_fn=<MulBackward0>)",
    ),
    (
        {"linewidth": 49},
        eight_recorded,
        "tensor([0., 1., 2., 3., 4., 5., 6., 7.],\n       dtype=torch.float64,\n       grad_fn=<MulBackward0>)",
    ),
    (
        {"linewidth": 31},
        lambda: w.tensor([1 + 2j, 3.5 - 1j, 2 - 2j]),
        "tensor([1.0000+2.j, 3.5000-1.j,\n        2.0000-2.j])",
    ),
    (
        {"linewidth": 30},
        lambda: w.tensor([1 + 2j, 3.5 - 1j, 2 - 2j]),
        "tensor([1.0000+2.j,\n        3.5000-1.j,\n        2.0000-2.j])",
    ),
]


@pytest.mark.parametrize(("options", "make", "text"), LIMITS)
def test_limits(options, make, text):
    with w.printoptions(**options):
        assert repr(make()) == text


@pytest.mark.parametrize(("options", "values", "text"), OPTIONS)
def test_options(options, values, text):
    with w.printoptions(**options):
        assert repr(w.tensor(values)) == text
    assert w.get_printoptions() == DEFAULTS


def test_full_profile_leaves_nothing_out():
    w.set_printoptions(profile="full")
    assert w.get_printoptions() == DEFAULTS | {"threshold": math.inf}
    assert "..." not in repr(w.arange(5000))
    w.set_printoptions(profile="default")
    assert "..." in repr(w.arange(5000))


def test_what_is_not_given_stays_but_for_sci_mode():
    w.set_printoptions(precision=2, sci_mode=True)
    w.set_printoptions(linewidth=100)
    assert w.get_printoptions() == DEFAULTS | {"precision": 2, "linewidth": 100}
    w.get_printoptions()["precision"] = 7  # a copy
    assert w.get_printoptions()["precision"] == 2


def test_options_come_back_after_an_error():
    w.set_printoptions(precision=3, sci_mode=True)
    before = w.get_printoptions()
    with pytest.raises(ZeroDivisionError), w.printoptions(precision=w.get_printoptions()["precision"] - 1):
        1 / (w.get_printoptions()["precision"] - 2)
    with pytest.raises(TypeError), w.printoptions(precision=1, colour="red"):
        pass
    assert w.get_printoptions() == before


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (1.5, "", "1.5"),
        (0.1, "", "0.10000000149011612"),
        (1.5, ".2f", "1.50"),
        (3, "", "3"),
        (3, "04d", "0003"),
        (True, "", "True"),
        (1 + 2j, "", "(1+2j)"),
        (1 + 2j, ".1f", "1.0+2.0j"),
        ([1.5], "", "tensor([1.5000])"),
    ],
)
def test_format(value, spec, text):
    assert format(w.tensor(value), spec) == text


def test_format_of_a_tensor_with_history():
    x = w.tensor(1.5, requires_grad=True)
    assert f"{x} {x * 2:.2f}" == "1.5 3.00"


def test_format_errors():
    with pytest.raises(TypeError, match=r"unsupported format string passed to Tensor\.__format__"):
        format(w.tensor([1.5]), ".2f")
    with pytest.raises(ValueError, match="Unknown format code 'd' for object of type 'float'"):
        format(w.tensor(1.5), "d")


class Weight(w.nn.Parameter):
    pass


class Mine(w.Tensor):
    pass


Namesakes = type("Parameter", (w.Tensor,), {}), type("Parameter", (w.nn.Parameter,), {})


def of_class(kind, x):
    x.__class__ = kind
    return x


def test_classes():
    assert repr(w.nn.Parameter(w.ones(2))) == "Parameter containing:\ntensor([1., 1.], requires_grad=True)"
    assert f"{w.nn.Parameter(w.tensor(1.5), requires_grad=False)}" == "Parameter containing:\ntensor(1.5000)"
    with pytest.raises(TypeError, match=r"unsupported format string passed to Parameter\.__format__"):
        format(w.nn.Parameter(w.tensor(1.5)), ".2f")
    text = "Parameter containing:\nParameter(Weight([1., 1.], requires_grad=True))"
    assert repr(Weight(w.ones(2))) == text
    assert repr(of_class(Mine, w.ones(2, 2))) == "Mine([[1., 1.],\n      [1., 1.]])"


def test_the_class_and_not_its_name_makes_a_parameter():
    unrelated, derived = Namesakes
    assert repr(of_class(unrelated, w.ones(2))) == "Parameter([1., 1.])"
    text = "Parameter containing:\nParameter(Parameter([1., 1.], requires_grad=True))"
    assert repr(derived(w.ones(2))) == text


def test_a_subclass_marked_as_a_parameter():
    x = of_class(Mine, w.ones(2, requires_grad=True))
    x._is_param = True
    assert repr(x) == "Parameter(Mine([1., 1.], requires_grad=True))"


def test_dual():
    from wengert.autograd import forward_ad

    with forward_ad.dual_level():
        x = forward_ad.make_dual(w.ones(2), w.tensor([0.5, 1.0]))
        assert repr(x) == "tensor([1., 1.], tangent=tensor([0.5000, 1.0000]))"
        assert repr(x.sum()) == "tensor(2., tangent=1.5)"
    assert repr(x) == "tensor([1., 1.])"


def test_other_contents():
    assert w.ones(2, dtype=w.float64).__repr__(tensor_contents="[...]") == "tensor([...], dtype=torch.float64)"


def test_history_that_cannot_be_told():
    class Lost(w.Tensor):
        @property
        def grad_fn(self):
            raise RuntimeError

    assert repr(of_class(Lost, w.ones(1))) == "Lost([1.], grad_fn=<Invalid>)"
