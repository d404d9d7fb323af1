"""Runs a script under torch and under wengert, and holds what it says against each other: printed text, errors, warnings."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from collections import OrderedDict

import wengert


class Failure:
    """An error: the type's name, and the words."""

    def __init__(self, error):
        self.kind, self.words = type(error).__name__, str(error)

    def __repr__(self):
        return f"{self.kind}: {self.words}"

    def begins_with(self, other):
        """Whether this error has the same type, and its words are the other's first."""
        return self.kind == other.kind and self.words.startswith(other.words.rstrip(".\"'"))


def run(lib, code):
    """What a script said: a list of lines, and of `Failure`s where a call made with `attempt` raised."""
    said = []

    def say(*args):
        text = re.sub(r" at 0x[0-9a-f]+", "", " ".join(map(str, args)))
        said.append(re.sub(r"<class '(torch|wengert)\.[\w.]*?(\w+)'>", r"<class '\2'>", text))

    def attempt(function, *args, **kwargs):
        try:
            say("ok", function(*args, **kwargs))
        except Exception as error:
            said.append(Failure(error))

    names = {
        "torch": lib, "nn": lib.nn, "F": lib.nn.functional, "optim": lib.optim, "copy": copy, "pickle": pickle,
        "OrderedDict": OrderedDict, "print": say, "attempt": attempt, "__name__": "__main__",
    }  # fmt: skip
    lib.manual_seed(0)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        exec(code, names)
    said += [f"{w.category.__name__}: {w.message}" for w in warned]
    return said


def assert_alike(torch, code):
    theirs, ours = run(torch, code), run(wengert, code)
    for a, b in zip(theirs, ours):
        if isinstance(a, Failure):
            assert isinstance(b, Failure), f"torch raised {a}, wengert said {b}"
            assert b.begins_with(a), f"torch: {a}\nwengert: {b}"
        else:
            assert b == a, f"torch: {a}\nwengert: {b}"
    assert len(ours) == len(theirs)
