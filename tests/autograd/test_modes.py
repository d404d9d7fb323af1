"""Grad mode and inference mode: in blocks, decorators, generators, tasks and threads."""

from __future__ import annotations

import asyncio
import threading

import pytest

import wengert as w


def leaf(value=(1.0, 2.0)):
    return w.tensor(value, requires_grad=True)


# ---------------------------------------------------------------------------------------------- blocks and decorators


def test_blocks_nest_and_give_the_mode_back():
    assert w.is_grad_enabled()
    with w.no_grad():
        assert not w.is_grad_enabled()
        with w.enable_grad():
            assert w.is_grad_enabled()
            with w.set_grad_enabled(False):
                assert not w.is_grad_enabled()
            assert w.is_grad_enabled()
        assert not w.is_grad_enabled()
    assert w.is_grad_enabled()
    with pytest.raises(KeyError), w.no_grad():
        raise KeyError
    assert w.is_grad_enabled()


def test_one_block_object_may_be_entered_again():
    block = w.no_grad()
    with block, block:
        assert not w.is_grad_enabled()
    with block:
        assert not w.is_grad_enabled()
    assert w.is_grad_enabled()


def test_a_switch_that_is_no_block():
    w.set_grad_enabled(False)
    try:
        assert not (leaf() * 2).requires_grad
    finally:
        w.set_grad_enabled(True)
    assert (leaf() * 2).requires_grad


@pytest.mark.parametrize("form", ["bare", "called"])
def test_decorators(form):
    off = w.no_grad if form == "bare" else w.no_grad()
    on = w.enable_grad if form == "bare" else w.enable_grad()

    @off
    def double(x):
        """Twice."""
        return x * 2

    @on
    def triple(x):
        return x * 3

    x = leaf()
    assert not double(x).requires_grad
    assert double.__name__ == "double"
    assert double.__doc__ == "Twice."
    with w.no_grad():
        assert triple(x).requires_grad
        assert not w.is_grad_enabled()

    @w.set_grad_enabled(False)
    def quadruple(x):
        return x * 4

    assert w.is_grad_enabled()
    assert not quadruple(x).requires_grad


def test_a_decorated_function_that_calls_itself():
    @w.no_grad()
    def down(n):
        return w.is_grad_enabled() or (n > 0 and down(n - 1))

    assert not down(5)
    assert w.is_grad_enabled()


def test_methods():
    class Model:
        @w.no_grad()
        def predict(self, x):
            return x * 2

        @staticmethod
        @w.inference_mode()
        def infer(x):
            return x * 2

    assert not Model().predict(leaf()).requires_grad
    assert Model.infer(leaf()).is_inference()


# ---------------------------------------------------------------------------------------------- generators


def test_a_generator_keeps_its_mode_to_itself():
    @w.no_grad()
    def values():
        yield w.is_grad_enabled()
        yield w.is_grad_enabled()

    found = values()
    assert next(found) is False
    assert w.is_grad_enabled()
    with w.enable_grad():
        assert next(found) is False
        assert w.is_grad_enabled()
    assert w.is_grad_enabled()


def test_what_is_sent_and_thrown_reaches_a_generator():
    log = []

    @w.no_grad()
    def talk():
        try:
            got = yield 1
            log.append((got, w.is_grad_enabled()))
            try:
                yield 2
            except ValueError:
                log.append(("thrown", w.is_grad_enabled()))
                yield 3
            return 4
        finally:
            log.append(("closed", w.is_grad_enabled()))

    found = talk()
    assert next(found) == 1
    assert found.send("hello") == 2
    assert found.throw(ValueError()) == 3
    with pytest.raises(StopIteration) as end:
        next(found)
    assert end.value.value == 4
    assert log == [("hello", False), ("thrown", False), ("closed", False)]
    found = talk()
    next(found)
    found.close()
    assert log[-1] == ("closed", False)
    assert w.is_grad_enabled()


def test_a_generator_that_is_closed_elsewhere():
    @w.no_grad()
    def values():
        while True:
            yield w.is_grad_enabled()

    found = values()
    next(found)
    thread = threading.Thread(target=found.close)
    thread.start()
    thread.join()
    assert w.is_grad_enabled()


# ---------------------------------------------------------------------------------------------- tasks and threads


def test_each_task_has_its_own_mode():
    async def quiet(log):
        with w.no_grad():
            for _ in range(3):
                await asyncio.sleep(0)
                log.append(w.is_grad_enabled())

    async def loud(log):
        for _ in range(3):
            await asyncio.sleep(0)
            log.append(w.is_grad_enabled())

    async def both():
        first, second = [], []
        await asyncio.gather(quiet(first), loud(second))
        return first, second

    assert asyncio.run(both()) == ([False] * 3, [True] * 3)


def test_coroutines_can_be_decorated():
    @w.no_grad()
    async def predict(x):
        await asyncio.sleep(0)
        return x * 2

    async def both():
        a, b = await asyncio.gather(predict(leaf()), asyncio.sleep(0, leaf() * 2))
        return a.requires_grad, b.requires_grad

    assert asyncio.run(both()) == (False, True)


def test_threads_start_in_grad_mode():
    log = []
    with w.no_grad():
        thread = threading.Thread(target=lambda: log.append(w.is_grad_enabled()))
        thread.start()
        thread.join()
    assert log == [True]


# ---------------------------------------------------------------------------------------------- inference mode


def test_tensors_of_inference_mode():
    x = leaf()
    assert not w.is_inference_mode_enabled()
    with w.inference_mode():
        assert w.is_inference_mode_enabled()
        assert not w.is_grad_enabled()
        y = x * 2
        made = w.ones(2)
        view = x.view(2)
    assert y.is_inference()
    assert made.is_inference()
    assert not y.requires_grad
    assert not view.is_inference()
    assert not (y * 2).is_inference()
    assert y.view(2).is_inference()
    assert y.detach().is_inference()
    assert not y.clone().is_inference()
    with w.inference_mode(False):
        assert not w.ones(2).is_inference()
    with w.inference_mode(), w.inference_mode(False):
        assert w.is_grad_enabled()
        assert (leaf() * 2).requires_grad


def test_they_have_no_version():
    with w.inference_mode():
        x = w.ones(2)
        x.add_(1)
        assert x.tolist() == [2, 2]
        with pytest.raises(RuntimeError, match="^Inference tensors do not track version counter"):
            x._version
    with pytest.raises(RuntimeError, match="^Inference tensors do not track version counter"):
        x._version


def test_they_are_not_written_outside():
    with w.inference_mode():
        x = w.ones(2)
    for write in (lambda: x.add_(1), lambda: x.zero_(), lambda: x.__setitem__(0, 5)):
        with pytest.raises(
            RuntimeError, match="^Inplace update to inference tensor outside InferenceMode is not allowed"
        ):
            write()
    assert x.tolist() == [1, 1]
    y = x.clone()
    y.add_(1)
    assert y.tolist() == [2, 2]


@pytest.mark.parametrize("dtype", [w.float32, w.float64, w.float16, w.complex64])
def test_they_are_not_kept_for_a_backward_pass(dtype):
    x = w.ones(2, dtype=dtype, requires_grad=True)
    with w.inference_mode():
        y = w.ones(2, dtype=dtype)
    for use in (lambda: x * y, lambda: y * x, lambda: x / y, lambda: x[None] @ y[:, None]):
        with pytest.raises(RuntimeError, match="^Inference tensors cannot be saved for backward"):
            use()
    assert (x + y).requires_grad  # keeps neither
    (x * y.clone()).sum().backward(w.ones((), dtype=dtype))
    assert x.grad.tolist() == [1, 1]


def test_they_cannot_start_to_require_grad_outside():
    with w.inference_mode():
        x = w.ones(2)
        y = w.ones(2).requires_grad_()
    assert y.requires_grad
    with pytest.raises(
        RuntimeError, match="^Setting requires_grad=True on inference tensor outside InferenceMode is not"
    ):
        x.requires_grad_()


def test_a_leaf_may_be_written_in_inference_mode():
    x = leaf()
    with w.inference_mode():
        x.add_(1)
    assert x.tolist() == [2, 3]
    assert x._version == 1
    assert x.is_leaf
