"""What nodes keep: hooks that pack it, looking at it, writing to it."""

from __future__ import annotations

import pytest

import wengert as w
from wengert.autograd import grad, graph


def leaf(value=(1.0, 2.0)):
    return w.tensor(value, dtype=w.float64, requires_grad=True)


class Log:
    """Hooks that note what they are given and pass it on."""

    def __init__(self):
        self.packed, self.unpacked = [], 0

    def pack(self, x):
        self.packed.append((x.tolist(), x.requires_grad))
        return ("box", x)

    def unpack(self, box):
        self.unpacked += 1
        return box[1]

    @property
    def hooks(self):
        return graph.saved_tensors_hooks(self.pack, self.unpack)


# ---------------------------------------------------------------------------------------------- hooks


def test_what_is_kept_goes_through_the_hooks():
    x, y = leaf(), leaf([3.0, 4.0])
    log = Log()
    with log.hooks:
        z = x * y
        z = z + 1  # keeps nothing
    assert log.packed == [([1, 2], True), ([3, 4], True)]
    assert log.unpacked == 0
    z.sum().backward(retain_graph=True)
    assert log.unpacked == 2
    z.sum().backward()
    assert log.unpacked == 4
    assert (x.grad.tolist(), y.grad.tolist()) == ([6, 8], [2, 4])
    with pytest.raises(RuntimeError, match="second time"):
        z.sum().backward()


def test_an_output_is_packed_at_its_node():
    seen = []
    with graph.saved_tensors_hooks(lambda x: seen.append(x.grad_fn.name()) or x.tolist(), lambda v: w.tensor(v)):
        y = leaf().exp()
    assert seen == ["ExpBackward0"]
    y.sum().backward()


def test_the_innermost_hooks_are_called():
    outer, inner = Log(), Log()
    with outer.hooks:
        with inner.hooks:
            leaf().exp()
        leaf().sin()
    assert (len(outer.packed), len(inner.packed)) == (1, 1)


def test_second_derivatives_through_hooks():
    x = leaf()
    with graph.saved_tensors_hooks(lambda x: x.numpy(force=True).copy(), w.from_numpy):
        (g,) = grad((x**3).sum(), x, create_graph=True)
    (h,) = grad(g.sum(), x)
    assert h.tolist() == [6, 12]


def test_promotion_and_broadcasting_through_hooks():
    x = w.tensor([1.0, 2.0], dtype=w.float32, requires_grad=True)
    y = w.tensor([[1.0], [2.0]], dtype=w.float64, requires_grad=True)
    with Log().hooks:
        z = x * y
    (gx, gy) = grad(z.sum(), (x, y), create_graph=True)
    assert (gx.dtype, gy.dtype) == (w.float32, w.float64)
    assert grad(gx.sum(), y)[0].tolist() == [[2], [2]]


def test_what_unpack_returns():
    x = leaf()
    with graph.saved_tensors_hooks(lambda x: x, lambda x: 3):
        y = (x * x).sum()
    with pytest.raises(
        TypeError, match="^Output of saved tensor unpack_hook expected to be a Tensor but got result of type int"
    ):
        y.backward()
    with graph.saved_tensors_hooks(lambda x: x, lambda x: w.ones(3)):
        y = (x * x).sum()
    with pytest.raises(
        RuntimeError, match=r"^Output of saved tensor unpack_hook expected to be a Tensor of the size \[2\]"
    ):
        y.backward()
    with graph.saved_tensors_hooks(lambda x: x.half(), lambda x: x):
        y = (x * x).sum()
    y.backward()
    assert x.grad.dtype == w.float64
    assert x.grad.tolist() == [2, 4]


def test_pack_hooks_must_not_write():
    with (
        pytest.raises(RuntimeError, match="^A saved tensor pack hook is modifying its input in place"),
        graph.saved_tensors_hooks(lambda x: x.mul_(2), lambda x: x),
    ):
        leaf() * leaf()


def test_errors_in_hooks():
    with pytest.raises(ZeroDivisionError), graph.saved_tensors_hooks(lambda x: 1 / 0, lambda x: x):
        leaf().exp()
    leaf().exp()
    with pytest.raises(TypeError, match="pack_hook must be callable"), graph.saved_tensors_hooks(3, lambda x: x):
        pass


def test_hooks_record_nothing():
    seen = []
    with graph.saved_tensors_hooks(lambda x: seen.append((x * 2).requires_grad) or x, lambda x: x):
        leaf().exp()
    assert seen == [False]


def test_disabled_hooks():
    with graph.disable_saved_tensors_hooks("not here"):
        leaf().exp()
        with pytest.raises(RuntimeError, match="^not here$"), Log().hooks:
            pass
        with graph.disable_saved_tensors_hooks("nor here"), pytest.raises(RuntimeError, match="nor here"), Log().hooks:
            pass
    with Log().hooks, pytest.raises(RuntimeError, match="^not here$"), graph.disable_saved_tensors_hooks("not here"):
        pass
    with Log().hooks:
        leaf().exp()


@pytest.mark.parametrize("pin_memory", [False, True])
def test_save_on_cpu(pin_memory):
    x = leaf()
    with graph.save_on_cpu(pin_memory):
        y = (x.exp() * x).sum()
    y.backward()
    assert x.grad.tolist() == pytest.approx([2 * 2.718281828459045, 3 * 7.38905609893065])


def test_functions_save_through_hooks():
    class Cube(w.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x**3
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return 3 * y / x * g

    x, log = leaf(), Log()
    with log.hooks:
        y = Cube.apply(x)
    assert log.packed == [([1, 2], True), ([1, 8], True)]
    (g,) = grad(y.sum(), x, create_graph=True)
    assert g.tolist() == [3, 12]
    assert grad(g.sum(), x)[0].tolist() == [6, 12]


# ---------------------------------------------------------------------------------------------- looking at it


def test_attributes_of_nodes():
    x, y = leaf(), leaf([3.0, 4.0])
    node = (x * y).grad_fn
    assert node._saved_self is x
    assert node._saved_other is y
    assert (x * 3).grad_fn._saved_self is None
    assert (x**3).grad_fn._saved_exponent == 3
    out = x.exp()
    assert out.grad_fn._saved_result.tolist() == out.tolist()
    assert out.grad_fn._saved_result.grad_fn is out.grad_fn
    for name in ("_saved_nothing", "nothing"):
        with pytest.raises(AttributeError, match=f"'MulBackward0' object has no attribute '{name}'"):
            getattr(node, name)


def test_they_are_checked_as_in_a_pass():
    x = leaf()
    y = x * 1
    out = y * y
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.grad_fn._saved_self
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.sum().backward()
    out = x.exp()
    out.sum().backward()
    with pytest.raises(RuntimeError, match="directly access saved tensors after they have already been freed"):
        out.grad_fn._saved_result


def test_a_pass_after_looking():
    x, y = leaf(), leaf([3.0, 4.0])
    out = x * y
    out.grad_fn._saved_self
    (g,) = grad(out.sum(), x, create_graph=True)
    assert grad(g.sum(), y)[0].tolist() == [1, 1]


def test_hooks_on_one_saved_tensor():
    log = []
    out = leaf().exp()
    raw = out.grad_fn._raw_saved_result
    raw.register_hooks(lambda x: log.append("pack") or x.tolist(), lambda v: log.append("unpack") or w.tensor(v))
    with pytest.raises(RuntimeError, match="hooks have already been set"):
        raw.register_hooks(lambda x: x, lambda x: x)
    out.sum().backward()
    assert log == ["pack", "unpack"]
    with pytest.raises(RuntimeError, match="^Calling register_hooks on a saved tensor after it has been freed"):
        raw.register_hooks(lambda x: x, lambda x: x)


# ---------------------------------------------------------------------------------------------- writing to it


def test_writing_to_saved_tensors():
    with graph.allow_mutation_on_saved_tensors():
        x = leaf()
        y = x.clone()
        first = (y**2).sum()
        y.mul_(10)
        second = (y**2).sum()
        y[0] = 0
        first.backward()
        assert x.grad.tolist() == [2, 4]
        x.grad = None
        second.backward()
        assert x.grad.tolist() == [200, 400]
        out = x.exp()
        out.zero_()
        x.grad = None
        out.sum().backward()
        assert x.grad.tolist() == [0, 0]


def test_unwritten_tensors_are_not_copied():
    with graph.allow_mutation_on_saved_tensors():
        x = leaf()
        y = x * 1
        out = y * y
        assert out.grad_fn._saved_self.data_ptr() == y.data_ptr()
        y[:1].zero_()
        assert out.grad_fn._saved_self.data_ptr() != y.data_ptr()
        assert out.grad_fn._saved_self.tolist() == [1, 2]


def test_the_pass_belongs_inside():
    with graph.allow_mutation_on_saved_tensors() as kept:
        y = (leaf() ** 2).sum()
        z = (leaf() ** 2).sum()
        kept.clear()
        with pytest.raises(AssertionError, match="outside of the 'allow_mutation_on_saved_tensors' context"):
            z.backward()
        with (
            pytest.raises(RuntimeError, match="^allow_mutation_on_saved_tensors contexts cannot be nested"),
            graph.allow_mutation_on_saved_tensors(),
        ):
            pass
    with pytest.raises(AssertionError, match="^Trying to backward outside of the"):
        y.backward()
