"""What attention promises beside its values: queries that see nothing, blocks, errors."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as w
from wengert.nn.functional import scaled_dot_product_attention as attend
from wengert.ops import attention


def _draw(*shape):
    return w.from_numpy(np.random.default_rng(sum(shape)).normal(size=shape)).requires_grad_()


def test_a_query_that_may_look_at_no_key_gets_zeros_and_no_gradient():
    q, k, v = _draw(1, 2, 3), _draw(1, 4, 3), _draw(1, 4, 3)
    mask = w.tensor([[True] * 4, [False] * 4])
    made = attend(q, k, v, mask)
    assert made[0, 1].tolist() == [0.0, 0.0, 0.0]
    made.sum().backward()
    assert q.grad[0, 1].tolist() == [0.0, 0.0, 0.0]
    assert not any(x.grad.isnan().any() for x in (q, k, v))


@pytest.mark.parametrize("causal", [False, True])
def test_blocks_of_queries_give_what_all_give_at_once(monkeypatch, causal):
    def run():
        q, k, v = _draw(2, 2, 7, 3), _draw(2, 2, 5, 3), _draw(2, 2, 5, 4)
        made = attend(q, k, v, is_causal=causal)
        (made**2).sum().backward()
        return [made, q.grad, k.grad, v.grad]

    whole = run()
    monkeypatch.setattr(attention, "_BLOCK", 40)
    for a, b in zip(whole, run(), strict=True):
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy())


def test_errors():
    q = w.ones(2, 3, 4)
    for arguments, message in (
        ((q, q.double(), q), "Expected query, key, and value to have the same dtype"),
        ((w.ones(4), q, q), "to all be  at least 2 dimensional"),
        ((q, q, q, w.zeros(3, 3, dtype=w.int64)), "Expected attn_mask dtype to be bool or float"),
        ((q, q, q, w.zeros(3, 4)), r"The size of tensor a \(3\) must match the size of tensor b \(4\)"),
        ((q.long(), q.long(), q.long()), "expected scalar type Float but found Long"),
        ((q, q, q, None, 1.5), "dropout probability has to be between 0 and 1, but got 1.5"),
    ):
        with pytest.raises(RuntimeError, match=message):
            attend(*arguments)
    with pytest.raises(RuntimeError, match="must divide the number of heads in"):
        attend(w.ones(1, 8, 3, 4), w.ones(1, 3, 5, 4), w.ones(1, 3, 5, 4), enable_gqa=True)
