"""Scripts on optimizers and schedulers, to be run under torch and under wengert."""

SCRIPTS = {
    "repr and structure": """
p = [nn.Parameter(torch.ones(2)), nn.Parameter(torch.zeros(3))]
for o in (optim.SGD(p, lr=0.1, momentum=0.9), optim.Adam(p), optim.AdamW(p), optim.RMSprop(p), optim.Adagrad(p), optim.SGD([{'params': p[:1]}, {'params': p[1:], 'lr': 0.5, 'name': 'x'}], lr=0.1)):
    print(o)
    print(o.defaults)
    print([{k: v for k, v in g.items() if k != 'params'} for g in o.param_groups], [list(g) for g in o.param_groups])
    print(dict(o.state))
    print(o.state_dict())
    p[0].grad = torch.ones(2)
    r = o.step()
    print(r)
    print(o.state_dict())
    print([type(v) for s in o.state.values() for v in s.values()], p[0])
""",
    "errors": """
P = nn.Parameter(torch.ones(2))
attempt(optim.SGD, [])
attempt(optim.SGD, P)
attempt(optim.SGD, [3])
attempt(optim.SGD, [P * 2])
attempt(optim.SGD, [P, P])
attempt(optim.SGD, [{'params': P}, {'params': P}])
attempt(optim.SGD, {P})
attempt(optim.SGD, [{'params': {P}}])
attempt(optim.SGD, 3)
attempt(optim.SGD, [P], lr=-1)
attempt(optim.SGD, [P], momentum=-1)
attempt(optim.SGD, [P], weight_decay=-1)
attempt(optim.SGD, [P], nesterov=True)
attempt(optim.SGD, [P], nesterov=True, momentum=0.9, dampening=0.1)
attempt(optim.SGD, [P], dampening=-1)
attempt(optim.SGD)
attempt(optim.SGD, [torch.tensor([1, 2])])
attempt(optim.SGD, [torch.ones(2)])
attempt(optim.SGD, [{'param': P}])
attempt(optim.SGD, [{}])
attempt(optim.SGD, [None])
attempt(optim.SGD, ['a'])
attempt(optim.SGD, [[P]])
attempt(optim.SGD, 'ab')
attempt(optim.SGD, {'params': [P]})
attempt(optim.SGD, [P], foo=1)
attempt(optim.SGD, [P], 0.1, 0.9, 0.1, 0.1, True, True)
attempt(optim.SGD, lr=0.1, params=[P])
attempt(optim.SGD, [P], lr=torch.tensor(0.1))
attempt(optim.SGD, [P], lr=torch.tensor([0.1, 0.2]))
attempt(optim.SGD, [P], lr=torch.tensor(0.1), foreach=True)
attempt(optim.SGD, [P], fused=True, foreach=True)
attempt(optim.SGD, [P], fused=True, differentiable=True)
for O in (optim.RMSprop, optim.Adagrad):
    attempt(O, [P], lr=-1)
    attempt(O, [P], eps=-1)
    attempt(O, [P], weight_decay=-1)
    attempt(O, [P], momentum=-1) if O is optim.RMSprop else attempt(O, [P], lr_decay=-1)
    attempt(O, [P], alpha=-1) if O is optim.RMSprop else attempt(O, [P], initial_accumulator_value=-1)
    attempt(O, [P], lr=torch.tensor([1.0, 2.0]))
    attempt(O, [P], capturable=True) if O is optim.RMSprop else attempt(O, [P], foreach=True, fused=True)
class Bare(optim.Optimizer):
    pass
attempt(Bare, [P], {})
b = Bare([P], {'lr': 1})
attempt(b.step)
print(b)
attempt(optim.Optimizer, [P])
attempt(optim.Optimizer, [P], {'a': 1})
""",
    "add_param_group": """
P, Q = (nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(3)))
o = optim.SGD([P], lr=0.1)
attempt(o.add_param_group, {'params': P})
attempt(o.add_param_group, [Q])
attempt(o.add_param_group, {'params': [Q], 'lr': 3})
print(o)
attempt(o.add_param_group, {'params': [Q]})
attempt(o.add_param_group, {'params': {nn.Parameter(torch.ones(1))}})
attempt(o.add_param_group, {'params': []})
print(len(o.param_groups))
attempt(o.add_param_group, {'params': [1]})
attempt(o.add_param_group, {'params': [P * 1]})
attempt(o.add_param_group, {'params': iter([nn.Parameter(torch.ones(1))])})
print(len(o.param_groups))
attempt(o.add_param_group, {'params': 3})
d = {'params': nn.Parameter(torch.ones(1))}
o.add_param_group(d)
print(sorted(d))
""",
    "named": """
P = nn.Parameter(torch.ones(1))
m = nn.Linear(2, 1)
o = optim.SGD(m.named_parameters(), lr=0.1)
print(o)
print(o.state_dict())
attempt(o.add_param_group, {'params': [nn.Parameter(torch.ones(1))]})
attempt(optim.SGD, [('a', P)])
attempt(optim.SGD, [('a', nn.Parameter(torch.ones(1))), nn.Parameter(torch.ones(1))])
attempt(optim.SGD, [('a', nn.Parameter(torch.ones(1))), ('a', nn.Parameter(torch.ones(1)))])
attempt(optim.SGD, [{'params': m.named_parameters()}, {'params': [('x', nn.Parameter(torch.ones(1)))]}])
attempt(optim.SGD, [{'params': m.named_parameters()}, {'params': [nn.Parameter(torch.ones(1))]}])
o2 = optim.SGD(m.parameters(), lr=0.5)
attempt(o2.load_state_dict, o.state_dict())
print(o2)
attempt(o.load_state_dict, o2.state_dict())
print(o.param_groups[0].get('param_names'))
""",
    "zero grad": """
P = nn.Parameter(torch.ones(2))
o = optim.SGD([P])
P.grad = torch.ones(2)
g = P.grad
o.zero_grad(set_to_none=False)
print(P.grad, P.grad is g)
o.zero_grad()
print(P.grad)
P.grad = torch.ones(2, requires_grad=True) * 2
g = P.grad
o.zero_grad(False)
print(P.grad, P.grad is g, g.requires_grad)
Q = torch.ones(2)
o = optim.SGD([Q])
Q.grad = torch.ones(2)
o.step()
print(Q)
o.zero_grad()
print(Q.grad)
Q.requires_grad_()
(Q * 2).sum().backward()
o.step()
print(Q)
""",
    "closure": """
P = nn.Parameter(torch.tensor([3.0]))
o = optim.SGD([P], lr=0.1)
def closure():
    o.zero_grad()
    l = (P * P).sum()
    l.backward()
    print(torch.is_grad_enabled())
    return l
print(o.step(closure), P)
with torch.no_grad():
    print(o.step(closure), P)
attempt(o.step, 3)
v = P._version
o.step()
print(P._version - v)
print(o.step(closure=closure))
""",
    "grads in graph": """
P = nn.Parameter(torch.tensor([3.0]))
o = optim.SGD([P], lr=0.1)
l = P * P
l.backward(retain_graph=True)
o.step()
attempt(l.backward)
""",
    "state dict": """
m = nn.Linear(2, 1)
nn.init.ones_(m.weight)
nn.init.zeros_(m.bias)
o = optim.Adam([{'params': [m.weight], 'lr': 0.5}, {'params': [m.bias]}], lr=0.1, amsgrad=True)
m(torch.ones(1, 2)).sum().backward()
o.step()
s = o.state_dict()
print(s)
o2 = optim.Adam([{'params': [m.weight], 'lr': 0.7}, {'params': [m.bias]}], lr=0.2)
o2.load_state_dict(s)
print(o2.state_dict())
print(o2.state[m.weight]['exp_avg'] is s['state'][0]['exp_avg'], s['state'][0]['exp_avg'] is o.state[m.weight]['exp_avg'])
o2.step()
print(m.weight, o.state_dict()['state'][0]['step'], o2.state_dict()['state'][0]['step'])
attempt(optim.Adam([m.weight]).load_state_dict, s)
attempt(optim.Adam([{'params': [m.weight, m.bias]}, {'params': [nn.Parameter(torch.ones(1))]}]).load_state_dict, s)
attempt(o2.load_state_dict, {})
attempt(o2.load_state_dict, 3)
d = nn.Linear(2, 1).double()
o3 = optim.Adam([{'params': [d.weight]}, {'params': [d.bias]}])
o3.load_state_dict(s)
print(o3.state[d.weight]['exp_avg'].dtype, o3.state[d.weight]['step'].dtype, o3.param_groups[0]['lr'])
print(copy.deepcopy(o).state_dict()['param_groups'])
q = pickle.loads(pickle.dumps(o))
print(q)
print(q.state_dict()['state'])
o4 = optim.SGD([m.weight], lr=0.1)
o4.load_state_dict({'state': {}, 'param_groups': [{'params': [0], 'lr': 9.0}]})
attempt(o4.step)
print(o4.param_groups[0].keys())
o5 = optim.SGD([m.weight], lr=0.1, momentum=0.9)
o5.load_state_dict({'state': {0: {'momentum_buffer': torch.ones(1, 2, dtype=torch.float64)}, 'other': {'a': 1}}, 'param_groups': [{'params': [0], 'lr': 9.0, 'momentum': 0.9, 'dampening': 0, 'weight_decay': 0, 'nesterov': False, 'maximize': False, 'foreach': None, 'differentiable': False}]})
print(o5.state_dict())
h = o5.register_state_dict_pre_hook(lambda o: print('sd pre'))
h2 = o5.register_state_dict_post_hook(lambda o, s: print('sd post', sorted(s)))
s = o5.state_dict()
h.remove()
h2.remove()
h = o5.register_load_state_dict_pre_hook(lambda o, s: print('load pre', sorted(s)))
h2 = o5.register_load_state_dict_post_hook(lambda o: print('load post'))
o5.load_state_dict(s)
h.remove()
h2.remove()
h2 = o5.register_state_dict_post_hook(lambda o, s: {'replaced': 1})
print(o5.state_dict())
""",
    "hooks": """
P = nn.Parameter(torch.ones(1))
o = optim.SGD([P], lr=0.1)
P.grad = torch.ones(1)
h = o.register_step_pre_hook(lambda *a: print('pre', type(a[0]).__name__, a[1:]))
h2 = o.register_step_post_hook(lambda *a: print('post', type(a[0]).__name__, a[1:], P))
o.step()
o.step(lambda: 5)
o.step(closure=lambda: 6)
h.remove()
h2.remove()
o.step()
h = o.register_step_pre_hook(lambda o, a, k: ((o, lambda: 7), {}))
print(o.step())
h.remove()
""",
    "lr changes": """
P = nn.Parameter(torch.ones(1))
o = optim.SGD([P], lr=0.1)
P.grad = torch.ones(1)
o.param_groups[0]['lr'] = 0.5
o.step()
print(P)
o.param_groups[0]['momentum'] = 0.9
o.step()
o.step()
print(P, o.state_dict())
o = optim.SGD([P], lr=torch.tensor(0.1))
o.step()
print(P, o)
o = optim.Adam([P], lr=torch.tensor(0.1))
o.step()
print(P, o)
o = optim.Adam([P], lr=0.1, betas=(0.5, 0.6))
o.step()
P.grad = None
o.step()
print(P, o.state_dict())
""",
    "empty params and scalars": """
for O in (lambda p: optim.SGD(p, lr=0.1, momentum=0.9, maximize=True, weight_decay=0.1), lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True), lambda p: optim.Adam(p, lr=0.1, maximize=True), lambda p: optim.AdamW(p, lr=0.1, amsgrad=True), lambda p: optim.RMSprop(p, centered=True, momentum=0.1, maximize=True), lambda p: optim.Adagrad(p, maximize=True)):
    p = [nn.Parameter(torch.tensor(2.0)), nn.Parameter(torch.ones(0, 3)), nn.Parameter(torch.ones(2, 2).t()), nn.Parameter(torch.ones(2, dtype=torch.float64))]
    o = O(p)
    for _ in range(3):
        for q in p:
            q.grad = torch.ones_like(q) * 0.5
        o.step()
    print(p, o.state_dict()['state'])
""",
    "complex": """
for O in (lambda p: optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.1), lambda p: optim.Adam(p, lr=0.1), lambda p: optim.AdamW(p, lr=0.1, amsgrad=True), lambda p: optim.RMSprop(p, centered=True, momentum=0.1), lambda p: optim.Adagrad(p)):
    p = nn.Parameter(torch.tensor([1 + 2j, 3 - 1j]))
    o = O([p])
    for _ in range(3):
        p.grad = torch.tensor([0.5 - 1j, 2 + 0.25j])
        o.step()
    print(p, o.state_dict()['state'])
""",
    "shared memory writes": """
P = nn.Parameter(torch.ones(3))
d = P.data
o = optim.Adam([P], lr=0.1)
P.grad = torch.ones(3)
o.step()
print(d, P.data_ptr() == d.data_ptr())
a = o.state[P]['exp_avg']
o.step()
print(a, a is o.state[P]['exp_avg'])
""",
    "inference and modes": """
P = nn.Parameter(torch.ones(2))
P.grad = torch.ones(2)
o = optim.SGD([P], lr=0.1)
with torch.inference_mode():
    attempt(o.step)
print(P, P.grad)
""",
    "custom optimizer": """
class My(optim.Optimizer):

    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for g in self.param_groups:
            for p in g['params']:
                if p.grad is None:
                    continue
                s = self.state[p]
                if len(s) == 0:
                    s['step'] = 0
                    s['m'] = torch.zeros_like(p)
                s['step'] += 1
                s['m'].mul_(0.9).add_(p.grad)
                p.add_(s['m'], alpha=-g['lr'])
        return loss
P = nn.Parameter(torch.ones(2))
o = My([P])
o.register_step_post_hook(lambda *a: print('post hook', a[1:]))
P.grad = torch.ones(2)
o.step()
o.step()
print(P, o, o.state_dict())
o2 = My([P])
o2.load_state_dict(o.state_dict())
print(o2.state)
print(o.step(lambda: 3))
""",
    "schedulers: all schedulers": """
S = optim.lr_scheduler
def new(**k):
    P = nn.Parameter(torch.ones(1))
    P.grad = torch.ones(1)
    Q = nn.Parameter(torch.ones(1))
    return optim.SGD([{'params': [P]}, {'params': [Q], 'lr': 0.5}], lr=0.1, momentum=0.9)
mk = {'LambdaLR': lambda o: S.LambdaLR(o, lambda e: 0.9 ** e), 'LambdaLR2': lambda o: S.LambdaLR(o, [lambda e: 0.9 ** e, lambda e: 0.8 ** e]), 'MultiplicativeLR': lambda o: S.MultiplicativeLR(o, lambda e: 0.9), 'StepLR': lambda o: S.StepLR(o, 2), 'MultiStepLR': lambda o: S.MultiStepLR(o, [1, 3, 3]), 'ConstantLR': lambda o: S.ConstantLR(o), 'LinearLR': lambda o: S.LinearLR(o), 'LinearLR2': lambda o: S.LinearLR(o, 0.5, 0.1, 3), 'ExponentialLR': lambda o: S.ExponentialLR(o, 0.9), 'CosineAnnealingLR': lambda o: S.CosineAnnealingLR(o, 4), 'CosineAnnealingLR2': lambda o: S.CosineAnnealingLR(o, 3, 0.01), 'PolynomialLR': lambda o: S.PolynomialLR(o, 4, 2.0), 'SequentialLR': lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9)], [2]), 'SequentialLR3': lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.1, total_iters=2), S.CosineAnnealingLR(o, 4), S.StepLR(o, 1)], [2, 5]), 'ChainedScheduler': lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9)]), 'CosineAnnealingWarmRestarts': lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2), 'CosineAnnealingWarmRestarts1': lambda o: S.CosineAnnealingWarmRestarts(o, 2, 1, 0.01), 'CyclicLR': lambda o: S.CyclicLR(o, 0.1, 1.0, 2), 'CyclicLR2': lambda o: S.CyclicLR(o, 0.1, [1.0, 2.0], 2, 3, 'triangular2'), 'CyclicLR3': lambda o: S.CyclicLR(o, 0.1, 1.0, 2, mode='exp_range', gamma=0.9, cycle_momentum=False), 'CyclicLR4': lambda o: S.CyclicLR(o, 0.1, 1.0, 2, scale_fn=lambda x: 1 / 5 ** (x * 0.1), scale_mode='iterations'), 'OneCycleLR': lambda o: S.OneCycleLR(o, 1.0, total_steps=10), 'OneCycleLR2': lambda o: S.OneCycleLR(o, [1.0, 2.0], epochs=2, steps_per_epoch=5, anneal_strategy='linear', three_phase=True), 'ReduceLROnPlateau': lambda o: S.ReduceLROnPlateau(o, patience=1), 'RLP2': lambda o: S.ReduceLROnPlateau(o, 'max', 0.5, 0, 0.1, 'abs', 1, [0.01, 0.02])}
for n, f in mk.items():
    o = new()
    s = f(o)
    print(n, s.get_last_lr(), [sorted(g) for g in o.param_groups][0])
    print(s.state_dict())
    for e in range(9):
        o.step()
        s.step([3.0, 2.0, 2.0, 2.5, 2.0, 1.0, 1.0, 1.0, 1.0][e]) if 'R' in n[:1] else s.step()
        print(s.get_last_lr(), [g['lr'] for g in o.param_groups], [g['momentum'] for g in o.param_groups])
    d = s.state_dict()
    print(d)
    print({k: v for k, v in o.param_groups[1].items() if k != 'params'})
    o2 = new()
    s2 = f(o2)
    r = s2.load_state_dict(d)
    print(r, s2.last_epoch if hasattr(s2, 'last_epoch') else '')
""",
    "schedulers: closed forms and resuming": """
S = optim.lr_scheduler
for f in (lambda o, **k: S.StepLR(o, 2, **k), lambda o, **k: S.MultiStepLR(o, [1, 3], **k), lambda o, **k: S.ConstantLR(o, **k), lambda o, **k: S.LinearLR(o, **k), lambda o, **k: S.ExponentialLR(o, 0.9, **k), lambda o, **k: S.CosineAnnealingLR(o, 4, **k), lambda o, **k: S.PolynomialLR(o, 4, 2.0, **k), lambda o, **k: S.LambdaLR(o, lambda e: 0.9 ** e, **k), lambda o, **k: S.MultiplicativeLR(o, lambda e: 0.9, **k), lambda o, **k: S.CosineAnnealingWarmRestarts(o, 3, **k)):
    P = nn.Parameter(torch.ones(1))
    o = optim.SGD([P], lr=0.1)
    attempt(lambda: f(o, last_epoch=2))
    o = optim.SGD([P], lr=0.1)
    o.param_groups[0]['initial_lr'] = 0.2
    s = f(o, last_epoch=2)
    print(s.get_last_lr(), s.last_epoch, s.base_lrs)
    o.step()
    s.step()
    print(s.get_last_lr())
    s.step(7)
    print(s.get_last_lr(), s.last_epoch)
    s.step(3)
    print(s.get_last_lr(), s.last_epoch)
    attempt(s.get_lr)
""",
    "schedulers: errors and warnings": """
S = optim.lr_scheduler
P = nn.Parameter(torch.ones(1))
o = optim.SGD([P], lr=0.1)
attempt(S.StepLR, o)
attempt(S.StepLR, 3, 2)
attempt(S.LambdaLR, o, [lambda e: 1, lambda e: 2])
attempt(S.MultiplicativeLR, o, [lambda e: 1, lambda e: 2])
attempt(S.ConstantLR, o, 2.0)
attempt(S.ConstantLR, o, -1)
attempt(S.LinearLR, o, 2.0)
attempt(S.LinearLR, o, 0.0)
attempt(S.LinearLR, o, 0.5, 2.0)
attempt(S.SequentialLR, o, [S.StepLR(o, 1)], [1])
attempt(S.SequentialLR, o, [], [])
attempt(S.SequentialLR, o, [S.StepLR(o, 1), S.StepLR(optim.SGD([P], lr=1.0), 1)], [1])
attempt(S.ChainedScheduler, [])
attempt(S.ChainedScheduler, [S.StepLR(o, 1), S.StepLR(optim.SGD([P], lr=1.0), 1)])
attempt(S.CosineAnnealingWarmRestarts, o, 0)
attempt(S.CosineAnnealingWarmRestarts, o, 1.5)
attempt(S.CosineAnnealingWarmRestarts, o, 1, 0)
attempt(S.CosineAnnealingWarmRestarts, o, 1, 1, 'a')
attempt(S.CyclicLR, 3, 1, 1)
attempt(S.CyclicLR, o, 0.1, 1.0, mode='foo')
attempt(S.CyclicLR, optim.Adagrad([P]), 0.1, 1.0)
attempt(S.CyclicLR, o, [0.1, 0.2], 1.0)
attempt(S.OneCycleLR, o, 1.0)
attempt(S.OneCycleLR, o, 1.0, total_steps=-1)
attempt(S.OneCycleLR, o, 1.0, total_steps=1.5)
attempt(S.OneCycleLR, o, 1.0, epochs=-1, steps_per_epoch=1)
attempt(S.OneCycleLR, o, 1.0, epochs=1, steps_per_epoch=-1)
attempt(S.OneCycleLR, o, 1.0, total_steps=5, pct_start=2)
attempt(S.OneCycleLR, o, 1.0, total_steps=5, anneal_strategy='x')
attempt(S.OneCycleLR, o, [1.0, 2.0], total_steps=5)
attempt(S.OneCycleLR, optim.Adagrad([P]), 1.0, total_steps=5)
attempt(S.ReduceLROnPlateau, o, factor=1.0)
attempt(S.ReduceLROnPlateau, o, 'foo')
attempt(S.ReduceLROnPlateau, o, threshold_mode='x')
attempt(S.ReduceLROnPlateau, o, min_lr=[1, 2])
attempt(S.ReduceLROnPlateau, 3)
attempt(S.ReduceLROnPlateau(o).step)
attempt(S.SequentialLR, o, [S.StepLR(o, 1), S.ReduceLROnPlateau(o)], [1])
attempt(S.ChainedScheduler, [S.ReduceLROnPlateau(o)])
attempt(S.SequentialLR, o, [S.StepLR(o, 1), 3], [1])
""",
    "schedulers: warn step order": """
S = optim.lr_scheduler
P = nn.Parameter(torch.ones(1))
o = optim.SGD([P], lr=0.1)
s = S.StepLR(o, 1)
s.step()
s.step()
""",
    "schedulers: warn get_lr": """
S = optim.lr_scheduler
P = nn.Parameter(torch.ones(1))
o = optim.SGD([P], lr=0.1)
s = S.StepLR(o, 1)
print(s.get_lr())
s = S.LambdaLR(o, lambda e: 1.0)
print(s.get_lr())
s = S.CosineAnnealingLR(o, 3)
print(s.get_lr())
s = S.CosineAnnealingWarmRestarts(o, 3)
print(s.get_lr())
s = S.OneCycleLR(o, 0.1, 3)
print(s.get_lr())
s = S.CyclicLR(o, 0.1, 0.2)
print(s.get_lr())
s = S.PolynomialLR(o)
print(s.get_lr())
s = S.ConstantLR(o)
print(s.get_lr())
s = S.MultiplicativeLR(o, lambda e: 1)
print(s.get_lr())
""",
    "schedulers: one cycle end": """
S = optim.lr_scheduler
P = nn.Parameter(torch.ones(1))
o = optim.Adam([P], lr=0.1)
s = S.OneCycleLR(o, 1.0, 3)
print(o.param_groups[0]['betas'])
for _ in range(4):
    o.step()
    attempt(s.step)
    print(o.param_groups[0]['betas'])
o = optim.Adam([P], lr=0.1)
s = S.CyclicLR(o, 0.1, 1.0, 2)
print(o.param_groups[0]['betas'])
o.step()
s.step()
print(o.param_groups[0]['betas'])
print(s.state_dict())
o = optim.SGD([P], lr=0.1)
print(o)
""",
    "schedulers: tensor lr": """
S = optim.lr_scheduler
P = nn.Parameter(torch.ones(1))
o = optim.SGD([P], lr=torch.tensor(0.1))
s = S.StepLR(o, 1)
print(s.get_last_lr(), o.param_groups[0]['lr'], o.param_groups[0]['initial_lr'])
o.step()
s.step()
print(s.get_last_lr(), o.param_groups[0]['lr'], type(o.param_groups[0]['lr']))
""",
    "schedulers: custom scheduler": """
S = optim.lr_scheduler
P = nn.Parameter(torch.ones(1))
o = optim.SGD([P], lr=0.1)
class My(S.LRScheduler):

    def get_lr(self):
        return [b / (1 + self.last_epoch) for b in self.base_lrs]
s = My(o)
for _ in range(3):
    o.step()
    s.step()
    print(s.get_last_lr())
class My2(S.LRScheduler):
    pass
attempt(My2, o)
print(isinstance(s, S.LRScheduler), issubclass(S.ReduceLROnPlateau, S.LRScheduler), issubclass(S._LRScheduler, object), issubclass(S.StepLR, S._LRScheduler))
class F:

    def __call__(self, e):
        return 0.5 ** e
f = F()
f.x = 3
s = S.LambdaLR(o, f)
print(s.state_dict())
d = copy.deepcopy(s.state_dict())
f.x = 4
s.load_state_dict(d)
print(f.x)
print(pickle.loads(pickle.dumps(S.StepLR(o, 2))).state_dict())
o.step()
s = S.StepLR(o, 1)
s.optimizer.param_groups[0]['lr'] = 5.0
o.step()
s.step()
print(s.get_last_lr())
s = S.StepLR(o, 1, 0.5)
print(s.get_last_lr(), s.base_lrs)
""",
    "schedulers: print with reduce": """
S = optim.lr_scheduler
P = nn.Parameter(torch.ones(1))
o = optim.SGD([P], lr=1e-07)
s = S.ReduceLROnPlateau(o, patience=0, eps=0.001)
s.step(1.0)
s.step(torch.tensor(2.0))
print(s.get_last_lr(), s.in_cooldown, s._is_better(1, 2), s.num_bad_epochs)
s.step(float('nan'))
print(s.best)
s._reset()
print(s.best)
s = S.ReduceLROnPlateau(o, patience=0, cooldown=2)
[s.step(v) for v in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)]
print(s.state_dict())
s.step(1.0, 3)
print(s.last_epoch)
""",
}
