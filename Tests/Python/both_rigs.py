"""Uses a rig in both ways, blocking and in asyncio, so that each test says what it expects once."""

from __future__ import annotations

import asyncio
import contextlib
import unittest
from typing import Any, Callable, Iterator

from camerabus import AsyncRig, Rig, RigPart


class Side(contextlib.AbstractContextManager["Side"]):
    """A rig. It is closed at the end, and may be closed before."""

    rig: Any = None

    def open(self, rig: object, **options: Any) -> None:
        raise NotImplementedError

    def call(self, method: str, *arguments: Any, **options: Any) -> Any:
        """Calls a method of the rig, and waits for what it brings."""
        return self.call_of(self.rig, method, *arguments, **options)

    def call_of(self, thing: object, method: str, *arguments: Any, **options: Any) -> Any:
        """Calls a method of something that the rig has brought, and waits for what it brings."""
        raise NotImplementedError

    def each(self, method: str, *arguments: Any, **options: Any) -> Iterator[Any]:
        """Calls a method of the rig that hands out one thing after the other. When this is closed, the method is."""
        raise NotImplementedError

    def parts(self, **options: Any) -> Iterator[RigPart]:
        return self.each("shoot", **options)

    def close(self) -> None:
        raise NotImplementedError


class BlockingSide(Side):
    def __enter__(self) -> BlockingSide:
        self.stack = contextlib.ExitStack()
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def open(self, rig: object, **options: Any) -> None:
        self.rig = self.stack.enter_context(Rig(rig, **options))

    def call_of(self, thing: object, method: str, *arguments: Any, **options: Any) -> Any:
        return getattr(thing, method)(*arguments, **options)

    def each(self, method: str, *arguments: Any, **options: Any) -> Iterator[Any]:
        elements = getattr(self.rig, method)(*arguments, **options)
        try:
            yield from elements
        finally:
            elements.close()

    def close(self) -> None:
        self.call("close")


class AsyncSide(Side):
    def __enter__(self) -> AsyncSide:
        self.runner = asyncio.Runner().__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        if self.rig:
            self.close()
        self.runner.close()

    def open(self, rig: object, **options: Any) -> None:
        self.rig = AsyncRig(rig, **options)

    def call_of(self, thing: object, method: str, *arguments: Any, **options: Any) -> Any:
        async def wait() -> Any:
            return await getattr(thing, method)(*arguments, **options)

        return self.runner.run(wait())

    def each(self, method: str, *arguments: Any, **options: Any) -> Iterator[Any]:
        elements = getattr(self.rig, method)(*arguments, **options)

        async def take() -> Any:
            return await elements.__anext__()

        try:
            while True:
                try:
                    yield self.runner.run(take())
                except StopAsyncIteration:
                    return
        finally:
            self.runner.run(elements.aclose())

    def close(self) -> None:
        self.call("close")


class WithBothRigs(unittest.TestCase):
    side: Side

    def both(self, test: Callable[[], object]) -> None:
        """Runs a test with either rig."""
        for kind in (BlockingSide, AsyncSide):
            with self.subTest(kind.__name__), kind() as self.side:
                test()
