"""Anomaly mode: what made the operation whose derivative is wrong."""

from __future__ import annotations

import warnings

import pytest

import wengert as w
from wengert.autograd import detect_anomaly, grad, set_detect_anomaly


def leaf(value):
    return w.tensor(value, dtype=w.float64, requires_grad=True)


class Fails(w.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        raise ValueError("on purpose")


class Nan(w.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * y

    @staticmethod
    def backward(ctx, g):
        return g, g * float("nan")


def explained(run, error, message, anomaly=None):
    """The warnings that come with an error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        with anomaly or set_detect_anomaly(True), pytest.raises(error, match=message):
            run()
    return [str(c.message) for c in caught if c.category is UserWarning]


def root_of_a_negative_number():
    y = leaf([-1.0, 4.0]).sqrt()  # the line that is to be found
    (y * 0).sum().backward()


def test_nan_is_found_where_it_comes_from():
    (text,) = explained(
        root_of_a_negative_number, RuntimeError, "^Function 'SqrtBackward0' returned nan values in its 0th output"
    )
    assert text.startswith("Error detected in SqrtBackward0. Traceback of forward call that caused the error:\n")
    assert "y = leaf([-1.0, 4.0]).sqrt()  # the line that is to be found" in text
    assert "wengert/ops" not in text


def test_nan_may_be_let_pass():
    with set_detect_anomaly(True, check_nan=False):
        root_of_a_negative_number()
    root_of_a_negative_number()


def test_the_second_gradient_of_several():
    x, y = leaf([1.0]), leaf([1.0])
    explained(
        lambda: Nan.apply(x, y).sum().backward(), RuntimeError, "^Function 'NanBackward' returned nan values in its 1th"
    )
    with set_detect_anomaly(True):
        assert grad(Nan.apply(x, y.detach()).sum(), x)[0].item() == 1


def test_any_error_in_a_derivative_is_explained():
    (text,) = explained(lambda: Fails.apply(leaf([1.0])).sum().backward(), ValueError, "on purpose")
    assert text.startswith("Error detected in FailsBackward. Traceback of forward call")
    assert "Fails.apply(leaf([1.0]))" in text


def test_a_write_to_what_was_kept():
    def run():
        y = leaf([1.0]).exp()
        y.add_(1)
        y.sum().backward()

    (text,) = explained(
        run, RuntimeError, "the backtrace further above shows the operation that failed to compute its gradient"
    )
    assert "y = leaf([1.0]).exp()" in text


def test_operations_from_before():
    y = leaf([-1.0]).sqrt()
    (text,) = explained((y * 0).sum().backward, RuntimeError, "returned nan")
    assert text == (
        "Error detected in SqrtBackward0. No forward pass information available. Enable detect anomaly during forward pass for "
        "more information."
    )


def test_an_operation_that_is_part_of_a_derivative():
    def run():
        x = leaf([0.0])
        (g,) = grad((x**1.5).sum(), x, create_graph=True)
        (g * 0).sum().backward()

    first, second = explained(run, RuntimeError, "^Function 'PowBackward0' returned nan values in its 0th output")
    assert first.startswith("Error detected in PowBackward0. Traceback of forward call that caused the error:")
    assert "create_graph=True" in first
    assert second.lstrip().startswith(
        "Previous calculation was induced by PowBackward0. Traceback of forward call that induced"
    )
    assert "x**1.5" in second


def test_the_mode_says_that_it_is_on():
    with pytest.warns(UserWarning, match="^Anomaly Detection has been enabled. This mode will increase the runtime"):
        block = detect_anomaly()
    assert not w.is_anomaly_enabled()
    with block:
        assert w.is_anomaly_enabled()
        assert w.is_anomaly_check_nan_enabled()
        with set_detect_anomaly(False):
            assert not w.is_anomaly_enabled()
        assert w.is_anomaly_enabled()
    assert not w.is_anomaly_enabled()
    set_detect_anomaly(True, check_nan=False)
    assert w.is_anomaly_enabled()
    assert not w.is_anomaly_check_nan_enabled()
    set_detect_anomaly(False)
    assert not w.is_anomaly_enabled()


def test_values_are_the_same():
    def gradients():
        x = leaf([[1.0, 2.0], [3.0, 4.0]])
        y = w.cat([x, x.exp()], 0).softmax(0)
        y = y.clone()
        y[0] = y[1]
        (g,) = grad((y * y).sum(), x, create_graph=True)
        return g.tolist(), grad(g.sum(), x)[0].tolist()

    plain = gradients()
    with set_detect_anomaly(True):
        assert gradients() == plain


def test_an_error_stays_the_error_where_warnings_are_errors(capsys):
    with set_detect_anomaly(True), pytest.raises(ValueError, match="on purpose"):
        Fails.apply(leaf([1.0])).sum().backward()
    assert "Error detected in FailsBackward" in capsys.readouterr().err
