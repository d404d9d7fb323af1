"""What benchmarks/operators.py measures: how each core operator is called, by family, and on what.

A line is a name and an expression. `torch` is the library, `F` its nn.functional; every other name is an input of INPUTS, made
anew for each size. Inputs of floating point have a gradient, but for those whose name ends in `_`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

FAMILIES = {
    "elementwise": """
        abs             x.abs()
        acos            torch.acos(s)
        asin            torch.asin(s)
        atan            torch.atan(x)
        atan2           torch.atan2(x, y)
        ceil            torch.ceil(x)
        clamp           torch.clamp(x, -0.5, 0.5)
        cos             torch.cos(x)
        cosh            torch.cosh(x)
        erf             torch.erf(x)
        erfc            torch.erfc(x)
        exp             torch.exp(x)
        exp2            torch.exp2(x)
        expm1           torch.expm1(x)
        floor           torch.floor(x)
        lgamma          torch.lgamma(p)
        log             torch.log(p)
        log1p           torch.log1p(p)
        log2            torch.log2(p)
        nan_to_num      torch.nan_to_num(x)
        neg             torch.neg(x)
        reciprocal      torch.reciprocal(p)
        round           torch.round(x)
        rsqrt           torch.rsqrt(p)
        sigmoid         torch.sigmoid(x)
        sign            torch.sign(x)
        sin             torch.sin(x)
        sinh            torch.sinh(x)
        sqrt            torch.sqrt(p)
        square          torch.square(x)
        tan             torch.tan(s)
        tanh            torch.tanh(x)
        trunc           torch.trunc(x)
        real            torch.real(z)
        imag            torch.imag(z)
        conj            torch.conj(z)
    """,
    "arithmetic": """
        add             x + y
        sub             x - y
        mul             x * y
        div             x / p
        pow             torch.pow(p, y)
        remainder       torch.remainder(x, p_)
        maximum         torch.maximum(x, y)
        minimum         torch.minimum(x, y)
        hypot           torch.hypot(x, y)
        logaddexp       torch.logaddexp(x, y)
        xlogy           torch.xlogy(x, p)
        lerp            torch.lerp(x, y, u)
        addcmul         torch.addcmul(x, y, u)
        addcdiv         torch.addcdiv(x, y, p)
        where           torch.where(mask, x, y)
        __radd__        1.5 + x
        __rsub__        1.5 - x
        __rmul__        1.5 * x
        __rdiv__        1.5 / p
        __rmatmul__     square.__rmatmul__(square2)
    """,
    "comparison": """
        eq              torch.eq(x, y)
        ne              torch.ne(x, y)
        lt              torch.lt(x, y)
        le              torch.le(x, y)
        gt              torch.gt(x, y)
        ge              torch.ge(x, y)
        logical_not     torch.logical_not(mask)
        isnan           torch.isnan(x)
        isfinite        torch.isfinite(x)
    """,
    "reduction": """
        sum             torch.sum(matrix, 1)
        mean            torch.mean(matrix, 1)
        prod            torch.prod(near_one, 1)
        var             torch.var(matrix, 1)
        std             torch.std(matrix, 1)
        var_mean        torch.var_mean(matrix, 1)
        max             torch.max(matrix, 1)
        min             torch.min(matrix, 1)
        amax            torch.amax(matrix, 1)
        amin            torch.amin(matrix, 1)
        argmax          torch.argmax(matrix, 1)
        argmin          torch.argmin(matrix, 1)
        median          torch.median(matrix, 1)
        norm            torch.norm(matrix)
        logsumexp       torch.logsumexp(matrix, 1)
        all             torch.all(full)
        any             torch.any(empty)
    """,
    "scan and order": """
        cumsum          torch.cumsum(matrix, 1)
        cumprod         torch.cumprod(near_one, 1)
        logcumsumexp    torch.logcumsumexp(matrix, 1)
        diff            torch.diff(x)
        sort            torch.sort(matrix, 1)
        argsort         torch.argsort(matrix, 1)
        topk            torch.topk(matrix, 2, 1)
    """,
    "shape": """
        reshape         matrix.reshape(-1)
        view            matrix.view(-1)
        expand          column.expand(-1, 4)
        expand_as       column.expand_as(matrix_)
        broadcast_to    torch.broadcast_to(column, (4, -1, 1))
        permute         image.permute(0, 2, 3, 1)
        transpose       matrix.transpose(0, 1)
        t               matrix.t()
        movedim         torch.movedim(image, 1, -1)
        squeeze         column.squeeze(1)
        unsqueeze       x.unsqueeze(0)
        flatten         torch.flatten(image, 1)
        flip            torch.flip(matrix, (1,))
        roll            torch.roll(matrix, 1, 1)
        repeat          x.repeat(2)
        repeat_interleave   torch.repeat_interleave(x, 2)
        tile            torch.tile(x, (2,))
        cat             torch.cat((x, y))
        stack           torch.stack((x, y))
        split           torch.split(matrix, 1 + matrix_.shape[0] // 2)
        chunk           torch.chunk(matrix, 2)
        unbind          torch.unbind(pairs)
        narrow          matrix.narrow(0, 0, 1)
        select          matrix.select(0, 1)
        diagonal        torch.diagonal(matrix)
        diag            torch.diag(matrix)
        diag_embed      torch.diag_embed(side)
        tril            torch.tril(matrix)
        triu            torch.triu(matrix)
        meshgrid        torch.meshgrid(side, side2, indexing="ij")
        contiguous      matrix.t().contiguous()
        clone           x.clone()
        T               matrix.T
        mT              matrix.mT
        unfold          x.unfold(0, 4, 2)
        trace           torch.trace(matrix)
        to              x.to(torch.float64)
        zeros_like      torch.zeros_like(x)
        ones_like       torch.ones_like(x)
    """,
    "index": """
        __getitem__     matrix[:, 1:]
        index_select    torch.index_select(matrix, 0, rows)
        index_add       torch.index_add(matrix, 0, rows, matrix2)
        index_copy      torch.index_copy(matrix, 0, order, matrix2)
        index_put       matrix.index_put((order,), matrix2)
        gather          torch.gather(matrix, 1, places)
        scatter         torch.scatter(matrix, 1, places, matrix2)
        scatter_add     torch.scatter_add(matrix, 1, places, matrix2)
        scatter_reduce  torch.scatter_reduce(matrix, 1, places, matrix2, "amax")
        take_along_dim  torch.take_along_dim(matrix, places, 1)
        masked_fill     x.masked_fill(mask, 0.0)
        masked_select   x.masked_select(mask)
        masked_scatter  x.masked_scatter(mask, y)
    """,
    "product": """
        matmul          torch.matmul(square, square2)
        mm              torch.mm(square, square2)
        bmm             torch.bmm(batch, batch2)
        mv              torch.mv(matrix, across)
        dot             torch.dot(x, y)
        outer           torch.outer(side, side2)
        addmm           torch.addmm(across, square, square2)
        baddbmm         torch.baddbmm(batch, batch2, batch2)
        einsum          torch.einsum("bij,bjk->bik", batch, batch2)
        tensordot       torch.tensordot(square, square2, 1)
        inner           torch.inner(square, square2)
    """,
    "linear algebra": """
        linalg.det              torch.linalg.det(batch)
        linalg.slogdet          torch.linalg.slogdet(batch)
        linalg.inv              torch.linalg.inv(batch)
        linalg.solve            torch.linalg.solve(batch, batch2)
        linalg.cholesky         torch.linalg.cholesky(positive)
        linalg.qr               torch.linalg.qr(batch)
        linalg.svd              torch.linalg.svd(batch)[1]
        linalg.eigh             torch.linalg.eigh(positive)[0]
        linalg.norm             torch.linalg.norm(matrix)
        linalg.vector_norm      torch.linalg.vector_norm(x)
        linalg.matrix_power     torch.linalg.matrix_power(batch, 3)
        linalg.pinv             torch.linalg.pinv(batch)
        linalg.solve_triangular torch.linalg.solve_triangular(batch, batch2, upper=True)
    """,
    "layer": """
        nn.functional.linear            F.linear(matrix, square, across)
        nn.functional.embedding         F.embedding(rows, matrix)
        nn.functional.conv1d            F.conv1d(sequence, kernel1, padding=1)
        nn.functional.conv2d            F.conv2d(image, kernel2, padding=1)
        nn.functional.conv3d            F.conv3d(volume, kernel3, padding=1)
        nn.functional.conv_transpose1d  F.conv_transpose1d(sequence, kernel1, padding=1)
        nn.functional.conv_transpose2d  F.conv_transpose2d(image, kernel2, padding=1)
        nn.functional.unfold            F.unfold(image, 2)
        nn.functional.avg_pool1d        F.avg_pool1d(sequence, 2)
        nn.functional.avg_pool2d        F.avg_pool2d(image, 2)
        nn.functional.max_pool1d        F.max_pool1d(sequence, 2)
        nn.functional.max_pool2d        F.max_pool2d(image, 2)
        nn.functional.adaptive_avg_pool1d   F.adaptive_avg_pool1d(sequence, 2)
        nn.functional.adaptive_avg_pool2d   F.adaptive_avg_pool2d(image, 2)
        nn.functional.batch_norm        F.batch_norm(image, None, None, channels, channels2, True)
        nn.functional.layer_norm        F.layer_norm(matrix, matrix_.shape[1:], across, across2)
        nn.functional.group_norm        F.group_norm(image, 2, channels, channels2)
        nn.functional.instance_norm     F.instance_norm(image)
        nn.functional.rms_norm          F.rms_norm(matrix, matrix_.shape[1:], across)
        nn.functional.normalize         F.normalize(matrix)
        nn.functional.pad               F.pad(image, (1, 1, 1, 1))
        nn.functional.interpolate       F.interpolate(image, scale_factor=2)
        nn.functional.one_hot           F.one_hot(classes, 10)
        nn.functional.scaled_dot_product_attention  F.scaled_dot_product_attention(query, key, value)
        nn.functional.dropout           F.dropout(x, 0.5)
    """,
    "activation": """
        nn.functional.relu          F.relu(x)
        nn.functional.leaky_relu    F.leaky_relu(x)
        nn.functional.elu           F.elu(x)
        nn.functional.selu          F.selu(x)
        nn.functional.gelu          F.gelu(x)
        nn.functional.silu          F.silu(x)
        nn.functional.mish          F.mish(x)
        nn.functional.hardswish     F.hardswish(x)
        nn.functional.hardtanh      F.hardtanh(x)
        nn.functional.softplus      F.softplus(x)
        nn.functional.softsign      F.softsign(x)
        nn.functional.logsigmoid    F.logsigmoid(x)
        nn.functional.glu           F.glu(x)
        nn.functional.prelu         F.prelu(x, slope)
        softmax                     torch.softmax(matrix, 1)
        log_softmax                 torch.log_softmax(matrix, 1)
    """,
    "loss": """
        nn.functional.mse_loss          F.mse_loss(x, y)
        nn.functional.l1_loss           F.l1_loss(x, y)
        nn.functional.smooth_l1_loss    F.smooth_l1_loss(x, y)
        nn.functional.huber_loss        F.huber_loss(x, y)
        nn.functional.cross_entropy     F.cross_entropy(matrix, labels)
        nn.functional.nll_loss          F.nll_loss(matrix, labels)
        nn.functional.binary_cross_entropy              F.binary_cross_entropy(u, u2_)
        nn.functional.binary_cross_entropy_with_logits  F.binary_cross_entropy_with_logits(x, u2_)
        nn.functional.kl_div            F.kl_div(x, u2_, reduction="batchmean")
        nn.functional.cosine_similarity F.cosine_similarity(matrix, matrix2)
    """,
    "fft": """
        fft.fft         torch.fft.fft(matrix)
        fft.ifft        torch.fft.ifft(matrix)
        fft.rfft        torch.fft.rfft(matrix)
        fft.irfft       torch.fft.irfft(complex_matrix)
    """,
}


def operators() -> list[tuple[str, str, str]]:
    """(family, name, expression) of each operator."""
    lines = [(family, line.split(None, 1)) for family, text in FAMILIES.items() for line in text.strip().splitlines()]
    return [(family, name, expression.strip()) for family, (name, expression) in lines]


# ------------------------------------------------------------------------------------------------ inputs

#: for each size: two sides of a matrix, and the shapes of square matrices, a batch of them, sequence, image, volume, attention
SHAPES: dict[int, dict[str, tuple[int, ...]]] = {
    8: {
        "matrix": (2, 4), "square": (4, 4), "batch": (1, 3, 3), "sequence": (1, 2, 4), "image": (1, 2, 2, 2),
        "volume": (1, 1, 2, 2, 2), "attention": (1, 1, 2, 4),
    },
    4096: {
        "matrix": (64, 64), "square": (64, 64), "batch": (16, 16, 16), "sequence": (4, 8, 128), "image": (4, 4, 16, 16),
        "volume": (2, 2, 8, 16, 8), "attention": (2, 2, 32, 32),
    },
    1_000_000: {
        "matrix": (1000, 1000), "square": (1000, 1000), "batch": (244, 64, 64), "sequence": (8, 16, 7812),
        "image": (8, 8, 125, 125), "volume": (4, 4, 40, 40, 40), "attention": (4, 4, 244, 256),
    },
}  # fmt: skip

Rng = np.random.Generator
Shapes = dict[str, tuple[int, ...]]
Maker = Callable[[Rng, int, Shapes], np.ndarray[Any, Any]]


def _normal(key: str) -> Maker:
    return lambda g, n, s: g.standard_normal(s[key], np.float32)


def _vector(low: float, high: float) -> Maker:
    return lambda g, n, s: g.uniform(low, high, n).astype(np.float32)


def _line(key: str, axis: int) -> Maker:
    return lambda g, n, s: g.standard_normal(s[key][axis], np.float32)


def _kernel(key: str) -> Maker:
    def make(g: Rng, n: int, s: Shapes) -> np.ndarray[Any, Any]:
        channels, space = s[key][1], len(s[key]) - 2
        return g.standard_normal((channels, channels) + (3,) * space, np.float32)

    return make


def _dominant(g: Rng, n: int, s: Shapes) -> np.ndarray[Any, Any]:
    """Matrices that are far from singular, and whose powers stay small."""
    side = s["batch"][-1]
    return (g.standard_normal(s["batch"], np.float32) / (4 * math.sqrt(side)) + np.eye(side)).astype(np.float32)


def _positive(g: Rng, n: int, s: Shapes) -> np.ndarray[Any, Any]:
    a = _dominant(g, n, s)
    return np.matmul(a, np.swapaxes(a, 1, 2))


INPUTS: dict[str, Maker] = {
    "x": lambda g, n, s: g.standard_normal(n, np.float32),
    "y": lambda g, n, s: g.standard_normal(n, np.float32),
    "p": _vector(0.1, 2.0),
    "p_": _vector(0.1, 2.0),
    "s": _vector(-0.9, 0.9),
    "u": _vector(0.05, 0.95),
    "u2_": _vector(0.05, 0.95),
    "z": lambda g, n, s: (g.standard_normal(n) + 1j * g.standard_normal(n)).astype(np.complex64),
    "mask": lambda g, n, s: g.random(n) < 0.5,
    "full": lambda g, n, s: np.ones(n, np.bool_),  # neither end of `all` nor of `any` comes early
    "empty": lambda g, n, s: np.zeros(n, np.bool_),
    "slope": lambda g, n, s: np.array([0.25], np.float32),
    "matrix": _normal("matrix"),
    "matrix2": _normal("matrix"),
    "matrix_": _normal("matrix"),
    "near_one": lambda g, n, s: g.uniform(0.98, 1.02, s["matrix"]).astype(np.float32),
    "pairs": lambda g, n, s: g.standard_normal((2, n // 2), np.float32),
    "column": lambda g, n, s: g.standard_normal((s["matrix"][0], 1), np.float32),
    "across": _line("matrix", 1),
    "across2": _line("matrix", 1),
    "side": _line("matrix", 1),
    "side2": _line("matrix", 1),
    "rows": lambda g, n, s: g.integers(0, s["matrix"][0], s["matrix"][0]),
    "order": lambda g, n, s: g.permutation(s["matrix"][0]),
    "labels": lambda g, n, s: g.integers(0, s["matrix"][1], s["matrix"][0]),
    "classes": lambda g, n, s: g.integers(0, 10, max(1, n // 10)),
    "places": lambda g, n, s: g.integers(0, s["matrix"][1], s["matrix"]),
    "complex_matrix": lambda g, n, s: (
        g.standard_normal((s["matrix"][0], s["matrix"][1] // 2 + 1)) * (1 + 1j)
    ).astype(np.complex64),
    "square": _normal("square"),
    "square2": _normal("square"),
    "batch": _dominant,
    "batch2": _dominant,
    "positive": _positive,
    "sequence": _normal("sequence"),
    "image": _normal("image"),
    "volume": _normal("volume"),
    "kernel1": _kernel("sequence"),
    "kernel2": _kernel("image"),
    "kernel3": _kernel("volume"),
    "channels": _line("image", 1),
    "channels2": _line("image", 1),
    "query": _normal("attention"),
    "key": _normal("attention"),
    "value": _normal("attention"),
}  # fmt: skip
