"""Scripts on modules and their hooks, to be run under torch and under wengert."""

SCRIPTS = {
    "repr": """
class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Sequential(nn.ReLU(), nn.Linear(4, 2, bias=False))
        self.c = nn.ModuleList([nn.Linear(1, 1), nn.Tanh()])
        self.d = nn.ModuleDict({'x': nn.Linear(1, 2), 'y': nn.Identity()})
        self.p = nn.Parameter(torch.zeros(2))
        self.register_buffer('buf', torch.ones(3))
        self.register_buffer('tmp', torch.ones(1), persistent=False)

    def forward(self, x):
        return self.b(self.a(x))
net = Net()
print(net)
print([n for n, _ in net.named_parameters()])
print([n for n, _ in net.named_buffers()])
print([(n, type(m).__name__) for n, m in net.named_modules()])
print([n for n, _ in net.named_children()])
print(list(net.state_dict().keys()))
print(type(net.state_dict()))
print(net(torch.ones(2, 3)))
print(net.state_dict()._metadata)
print(net.get_submodule('b.1'), net.get_parameter('b.1.weight').shape, net.get_buffer('buf'))
attempt(net.get_submodule, 'b.q')
attempt(net.get_submodule, 'p')
attempt(net.get_parameter, 'b.1.q')
attempt(net.get_parameter, 'buf')
attempt(net.get_buffer, 'a.weight')
attempt(net.get_buffer, 'q')
attempt(net.get_parameter, 'zz.q')
attempt(lambda: net.nope)
attempt(setattr, net, 'p', torch.zeros(2))
attempt(setattr, net, 'p', 3)
attempt(setattr, net, 'a', 3)
attempt(setattr, net, 'a', torch.zeros(1))
attempt(setattr, net, 'buf', 3)
attempt(setattr, net, 'buf', nn.Linear(1, 1))
attempt(setattr, net, 'p', None)
print([n for n, _ in net.named_parameters()])
print(net.p)
net.a = None
print(net)
attempt(net, torch.ones(2, 3))
""",
    "register errors": """
m = nn.Module()
attempt(m.register_parameter, 'a.b', nn.Parameter(torch.zeros(1)))
attempt(m.register_parameter, '', nn.Parameter(torch.zeros(1)))
attempt(m.register_parameter, 3, nn.Parameter(torch.zeros(1)))
attempt(m.register_parameter, 'x', torch.zeros(1))
attempt(m.register_parameter, 'x', 3)
attempt(m.register_parameter, 'training', nn.Parameter(torch.zeros(1)))
attempt(m.register_parameter, 'forward', nn.Parameter(torch.zeros(1)))
attempt(m.register_buffer, 'a.b', torch.zeros(1))
attempt(m.register_buffer, '', torch.zeros(1))
attempt(m.register_buffer, 3, torch.zeros(1))
attempt(m.register_buffer, 'x', 3)
attempt(m.register_buffer, 'training', torch.zeros(1))
attempt(m.add_module, 'a.b', nn.ReLU())
attempt(m.add_module, '', nn.ReLU())
attempt(m.add_module, 3, nn.ReLU())
attempt(m.add_module, 'x', 3)
attempt(m.add_module, 'x', None)
attempt(m.add_module, 'training', nn.ReLU())
attempt(m, 3)
attempt(m.forward, 3)
print(m)
""",
    "before init": """
class A(nn.Module):

    def __init__(self, what):
        self.x = what
attempt(A, nn.Parameter(torch.zeros(1)))
attempt(A, nn.ReLU())
attempt(A, 3)
attempt(A, nn.Buffer(torch.zeros(1)))
attempt(A, torch.zeros(1))
class B(nn.Module):

    def __init__(self):
        self.register_buffer('x', torch.zeros(1))
class B(nn.Module):

    def __init__(self):
        self.register_parameter('x', None)
class B(nn.Module):

    def __init__(self):
        self.add_module('x', None)
class C(nn.Module):

    def __init__(self):
        pass

    def forward(self, x):
        return x
attempt(C(), 3)
attempt(lambda: C().parameters())
attempt(lambda: list(C().parameters()))
""",
    "constructor args": """
class D(nn.Module):

    def __init__(self):
        super().__init__(3)
attempt(D)
class D(nn.Module):

    def __init__(self):
        super().__init__(a=3)
attempt(D)
""",
    "parameter": """
p = nn.Parameter(torch.tensor([1.0, 2.0]))
print(p, p.requires_grad, p.is_leaf, type(p) is nn.Parameter, isinstance(p, torch.Tensor))
print(nn.Parameter(torch.tensor([1.0, 2.0]), requires_grad=False))
print(nn.Parameter())
attempt(nn.Parameter, torch.tensor([1, 2]))
attempt(nn.Parameter, [1.0, 2.0])
attempt(nn.Parameter, 3)
attempt(nn.Parameter, torch.tensor([1, 2]), False)
attempt(nn.Parameter, torch.tensor([1, 2]), requires_grad=False)
x = torch.ones(2)
p = nn.Parameter(x)
x[0] = 5
print(p, p._version, x._version)
q = nn.Parameter(p)
print(q is p, q)
y = torch.ones(2, requires_grad=True) * 2
p = nn.Parameter(y)
print(p.is_leaf, p)
print(copy.deepcopy(p), type(copy.deepcopy(p)))
print(pickle.loads(pickle.dumps(p)), type(pickle.loads(pickle.dumps(p))))
print(repr([p]), str(p), f'{p}')
p = nn.Parameter(torch.ones(()))
""",
    "buffer": """
b = nn.Buffer(torch.ones(2))
print(b, type(b), isinstance(b, nn.Buffer), b.persistent)
b = nn.Buffer(torch.ones(2), persistent=False)
print(b.persistent)
m = nn.Module()
m.b = b
m.c = nn.Buffer(torch.zeros(1))
print(list(m.state_dict()), [n for n, _ in m.named_buffers()])
print(isinstance(torch.ones(1), nn.Buffer), isinstance(nn.Parameter(torch.ones(1)), nn.Buffer), isinstance(torch.ones(1), nn.Parameter))
print(type(b * 2), copy.deepcopy(b), type(copy.deepcopy(b)))
""",
    "state_dict": """
m = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
s = m.state_dict()
attempt(m.load_state_dict, s)
t = OrderedDict(s)
del t['0.weight']
t['extra'] = torch.ones(1)
attempt(m.load_state_dict, t)
attempt(m.load_state_dict, t, strict=False)
r = m.load_state_dict(t, strict=False)
print(r.missing_keys, r.unexpected_keys, repr(r), tuple(r))
t = OrderedDict(s)
t['0.weight'] = torch.ones(2, 2)
t['1.bias'] = 3
attempt(m.load_state_dict, t)
attempt(m.load_state_dict, 3)
attempt(m.load_state_dict, dict(s))
attempt(m.load_state_dict, {k: v.double() for k, v in s.items()})
print(m[0].weight.dtype)
attempt(m.load_state_dict, {k: v.double() for k, v in s.items()}, assign=True)
print(m[0].weight.dtype, type(m[0].weight), m[0].weight.requires_grad)
print(s['0.weight'].requires_grad, s['0.weight'].data_ptr() == m.state_dict()['0.weight'].data_ptr())
print(m.state_dict(prefix='p.').keys(), m.state_dict(keep_vars=True)['0.weight'].requires_grad)
t = OrderedDict(s)
t['0.weight'] = torch.ones(2)
t['2.x'] = torch.ones(1)
del t['1.bias']
attempt(m.load_state_dict, t)
m2 = nn.Linear(1, 1)
attempt(m2.load_state_dict, {'weight': torch.ones(()), 'bias': torch.ones(1)})
attempt(m2.load_state_dict, {'weight': torch.ones(1, 1), 'bias': torch.ones(())})
d = OrderedDict()
m.state_dict(destination=d, prefix='q.')
print(list(d))
""",
    "state_dict hooks and extra state": """
class E(nn.Module):

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(1))
        self.n = 3

    def get_extra_state(self):
        return {'n': self.n}

    def set_extra_state(self, s):
        self.n = s['n']
e = E()
s = e.state_dict()
print(s)
e.n = 5
print(e.load_state_dict(s), e.n)
attempt(e.load_state_dict, {'w': torch.ones(1)})
f = nn.Module()
attempt(nn.Linear(1, 1).load_state_dict, {'weight': torch.ones(1, 1), 'bias': torch.ones(1), '_extra_state': 3})
m = nn.Linear(1, 1)
h = m.register_state_dict_post_hook(lambda mod, sd, prefix, meta: sd.__setitem__(prefix + 'more', torch.ones(1)))
print(list(m.state_dict()))
h.remove()
print(list(m.state_dict()))
h = m.register_state_dict_pre_hook(lambda mod, prefix, keep: print('pre', prefix, keep))
m.state_dict()
h.remove()
h = m.register_load_state_dict_pre_hook(lambda mod, sd, *a: print('lpre', sorted(sd), a))
m.load_state_dict(m.state_dict())
h.remove()
h = m.register_load_state_dict_post_hook(lambda mod, inc: print('lpost', inc))
m.load_state_dict(m.state_dict())
h.remove()
""",
    "own load": """
class G(nn.Module):
    _version = 2

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(1))
        self.l = nn.Linear(1, 1)

    def _load_from_state_dict(self, sd, prefix, meta, strict, missing, unexpected, errors):
        print(prefix, meta, strict, missing, unexpected, errors)
        super()._load_from_state_dict(sd, prefix, meta, strict, missing, unexpected, errors)

    def _save_to_state_dict(self, d, prefix, keep):
        print('save', prefix, keep)
        super()._save_to_state_dict(d, prefix, keep)
g = G()
s = g.state_dict()
print(s._metadata)
print(g.load_state_dict(s))
""",
    "train eval apply": """
m = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.3))
print(m.training, m.eval() is m, m[1].training, m.train()[1].training)
attempt(m.train, 1)
attempt(m.train, 'x')
m.apply(lambda q: print(type(q).__name__))
m.requires_grad_(False)
print([p.requires_grad for p in m.parameters()])
m.requires_grad_()
m(torch.ones(1, 2)).sum().backward()
print(m[0].bias.grad is None)
m.zero_grad(set_to_none=False)
print(m[0].bias.grad)
m.zero_grad()
print(m[0].bias.grad)
""",
    "to": """
m = nn.Linear(2, 2)
w = m.weight
m(torch.ones(1, 2)).sum().backward()
print(m.double() is m, m.weight is w, m.weight.dtype, m.weight.grad.dtype, m.weight.grad_fn, m.weight.is_leaf)
print(m.to(torch.float32).weight.dtype, m.half().weight.dtype, m.float().weight.dtype, m.to('cpu').weight.dtype, m.to(torch.device('cpu'), torch.float64).weight.dtype, m.to(torch.ones(1)).weight.dtype, m.to(dtype=torch.float64).weight.dtype)
attempt(m.to, torch.int64)
attempt(m.to, dtype=torch.int64)
m = nn.Linear(1, 1)
m.register_buffer('i', torch.tensor([1]))
m.double()
print(m.i.dtype)
m.type(torch.float32)
print(m.i.dtype, m.weight.dtype)
print(m.cpu() is m, m.bfloat16().weight.dtype)
""",
    "deepcopy and pickle": """
m = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
m[2].weight = nn.Parameter(torch.ones(1, 3))
m[0].extra = [1, 2]
n = copy.deepcopy(m)
print(n)
print(n[0].weight is m[0].weight, torch.equal(n[0].weight, m[0].weight), n[0].extra is m[0].extra)
n = pickle.loads(pickle.dumps(m))
print(n, torch.equal(n[0].weight, m[0].weight))
print(n(torch.ones(1, 2)).shape)
n = copy.copy(m)
print(n[0].weight is m[0].weight)
t = nn.Linear(2, 2)
u = nn.Linear(2, 2)
u.weight = t.weight
s = nn.Sequential(t, u)
c = copy.deepcopy(s)
print(c[0].weight is c[1].weight, len(list(s.parameters())), [n for n, _ in s.named_parameters(remove_duplicate=False)])
""",
    "shared": """
l = nn.Linear(1, 1)
s = nn.Sequential(l, l)
print([n for n, _ in s.named_modules()], [n for n, _ in s.named_modules(remove_duplicate=False)], [n for n, _ in s.named_parameters()], [n for n, _ in s.named_children()], list(s.state_dict()))
print([n for n, _ in s.named_parameters(remove_duplicate=False)], s)
print([n for n, _ in s.named_parameters(prefix='z')], [n for n, _ in s.named_parameters(recurse=False)], list(s.buffers()))
""",
    "dir delattr": """
m = nn.Linear(2, 2)
print('weight' in dir(m), hasattr(m, 'bias'))
del m.bias
attempt(lambda: m.bias)
attempt(delattr, m, 'nope')
m.new = 3
del m.new
attempt(lambda: m.new)
print([k for k in m.__dict__ if not k.startswith('_')])
m = nn.Module()
m.x = nn.Parameter(torch.ones(1))
m.x = nn.Parameter(torch.zeros(1))
print(m.x)
del m.x
m.x = 3
m.x = nn.Parameter(torch.ones(1))
print(m.x, 'x' in m.__dict__)
m.x = None
print(m.x)
m.l = nn.ReLU()
m.l = nn.Tanh()
print(m.l)
m.l = nn.Parameter(torch.ones(1))
print(m)
m.register_buffer('b', torch.ones(1))
attempt(setattr, m, 'b', nn.Parameter(torch.ones(1)))
print(list(m._buffers), list(m._parameters))
m.register_buffer('q', None)
print(m.q)
m.q = torch.ones(1)
print(list(m.state_dict()))
""",
    "setattr properties": """
class P(nn.Module):

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, x):
        self._v = x * 2

    @property
    def bad(self):
        return self.missing
p = P()
p.v = 3
print(p.v)
attempt(lambda: p.bad)
""",
    "misc names": """
m = nn.Linear(2, 2)
""",
    "get set submodule": """
m = nn.Sequential(nn.Linear(1, 2), nn.Sequential(nn.ReLU()))
m.set_submodule('1.0', nn.Tanh())
print(m)
attempt(m.set_submodule, '', nn.Tanh())
attempt(m.set_submodule, '1.7', nn.Tanh())
attempt(m.set_submodule, '1.7', nn.Tanh(), strict=True)
attempt(m.set_submodule, '9.0', nn.Tanh())
print(m)
attempt(m.set_submodule, '1.0', 3)
""",
    "repr special": r"""
class R(nn.Module):

    def __init__(self, text, child=False):
        super().__init__()
        self.text = text
        if child:
            self.c = nn.Linear(1, 1)
            self.d = nn.Sequential(nn.ReLU())

    def extra_repr(self):
        return self.text
print(R('a'))
print(R('a\nb'))
print(R('a', True))
print(R('a\nb', True))
print(R('', True))
print(nn.Sequential())
print(nn.Sequential(R('a\nb')))
""",
    "linear": """
attempt(lambda: nn.Linear(2, 3)(torch.ones(2, 4)))
print(nn.Linear(0, 3))
print(nn.Linear(2, 3, dtype=torch.float64).weight)
print(nn.Linear(3, 2, bias=False).weight)
attempt(nn.Linear, -1, 3)
print(nn.Linear(2, 3, True, 'cpu', torch.float32))
b = nn.Bilinear(2, 3, 4)
print(b, b(torch.ones(2, 2), torch.ones(2, 3)))
print(nn.Bilinear(1, 1, 1, bias=False))
print(nn.Identity(3, a=4)(5), nn.Identity(3))
""",
    "hooks: forward hooks": """
m = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
with torch.no_grad():
    m[0].weight.fill_(0.5)
    m[0].bias.fill_(0.1)
x = torch.ones(1, 2)
h = m.register_forward_hook(lambda mod, args, out: print('fwd', type(mod).__name__, args, out))
p = m.register_forward_pre_hook(lambda mod, args: print('pre', args))
m(x)
h.remove()
p.remove()
m(x)
h = m.register_forward_hook(lambda mod, args, out: out * 2)
print(m(x))
h2 = m.register_forward_hook(lambda mod, a, out: out + 1)
print(m(x))
h.remove()
print(m(x))
h2.remove()
h = m.register_forward_pre_hook(lambda mod, args: args[0] * 2)
print(m(x))
h.remove()
h = m.register_forward_pre_hook(lambda mod, args: (args[0] * 3,))
print(m(x))
h.remove()
with m.register_forward_hook(lambda *a: print('ctx')):
    m(x)
m(x)
a = m.register_forward_hook(lambda *a: print('first'))
b = m.register_forward_hook(lambda *a: print('second'), prepend=True)
m(x)
a.remove()
b.remove()
print(len(m._forward_hooks), len(m._forward_pre_hooks))
""",
    "hooks: kwargs": """
class K(nn.Module):

    def forward(self, x, *, scale=1):
        return x * scale
m = K()
h = m.register_forward_pre_hook(lambda mod, args, kw: print('pre', args, kw), with_kwargs=True)
m(torch.ones(1), scale=2)
h.remove()
h = m.register_forward_pre_hook(lambda mod, args, kw: (args, {'scale': 5}), with_kwargs=True)
print(m(torch.ones(1), scale=2))
h.remove()
h = m.register_forward_hook(lambda mod, args, kw, out: print('post', args, kw, out), with_kwargs=True)
m(torch.ones(1), scale=2)
h.remove()
h = m.register_forward_pre_hook(lambda mod, args, kw: 3, with_kwargs=True)
attempt(m, torch.ones(1))
h.remove()
h = m.register_forward_pre_hook(lambda mod, args, kw: (1, 2, 3), with_kwargs=True)
attempt(m, torch.ones(1))
h.remove()
h = m.register_forward_hook(lambda mod, args, out: 7)
print(m(torch.ones(1)))
h.remove()
""",
    "hooks: always call": """
class Bad(nn.Module):

    def forward(self, x):
        raise ValueError('bad')
m = Bad()
h = m.register_forward_hook(lambda mod, a, out: print('always', a, out), always_call=True)
h2 = m.register_forward_hook(lambda mod, a, out: print('not'))
attempt(m, 3)
h.remove()
attempt(m, 3)
""",
    "hooks: full backward": """
l = nn.Linear(2, 3)
with torch.no_grad():
    l.weight.copy_(torch.arange(6.0).reshape(3, 2))
    l.bias.zero_()
x = torch.ones(1, 2, requires_grad=True)
h = l.register_full_backward_hook(lambda mod, gi, go: print('full', type(gi), gi, go))
y = l(x)
print(y, y.grad_fn.name() if hasattr(y.grad_fn, 'name') else y.grad_fn)
y.sum().backward()
print(x.grad, l.weight.grad)
h.remove()
x.grad = None
h = l.register_full_backward_hook(lambda mod, gi, go: (gi[0] * 10,))
l(x).sum().backward()
print(x.grad)
h.remove()
h = l.register_full_backward_hook(lambda mod, gi, go: gi[0] * 10)
x.grad = None
attempt(lambda: l(x).sum().backward())
print(x.grad)
h.remove()
h = l.register_full_backward_hook(lambda mod, gi, go: (gi[0], gi[0]))
attempt(lambda: l(x).sum().backward())
h.remove()
h = l.register_full_backward_hook(lambda mod, gi, go: print('noinput', gi, go))
l(torch.ones(1, 2)).sum().backward()
h.remove()
h = l.register_full_backward_hook(lambda mod, gi, go: (torch.ones(1),))
attempt(lambda: l(torch.ones(1, 2)).sum().backward())
h.remove()
""",
    "hooks: several inputs": """
class Two(nn.Module):

    def forward(self, a, b, c=None):
        return (a * b, a + 1)
m = Two()
a = torch.ones(2, requires_grad=True)
b = torch.ones(2) * 3
c = torch.full((2,), 4.0, requires_grad=True)
h = m.register_full_backward_hook(lambda mod, gi, go: print('two', gi, go))
o = m(a, b)
o[0].sum().backward()
print(a.grad)
o = m(a, c)
(o[0] + o[1]).sum().backward()
print(a.grad, c.grad)
print(type(o))
o = m(a, 3)
o[1].sum().backward()
h.remove()
""",
    "hooks: pre": """
l = nn.Linear(1, 1)
torch.nn.init.ones_(l.weight)
torch.nn.init.zeros_(l.bias)
h = l.register_full_backward_pre_hook(lambda mod, go: print('prebw', go))
x = torch.ones(1, 1, requires_grad=True)
l(x).sum().backward()
h.remove()
h = l.register_full_backward_pre_hook(lambda mod, go: (go[0] * 5,))
x.grad = None
l(x).sum().backward()
print(x.grad, l.weight.grad)
h.remove()
h = l.register_full_backward_pre_hook(lambda mod, go: go[0] * 5)
x.grad = None
attempt(lambda: l(x).sum().backward())
print(x.grad, l.weight.grad)
h.remove()
h = l.register_full_backward_pre_hook(lambda mod, go: (go[0] * 5,))
h2 = l.register_full_backward_hook(lambda mod, gi, go: print('both', gi, go))
x.grad = None
l(x).sum().backward()
h.remove()
h2.remove()
""",
    "hooks: inplace after hook": """
class I(nn.Module):

    def forward(self, x):
        return x * 2
m = I()
m.register_full_backward_hook(lambda *a: print('h'))
x = torch.ones(2, requires_grad=True)
def f():
    y = m(x)
    y.add_(1)
    return y
attempt(f)
s = nn.Sequential(I(), nn.ReLU(inplace=True))
s[1].register_full_backward_hook(lambda *a: print('h'))
attempt(lambda: s(x).sum().backward())
""",
    "hooks: order over layers": """
s = nn.Sequential(nn.Linear(1, 1), nn.Tanh(), nn.Linear(1, 1))
for i, q in enumerate(s):
    q.register_full_backward_hook(lambda mod, gi, go, i=i: print(i, [None if g is None else tuple(g.shape) for g in gi], [tuple(g.shape) for g in go]))
s.register_full_backward_hook(lambda mod, gi, go: print('s', [None if g is None else tuple(g.shape) for g in gi], [tuple(g.shape) for g in go]))
s(torch.ones(2, 1)).sum().backward()
s(torch.ones(2, 1, requires_grad=True)).sum().backward()
with torch.no_grad():
    print(s(torch.ones(2, 1)).requires_grad)
""",
    "hooks: dict output": """
class Dd(nn.Module):

    def forward(self, x):
        return {'a': x * 2}
m = Dd()
m.register_full_backward_hook(lambda mod, gi, go: print('dict', gi, go))
x = torch.ones(1, requires_grad=True)
attempt(lambda: m(x)['a'].sum().backward())
""",
    "hooks: old hook": """
l = nn.Linear(2, 1)
h = l.register_backward_hook(lambda mod, gi, go: print('old', len(gi), go))
l(torch.ones(1, 2)).sum().backward()
h.remove()
attempt(l.register_full_backward_hook, lambda *a: None)
""",
    "hooks: two modules": """
l2 = nn.Linear(2, 1)
l2.register_backward_hook(lambda *a: None)
attempt(l2.register_full_backward_hook, lambda *a: None)
""",
    "hooks: create_graph": """
m = nn.Tanh()
x = torch.ones(1, requires_grad=True)
g, = torch.autograd.grad(m(x).sum(), x, create_graph=True)
g.sum().backward()
print(x.grad)
""",
    "hooks: forward hook handles": """
m = nn.ReLU()
h = m.register_forward_hook(lambda *a: None)
c = copy.deepcopy(m)
h.remove()
print(len(m._forward_hooks), len(c._forward_hooks))
""",
}
