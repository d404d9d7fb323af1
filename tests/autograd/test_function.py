"""Functions of the user's own: what a context keeps, what a backward may return, and what is refused."""

from __future__ import annotations

import pytest

import wengert as w
from wengert.autograd import Function, forward_ad, grad, gradcheck, gradgradcheck
from wengert.autograd.function import InplaceFunction, once_differentiable


def leaf(value=(1.0, 2.0)):
    return w.tensor(value, dtype=w.float64, requires_grad=True)


def function(forward, backward=lambda ctx, *g: g[0] if len(g) == 1 else g, name="Made", **more):
    body = {"forward": forward, "backward": backward, **more}
    return type(name, (Function,), {key: staticmethod(f) for key, f in body.items()})


class Power(Function):
    @staticmethod
    def forward(ctx, x, n=2):
        ctx.n = n
        out = x**n
        ctx.save_for_backward(x, out)
        return out

    @staticmethod
    def backward(ctx, g):
        x, out = ctx.saved_tensors
        return g * ctx.n * out / x, None


class Cube(Function):
    @staticmethod
    def forward(x, n=3):
        return x**n

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.n = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ctx.n * x ** (ctx.n - 1) * g, None

    @staticmethod
    def jvp(ctx, t, _):
        (x,) = ctx.saved_tensors
        return ctx.n * x ** (ctx.n - 1) * t


# ---------------------------------------------------------------------------------------------- the node


def test_a_call_is_one_node_which_is_the_context():
    x = leaf()
    y = Power.apply(x, 3)
    assert y.tolist() == [1, 8]
    assert y.grad_fn.name() == "PowerBackward"
    assert repr(y) == "tensor([1., 8.], dtype=torch.float64, grad_fn=<PowerBackward>)"
    assert repr(y.grad_fn).startswith("<torch.autograd.function.PowerBackward object at 0x")
    assert y.grad_fn.n == 3
    assert y.grad_fn.needs_input_grad == (True, False)
    assert len(y.grad_fn.next_functions) == 1
    assert y.grad_fn.next_functions[0][0].variable is x
    assert isinstance(y.grad_fn, w.autograd.graph.Node)
    y.sum().backward()
    assert x.grad.tolist() == [3, 12]


def test_arguments_may_be_named_and_have_defaults():
    x = leaf()
    assert Power.apply(x).grad_fn.n == 2
    assert Power.apply(x, n=4).grad_fn.n == 4
    assert Cube.apply(x).grad_fn.needs_input_grad == (True, False)
    assert Cube.apply(x, n=2).tolist() == [1, 4]
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        Cube.apply()
    with pytest.raises(TypeError, match="too many positional arguments"):
        Cube.apply(x, 1, 2)


def test_forward_is_not_recorded():
    seen = []

    def forward(ctx, x):
        seen.append((w.is_grad_enabled(), (x * 2).requires_grad, x.requires_grad))
        return x * 2

    assert function(forward).apply(leaf()).requires_grad
    assert seen == [(False, False, True)]
    assert w.is_grad_enabled()


def test_nothing_to_record():
    for x in (w.ones(2), leaf()):
        with w.set_grad_enabled(not x.requires_grad):
            y = Power.apply(x)
        assert y.grad_fn is None
        assert not y.requires_grad


@pytest.mark.parametrize("made", [Power, Cube])
def test_derivatives_of_both_orders(made):
    x = leaf([1.0, 2.0, 3.0])
    assert gradcheck(lambda x: made.apply(x, 3), x)
    assert gradgradcheck(lambda x: made.apply(x, 3), x)


def test_the_recorded_backward():
    x = leaf([1.0, 2.0])
    y = Power.apply(x, 3)
    (g,) = grad(y.sum(), x, create_graph=True)
    (h,) = grad(g.sum(), x)
    assert (g.tolist(), h.tolist()) == ([3, 12], [6, 12])


def test_vjp_is_another_name_of_backward():
    made = type(
        "Made", (Function,), {"forward": staticmethod(lambda ctx, x: x * 2), "vjp": staticmethod(lambda ctx, g: g * 2)}
    )
    x = leaf()
    made.apply(x).sum().backward()
    assert x.grad.tolist() == [2, 2]
    both = function(lambda ctx, x: x * 2, vjp=lambda ctx, g: g * 2)
    with pytest.raises(
        RuntimeError, match="^Implementing both 'backward' and 'vjp' for a custom Function is not allowed"
    ):
        both.apply(x).sum().backward()


def test_methods_that_are_missing():
    x = leaf()
    with pytest.raises(
        NotImplementedError, match="^You must implement the forward function for custom autograd.Function"
    ):
        Function.apply(x)
    made = type("Made", (Function,), {"forward": staticmethod(lambda ctx, x: x * 2)})
    with pytest.raises(NotImplementedError, match="^You must implement either the backward or vjp method"):
        made.apply(x).sum().backward()
    with forward_ad.dual_level(), pytest.raises(NotImplementedError, match="^You must implement the jvp function"):
        made.apply(forward_ad.make_dual(x, w.ones(2)))


def test_functions_are_not_instantiated():
    with pytest.warns(
        DeprecationWarning, match="should not be instantiated. Methods on autograd functions are all static"
    ):
        made = Power()
    with pytest.raises(RuntimeError, match="^Legacy autograd function with non-static forward method is deprecated"):
        made(leaf())
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        assert InplaceFunction(True).inplace


# ---------------------------------------------------------------------------------------------- what is saved


def test_saved_inputs_are_the_tensors_themselves():
    x = leaf()
    assert Power.apply(x).grad_fn.saved_tensors[0] is x
    middle = x * 1
    other = w.ones(2)
    made = function(lambda ctx, x: (ctx.save_for_backward(x, None, other), x * 2)[1])
    assert made.apply(middle).grad_fn.saved_tensors == (middle, None, other)


def test_saved_outputs_stand_at_their_node():
    y = Power.apply(leaf())
    saved = y.grad_fn.saved_tensors[1]
    assert saved is not y
    assert saved.grad_fn is y.grad_fn
    assert saved.tolist() == y.tolist()
    assert saved.data_ptr() == y.data_ptr()


def test_a_saved_input_whose_name_is_gone():
    x = leaf()
    y = Power.apply(x * 3)
    saved = y.grad_fn.saved_tensors[0]
    assert saved.grad_fn.name() == "MulBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [18, 36]


def test_the_last_call_of_save_for_backward_counts():
    made = function(lambda ctx, x: (ctx.save_for_backward(x), ctx.save_for_backward(x * 2), x * 1)[2])
    assert [s.tolist() for s in made.apply(leaf()).grad_fn.saved_tensors] == [[2, 4]]


def test_only_tensors_are_saved():
    x = leaf()
    for value, kind in ((3, "int"), ([x], "list")):
        made = function(lambda ctx, x, value=value: (ctx.save_for_backward(x, value), x * 2)[1])
        with pytest.raises(
            TypeError, match=f"^save_for_backward can only save variables, but argument 1 is of type {kind}"
        ):
            made.apply(x)
    made = function(lambda ctx, x: (ctx.save_for_forward(3), x * 2)[1])
    with pytest.raises(AssertionError, match="^save_for_forward expects all arguments to be tensors"):
        made.apply(x)


def test_saved_tensors_are_freed_by_a_pass():
    x = leaf()
    y = Power.apply(x)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    for use in (lambda: y.grad_fn.saved_tensors, lambda: y.sum().backward()):
        with pytest.raises(RuntimeError, match="^Trying to backward through the graph a second time"):
            use()
    assert x.grad.tolist() == [4, 8]


def test_a_backward_that_needs_nothing_saved_may_run_again():
    x = leaf()
    y = function(lambda ctx, x: (ctx.save_for_backward(x), x * 2)[1], lambda ctx, g: g * 2).apply(x)
    y.sum().backward()
    y.sum().backward()
    assert x.grad.tolist() == [4, 4]


def test_writes_to_saved_tensors_are_noticed():
    x = leaf()
    other = w.ones(2, dtype=w.float64)

    def forward(ctx, x):
        out = x * other
        ctx.save_for_backward(x, out, other)
        return out

    made = function(forward, lambda ctx, g: g * ctx.saved_tensors[2])
    for write, whose in (
        (lambda x, y: x.add_(1), ", which is output 0 of Mul,"),
        (lambda x, y: y.add_(1), ", which is output 0 of Made,"),
        (lambda x, y: other.add_(1), ""),
    ):
        middle = x * 1
        y = made.apply(middle)
        write(middle, y)
        with pytest.raises(
            RuntimeError, match=rf"\[torch.DoubleTensor \[2\]\]{whose} is at version \d; expected version \d"
        ):
            y.sum().backward()


def test_attributes_are_kept_as_they_are():
    def forward(ctx, x):
        ctx.first, ctx.second = "text", x
        return x * 2

    y = function(forward).apply(leaf())
    assert y.grad_fn.first == "text"
    assert y.grad_fn.second.tolist() == [1, 2]
    y.grad_fn.third = 3
    assert y.grad_fn.third == 3


# ---------------------------------------------------------------------------------------------- outputs


def test_several_outputs_and_zeros_for_those_unused():
    seen = []
    pair = function(
        lambda ctx, a, b: (a.clone(), b.clone()),
        lambda ctx, ga, gb: seen.append((ga.tolist(), gb.tolist())) or (ga, gb),
    )
    a, b = leaf([1.0]), leaf([2.0, 3.0])
    first, second = pair.apply(a, b)
    assert (first.output_nr, second.output_nr) == (0, 1)
    first.sum().backward()
    second.sum().backward()
    assert seen == [([1], [0, 0]), ([0], [1, 1])]
    assert b.grad.tolist() == [1, 1]


def test_none_instead_of_zeros():
    seen = []

    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    made = function(forward, lambda ctx, g, h: seen.append((g is None, h is None)) or g)
    made.apply(leaf())[0].sum().backward()
    assert seen == [(False, True)]


def test_outputs_that_are_no_tensors():
    seen = []
    made = function(
        lambda ctx, x: (x * 2, "text", None, 3), lambda ctx, *gs: seen.append([g is None for g in gs]) or gs[0] * 2
    )
    y, text, nothing, number = made.apply(leaf())
    assert (text, nothing, number) == ("text", None, 3)
    y.sum().backward()
    assert seen == [[False, True, True, True]]
    assert function(lambda ctx, x: 5).apply(leaf()) == 5
    assert not function(lambda ctx, x: [x * 2]).apply(leaf())[0].requires_grad
    assert function(lambda ctx, x: (x * 2,)).apply(leaf())[0].grad_fn.name() == "MadeBackward"


def test_outputs_without_a_derivative():
    def forward(ctx, x):
        flat = x * 3
        ctx.mark_non_differentiable(flat)
        return x * 2, flat, x.long()

    seen = []
    made = function(forward, lambda ctx, *gs: seen.append([g.tolist() for g in gs]) or gs[0] * 2)
    x = leaf()
    y, flat, whole = made.apply(x)
    assert y.requires_grad
    assert not flat.requires_grad
    assert not whole.requires_grad
    y.sum().backward()
    assert seen == [[[1, 1], [0, 0], [0, 0]]]


def test_an_input_marked_non_differentiable():
    def forward(ctx, x):
        ctx.mark_non_differentiable(x)
        return x * 2, x

    x = leaf()
    y, same = function(forward, lambda ctx, g, h: g).apply(x)
    assert not same.requires_grad
    assert x.requires_grad
    assert y.requires_grad


def test_an_input_that_is_returned_as_it_is():
    x = leaf()
    y = function(lambda ctx, x: x, lambda ctx, g: g * 7).apply(x)
    assert y is not x
    assert y.data_ptr() == x.data_ptr()
    assert y._base is x
    assert y.grad_fn.name() == "MadeBackward"
    assert x.grad_fn is None
    y.sum().backward()
    assert x.grad.tolist() == [7, 7]


def test_views_made_by_a_function_are_not_written():
    made = function(lambda ctx, x: x.view(-1))
    y = leaf() * 1
    view = made.apply(y)
    forbidden = "This view was created inside a custom Function"
    with pytest.raises(RuntimeError, match=f"^Output 0 of Made is a view and is being modified inplace. {forbidden}"):
        view.mul_(2)
    y.mul_(2)
    with pytest.raises(RuntimeError, match=f"^Output 0 of Made is a view and its base or another view.* {forbidden}"):
        view * 2
    several = function(lambda ctx, x: (x.view(-1), x * 1))
    with pytest.raises(RuntimeError, match="This view is the output of a function that returns multiple views"):
        several.apply(leaf() * 1)[0].mul_(2)
    fresh = function(lambda ctx, x: x * 2).apply(leaf())
    fresh.mul_(2)
    assert fresh.grad_fn.name() == "MulBackward0"


# ---------------------------------------------------------------------------------------------- writes to inputs


def dirty(ctx, x):
    x.mul_(3)
    ctx.mark_dirty(x)
    return x


Triple = function(dirty, lambda ctx, g: g * 3, name="Triple")


def test_a_dirty_input_is_the_output():
    x = leaf()
    y = x * 1
    assert Triple.apply(y) is y
    assert y.tolist() == [3, 6]
    assert y.grad_fn.name() == "TripleBackward"
    y.sum().backward()
    assert x.grad.tolist() == [3, 3]
    plain = w.ones(2)
    assert Triple.apply(plain) is plain
    assert plain._version == 2


def test_a_dirty_view_rebases_its_base():
    x = leaf()
    y = x * 1
    view = y[:1]
    Triple.apply(view)
    assert y.grad_fn.name() == "torch::autograd::CopySlices"
    (y * w.tensor([1.0, 10.0])).sum().backward()
    assert x.grad.tolist() == [3, 10]


def test_dirty_inputs_that_are_refused():
    with pytest.raises(
        RuntimeError, match="^a leaf Variable that requires grad has been used in an in-place operation"
    ):
        Triple.apply(leaf())
    with pytest.raises(RuntimeError, match="^a view of a leaf Variable that requires grad is being used"):
        Triple.apply(leaf()[:1])
    two = function(lambda ctx, x: (dirty(ctx, x), x * 2), lambda ctx, g, h: g * 3 + h)
    assert two.apply(leaf() * 1)[1].tolist() == [6, 12]
    with pytest.raises(
        RuntimeError, match="^If your Function modifies inplace an input that is a view of another Tensor"
    ):
        two.apply((leaf() * 1)[:1])
    lost = function(lambda ctx, x: (dirty(ctx, x), x * 2)[1])
    with pytest.raises(
        RuntimeError, match="^Some elements marked as dirty during the forward method were not returned"
    ):
        lost.apply(leaf() * 1)
    strange = function(lambda ctx, x: (y := x * 2, ctx.mark_dirty(y))[0])
    with pytest.warns(UserWarning, match=r"^ctx.mark_dirty\(\) received a tensor that was not an input"):
        strange.apply(leaf())
    for method, message in (
        ("mark_dirty", "mark_dirty can only accept variables, but argument"),
        ("mark_non_differentiable", "mark_non_differentiable only accepts variable arguments, but got"),
    ):
        wrong = function(lambda ctx, x, method=method: (getattr(ctx, method)(3), x * 2)[1])
        with pytest.raises(RuntimeError, match="^" + message):
            wrong.apply(leaf())


# ---------------------------------------------------------------------------------------------- what backward returns


def test_what_backward_returns_is_checked():
    one, two = lambda ctx, x: x * 2, lambda ctx, x, k: x * 2
    for forward, backward, message in [
        (
            one,
            lambda ctx, g: (g, g),
            r"function MadeBackward returned an incorrect number of gradients \(expected 1, got 2",
        ),
        (
            two,
            lambda ctx, g: g,
            r"function MadeBackward returned an incorrect number of gradients \(expected 2, got 1\)",
        ),
        (
            two,
            lambda ctx, g: (g, g),
            "function MadeBackward returned a gradient different than None at position 2, but the",
        ),
        (one, lambda ctx, g: 3, r"expected Variable or None \(got int\)"),
        (one, lambda ctx, g: [g], r"expected Variable or None \(got list\)"),
        (
            one,
            lambda ctx, g: w.ones(3),
            r"Function MadeBackward returned an invalid gradient at index 0 - got \[3\] but expected shape compatible with \[2\]",
        ),
        (one, lambda ctx, g: w.ones(1), r"Function MadeBackward returned an invalid gradient at index 0 - got \[1\]"),
        (one, lambda ctx, g: g * 1j, "Function MadeBackward returned an invalid gradient at index 0"),
    ]:
        x = leaf()
        arguments = (x, 3) if forward is two else (x,)
        with pytest.raises(RuntimeError, match="^" + message):
            function(forward, backward).apply(*arguments).sum().backward()
        assert x.grad is None


def test_gradients_are_brought_to_shape_and_dtype():
    for backward, want in [
        (lambda ctx, g: (g, None), [1, 1]),
        (lambda ctx, g: w.ones(3, 2), [3, 3]),
        (lambda ctx, g: g.float() * 5, [5, 5]),
        (lambda ctx, g: w.tensor([1, 2]), [1, 2]),
    ]:
        x = leaf()
        function(lambda ctx, x: x * 2, backward).apply(x).sum().backward()
        assert x.grad.tolist() == want
        assert x.grad.dtype == w.float64


def test_backward_may_return_its_argument_or_nothing():
    x = leaf()
    function(lambda ctx, x: x * 2, lambda ctx, g: None).apply(x).sum().backward()
    assert x.grad is None
    v = w.tensor([5.0, 6.0], dtype=w.float64)
    function(lambda ctx, x: x * 2, lambda ctx, g: g).apply(x).backward(v)
    x.grad.mul_(2)
    assert v.tolist() == [5, 6]


def test_numbers_without_dimensions():
    x = leaf(3.0)
    y = Power.apply(x, 2)
    y.backward()
    assert x.grad.item() == 6
    assert gradcheck(lambda x: Power.apply(x, 2), x)


def test_errors_pass_through():
    for made in (
        function(lambda ctx, x: 1 / 0),
        function(lambda ctx, x: x * 2, lambda ctx, g: 1 / 0),
    ):
        with pytest.raises(ZeroDivisionError):
            made.apply(leaf()).sum().backward()
        assert w.is_grad_enabled()


def test_hooks_on_the_node():
    log = []
    x = leaf()
    y = Power.apply(x)
    y.grad_fn.register_prehook(lambda outer: log.append(outer[0].tolist()))
    y.grad_fn.register_hook(lambda inner, outer: log.append(inner[0].tolist()))
    y.sum().backward()
    assert log == [[1, 1], [2, 4]]


def test_a_backward_in_which_grad_is_off_unless_it_is_recorded():
    seen = []
    made = function(lambda ctx, x: x * 2, lambda ctx, g: seen.append(w.is_grad_enabled()) or g * 2)
    x = leaf()
    made.apply(x).sum().backward()
    grad(made.apply(x).sum(), x, create_graph=True)
    assert seen == [False, True]


def test_once_differentiable():
    made = function(lambda ctx, x: (ctx.save_for_backward(x), x**3)[1],
                    once_differentiable(lambda ctx, g: 3 * ctx.saved_tensors[0] ** 2 * g))  # fmt: skip
    x = leaf()
    made.apply(x).sum().backward()
    assert x.grad.tolist() == [3, 12]
    (g,) = grad((made.apply(x) ** 2).sum(), x, create_graph=True)
    assert g.tolist() == [6, 192]
    with pytest.raises(
        RuntimeError, match="^trying to differentiate twice a function that was marked with @once_differ"
    ):
        g.sum().backward()


# ---------------------------------------------------------------------------------------------- forward mode


def test_jvp():
    x = leaf()
    assert gradcheck(Cube.apply, x, check_forward_ad=True)
    value, tangent = w.func.jvp(Cube.apply, (w.tensor([1.0, 2.0]),), (w.tensor([1.0, 10.0]),))
    assert (value.tolist(), tangent.tolist()) == ([1, 8], [3, 120])


def test_jvp_nested_and_with_reverse_mode():
    x = w.tensor([1.0, 2.0], dtype=w.float64)
    one = w.ones(2, dtype=w.float64)

    def first(x):
        return w.func.jvp(Cube.apply, (x,), (one,))[1]

    assert w.func.jvp(first, (x,), (one,))[1].tolist() == [6, 12]
    assert w.func.grad(lambda x: first(x).sum())(x).tolist() == [6, 12]
    gradient = w.func.grad(lambda x: Cube.apply(x).sum())
    assert w.func.jvp(gradient, (x,), (one,))[1].tolist() == [6, 12]


def test_tangents_that_are_missing_are_zeros():
    seen = []
    made = function(
        lambda ctx, x, y, k: x * y,
        jvp=lambda ctx, *ts: seen.append([t if t is None else t.tolist() for t in ts]) or ts[0],
    )
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(w.ones(2), w.tensor([1.0, 10.0]))
        out = made.apply(dual, w.ones(2), 3)
        assert forward_ad.unpack_dual(out).tangent.tolist() == [1, 10]
    assert seen == [[[1, 10], [0, 0], None]]


def test_jvp_of_a_dirty_input():
    made = function(dirty, jvp=lambda ctx, t: t * 3)
    with forward_ad.dual_level():
        x = forward_ad.make_dual(w.ones(2), w.tensor([1.0, 10.0])) * 1
        assert made.apply(x) is x
        assert x.tolist() == [3, 3]
        assert forward_ad.unpack_dual(x).tangent.tolist() == [3, 30]


def test_what_jvp_returns_is_checked():
    for jvp, message in [
        (
            lambda ctx, t: (t, t),
            r"Function's jvp returned an invalid number of forward gradients \(expected 1 but got 2\)",
        ),
        (lambda ctx, t: 3, r"expected Variable or None \(got int\) for grad output 0"),
        (
            lambda ctx, t: w.ones(3),
            "Trying to set a forward gradient that has a different size than that of the original",
        ),
    ]:
        with forward_ad.dual_level(), pytest.raises(RuntimeError, match="^" + message):
            function(lambda ctx, x: x * 2, jvp=jvp).apply(forward_ad.make_dual(w.ones(2), w.ones(2)))
    whole = function(lambda ctx, x: x.long(), jvp=lambda ctx, t: t)
    with forward_ad.dual_level(), pytest.raises(RuntimeError, match="is not a differentiable Tensor"):
        whole.apply(forward_ad.make_dual(w.ones(2), w.ones(2)))


def test_modes_hold_while_a_function_runs():
    with w.inference_mode():
        y = Power.apply(leaf())
    assert y.is_inference()
    assert not y.requires_grad


def test_variable_is_the_old_name_of_a_tensor():
    made = w.autograd.Variable(w.ones(2), requires_grad=True)
    assert made.requires_grad
    assert made.is_leaf
    assert isinstance(made, w.autograd.Variable)
    assert not isinstance(3, w.autograd.Variable)
    with pytest.raises(TypeError, match="^Variable data has to be a tensor, but got int"):
        w.autograd.Variable(3)
