"""Scripts on convolution and padding, to be run under torch and under wengert."""

_BEFORE = """
def shown(r):
    edges = [type(a[0]).__name__ for a in r.grad_fn.next_functions] if r.grad_fn else ()
    print(str(r.dtype), tuple(r.shape), r.stride(), r.detach().flatten()[:5].tolist(), type(r.grad_fn).__name__, edges)
def x(*s): return (torch.arange(float(torch.Size(s).numel())) % 7 - 3).reshape(s).requires_grad_()
a, w, b = x(2, 4, 6, 5), x(3, 4, 3, 3), x(3)
"""

SCRIPTS = {
    "convolution: values and nodes": _BEFORE
    + """
for r in (
    F.conv2d(a, w, b), F.conv2d(a, w), F.conv2d(a[0], w, b), F.conv2d(a, w, b, padding="same"), F.conv2d(a, w, b, padding="valid"),
    F.conv2d(a, x(6, 2, 3, 3), groups=2), F.conv2d(a.long(), w.long()), F.conv2d(x(0, 4, 6, 5), w, b),
    F.conv1d(x(2, 4, 8), x(3, 4, 3), b, 2, 1, 2), F.conv1d(x(4, 8), x(3, 4, 3)),
    F.conv3d(x(1, 2, 4, 4, 4), x(3, 2, 2, 2, 2), b, (1, 2, 1), 1), F.conv_transpose2d(a, x(4, 3, 3, 3), b, 2, 1, 1),
    F.conv_transpose2d(a, x(4, 3, 2, 2), x(6), groups=2, dilation=2), F.conv_transpose2d(a[0], x(4, 3, 3, 3)),
    F.conv_transpose2d(x(1, 2, 4, 4), x(2, 3, 2, 2), dilation=3, padding=1, output_padding=2),
    F.conv_transpose1d(x(2, 4, 8), x(4, 3, 3), b, 2), F.conv_transpose3d(x(1, 2, 3, 3, 3), x(2, 3, 2, 2, 2), b, 2),
    torch.convolution(a, w, b, [1, 1], [0, 0], [1, 1], False, [0, 0], 1), torch.conv2d(a, w, b, padding="same"),
    F.unfold(a, 3), F.unfold(a, (2, 3), 2, 1, (2, 1)), F.unfold(a[0], 3), F.fold(F.unfold(a, 3), (6, 5), 3),
    F.fold(F.unfold(a, 3)[0], (6, 5), 3), F.fold(x(1, 9, 16), 6, 3),
):
    shown(r)
print(torch.conv_tbc(x(5, 2, 4), x(3, 4, 6), x(6), 1).detach())
""",
    "convolution: errors": _BEFORE
    + """
wt = x(4, 3, 3, 3)
attempt(F.conv2d, a, w, b, stride=2, padding="same")
attempt(F.conv2d, a, w, b, padding="foo")
attempt(F.conv2d, a, w, groups=2)
attempt(F.conv2d, a, w, groups=3)
attempt(F.conv2d, a, w, groups=0)
attempt(F.conv2d, x(2, 5, 6, 5), w)
attempt(F.conv2d, x(4, 6), w)
attempt(F.conv2d, a, x(3, 4, 3))
attempt(F.conv2d, a, w, x(4))
attempt(F.conv2d, a, w, x(3, 1))
attempt(F.conv2d, x(2, 4, 2, 2), w)
attempt(F.conv2d, x(2, 4, 1, 1), w, padding=(0, 1))
for options in ({"stride": 0}, {"padding": -1}, {"dilation": 0}, {"stride": (1, 2, 3)}, {"padding": (1, 2, 3)}, {"dilation": (1, 2, 3)},
                {"stride": 1.5}, {"groups": 1.5}, {"bias": 3}):
    attempt(F.conv2d, a, w, **options)
attempt(F.conv2d, a.double(), w)
attempt(F.conv2d, a.to(torch.complex64), w)
attempt(F.conv2d, a, w, b.double())
attempt(F.conv2d, a.bool(), w.bool())
attempt(F.conv2d, None, w)
attempt(F.conv2d, a, torch.ones(0, 4, 3, 3))
attempt(F.conv1d, x(2, 4, 2), x(3, 4, 3))
attempt(F.conv1d, x(2, 4, 8), x(3, 3, 3))
attempt(F.conv1d, x(1, 2, 4), x(3, 2, 2), stride=(1, 2))
attempt(F.conv_transpose2d, a, wt, b, 2, 1, 2)
attempt(F.conv_transpose1d, x(1, 2, 4), x(2, 3, 2), stride=2, output_padding=2)
attempt(F.conv_transpose3d, x(1, 2, 4, 4, 4), x(2, 3, 2, 2, 2), stride=2, output_padding=2)
attempt(F.conv_transpose2d, a, wt, b, 2, 1, -1)
attempt(F.conv_transpose2d, x(2, 5, 6, 5), wt)
attempt(F.conv_transpose2d, a, wt, x(4))
attempt(F.conv_transpose2d, x(1, 4, 1, 1), wt, padding=3)
attempt(F.conv_transpose2d, x(4, 6), wt)
attempt(F.conv_transpose2d, a, 3)
attempt(F.conv_transpose2d, a, wt, padding=1.5)
attempt(F.conv_transpose1d, x(1, 2, 4), x(2, 3, 2), padding="same")
attempt(torch.conv_tbc, x(5, 2), x(3, 4, 6), x(6))
attempt(torch.conv_tbc, x(5, 2, 4), x(3, 4), x(5))
attempt(torch.conv_tbc, x(5, 2, 4), x(3, 5, 6), x(6))
attempt(torch.conv_tbc, x(5, 2, 4), x(3, 4, 6), x(5))
attempt(F.unfold, x(4, 6), 3)
attempt(F.unfold, x(1, 1, 2, 2), 3)
attempt(F.unfold, a, 3, stride=0)
attempt(F.unfold, a, 0)
attempt(F.unfold, a, 3, dilation=0)
attempt(F.unfold, a, 3, padding=-1)
attempt(F.unfold, a.long(), 3)
attempt(F.fold, x(1, 12, 5), (6, 5), 3)
attempt(F.fold, x(1, 9, 5), (6, 5), 3)
attempt(F.fold, x(9), (6, 5), 3)
attempt(F.fold, x(1, 9, 12), (6, 5), 3, stride=0)
attempt(F.fold, x(1, 9, 12), (1, 1), 3)
attempt(F.fold, x(1, 9, 12).long(), (6, 5), 3)
""",
    "padding": _BEFORE
    + """
def padded(*arguments):
    try:
        r = F.pad(*arguments)
        print(str(r.dtype), tuple(r.shape), r.detach().flatten().tolist(), type(r.grad_fn).__name__)
    except Exception as error:
        attempt(F.pad, *arguments)
c = x(2, 3, 4)
for mode in ("reflect", "replicate", "circular", "constant"):
    for given, pad in (
        (c, (1, 2)), (a, (1, 2, 0, 3)), (x(1, 2, 3, 3, 3), (1, 1, 0, 1, 2, 2)), (x(2, 3, 6), (-1, 2)), (c, (4, 5)), (a, (1, 2)),
        (a, (1, 2, 3)), (x(3, 4), (1, 1)), (x(), (1, 1)), (x(4), (1, 1)), (a.long(), (1, 1, 1, 1)), (torch.ones(0, 3, 4), (1, 1)),
        (torch.ones(2, 3, 0), (1, 1)), (a, (0, 0)), (c.bool(), (1, 1)), (c, (-2, -3)), (c, (-2, -2)), (c, (1.0, 1)), (c, 3),
    ):
        padded(given, pad, mode)
    padded(c, (1, 1), mode, 2.0)
padded(a, (1, 1), "foo")
padded(x(2).long(), (1, 1), "constant", 2.7)
attempt(torch.constant_pad_nd, a, (1, 1, 2), 0)
print(torch.constant_pad_nd(a, (1, -1), 3.5))
""",
    "convolution: layers": _BEFORE
    + """
for m in (
    nn.Conv1d(4, 6, 3), nn.Conv2d(4, 6, 3, 2, 1, 2, 2, False), nn.Conv2d(4, 6, (3, 2), padding="same"),
    nn.Conv3d(4, 6, 3, padding=(1, 2, 3), padding_mode="circular"), nn.ConvTranspose1d(4, 6, 3),
    nn.ConvTranspose2d(4, 6, 3, 2, 1, 1, 2), nn.ConvTranspose3d(4, 6, 3, dilation=2), nn.Unfold(3), nn.Unfold((2, 3), 2, 1, (1, 2)),
    nn.Fold(5, 3), nn.ZeroPad1d(2), nn.ZeroPad2d((1, 2, 0, 1)), nn.ZeroPad3d(1), nn.ConstantPad1d(2, 3.5), nn.ConstantPad2d(1, 2.0),
    nn.ConstantPad3d(1, 0), nn.ReflectionPad1d(2), nn.ReflectionPad2d(1), nn.ReflectionPad3d(1), nn.ReplicationPad1d(2),
    nn.ReplicationPad2d((1, 1, 2, 2)), nn.ReplicationPad3d(1), nn.CircularPad1d(2), nn.CircularPad2d(1), nn.CircularPad3d(1),
):
    print(m, [(k, tuple(v.shape), v.flatten()[:3].tolist()) for k, v in m.state_dict().items()])
for options in ({"groups": 3}, {"groups": 0}, {"padding": "same", "stride": 2}):
    attempt(nn.Conv2d, 4, 6, 3, **options)
attempt(nn.Conv2d, 4, 5, 3, groups=2)
attempt(nn.ConvTranspose2d, 4, 6, 3, padding_mode="reflect")
t = nn.ConvTranspose2d(2, 3, 3, 2)
image = torch.ones(1, 2, 4, 4)
print(t(image, output_size=(10, 10)).shape, t(image, output_size=(1, 3, 10, 10)).shape)
attempt(t, image, output_size=(12, 10))
attempt(t, image, output_size=(10,))
for mode in ("zeros", "reflect", "replicate", "circular"):
    print(tuple(nn.Conv2d(4, 2, 3, padding=(1, 2), padding_mode=mode, bias=False)(a).shape))
""",
}
