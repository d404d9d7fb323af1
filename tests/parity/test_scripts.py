"""The same short scripts under torch and under wengert print the same text, errors included."""

import re

import pytest

import wengert

torch = pytest.importorskip("torch")

SCRIPTS = {
    "graph": """
x = T.tensor([1., 2.], requires_grad=True)
y = (x * 3 + 1).exp() / x - x.sin()
print(y, y.grad_fn.name(), [n.name() for n, _ in y.grad_fn.next_functions])
y.sum().backward()
print(x.grad)
""",
    "double": """
x = T.tensor([0.5, 2.], dtype=T.float64, requires_grad=True)
g, = T.autograd.grad((x ** 3 * x.log()).sum(), x, create_graph=True)
h, = T.autograd.grad(g.sum(), x)
print(g, h)
""",
    "in place": """
a = T.ones(2, 3, requires_grad=True) * 1
v = a[0]
v.mul_(2)
print(a, v, a.grad_fn.name())
a.t()[1].add_(5)
print(a)
w = a.view(6)
a.mul_(2)
print(w, w.sum())
""",
    "versions": """
x = T.ones(3)
y = x[1:]
z = x.detach()
y.add_(1); z.mul_(2)
print(x, x._version, y._version, z._version)
""",
    "promotion": """
for a in (T.tensor([True]), T.tensor([1]), T.tensor([1.]), T.tensor(2.5, dtype=T.float64), T.tensor([1j])):
    for b in (T.tensor([2], dtype=T.int32), T.tensor(2.), 3, 1.5, 2j, True):
        print((a + b).dtype, (a * b), (a / b).dtype)
""",
    "printing": """
print(T.arange(12.).reshape(3, 4) / 7, T.tensor([1e10, 1e-10]), T.tensor([]), T.zeros(2, 0), T.tensor(1.5), T.tensor([True]))
print(T.ones(30, 40), f"{T.tensor(3.14159):.2f}")
""",
    "indexing": """
x = T.arange(24.).reshape(2, 3, 4).requires_grad_()
y = x[:, 1, ::2] + x[0, T.tensor([0, 2])][:, :2]
print(y)
y.sum().backward()
print(x.grad)
z = T.zeros(3, 3)
z[1] = 5; z[:, 2] = T.tensor([1., 2., 3.]); z[z > 2] = -1
print(z)
""",
}

ERRORS = {
    "sizes": "T.ones(2) + T.ones(3)",
    "leaf": "T.ones(2, requires_grad=True).add_(1)",
    "view of leaf": "T.ones(2, requires_grad=True)[0].add_(1)",
    "cast": "T.ones(2, dtype=T.int64).add_(1.5)",
    "scalar": "(T.ones(2, requires_grad=True) * 1).backward()",
    "no grad": "T.ones(1).backward()",
    "numpy": "T.ones(1, requires_grad=True).numpy()",
    "item": "T.ones(2).item()",
    "bool": "bool(T.ones(2))",
    "index": "T.ones(2)[5]",
    "indices": "T.ones(2)[0, 0]",
    "view": "T.ones(2, 3).t().view(6)",
    "reshape": "T.ones(2, 3).reshape(4)",
    "matmul": "T.ones(2, 3) @ T.ones(2, 3)",
    "cat": "T.cat([T.ones(2, 3), T.ones(2)])",
    "stack": "T.stack([T.ones(2), T.ones(3)])",
    "dim": "T.ones(2).sum(3)",
    "mean": "T.ones(2, dtype=T.int64).mean()",
    "retain": "T.ones(1).retain_grad()",
    "grad": "T.ones(2, requires_grad=True).__setattr__('grad', T.ones(3))",
    "steps": "T.arange(0, 1, -1)",
    "requires": "(T.ones(1, requires_grad=True) * 1).requires_grad_(False)",
}


def run(lib, script):
    lines = []

    def write(*args):
        lines.append(re.sub(r" at 0x[0-9a-f]+", "", " ".join(map(str, args))))

    exec(script, {"T": lib, "print": write})
    return lines


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SCRIPTS)
def test_same_text(name):
    assert run(wengert, SCRIPTS[name]) == run(torch, SCRIPTS[name])


@pytest.mark.parametrize("name", ERRORS)
def test_same_error(name):
    """The type of the exception is PyTorch's, and its text begins with PyTorch's first words."""
    raised = []
    for lib in (torch, wengert):
        with pytest.raises(Exception) as info:
            eval(ERRORS[name], {"T": lib})
        raised.append(info.value)
    theirs, ours = raised
    assert isinstance(ours, type(theirs))
    words = str(theirs).split(". ")[0].split(":")[0].split("\n")[0].rstrip(".")
    assert str(ours).startswith(words)
