"""Makes blocking methods of the coroutines of a client."""

from __future__ import annotations

import contextlib
import functools
import inspect
from typing import Any, Callable, Concatenate, Coroutine, Iterator, ParamSpec, Protocol, TypeVar

from .blocking import Runner
from .errors import CameraBusError
from .shell import Elements

C = TypeVar("C")
P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class Facade(Protocol[C]):
    """What has a client whose coroutines a runner carries out."""

    _client: C
    _runner: Runner


def blocking(method: Callable[Concatenate[C, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Facade[C], P], T]:
    """The same method, which returns when it is done."""

    @functools.wraps(method)
    def call(self: Facade[C], /, *args: P.args, **options: P.kwargs) -> T:
        return self._runner.run(method(self._client, *args, **options))

    return call


def converting(method: Callable[Concatenate[C, P], Coroutine[Any, Any, S]], convert: Callable[[S, Runner], T],
               returns: object) -> Callable[Concatenate[Facade[C], P], T]:
    """The same method, which returns its converted result when it is done."""

    @functools.wraps(method)
    def call(self: Facade[C], /, *args: P.args, **options: P.kwargs) -> T:
        return convert(self._runner.run(method(self._client, *args, **options)), self._runner)

    _annotate(call, returns)
    return call


def iterating(method: Callable[Concatenate[C, P], Elements[T]], returns: object
              ) -> Callable[Concatenate[Facade[C], P], Iterator[T]]:
    """The same method, whose elements come one after the other in a `for` loop."""

    @functools.wraps(method)
    def call(self: Facade[C], /, *args: P.args, **options: P.kwargs) -> Iterator[T]:
        return each(method(self._client, *args, **options), self._runner)

    _annotate(call, returns)
    return call


def each(elements: Elements[T], runner: Runner) -> Iterator[T]:
    """The elements one after the other. They are closed when nobody takes them any more."""

    async def next() -> T:
        return await elements.__anext__()

    async def close() -> None:
        await elements.aclose()

    try:
        while True:
            try:
                yield runner.run(next())
            except StopAsyncIteration:
                return
    finally:
        with contextlib.suppress(CameraBusError):
            runner.run(close())


def _annotate(call: Callable[..., object], returns: object) -> None:
    """Tells `help` and IDEs what a method returns here, instead of what the coroutine returns."""
    call.__annotations__ = {**call.__annotations__, "return": returns}
    setattr(call, "__signature__", inspect.signature(call).replace(return_annotation=returns))
