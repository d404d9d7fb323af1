"""The same lines under PyTorch and under wengert print the same: values, places in the graph, and errors.

An error of wengert's may go on after PyTorch's words, to say what was found and what to do.
"""

from __future__ import annotations

import re
import warnings

import pytest

torch = pytest.importorskip("torch")

import wengert  # noqa: E402

PREAMBLE = """
AF, G, AD, F = T.autograd.functional, T.autograd.graph, T.autograd.forward_ad, T.func
grad, backward, Function = T.autograd.grad, T.autograd.backward, T.autograd.Function

def leaf(*values):
    return T.tensor(values or [1.0, 2.0], requires_grad=True)

def made(forward, backward=lambda ctx, *g: g[0] if len(g) == 1 else g, **more):
    body = {"forward": forward, "backward": backward, **more}
    return type("Made", (Function,), {k: staticmethod(f) for k, f in body.items()}).apply

def with_grad(y, x, *args, **kwargs):
    y.backward(*args, **kwargs)
    return x.grad

def quietly(f):
    with T.no_grad():
        return f()

def dual(f):
    with AD.dual_level():
        return tuple(AD.unpack_dual(f(AD.make_dual(T.tensor([1.0, 2.0]), T.tensor([1.0, 10.0])))))

def dirty(ctx, x):
    x.mul_(3)
    ctx.mark_dirty(x)
    return x

a, b, c = leaf(), leaf(3.0, 4.0), T.ones(2)
h = a * 1
x, y, m = T.tensor([1.0, 2.0]), T.tensor([3.0, 4.0, 5.0]), T.tensor([[1.0, 2.0], [3.0, 4.0]])
cubes = lambda a: (a**3).sum()
two = lambda a, b: (a.sum() * b, a**3)
"""

LINES = """
# where a pass starts and ends
with_grad((a * b).sum(), a)
with_grad(a * b, b, T.tensor([1.0, 10.0]))
with_grad(a * b, b, T.tensor([1, 10]))
with_grad((a * b).sum(), a, inputs=[a]), b.grad
with_grad((h * 3).sum(), h, inputs=[h]), h.retains_grad, a.grad
with_grad((h * 3).sum(), h, inputs=[h, h])
c.sum().backward()
backward([a.sum(), c.sum()])
(a * 2).backward()
(a.sum() * 1j).backward()
(a * 2).backward(T.ones(3))
(a * 2).backward(T.ones(1))
(a * 2).backward(T.ones(2) * 1j)
(a * 2).backward(3)
(a * 2).backward([1, 2])
a.sum().backward(inputs=[])
a.sum().backward(inputs=[3])
a.sum().backward(inputs=[c])
backward([])
backward(a * 2, grad_variables=T.ones(2)), a.grad
backward(a * 2, T.ones(2), grad_variables=T.ones(2))
grad((a * b).sum(), [a, b, a])
grad(a, a, T.ones(2))
grad(h, h, T.ones(2))
grad((h * 3).sum(), [h, a])
grad(a.sum(), b)
grad(a.sum(), [a, b], allow_unused=True)
grad(a.sum(), [a, b], materialize_grads=True)
grad(a.sum(), a, allow_unused=False, materialize_grads=True)
grad(a.sum(), c)
grad(a.sum(), [])
grad([], a)
grad(a * 2, a)
grad([a.sum(), a.sum()], a, [None])
grad([a.sum(), a * 3], a, [None, T.ones(2)])
grad(a.sum(), a, only_inputs=False)
grad(a**2, a, T.eye(2), is_grads_batched=True)
grad([a.sum(), a * 2], a, [T.ones(3), T.ones(3, 2)], is_grads_batched=True)
(lambda s: (s.backward(), s.backward()))((a * a).sum())
(lambda s: (s.backward(), s.backward(), a.grad))((a + a).sum())
(lambda s: (s.backward(retain_graph=True), s.backward(), a.grad))((a * a).sum())
with_grad((a + b).sum(), a, create_graph=True)
with_grad((a**2).sum(), a, create_graph=True).requires_grad
(lambda g: (g, grad(g.sum(), a)))(grad(cubes(a), a, create_graph=True)[0])
(lambda g: (g, grad(g.sum(), a)))(grad((a / b).sum(), a, create_graph=True)[0])
# gradients that are assigned
setattr(a, "grad", T.ones(3))
setattr(a, "grad", 3)
setattr(a, "grad", a)
(setattr(c, "grad", T.zeros(2)), c.grad)
# leaves
(a * 2).requires_grad_(False)
(a * 2).requires_grad_().requires_grad
T.ones(2).long().requires_grad_()
setattr(T.ones(2).long(), "requires_grad", True)
T.tensor([1], requires_grad=True)
(a.requires_grad_(False), a.is_leaf, (a * 2).requires_grad)
(h.sum().backward(retain_graph=True), a.requires_grad_(False), h.sum().backward(), a.grad, a.requires_grad_().grad)
c.retain_grad()
h.detach_(), h.is_leaf
h[:1].detach_()
c[:1].detach_()
a.numpy()
setattr(a, "data", T.ones(2).long())
# writes in place
a.add_(1)
a[0].mul_(2)
a.__setitem__(0, 1.0)
quietly(lambda: a.add_(1)), a._version
(h.mul_(2).add_(1), h.grad_fn.name(), with_grad(h.sum(), a))
(c.add_(a), c.is_leaf, with_grad(c.sum(), a))
(h.copy_(T.ones(2)), with_grad(h.sum(), a))
(h.zero_(), with_grad(h.sum(), a))
(h.__setitem__(0, 7.0), h, with_grad(h.sum(), a))
(c.__setitem__(0, a[1]), c, with_grad((c * x).sum(), a))
(lambda v: (v.mul_(3), h, with_grad((h * x).sum(), a)))(h[1:])
(lambda v: (h.mul_(3), v.tolist(), with_grad((v * 5).sum(), a)))(h[1:])
(lambda v: (v.mul_(a), c.requires_grad, v.requires_grad, c))(c.view(-1))
(lambda s: (h.add_(1), s.backward()))((h * h).sum())
(lambda s: (h[0].zero_(), s.backward()))((h * h).sum())
(lambda e: (e.add_(1), e.sum().backward()))(a.exp())
(lambda s: (quietly(lambda: a.add_(1)), s.backward()))((a * a).sum())
(lambda s: (h.add_(1), with_grad(s, a)))((h * 3).sum())
h.unbind()[0].mul_(2)
(lambda u: (h.mul_(2), u * 2))(h.unbind()[1])
(lambda v: v.mul_(2))(quietly(lambda: h.view(2)))
(lambda v: (h.mul_(2), v * 2))(quietly(lambda: h.view(2)))
(lambda t, u: (t.__setitem__(0, u[1]), t))(m * h, (m * h).unbind())
(lambda t: (t.__setitem__(0, t.unbind()[1]), t, with_grad(t.sum(), a)))(m * a)
T.ones(1).expand(3).add_(1)
(h.retain_grad(), h.mul_(3), with_grad(h.sum(), h))
(h.retain_grad(), h.__setitem__(0, 0.0), with_grad((h * 5).sum(), h))
(lambda v: (v.retain_grad(), v.mul_(3), with_grad(v.sum(), v)))(h[:1])
(lambda v: (v.retain_grad(), h.mul_(3), with_grad((v * 5).sum(), v)))(h[:1])
# hooks
(h.register_hook(lambda g: g * 10), h.retain_grad(), with_grad(h.sum(), a), h.grad)
(h.register_hook(lambda g: 3), h.sum().backward())
(h.register_hook(lambda g: g[:1]), h.sum().backward())
(h.register_hook(lambda g: g.double()), h.sum().backward())
(h.grad_fn.register_hook(lambda i, o: (i[0] * 5, i[1])), with_grad(h.sum(), a))
(h.grad_fn.register_hook(lambda i, o: (i[0],)), h.sum().backward())
(h.grad_fn.register_hook(lambda i, o: i[0]), h.sum().backward())
(h.grad_fn.register_prehook(lambda o: (o[0] * 5,)), with_grad(h.sum(), a))
(h.grad_fn.register_prehook(lambda o: o[0]), h.sum().backward())
c.register_hook(print)
c.register_post_accumulate_grad_hook(print)
h.register_post_accumulate_grad_hook(print)
(a.register_hook(lambda g: g * 5), grad((a * 2).sum(), a))
# nodes
h.grad_fn.next_functions[0][0].name(), h.grad_fn.name(), h.grad_fn.next_functions[0][1], h.grad_fn.next_functions[1]
(h.__setitem__(0, 3.0), h.grad_fn.name(), h.grad_fn, h.grad_fn.next_functions[0])
(a * b).grad_fn._saved_self is a, (a**3).grad_fn._saved_exponent, a.exp().grad_fn._saved_result
(lambda e: (e.sum().backward(), e.grad_fn._saved_result))(a.exp())
h.grad_fn.nothing
G.get_gradient_edge(c)
(lambda e: (e.output_nr, grad((h * 5).sum(), e)))(G.get_gradient_edge(h))
(G.increment_version([c, c]), c._version)
G.increment_version(3)
G.register_multi_grad_hook((a,), print, mode="some")
G.register_multi_grad_hook((a, c), print)
# functions
made(lambda ctx, x: x * 2)(a), made(lambda ctx, x: x * 2)(a).grad_fn.name()
with_grad(made(lambda ctx, x: x * 2, lambda ctx, g: (g, None))(a).sum(), a)
with_grad(made(lambda ctx, x: x * 2, lambda ctx, g: T.ones(3, 2))(a).sum(), a)
with_grad(made(lambda ctx, x: x * 2, lambda ctx, g: None)(a).sum(), a)
with_grad(made(lambda ctx, x: x * 2, lambda ctx, g: g.double() * 3)(a).sum(), a)
made(lambda ctx, x: x * 2, lambda ctx, g: (g, g))(a).sum().backward()
made(lambda ctx, x, k: x * 2, lambda ctx, g: g)(a, 3).sum().backward()
made(lambda ctx, x, k: x * 2, lambda ctx, g: (g, g))(a, 3).sum().backward()
made(lambda ctx, x: x * 2, lambda ctx, g: 3)(a).sum().backward()
made(lambda ctx, x: x * 2, lambda ctx, g: T.ones(3))(a).sum().backward()
made(lambda ctx, x: x * 2, lambda ctx, g: T.ones(1))(a).sum().backward()
made(lambda ctx, x: (x * 2, "text", None))(a)
made(lambda ctx, x: 5)(a), made(lambda ctx, x: [x * 2])(a), made(lambda ctx, x: (x * 2, x.long()))(a)
(lambda o: (o is a, o, o._base is a, with_grad(o.sum(), a)))(made(lambda ctx, x: x)(a))
made(lambda ctx, x: x)(a).mul_(2)
made(lambda ctx, x: (x.view(-1), x * 1))(h)[0].mul_(2)
(lambda o: (h.mul_(2), o * 2))(made(lambda ctx, x: x.view(-1))(h))
(lambda o: (o is h, o, h._version, with_grad(o.sum(), a)))(made(dirty, lambda ctx, g: g * 3)(h))
(lambda o: (o is c, o, c._version))(made(dirty)(c))
made(dirty)(a)
made(lambda ctx, x: (dirty(ctx, x), x * 2))(h[:1])
made(lambda ctx, x: (dirty(ctx, x), x * 2)[1])(h)
made(lambda ctx, x: (ctx.save_for_backward(3), x * 2)[1])(a)
made(lambda ctx, x: (ctx.save_for_backward(x, None), x * 2)[1])(h).grad_fn.saved_tensors
(lambda o: (o.sum().backward(), o.grad_fn.saved_tensors))(made(lambda ctx, x: (ctx.save_for_backward(x), x * 2)[1])(a))
(lambda o: (h.add_(1), o.grad_fn.saved_tensors))(made(lambda ctx, x: (ctx.save_for_backward(x), x * 2)[1])(h))
made(lambda ctx, x: (ctx.mark_non_differentiable(r := x * 3), (x * 2, r))[1])(a)
made(lambda ctx, x: x * 2)(quietly(lambda: a * 1))
made(lambda ctx, x, k=3: x * k)(a, k=5)
type("Empty", (Function,), {}).apply(a)
type("Half", (Function,), {"forward": staticmethod(lambda ctx, x: x * 2)}).apply(a).sum().backward()
made(lambda ctx, x: x * 2, vjp=lambda ctx, g: g)(a).sum().backward()
dual(made(lambda ctx, x: x * 2, jvp=lambda ctx, t: t * 2))
dual(made(lambda ctx, x: x * 2, jvp=lambda ctx, t: (t, t)))
dual(made(lambda ctx, x: x * 2, jvp=lambda ctx, t: 3))
dual(made(lambda ctx, x: x * 2, jvp=lambda ctx, t: T.ones(3)))
dual(type("Half", (Function,), {"forward": staticmethod(lambda ctx, x: x * 2)}).apply)
# forward mode
dual(lambda x: x**3)
dual(lambda x: (x * x).sum())
dual(lambda x: x.detach())
dual(lambda x: quietly(lambda: x * 2))
dual(lambda x: x)
dual(lambda x: T.stack([x, x * 2]).max(dim=0)[0])
dual(lambda x: AD.make_dual(x, x))
dual(lambda x: AD.make_dual(T.ones(2), T.ones(3)))
dual(lambda x: AD.make_dual(T.ones(2).long(), T.ones(2)))
dual(lambda x: AD.make_dual(T.ones(2), T.ones(2).long()))
AD.make_dual(c, c)
AD.unpack_dual(c)
# products with Jacobians and Hessians
AF.vjp(two, (x, y), (T.ones(3), x))
AF.jvp(two, (x, y), (x, T.ones(3)))
AF.hvp(cubes, x, x), AF.vhp(cubes, (x,), (x,))
AF.jacobian(two, (x, y))
AF.jacobian(lambda m: m @ m, m)
AF.hessian(lambda a, b: (a**2).sum() * (b**2).sum(), (x, y))
AF.jacobian(lambda a: a**2, a, create_graph=True)
AF.vjp(cubes, 3)
AF.vjp(cubes, (x, 3))
AF.vjp(lambda a: 3, x)
AF.vjp(lambda a: a**2, x)
AF.vjp(lambda a: a**2, x, y)
AF.vjp(lambda a: a**2, x, (x, x))
AF.jvp(cubes, x)
AF.hvp(lambda a: a**2, x, x)
AF.hessian(lambda a: (cubes(a),), x)
AF.hessian(lambda a: a.sum(), x, strict=True)
AF.vjp(lambda a: y, x, y, strict=True)
AF.jacobian(lambda a, b: a * 2, (x, y), strict=True)
AF.jacobian(lambda a: a * 2, x, create_graph=True, strict=True)
AF.jacobian(cubes, x, strategy="both")
AF.jacobian(cubes, x, vectorize=True, strict=True)
# functions of functions
F.jvp(lambda a, b: (a.sum() * b, {"k": a**2}), (x, y), (x, T.ones(3)))
F.jvp(lambda a: F.jvp(lambda b: b**3, (a,), (c,))[1], (x,), (c,))
F.jvp(lambda a: (a**3, a * 2), (x,), (x,), has_aux=True)
F.jvp(lambda a: y, (x,), (x,)), F.jvp(lambda a: [a, a > 1], (x,), (x,))
F.jvp(lambda a: a, (x,), (y,))
F.jvp(lambda a: a, (3.0,), (1.0,))
F.jvp(lambda: x, (), ())
F.jvp(lambda a: 3, (x,), (x,))
F.jvp(lambda a: y, (x,), (x,), strict=True)
F.vjp(lambda a, b: (a * 2, b.sum() * b), x, y)[1]((x, T.ones(3)))
F.vjp(lambda a: {"k": a**2}, x)[1]({"q": x})
F.vjp(lambda a: a**2, x)[1](y)
F.vjp(lambda a: 3, x)
F.grad(lambda a, b: cubes(a) * b.sum(), argnums=(0, 1))(x, y)
F.grad(lambda p: (p["w"] ** 2).sum() + p["b"].sum())({"w": x, "b": y})
F.grad(lambda a: F.grad(cubes)(a).sum())(x), F.grad_and_value(lambda a: (cubes(a), a * 2), has_aux=True)(x)
F.grad(lambda a: (a * h).sum())(x), F.grad(cubes)(a), quietly(lambda: F.grad(cubes)(a))
F.grad(cubes, argnums=2)(x)
F.grad(cubes, argnums=(0, 0))(x)
F.grad(cubes, argnums=())(x)
F.grad(cubes, argnums="a")(x)
F.grad(lambda a: a**3)(x)
F.grad(lambda a: 3.0)(x)
F.grad(cubes)(T.tensor([1, 2]))
F.jacrev(two, argnums=(0, 1))(x, y), F.jacfwd(lambda a: {"k": a * 2})(x)
F.hessian(cubes)(x), F.jacrev(F.jacfwd(cubes))(x), F.jvp(F.grad(cubes), (x,), (c,))
F.jacrev(cubes, chunk_size=0)
# finite differences
T.autograd.gradcheck(lambda a: a**2, a.double().detach().requires_grad_())
T.autograd.gradcheck(made(lambda ctx, x: x * 2, lambda ctx, g: g * 3), a.double().detach().requires_grad_())
T.autograd.gradcheck(lambda a: a, c)
T.autograd.gradcheck(lambda a: a.detach(), a.double().detach().requires_grad_())
T.autograd.gradcheck(lambda a: a, T.ones(1).double().expand(3).requires_grad_())
T.autograd.gradgradcheck(lambda a: a**3, a.double().detach().requires_grad_())
# anomaly mode
T.is_anomaly_enabled(), T.is_anomaly_check_nan_enabled()
"""


def cases():
    topic = ""
    found = []
    for line in LINES.strip().splitlines():
        if line.startswith("# "):
            topic = line[2:]
        else:
            found.append(pytest.param(line, id=f"{topic}: {line}"[:110]))
    return found


def run(library, line):
    """What the line prints, or the type and the words of its error."""
    space = {"T": library}
    exec(PREAMBLE, space)  # the lines are those above
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            text = repr(eval(line, space))
        except Exception as error:
            return type(error).__name__, str(error)
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"<\S+Handle object", "<Handle object", text)
    text = re.sub(
        r"grad_fn=<(AsStrided|Slice|Select|View|Unsqueeze|ReshapeAlias|Alias|Copy)Back\w+>", "grad_fn=<view>", text
    )
    return None, text


@pytest.mark.parametrize("line", cases())
def test_lines(line):
    kind, text = run(torch, line)
    ours, said = run(wengert, line)
    assert ours == kind, f"PyTorch: {text}\nwengert: {said}"
    if kind is None:
        assert said == text
        return
    # PyTorch names the operation that wrote the tensor last, wengert the one that made what was kept
    said, text = (re.sub(r"which is output \d of [\w:]+,", "which is output", t) for t in (said, text))
    text = (
        text.split(" You can ask on the forum")[0]
        .split(" Got primals with structure")[0]
        .split(" (Could this error")[0]
    )
    text = re.sub(
        r"(\n\nNOTE: If your op relies|numerical:|attempting to assign a gradient with dtype).*", "", text, flags=re.S
    )
    assert said.startswith(text)


WARNED = {
    "an instance of a Function": "made(lambda ctx, x: x).__self__()",
    "anomaly mode": "T.autograd.detect_anomaly()",
    "the gradient of what is no leaf": "(a * 2).grad",
    "dirty and no input": "made(lambda ctx, x: (y := x * 2, ctx.mark_dirty(y))[0])(a)",
    "single precision": "T.autograd.gradcheck(lambda a: a**2, a, eps=1e-2, atol=1e-1)",
}


@pytest.mark.parametrize("name", WARNED)
def test_warnings(name):
    found = []
    for library in (torch, wengert):
        space = {"T": library}
        exec(PREAMBLE, space)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            eval(WARNED[name], space)
        text = str(caught[0].message).split(" (Triggered internally")[0]
        found.append((caught[0].category, re.sub(r" at 0x\w+", "", text)))
    assert found[1][0] is found[0][0]
    assert found[1][1].startswith(found[0][1].split("If you indeed")[0].rstrip())
