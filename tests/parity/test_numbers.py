"""Parts of numbers, divisors, and a fixed number of places that are not zero: as PyTorch has them."""

import numpy as np
import pytest

from .outcomes import assert_same_outcome, calls

torch = pytest.importorskip("torch")

ARRAYS = {
    "f": np.array([1.0, -0.5, 0.0, np.inf, 3e-310]),
    "i": np.array([4, 6, -8, 0]),
    "x": np.array([[1, 0], [3, 4]]),
}
CASES = calls(
    """
    torch.gcd(i, torch.tensor(6)); torch.gcd(i, i.int()); torch.gcd(i.byte(), i.byte()); torch.lcm(i, torch.tensor([6]))
    torch.gcd(i, 6); torch.gcd(f, f); torch.lcm(i > 2, i > 2); i.clone().gcd_(i + 2); i.clone().lcm_(i)
    torch.frexp(f); torch.frexp(f.half()); torch.frexp(i); torch.frexp(f + 0j)
    torch.nextafter(f, f + 1); torch.nextafter(f, f); torch.nextafter(f.half().detach(), f.half().detach() + 1); torch.nextafter(i, i)
    torch.nextafter(f, 1.0); torch.nextafter(f.float().detach(), f.detach())
    torch.nonzero_static(x, size=5); torch.nonzero_static(x, size=2); x.nonzero_static(size=5, fill_value=7)
    torch.nonzero_static(x, size=-1); torch.nonzero_static(torch.tensor(3), size=2)
    """
)


@pytest.mark.parametrize("text", CASES)
def test_numbers(text):
    assert_same_outcome(torch, ARRAYS, text)
