"""Connectionist temporal classification: the likelihood of a sequence of labels under all its alignments (Graves et al., 2006)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.modes import get_mode, set_mode
from ..tensor import Tensor, wrap
from .combination import logaddexp
from .declare import general
from .dims import check_tensor, combination_error
from .joining import cat
from .loss import reduction_of
from .namespace import tensors as tensors_namespace
from .reduction import mean, sum
from .selection import where

_NEVER = -1e30  # the logarithm of the likelihood of what cannot be; -inf would make gradients nan

# ------------------------------------------------------------------------------------------------ alignments


class _Paths:
    """The states that an alignment goes through: a blank, the first label, a blank, the second label, and so on, a blank.

    states   (N, S) the class of each state
    skips    (N, S) whether a state can be entered from the one before the last: at a label that differs from the one before
    ends     (N, 2) the states in which an alignment may end
    lengths  (N,)   how many steps each sequence has
    """

    def __init__(self, targets: Any, lengths: tuple[int, ...], target_lengths: tuple[int, ...], blank: int) -> None:
        n, longest = len(lengths), max(target_lengths, default=0)
        labels = np.full((n, longest), blank, np.int64)
        start = 0
        for i, k in enumerate(target_lengths):
            labels[i, :k] = targets[start : start + k] if targets.ndim == 1 else targets[i, :k]
            start += k
        self.states = np.full((n, 2 * longest + 1), blank, np.int64)
        self.states[:, 1::2] = labels
        self.skips = np.zeros(self.states.shape, bool)
        self.skips[:, 3::2] = labels[:, 1:] != labels[:, :-1]
        last = 2 * np.asarray(target_lengths, np.int64)
        self.ends = np.stack([last, np.maximum(last - 1, 0)], 1)
        self.lengths = np.asarray(lengths, np.int64)

    def first(self) -> Any:
        """Which states an alignment may begin in."""
        return np.arange(self.states.shape[1]) < 2


def _moved(a: Any, by: int) -> Any:
    """Each state's value from the state `by` before it, or (negative) behind it."""
    made = np.full_like(a, -np.inf)
    if abs(by) < a.shape[1]:
        if by > 0:
            made[:, by:] = a[:, :-by]
        else:
            made[:, :by] = a[:, -by:]
    return made


def _forwards(lp: Any, paths: _Paths) -> Any:
    """(T, N, S): the log-likelihood of the alignments up to each step that are in each state there."""
    emitted = np.take_along_axis(lp, np.broadcast_to(paths.states, (lp.shape[0], *paths.states.shape)), 2)
    alpha = np.empty(emitted.shape)
    if not len(alpha):
        return alpha, emitted
    alpha[0] = np.where(paths.first(), emitted[0], -np.inf)
    for t in range(1, len(alpha)):
        before = np.logaddexp(alpha[t - 1], _moved(alpha[t - 1], 1))
        before = np.where(paths.skips, np.logaddexp(before, _moved(alpha[t - 1], 2)), before)
        alpha[t] = before + emitted[t]
    return alpha, emitted


def _likelihood(alpha: Any, paths: _Paths) -> Any:
    """The log-likelihood of each sequence."""
    n = len(paths.lengths)
    rows = np.arange(n)
    if not len(alpha):
        return np.where(paths.ends[:, 0] == 0, 0.0, -np.inf)
    last = alpha[np.maximum(paths.lengths, 1) - 1, rows]
    total = np.where(
        paths.ends[:, 0] > 0,
        np.logaddexp(last[rows, paths.ends[:, 0]], last[rows, paths.ends[:, 1]]),
        last[rows, 0],
    )
    return np.where(paths.lengths > 0, total, np.where(paths.ends[:, 0] == 0, 0.0, -np.inf))


def _slope(lp: Any, paths: _Paths) -> Any:
    """(T, N, C): how much the loss rises with each log-probability, if those of a step come of a softmax."""
    alpha, emitted = _forwards(lp, paths)
    total = _likelihood(alpha, paths)
    steps, n, _ = emitted.shape
    rows = np.arange(n)
    beta = np.full(paths.states.shape, -np.inf)
    entered = np.zeros(paths.skips.shape, bool)
    entered[:, :-2] = paths.skips[:, 2:]  # whether the state after next can be entered from here
    slope = np.exp(lp.astype(np.float64))
    for t in range(steps - 1, -1, -1):
        onward = beta + (emitted[t + 1] if t + 1 < steps else 0)
        beta = np.logaddexp(onward, _moved(onward, -1))
        beta = np.where(entered, np.logaddexp(beta, _moved(onward, -2)), beta)
        ending = paths.lengths == t + 1
        if ending.any():
            at_end = np.full(beta.shape, -np.inf)
            at_end[rows[:, None], paths.ends] = 0
            beta = np.where(ending[:, None], at_end, beta)
        share = np.exp(alpha[t] + beta - total[:, None])
        np.subtract.at(slope[t], (rows[:, None], paths.states), share)
        slope[t, np.isinf(total)] = np.nan
        slope[t, t >= paths.lengths] = 0
    return slope


# ------------------------------------------------------------------------------------------------ declaration


def _ctc(lp: Any, targets: Any, lengths: Any, target_lengths: Any, blank: int, zero_infinity: bool) -> Any:
    paths = _Paths(targets, lengths, target_lengths, blank)
    loss = -_likelihood(_forwards(lp, paths)[0], paths)
    if zero_infinity:
        loss = np.where(np.isinf(loss), 0.0, loss)
    return loss.astype(lp.dtype)


def _recorded_slope(lp: Tensor, paths: _Paths) -> Tensor:
    """`_slope` by recorded operations, so that it can be differentiated again: the likelihood, step by step, and its gradient."""
    from ..autograd.api import grad

    steps, n, _ = lp._array.shape
    states = wrap(np.ascontiguousarray(np.broadcast_to(paths.states, (steps, *paths.states.shape))))
    previous = get_mode()
    set_mode(previous.replace(grad=True))
    try:
        emitted = lp.gather(2, states)
        never = wrap(np.full((n, 2), _NEVER, lp._array.dtype))
        skips = wrap(paths.skips)
        width = paths.states.shape[1]
        alpha = where(wrap(np.broadcast_to(paths.first(), paths.states.shape)), emitted[0], _NEVER)
        for t in range(1, steps):
            shifted = cat((never, alpha), 1)
            before = logaddexp(alpha, shifted[:, 1 : width + 1])
            before = where(skips, logaddexp(before, shifted[:, :width]), before)
            running = wrap(np.broadcast_to((t < paths.lengths)[:, None], paths.states.shape))
            alpha = where(running, before + emitted[t], alpha)
        ends = alpha.gather(1, wrap(paths.ends))
        total = where(wrap(paths.ends[:, 0] > 0), logaddexp(ends[:, 0], ends[:, 1]), ends[:, 0])
        (share,) = grad(total.sum(), (lp,), create_graph=True)
        within = wrap(np.arange(steps)[:, None, None] < paths.lengths[:, None])
        slope: Tensor = where(within, lp.exp() - share, 0.0)
        return slope
    finally:
        set_mode(previous)


def _pull_ctc(
    F: Any,
    t: Any,
    self: Any,
    targets: Any,
    out: Any,
    lengths: Any,
    target_lengths: Any,
    blank: int,
    zero_infinity: bool,
) -> Any:
    recorded = F is tensors_namespace
    paths = _Paths(targets._array if recorded else targets, lengths, target_lengths, blank)
    slope = _recorded_slope(self, paths) if recorded else _slope(self, paths).astype(self.dtype)
    rise = F.spread(t, self.shape, (0, 2), False) * slope
    if zero_infinity:
        possible = np.isfinite(_likelihood(_forwards(self._array if recorded else self, paths)[0], paths))
        mask = np.broadcast_to(possible[:, None], self.shape)
        rise = F.masked(rise, wrap(mask) if recorded else mask)
    return rise


_ctc_op = general(
    "ctc_loss", _ctc, {"self": _pull_ctc, "targets": None}, ("lengths", "target_lengths", "blank", "zero_infinity"),
    node="CtcLossBackward0",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ function


def _lengths(name: str, given: Any, n: int) -> tuple[int, ...]:
    if isinstance(given, Tensor):
        if given._array.dtype.kind not in "iu":
            raise RuntimeError(f"{name} must be integral: it is {given.dtype}")
        found = tuple(given._array.reshape(-1).tolist())
    elif isinstance(given, (tuple, list)):
        found = tuple(int(k) for k in given)
    else:
        raise combination_error(
            "ctc_loss", f"(Tensor, Tensor, {type(given).__name__})",
            (
                "(Tensor log_probs, Tensor targets, tuple of ints input_lengths, tuple of ints target_lengths, int blank = 0, int "
                "reduction, bool zero_infinity = False)",
                "(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank = 0, int reduction, "
                "bool zero_infinity = False)",
            ),
        )  # fmt: skip
    if len(found) != n:
        raise RuntimeError(
            f"{name} must be of size batch_size: there are {len(found)}, and the batch has {n} sequences"
        )
    return found


def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """The negative log-likelihood of sequences of labels, summed over all their alignments with sequences of steps.

    log_probs       logarithms of probabilities, of the shape (T, N, C) or (T, C): an output of log_softmax, as whose the gradient
                    is computed
    targets         labels, of the shape (N, S), or the sequences one after the other
    input_lengths   how many steps each sequence has
    target_lengths  how many labels each sequence has
    blank           the class that stands for no label
    reduction       "mean" divides each loss by the number of its labels and averages over the batch
    zero_infinity   take 0, with the gradient 0, for the loss of sequences too short for their labels
    Raises RuntimeError for lengths that do not fit.

    >>> import wengert
    >>> even = wengert.full((2, 1, 2), 0.5).log()
    >>> wengert.nn.functional.ctc_loss(even, wengert.tensor([[1]]), (2,), (1,))
    tensor(0.2877)
    """
    reduction = reduction_of(reduction)
    check_tensor("ctc_loss", log_probs, "log_probs", 1)
    check_tensor("ctc_loss", targets, "targets", 2)
    single = log_probs._array.ndim == 2
    if single:
        log_probs = log_probs.unsqueeze(1)
    steps, n, classes = log_probs._array.shape
    if isinstance(input_lengths, Tensor) != isinstance(target_lengths, Tensor):
        raise combination_error(
            "ctc_loss", f"(Tensor, Tensor, {type(input_lengths).__name__}, {type(target_lengths).__name__})",
            ("(Tensor log_probs, Tensor targets, tuple of ints input_lengths, tuple of ints target_lengths, ...)",
             "(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, ...)"),
        )  # fmt: skip
    lengths = _lengths("input_lengths", input_lengths, n)
    label_lengths = _lengths("target_lengths", target_lengths, n)
    if not 0 <= blank < classes:
        raise RuntimeError(f"blank must be in label range: it is {blank}, and the labels are from 0 to {classes - 1}")
    where_checked = "(while checking arguments for ctc_loss_allocate_outputs)"
    for k in lengths:
        if k > steps:
            raise RuntimeError(
                f"Expected input_lengths to have value at most {steps}, but got value {k} {where_checked}"
            )
    if single and targets._array.ndim == 1 and label_lengths:
        targets = targets.unsqueeze(0)
    own = targets._array.shape
    longest = max(label_lengths, default=0)
    if len(own) == 2 and own[1] < longest:
        raise RuntimeError(
            f"Expected tensor to have size at least {longest} at dimension 1, but got size {own[1]} for argument #2 'targets' "
            + where_checked
        )
    if len(own) == 1 and own[0] != _total(label_lengths):
        raise RuntimeError(
            f"Expected tensor to have size {_total(label_lengths)} at dimension 0, but got size {own[0]} for argument #2 "
            f"'targets' {where_checked}"
        )
    labels = targets._array
    if labels.size and not (labels.min() >= 0 and labels.max() < classes):
        raise RuntimeError(f"targets out of range: the labels are from 0 to {classes - 1}")
    loss: Tensor = _ctc_op(log_probs, targets, lengths, label_lengths, blank, zero_infinity)
    if reduction == "mean":
        return mean(loss / wrap(np.maximum(label_lengths, 1).astype(loss._array.dtype)))
    if reduction == "sum":
        return sum(loss)
    return loss.squeeze(0) if single else loss


def _total(lengths: tuple[int, ...]) -> int:
    total = 0
    for k in lengths:
        total += k
    return total


__all__ = ["ctc_loss"]
