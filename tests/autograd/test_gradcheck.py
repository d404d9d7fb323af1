"""Derivatives against finite differences: what passes, and what is found out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import wengert as w
from wengert.autograd import Function, gradcheck, gradgradcheck
from wengert.autograd.gradcheck import GradcheckError


def leaf(value=(0.5, 2.0), dtype=w.float64):
    return w.tensor(value, dtype=dtype, requires_grad=True)


def square(backward, jvp=None, name="Square"):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x**2

    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    if jvp is not None:
        body["jvp"] = staticmethod(jvp)
    return type(name, (Function,), body).apply


RIGHT = square(lambda ctx, g: 2 * g * ctx.saved_tensors[0], lambda ctx, t: 2 * t * ctx.saved_tensors[0])
WRONG = square(lambda ctx, g: 3 * g * ctx.saved_tensors[0], lambda ctx, t: 5 * t * ctx.saved_tensors[0])
Z = [1 + 2j, -0.5 + 1j]


@pytest.mark.parametrize("fast", [False, True])
def test_right_derivatives_pass(fast):
    x, y = leaf(), leaf([1.0, -1.0, 3.0])
    z = leaf(Z, w.complex128)
    more = {"fast_mode": fast, "check_forward_ad": True}
    assert gradcheck(lambda x: x**2, x, **more)
    assert gradcheck(RIGHT, [x], **more)
    assert gradcheck(lambda x, y: (x.sum() * y, x**3), (x, y), **more)
    assert gradcheck(lambda z: z**2, z, **more)
    assert gradcheck(lambda z: z.abs(), z, **more)
    assert gradcheck(lambda z: z * z.conj() + z.real, z, **more)
    assert gradcheck(lambda x: x * (1 + 1j), x, **more)
    assert gradcheck(lambda x, k: x * k, (x, 3), **more)
    assert gradcheck(lambda pair: pair[0] * pair[1], ((x, leaf()),), **more)
    assert gradcheck(lambda x: x * 2, leaf(3.0), **more)
    assert gradcheck(lambda x: x * 2, w.zeros(0, dtype=w.float64, requires_grad=True), **more)
    assert gradcheck(lambda x: x.t() ** 2, w.ones(2, 3, dtype=w.float64).t().requires_grad_(), **more)
    assert gradcheck(lambda x: (x * 2, x > 1), x, **more)


def test_wrong_derivatives_are_shown():
    x = leaf()
    with pytest.raises(GradcheckError) as caught:
        gradcheck(WRONG, x)
    assert str(caught.value) == (
        "Jacobian mismatch for output 0 with respect to input 0,\n"
        "numerical:tensor([[1.0000, 0.0000],\n        [0.0000, 4.0000]], dtype=torch.float64)\n"
        "analytical:tensor([[1.5000, 0.0000],\n        [0.0000, 6.0000]], dtype=torch.float64)\n"
    )
    assert gradcheck(WRONG, x, raise_exception=False) is False
    with pytest.raises(GradcheckError, match="^Jacobian mismatch for output 1 with respect to input 1,\nnumerical"):
        gradcheck(lambda x, y: (x * 2, WRONG(y)), (x, leaf()))


def test_wrong_derivatives_in_fast_mode():
    with pytest.raises(
        GradcheckError, match="^Jacobian mismatch for output 0 with respect to input 0,\nnumerical:"
    ) as caught:
        gradcheck(WRONG, leaf(), fast_mode=True)
    assert "The max per-element difference (slow mode) is: " in str(caught.value)


@pytest.mark.parametrize("fast", [False, True])
def test_wrong_tangents(fast):
    with pytest.raises(
        GradcheckError, match="^Jacobian computed with forward mode mismatch for output 0 with respect to input 0"
    ):
        gradcheck(WRONG, leaf(), check_forward_ad=True, check_backward_ad=False, fast_mode=fast)


def test_complex_derivatives_without_the_conjugate():
    wrong = square(lambda ctx, g: 2 * g * ctx.saved_tensors[0])
    with pytest.raises(GradcheckError, match="A complex number counts as two rows or columns"):
        gradcheck(wrong, leaf(Z, w.complex128))
    assert gradcheck(square(lambda ctx, g: 2 * g * ctx.saved_tensors[0].conj()), leaf(Z, w.complex128))


def test_single_precision_warns_and_may_pass_with_wider_tolerances():
    x = leaf(dtype=w.float32)
    with pytest.warns(
        UserWarning, match="^Input #0 requires gradient and is not a double precision floating point or complex"
    ):
        assert gradcheck(lambda x: x**2, x, eps=1e-2, atol=1e-1)


def test_inputs_are_left_as_they_were():
    x = leaf()
    before, version = x.tolist(), x._version
    gradcheck(lambda x: x**2, x)
    assert (x.tolist(), x._version, x.grad) == (before, version, None)


def test_inputs_that_do_not_do():
    with pytest.raises(
        ValueError, match="^gradcheck expects at least one input tensor to require gradient, but none of them"
    ):
        gradcheck(lambda x: x, w.ones(2), raise_exception=False)
    with pytest.raises(RuntimeError, match="^The 0th input has a dimension with stride 0"):
        gradcheck(lambda x: x * 2, w.ones(1, dtype=w.float64).expand(3).requires_grad_())
    with pytest.raises(TypeError, match="output 0 is of type int"):
        gradcheck(lambda x: 3, leaf())
    with pytest.raises(
        AssertionError, match="^Expected at least one of check_forward_ad or check_backward_ad to be True"
    ):
        gradcheck(lambda x: x, leaf(), check_backward_ad=False)
    with pytest.raises(NotImplementedError, match="vmap"):
        gradcheck(lambda x: x, leaf(), check_batched_grad=True)


def test_an_output_that_hides_its_dependence():
    with pytest.raises(GradcheckError, match="^Numerical gradient for function expected to be zero"):
        gradcheck(lambda x: x.detach(), leaf())
    assert gradcheck(lambda x: w.ones(2), leaf())


def test_a_backward_that_is_never_the_same():
    count = itertools.count()
    moody = square(lambda ctx, g: 2 * g * ctx.saved_tensors[0] * (1 + 1e-9 * next(count)))
    with pytest.raises(GradcheckError, match="^Backward is not reentrant, i.e., running backward with same input"):
        gradcheck(moody, leaf())
    assert gradcheck(moody, leaf(), nondet_tol=1e-5)


def test_a_backward_that_is_not_linear():
    with pytest.raises(GradcheckError, match="^backward not multiplied by grad_output"):
        gradcheck(square(lambda ctx, g: 2 * g * ctx.saved_tensors[0] + 1e-6), leaf())


def test_a_backward_that_cannot_do_without_a_gradient():
    class Two(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, g, h):
            if g is None:
                return h * 3
            if h is None:
                raise RuntimeError("no h")
            return g * 2 + h * 3

    class Three(Two):
        @staticmethod
        def backward(ctx, g, h):
            return (0 if g is None else g * 2) + (w.ones(2) if h is None else h * 3)

    x = leaf()
    with pytest.raises(RuntimeError, match="no h"):
        gradcheck(Two.apply, x)
    with pytest.raises(GradcheckError):
        gradcheck(Three.apply, x)


def test_kinks_and_poles():
    assert gradcheck(lambda x: x.abs(), leaf([0.0, 1.0]))
    with pytest.raises(GradcheckError):
        gradcheck(lambda x: x.sqrt(), leaf([0.0, 1.0]))


# ---------------------------------------------------------------------------------------------- twice


@pytest.mark.parametrize("fast", [False, True])
def test_right_second_derivatives_pass(fast):
    x, y = leaf(), leaf([1.0, -1.0, 3.0])
    more = {"fast_mode": fast, "check_fwd_over_rev": True}
    assert gradgradcheck(lambda x: x**3, x, **more)
    assert gradgradcheck(RIGHT, x, **more)
    assert gradgradcheck(lambda x, y: (x.sum() * y, x**3), (x, y), **more)
    assert gradgradcheck(lambda z: z**3, leaf(Z, w.complex128), **more)
    assert gradgradcheck(lambda x: x * 2, x, **more)
    assert gradgradcheck(lambda x: x**3, x, w.ones(2, dtype=w.float64, requires_grad=True), **more)
    assert gradgradcheck(lambda x: x**3, x, gen_non_contig_grad_outputs=True, **more)


def test_wrong_second_derivatives_are_found():
    half = square(lambda ctx, g: 2 * g * ctx.saved_tensors[0].detach())
    assert gradcheck(half, leaf())
    with pytest.raises(GradcheckError, match="^Jacobian mismatch for output 0 with respect to input 0"):
        gradgradcheck(half, leaf())
    assert gradgradcheck(half, leaf(), raise_exception=False) is False
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradgradcheck(lambda x: x, w.ones(2))


def test_the_module_has_the_name_of_the_function():
    import wengert.autograd.gradcheck as module

    assert module(lambda x: x**2, leaf())
    assert w.autograd.gradcheck(lambda x: x**2, leaf())
    assert issubclass(GradcheckError, RuntimeError)
    assert np.isfinite(1)
