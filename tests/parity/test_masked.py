"""Masked reductions: values, dtypes, gradients, nodes and errors as PyTorch's."""

import numpy as np
import pytest

from .outcomes import assert_same_outcome, calls

torch = pytest.importorskip("torch")

ARRAYS = {
    "x": np.array([[1.0, -3.0, 2.0], [4.0, 5.0, -6.0], [0.5, 0.25, 7.0]]),
    "k": np.array([[True, False, True], [True, True, False], [True, True, True]]),
    "none": np.zeros((3, 3), bool),
    "i": np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
    "b": np.array([[True, False, True]] * 3),
}
NAMES = ["sum", "mean", "prod", "amax", "amin", "argmax", "argmin", "median", "logsumexp", "var", "std", "norm"]
CASES = [
    f"torch.masked.{name}({arguments})"
    for name in NAMES
    for arguments in (
        "x, dim=1, mask=k",
        "x, dim=1",
        "i, dim=1, mask=k",
        "b, dim=0, mask=k",
        "x, dim=0, keepdim=True, mask=none",
    )
]
CASES += calls(
    """
    torch.masked.sum(x, mask=k); torch.masked.sum(x, (0, 1), keepdim=True, mask=k); torch.masked.sum(x, dim=())
    torch.masked.mean(x, dtype=torch.float64, mask=k); torch.masked.mean(x, dtype=torch.int64); torch.masked.amax(x, mask=k[0])
    torch.masked.prod(x, (0, 1), mask=k); torch.masked.prod(x); torch.masked.argmax(x, mask=k); torch.masked.argmax(x, (0, 1))
    torch.masked.var(x, 1, False, mask=k); torch.masked.var(x, unbiased=True); torch.masked.std(x, correction=0, mask=k)
    torch.masked.softmax(x, 1, mask=k); torch.masked.log_softmax(x, 0); torch.masked.softmin(x, 1, mask=k)
    torch.masked.softmax(x, 1, dtype=torch.float32, mask=k); torch.masked.softmax(i, 1, mask=k); torch.masked.softmin(b, 1, mask=k)
    torch.masked.cumsum(x, 1, mask=k); torch.masked.cumprod(x, 0, mask=k); torch.masked.cumsum(i, 1, mask=k); torch.masked.cumsum(b, 1)
    torch.masked.norm(x, 1, 1, mask=k); torch.masked.norm(x, 3.0, mask=k); torch.masked.norm(x, 0, 0, mask=k)
    torch.masked.normalize(x, 2.0, 1, mask=k); torch.masked.normalize(x, 2.0, 1, mask=k, eps=3.0)
    torch.masked.logaddexp(x, x * 2, input_mask=k); torch.masked.logaddexp(x, x * 2)
    torch.masked.sum(x, 1, mask=torch.ones(2, 3, 3) > 0); torch.masked.sum(x, 1, mask=torch.ones(4) > 0)
    torch.masked.sum(x, 3); torch.masked.sum(x, (0, 0)); torch.masked.sum(x[0], mask=k)
    """
)


@pytest.mark.parametrize("text", CASES)
def test_masked(text):
    assert_same_outcome(torch, ARRAYS, text)
