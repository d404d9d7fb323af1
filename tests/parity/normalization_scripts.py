"""Scripts on normalisation and embedding, to be run under torch and under wengert."""

_FUNCTIONS = """
def shown(r):
    edges = [type(a[0]).__name__ for a in r.grad_fn.next_functions] if r.grad_fn else ()
    print(str(r.dtype), tuple(r.shape), type(r.grad_fn).__name__, edges)
def x(*shape): return (torch.arange(float(torch.Size(shape).numel())).reshape(shape) ** 2 / 7).requires_grad_()
"""

SCRIPTS = {
    "normalization: nodes": _FUNCTIONS
    + """
a, w, b, wc, bc = x(4, 6, 5), x(5), x(5), x(6), x(6)
for r in (
    F.layer_norm(a, (5,), w, b), F.layer_norm(a, (5,)), torch.layer_norm(a, (6, 5)), F.layer_norm(a.transpose(0, 1), (5,), w),
    F.group_norm(a, 3, wc, bc), torch.group_norm(a, 2), F.batch_norm(a, None, None, wc, bc, True),
    F.batch_norm(a, torch.zeros(6), torch.ones(6), wc, None), F.instance_norm(a, None, None, wc, bc), F.instance_norm(a),
    F.rms_norm(a, (5,), w), torch.rms_norm(a, (5,)), F.local_response_norm(a, 3),
):
    shown(r)
""",
    "normalization: errors": _FUNCTIONS
    + """
a, w, wc = x(4, 6, 5), x(5), x(6)
whole = torch.ones(2, 6, dtype=torch.int64)
attempt(F.layer_norm, a, (4,), w)
attempt(F.layer_norm, a, (4,))
attempt(F.layer_norm, a, ())
attempt(F.layer_norm, a, (5,), wc)
attempt(F.layer_norm, a, (5,), w, wc)
attempt(F.layer_norm, a, 5)
attempt(F.layer_norm, whole, (6,))
attempt(F.layer_norm, a, (5,), w.double())
attempt(F.layer_norm, torch.tensor(1.0), (1,))
attempt(F.layer_norm, None, (5,))
attempt(F.group_norm, a, 4)
attempt(F.group_norm, a, 3, w)
attempt(F.group_norm, torch.ones(3), 1)
attempt(F.group_norm, torch.ones(1, 3), 3)
attempt(F.group_norm, whole, 2)
attempt(F.batch_norm, torch.ones(1, 3), None, None, training=True)
attempt(F.batch_norm, a, None, None)
attempt(F.batch_norm, a, torch.zeros(5), torch.ones(6))
attempt(F.batch_norm, a, torch.zeros(6), torch.ones(5))
attempt(F.batch_norm, a, torch.zeros(6), torch.ones(6), w)
attempt(F.batch_norm, a, torch.zeros(6), torch.ones(6), wc, w)
attempt(F.batch_norm, torch.ones(3), torch.zeros(3), torch.ones(3))
attempt(F.batch_norm, whole, torch.zeros(6), torch.ones(6))
attempt(F.batch_norm, a.double(), torch.zeros(6), torch.ones(6))
attempt(F.batch_norm, a, torch.zeros(6), None, training=True)
attempt(F.batch_norm, a, torch.zeros(6), None)
attempt(F.batch_norm, a, torch.zeros(6, requires_grad=True), torch.ones(6), training=True)
attempt(F.batch_norm, a, None, None, training=True, eps=-1.0)
attempt(F.instance_norm, torch.ones(2, 3, 1))
attempt(F.instance_norm, torch.ones(2, 3))
attempt(F.instance_norm, a, use_input_stats=False)
attempt(F.instance_norm, a, None, None, w)
attempt(F.rms_norm, a, (4,))
attempt(F.rms_norm, a, (5,), wc)
attempt(F.rms_norm, whole, (6,))
attempt(F.local_response_norm, torch.ones(2, 3), 2)
print(F.local_response_norm(torch.arange(24).reshape(2, 3, 4), 2).dtype)
""",
    "normalization: layers": _FUNCTIONS
    + """
for m in (
    nn.BatchNorm1d(3), nn.BatchNorm2d(3, affine=False), nn.BatchNorm3d(3, track_running_stats=False, momentum=None),
    nn.BatchNorm1d(3, bias=False), nn.LayerNorm(4), nn.LayerNorm((2, 3), eps=0.1, elementwise_affine=False),
    nn.LayerNorm([2, 3], bias=False), nn.GroupNorm(2, 4), nn.GroupNorm(2, 4, affine=False), nn.InstanceNorm1d(3),
    nn.InstanceNorm2d(3, affine=True), nn.InstanceNorm3d(3, track_running_stats=True), nn.RMSNorm(4),
    nn.RMSNorm((2, 3), eps=0.1, elementwise_affine=False), nn.LocalResponseNorm(2),
):
    print(m, [(k, tuple(v.shape), v.dtype) for k, v in m.state_dict().items()])
x2, x3, x4 = x(2, 3), x(2, 3, 4), x(2, 3, 4, 2)
attempt(nn.BatchNorm1d(3), x4)
attempt(nn.BatchNorm2d(3), x3)
attempt(nn.BatchNorm3d(3), x4)
attempt(nn.InstanceNorm1d(3), x4)
attempt(nn.InstanceNorm2d(3), x2)
attempt(nn.InstanceNorm3d(3), x3)
attempt(nn.InstanceNorm1d(5, affine=True), x3)
print(nn.InstanceNorm1d(5)(x3).shape, nn.InstanceNorm1d(3)(x3[0]).shape)
attempt(nn.GroupNorm, 3, 4)
attempt(nn.LayerNorm(5), x3)
m = nn.BatchNorm1d(3)
m(x3), m(x3 * 2)
print(m.running_mean, m.running_var, m.num_batches_tracked)
m.reset_running_stats()
print(m.running_mean, m.running_var, m.num_batches_tracked)
m = nn.BatchNorm1d(3, momentum=None)
m(x3), m(x3 * 2)
print(m.eval()(x3).detach())
print(nn.BatchNorm1d(3, track_running_stats=False).eval()(x3).detach())
m = nn.InstanceNorm1d(3, track_running_stats=True, affine=True)
m(x3)
print(m.running_mean, m.running_var, m.num_batches_tracked, m.eval()(x3).shape)
state = nn.BatchNorm1d(3).state_dict()
attempt(nn.BatchNorm1d(3, track_running_stats=False).load_state_dict, state)
attempt(nn.InstanceNorm1d(3).load_state_dict, state)
del state["num_batches_tracked"]
attempt(nn.BatchNorm1d(3).load_state_dict, state)
del state._metadata
attempt(nn.BatchNorm1d(3).load_state_dict, state)
print([v.dtype for v in nn.BatchNorm1d(3).half().state_dict().values()])
print(nn.RMSNorm(3)(x2).detach(), nn.LocalResponseNorm(2)(x3).shape, nn.GroupNorm(2, 4)(x(2, 4, 3)).detach())
""",
    "embedding: functions": _FUNCTIONS
    + """
i, row, o = torch.tensor([[0, 2], [2, 1]]), torch.tensor([0, 2, 2, 1, 3]), torch.tensor([0, 2])
w = x(4, 2)
shown(F.embedding(i, w))
shown(F.embedding(i.int(), w, padding_idx=-1))
shown(torch.embedding(w, torch.tensor(1)))
attempt(F.embedding, i.float(), w)
attempt(F.embedding, i, torch.ones(4))
attempt(F.embedding, torch.tensor([4]), w)
attempt(F.embedding, torch.tensor([-1]), w)
attempt(F.embedding, i, w, padding_idx=4)
attempt(F.embedding, i, w, padding_idx=-5)
t = torch.arange(8.0).reshape(4, 2) + 1
print(F.embedding(i, t, max_norm=1.0), t, t._version)
for options in ({}, {"padding_idx": 2}, {"scale_grad_by_freq": True}):
    print(torch.autograd.grad((F.embedding(row, w, **options) * torch.arange(1.0, 6.0)[:, None]).sum(), w))
for mode in ("sum", "mean", "max"):
    print(F.embedding_bag(i, w, mode=mode), F.embedding_bag(row, w, torch.tensor([0, 0, 3]), mode=mode))
    print(F.embedding_bag(row, w, torch.tensor([0, 3, 5]), mode=mode, include_last_offset=True))
    for options in ({}, {"padding_idx": 2}):
        r = F.embedding_bag(row, w, o, mode=mode, **options)
        print(r, torch.autograd.grad((r * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum(), w))
p = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], requires_grad=True)
r = F.embedding_bag(row, w, o, mode="sum", per_sample_weights=p)
print(r, torch.autograd.grad((r * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum(), (w, p)))
shown(r)
attempt(F.embedding_bag, row, w, o, mode="mean", per_sample_weights=p)
attempt(F.embedding_bag, row, w, o, mode="sum", per_sample_weights=p[:2])
attempt(F.embedding_bag, row, w, o, mode="sum", per_sample_weights=p.double())
attempt(F.embedding_bag, row, w)
attempt(F.embedding_bag, torch.zeros(1, 1, 1, dtype=torch.int64), w)
attempt(F.embedding_bag, row, w, o[None])
attempt(F.embedding_bag, row, w, torch.tensor([0, 6]))
attempt(F.embedding_bag, torch.tensor([4]), w, torch.tensor([0]))
attempt(F.embedding_bag, row, w, o, mode="x")
attempt(F.embedding_bag, row.float(), w, o)
attempt(F.embedding_bag, row, w, torch.tensor([], dtype=torch.int64), include_last_offset=True)
attempt(F.embedding_bag, row, w, o, mode="max", scale_grad_by_freq=True)
attempt(F.embedding_bag, row, w, o, mode="max", sparse=True)
attempt(F.embedding_bag, row, torch.ones(4, 2, dtype=torch.int64), o)
attempt(F.embedding_bag, row, w, o, padding_idx=9)
print(F.embedding_bag(w, i))
""",
    "embedding: layers": """
print(nn.Embedding(3, 2).weight, nn.Embedding(3, 2, padding_idx=1).weight, nn.EmbeddingBag(3, 2).weight)
print(nn.EmbeddingBag(3, 2, padding_idx=1)(torch.tensor([[0, 1], [2, 2]])))
for m in (
    nn.Embedding(3, 2), nn.Embedding(3, 2, padding_idx=-1, max_norm=1.0, norm_type=1.0, scale_grad_by_freq=True),
    nn.EmbeddingBag(3, 2), nn.EmbeddingBag(3, 2, mode="sum", include_last_offset=True, padding_idx=0),
    nn.Embedding.from_pretrained(torch.ones(3, 2), freeze=False, padding_idx=0), nn.EmbeddingBag.from_pretrained(torch.ones(3, 2)),
):
    print(m, list(m.state_dict()), m.weight.requires_grad)
attempt(nn.Embedding, 3, 2, padding_idx=3)
attempt(nn.Embedding, 3, 2, padding_idx=-4)
attempt(nn.Embedding, 3, 2, _weight=torch.ones(2, 2))
attempt(nn.Embedding.from_pretrained, torch.ones(3))
""",
}
