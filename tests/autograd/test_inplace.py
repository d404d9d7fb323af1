"""Writes in place: versions, histories, views, and what is refused."""

from __future__ import annotations

import pytest

import wengert as w
from wengert.autograd import grad


def leaf(value):
    return w.tensor(value, dtype=w.float64, requires_grad=True)


MODIFIED = "^one of the variables needed for gradient computation has been modified by an inplace operation: "

# ---------------------------------------------------------------------------------------------- versions


def test_a_version_counts_the_writes_to_a_memory():
    x = w.ones(2, 3)
    view, cut = x[0], x.detach()
    x.add_(1)
    view.mul_(2)
    cut.zero_()
    x[1] = 5
    assert x._version == view._version == cut._version == 4
    assert x.clone()._version == 0
    assert x.data._version == 0


def test_a_kept_tensor_must_not_be_written():
    x = leaf([1.0, 2.0])
    y = x * 1
    out = (y * y).sum()
    y.add_(1)
    with pytest.raises(RuntimeError, match=MODIFIED) as caught:
        out.backward()
    assert str(caught.value) == (
        "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.DoubleTensor "
        "[2]], which is output 0 of Mul, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the "
        "operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )


def test_an_operation_whose_result_was_written():
    x = leaf([1.0, 2.0])
    y = x.exp()
    y.add_(1)
    with pytest.raises(
        RuntimeError, match=MODIFIED + r"\[torch.DoubleTensor \[2\]\], which is output 0 of Exp, is at version 1"
    ):
        y.sum().backward()


def test_a_leaf_that_was_written_since():
    x = leaf([1.0, 2.0])
    out = (x * x).sum()
    with w.no_grad():
        x.add_(1)
    with pytest.raises(RuntimeError, match=MODIFIED + r"\[torch.DoubleTensor \[2\]\] is at version 1"):
        out.backward()


def test_a_write_through_a_view_is_noticed():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    y = x * 1
    out = (y * y).sum()
    y[0].zero_()
    with pytest.raises(RuntimeError, match=MODIFIED):
        out.backward()


def test_what_no_node_keeps_may_be_written():
    x = leaf([1.0, 2.0])
    y = x * 1
    out = (y * 3).sum() + (y + 5).sum()
    y.zero_()
    out.backward()
    assert x.grad.tolist() == [4, 4]


# ---------------------------------------------------------------------------------------------- histories


def test_a_write_is_part_of_the_history():
    x = leaf([1.0, 2.0])
    y = x * 3
    same = y.mul_(2).add_(1)
    assert same is y
    assert y.grad_fn.name() == "AddBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [6, 6]


def test_what_was_kept_of_the_old_value_is_kept():
    x = leaf([1.0, 2.0])
    y = x * 1
    y.mul_(x)
    y.pow_(3)
    y.sum().backward()
    assert x.grad.tolist() == [6, 6 * 2**5]


def test_a_constant_takes_the_history_of_what_is_written_to_it():
    x = leaf([1.0, 2.0])
    y = w.zeros(2, dtype=w.float64)
    y.add_(x)
    assert y.requires_grad
    y.copy_(x * 5)
    y.sum().backward()
    assert x.grad.tolist() == [5, 5]


@pytest.mark.parametrize("write", ["copy_", "zero_", "fill_", "normal_"])
def test_what_was_overwritten_gets_zeros_and_still_requires_grad(write):
    x = leaf([1.0, 2.0])
    y = x * 3
    getattr(y, write)(*{"copy_": [w.ones(2)], "fill_": [4.0]}.get(write, []))
    assert y.requires_grad
    y.sum().backward()
    assert x.grad.tolist() == [0, 0]


def test_part_of_it_is_overwritten():
    x = leaf([1.0, 2.0, 3.0])
    y = x * 2
    y[1] = 7
    (y * w.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert y.tolist() == [2, 7, 6]
    assert x.grad.tolist() == [2, 0, 200]


def test_rows_are_filled_one_by_one():
    x = leaf([1.0, 2.0])
    table = w.zeros(3, 2, dtype=w.float64)
    for i in range(3):
        table[i] = x * (i + 1)
    assert table.grad_fn.name() == "torch::autograd::CopySlices"
    table.sum().backward()
    assert x.grad.tolist() == [6, 6]


def test_double_backward_through_slices():
    x = leaf([1.0, 2.0])
    y = x * 1
    y[0] = y[0].clone() * y[1].clone()
    (g,) = grad((y**2).sum(), x, create_graph=True)
    (h,) = grad(g.sum(), x)
    # f = (x0 x1)^2 + x1^2
    assert g.tolist() == [2 * 1 * 4, 2 * 1 * 2 + 4]
    assert h.tolist() == [2 * 4 + 4 * 1 * 2, 4 * 1 * 2 + 2 * 1 + 2]


def test_a_graph_through_slices_is_used_up_too():
    x = leaf([1.0, 2.0])
    y = w.zeros(2, dtype=w.float64)
    y[0] = x[0]
    total = y.sum()
    total.backward()
    with pytest.raises(RuntimeError, match="second time"):
        total.backward()


# ---------------------------------------------------------------------------------------------- views


def test_a_write_to_the_base_reaches_its_views():
    x = leaf([1.0, 2.0])
    y = x * 1
    view = y[:1]
    y.mul_(3)
    assert view.tolist() == [3]
    assert view.grad_fn.name() == "AsStridedBackward0"
    assert view.grad_fn.next_functions[0][0] is y.grad_fn
    (view * 10).sum().backward()
    assert x.grad.tolist() == [30, 0]


def test_a_write_to_a_view_reaches_its_base_and_the_other_views():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    y = x * 1
    row, flat = y[0], y.view(-1)
    row.mul_(10)
    assert flat.tolist() == [10, 20, 3, 4]
    assert flat.requires_grad
    (flat * w.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad.tolist() == [[10, 20], [3, 4]]


def test_a_view_of_a_view_of_a_constant():
    x = leaf([5.0])
    base = w.zeros(2, 2, dtype=w.float64)
    column = base.t()[1]
    column[:1].add_(x)
    assert base.tolist() == [[0, 5], [0, 0]]
    assert base.requires_grad
    (base * w.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    assert x.grad.tolist() == [2]


def test_second_derivative_of_a_view_that_was_looked_up_anew():
    x = leaf([1.0, 2.0])
    y = x * x
    view = y[1:]
    y.mul_(2)
    (g,) = grad((view**2).sum(), x, create_graph=True)
    assert g.tolist() == [0, 2 * 8 * 2 * 4]
    assert grad(g.sum(), x)[0].tolist() == [0, 16 * 3 * 4]


def test_the_retained_gradient_is_that_of_the_newest_value():
    x = leaf([1.0, 2.0])
    y = x * 2
    y.retain_grad()
    y.mul_(3)
    y.sum().backward()
    assert y.grad.tolist() == [1, 1]
    y = x * 2
    y.retain_grad()
    y[0] = 0
    (y * 5).sum().backward()
    assert y.grad.tolist() == [5, 5]
    assert x.grad.tolist() == [6, 6 + 10]


def test_hooks_stay_with_the_value_they_were_put_on():
    x = leaf([1.0, 2.0])
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(("before", g.tolist())))
    y.mul_(3)
    y.register_hook(lambda g: seen.append(("after", g.tolist())))
    y.sum().backward()
    assert seen == [("after", [1, 1]), ("before", [3, 3])]


# ---------------------------------------------------------------------------------------------- what is refused


def test_leaves_that_require_grad():
    x = leaf([1.0, 2.0])
    for write in (lambda: x.add_(1), lambda: x.zero_(), lambda: x.copy_(w.ones(2)), lambda: x.uniform_()):
        with pytest.raises(
            RuntimeError, match="^a leaf Variable that requires grad is being used in an in-place operation"
        ):
            write()
    for write in (lambda: x[0].add_(1), lambda: x.__setitem__(0, 1.0), lambda: x.view(2).zero_()):
        with pytest.raises(
            RuntimeError, match="^a view of a leaf Variable that requires grad is being used in an in-place"
        ):
            write()
    assert x.tolist() == [1, 2]
    assert x._version == 0
    with w.no_grad():
        x.add_(1)
        x[0] = 7
    assert x.tolist() == [7, 3]
    assert x.is_leaf


def test_one_of_several_views():
    y = leaf([[1.0, 2.0], [3.0, 4.0]]) * 1
    first, second = y.unbind()
    refused = "^Output 0 of Unbind is a view and is being modified inplace. This view is the output of a function that returns"
    with pytest.raises(RuntimeError, match=refused):
        first.mul_(2)
    y.add_(1)
    with pytest.raises(
        RuntimeError, match="^Output 1 of Unbind is a view and its base or another view of its base has been mod"
    ):
        second * 2


def test_views_from_another_mode():
    y = leaf([1.0, 2.0]) * 1
    with w.no_grad():
        view = y.view(2)
    with pytest.raises(
        RuntimeError, match="^A view was created in no_grad mode and is being modified inplace with grad mode"
    ):
        view.mul_(2)
    y.mul_(2)
    assert view.requires_grad
    with pytest.raises(
        RuntimeError, match="^A view was created in no_grad mode and its base or another view of its base has"
    ):
        view * 2
    x = leaf([1.0, 2.0])
    with w.inference_mode():
        view = x.view(2)
    with pytest.raises(
        RuntimeError, match="^A view was created in inference mode and is being modified inplace in normal mode"
    ):
        view.add_(1)


def test_a_constant_view_from_no_grad_cannot_start_to_be_recorded():
    base = w.zeros(2, dtype=w.float64)
    with w.no_grad():
        view = base.view(2)
    with pytest.raises(RuntimeError, match="^A view was created in no_grad mode"):
        view.add_(leaf([1.0, 1.0]))
    assert base.tolist() == [0, 0]


def test_memory_that_several_elements_share():
    x = w.ones(1).expand(3)
    with pytest.raises(
        RuntimeError, match="more than one element of the written-to tensor refers to a single memory location"
    ):
        x.add_(1)
    assert x.tolist() == [1, 1, 1]


def test_shapes_and_dtypes_of_results():
    x = w.ones(2)
    with pytest.raises(RuntimeError, match=r"^output with shape \[2\] doesn't match the broadcast shape \[3, 2\]"):
        x.add_(w.ones(3, 2))
    with pytest.raises(RuntimeError, match="^result type Float can't be cast to the desired output type Long"):
        w.ones(2, dtype=w.int64).add_(1.5)
    assert x._version == 0
