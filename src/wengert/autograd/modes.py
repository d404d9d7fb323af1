"""Grad mode, inference mode and the rarer modes of recording, each per thread and per asynchronous task."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = [
    "enable_grad", "inference_mode", "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "is_grad_enabled",
    "is_inference_mode_enabled", "no_grad", "set_grad_enabled",
]  # fmt: skip


class Mode:
    """What happens when an operation is called. Immutable: entering a mode puts another one in force.

    `plain` says that nothing but `grad` is of interest; the specialised paths of `ops.declare` handle only plain modes.
    """

    __slots__ = ("anomaly", "dual_level", "grad", "inference", "plain", "saved_hooks")

    def __init__(
        self,
        grad: bool = True,
        inference: bool = False,
        dual_level: int = 0,
        saved_hooks: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (),
        anomaly: int = 0,
    ) -> None:
        self.grad = grad
        self.inference = inference
        self.dual_level = dual_level  # how many forward-mode levels are open; 0: none
        self.saved_hooks = saved_hooks
        self.anomaly = anomaly  # 0: off; 1: on; 2: also look for nan
        self.plain = not (inference or dual_level or saved_hooks or anomaly)

    def replace(self, **changes: Any) -> Mode:
        """This mode with some of its fields changed."""
        fields = {name: getattr(self, name) for name in ("grad", "inference", "dual_level", "saved_hooks", "anomaly")}
        fields.update(changes)
        if fields == _DEFAULT_FIELDS:
            return DEFAULT
        if fields == _NO_GRAD_FIELDS:
            return NO_GRAD
        return Mode(**fields)


_DEFAULT_FIELDS = {"grad": True, "inference": False, "dual_level": 0, "saved_hooks": (), "anomaly": 0}
_NO_GRAD_FIELDS = {**_DEFAULT_FIELDS, "grad": False}
DEFAULT = Mode()
NO_GRAD = Mode(grad=False)

_mode: ContextVar[Mode] = ContextVar("wengert_mode", default=DEFAULT)
get_mode = _mode.get
set_mode = _mode.set


def is_grad_enabled() -> bool:
    """Whether operations are recorded now.

    >>> import wengert
    >>> with wengert.no_grad():
    ...     wengert.is_grad_enabled()
    False
    """
    return get_mode().grad


def is_inference_mode_enabled() -> bool:
    """Whether inference mode is on."""
    return get_mode().inference


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return bool(get_mode().anomaly)


def is_anomaly_check_nan_enabled() -> bool:
    """Whether nan in a gradient would be an error if anomaly mode were on, as it is by default."""
    return get_mode().anomaly != 1


class _ModeContext:
    """A context manager that can also decorate a function, a generator function or a coroutine function."""

    _previous: list[Mode]

    def _target(self, mode: Mode) -> Mode:
        raise NotImplementedError

    def clone(self) -> _ModeContext:
        """A fresh context of the same kind; each call of a decorated function enters its own."""
        return self.__class__()

    def __enter__(self) -> None:
        mode = get_mode()
        self._previous.append(mode)
        set_mode(self._target(mode))

    def __exit__(self, *_: object) -> None:
        # set, not ContextVar.reset: a generator may be closed in another context than it was started in
        set_mode(self._previous.pop())

    def __call__(self, func: Any) -> Any:
        return _decorate(self.clone, func)


def _decorate(make: Callable[[], _ModeContext], func: Any) -> Any:
    import functools
    import inspect

    if inspect.isclass(func):
        raise TypeError(
            f"cannot decorate the class {func.__name__} with a mode: calls of the class would run in it, its methods not. "
            "Decorate the methods"
        )
    if inspect.isgeneratorfunction(func):

        @functools.wraps(func)
        def generator(*args: Any, **kwargs: Any) -> Any:
            # the mode holds while the generator runs, and never for whoever runs it
            inner = func(*args, **kwargs)
            send, value = inner.send, None
            try:
                while True:
                    try:
                        with make():
                            out = send(value)
                    except StopIteration as stop:
                        return stop.value
                    try:
                        value = yield out
                        send = inner.send
                    except GeneratorExit:
                        raise
                    except BaseException as error:
                        value, send = error, inner.throw
            finally:
                with make():
                    inner.close()

        return generator
    if inspect.iscoroutinefunction(func):

        @functools.wraps(func)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            with make():
                return await func(*args, **kwargs)

        return coroutine

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with make():
            return func(*args, **kwargs)

    return wrapped


class _BareDecorator(_ModeContext):
    """Modes without arguments, which may decorate without parentheses too: `@no_grad`."""

    def __new__(cls, func: Any = None, /) -> Any:
        if func is None:
            self = object.__new__(cls)
            self._previous = []
            return self
        return _decorate(cls, func)


class no_grad(_BareDecorator):
    """Context manager and decorator: operations inside are not recorded.

    >>> import wengert
    >>> x = wengert.ones(2, requires_grad=True)
    >>> with wengert.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def _target(self, mode: Mode) -> Mode:
        return NO_GRAD if mode is DEFAULT else mode.replace(grad=False)


class enable_grad(_BareDecorator):
    """Context manager and decorator: operations inside are recorded, also within `no_grad`.

    >>> import wengert
    >>> x = wengert.ones(2, requires_grad=True)
    >>> with wengert.no_grad(), wengert.enable_grad():
    ...     y = x * 2
    >>> y.requires_grad
    True
    """

    def _target(self, mode: Mode) -> Mode:
        return DEFAULT if mode is NO_GRAD else mode.replace(grad=True)


class set_grad_enabled(_ModeContext):
    """Switch recording on or off, at once; as a context manager, until the end of the block.

    mode: bool, whether to record.

    >>> import wengert
    >>> with wengert.set_grad_enabled(False):
    ...     wengert.is_grad_enabled()
    False
    """

    def __init__(self, mode: bool) -> None:
        self.mode = bool(mode)
        self._previous = [get_mode()]
        set_mode(get_mode().replace(grad=self.mode))

    def clone(self) -> set_grad_enabled:
        return set_grad_enabled(self.mode)

    def __enter__(self) -> None:
        set_mode(get_mode().replace(grad=self.mode))

    def __call__(self, func: Any) -> Any:
        set_mode(self._previous[-1])  # as a decorator it acts only when the function is called
        return super().__call__(func)


class inference_mode(_ModeContext):
    """Context manager and decorator: like `no_grad`, and results can never enter a recorded computation.

    mode: bool; False switches inference mode off inside an enclosing block.

    >>> import wengert
    >>> with wengert.inference_mode():
    ...     y = wengert.ones(2) * 2
    >>> y.is_inference()
    True
    """

    def __new__(cls, mode: Any = True, /) -> Any:
        self = object.__new__(cls)
        self._previous = []
        self.mode = True if callable(mode) else bool(mode)
        return self if not callable(mode) else _decorate(inference_mode, mode)

    mode: bool

    def clone(self) -> inference_mode:
        made: inference_mode = inference_mode(self.mode)
        return made

    def _target(self, mode: Mode) -> Mode:
        return mode.replace(grad=mode.grad and not self.mode if self.mode else True, inference=self.mode)
