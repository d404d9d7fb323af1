"""Exchanges of a list's places, one after the other, in the order in which Fisher and Yates shuffle."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_SHORT = 8192  # so many in one go: a Python loop, in the processor's cache
_SHARE = 32  # of longer lists, one part in so many at a time


def shuffled(targets: Array) -> Array:
    """The numbers from 0 on, after place i was exchanged with place `targets[i]`, for every i in turn.

    targets: int64, each between its own index and the last.
    Exchanges that share no place may be done in any order. So most of a batch are done at once, and those that share a
    place with another one of the batch after them, in turn.
    """
    count = targets.size
    order = np.arange(count)
    start = 0
    if count > _SHORT:
        owner, seen = np.empty(count, np.int32), np.zeros(count, np.bool_)
        while count - start > _SHORT:
            end = start + (count - start) // _SHARE
            clash = _clashes(targets[start:end], start, owner, seen)
            alone, others = np.flatnonzero(~clash) + start, np.flatnonzero(clash) + start
            places = targets[alone]
            order[alone], order[places] = order[places], order[alone]
            for i, j in zip(others.tolist(), targets[others].tolist()):
                order[i], order[j] = order[j], order[i]
            start = end
    rest = order[start:].tolist()
    for i, j in enumerate((targets[start:] - start).tolist()):
        rest[i], rest[j] = rest[j], rest[i]
    order[start:] = rest
    return order


def _clashes(targets: Array, start: int, owner: Array, seen: Array) -> Array:
    """Which of the exchanges (start + k, targets[k]) have a place in common with another one.

    owner, seen: memory for as many numbers and truth values as there are places; the latter are False, and left so.
    """
    number = np.arange(targets.size, dtype=np.int32)
    owner[targets] = number
    clash: Array = owner[targets] != number  # another one, later, has the same target
    twice = targets[clash]
    seen[twice] = True
    clash |= seen[targets]
    seen[twice] = False
    within = np.flatnonzero((targets < start + targets.size) & (targets != number + start))
    clash[within] = True
    clash[targets[within] - start] = True
    return clash
