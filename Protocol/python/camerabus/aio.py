"""Carries out the client's logic in an asyncio loop."""

from __future__ import annotations

import asyncio
import contextlib
import math
from typing import AsyncGenerator, AsyncIterator, Callable, Generic, Optional, Sequence, TypeVar

import zmq
import zmq.asyncio

from .arrivals import Arrivals, Refusal
from .credentials import Credentials
from .crew import Job
from .errors import closed, elsewhere, shared
from .shell import close, connect_dealer, connect_subscriber, open_socket, when_dropped

T = TypeVar("T")

# After so many messages in a row the loop's other tasks have their turn. Awaiting a message that is
# there already does not give them one, and a node may send messages without end.
BURST = 100


def _socket(kind: int) -> zmq.asyncio.Socket:
    # Shares the context of the blocking client: one context a process.
    context = zmq.asyncio.Context.shadow(zmq.Context.instance().underlying)
    return open_socket(context.socket, kind)


class AsyncioShell:
    """Waits in the running loop."""

    def dealer(self, endpoint: str, credentials: Optional[Credentials], take: Callable[[Sequence[bytes]], None],
               pending: Callable[[], int]) -> _Dealer:
        socket = _socket(zmq.DEALER)
        return _Dealer(socket, connect_dealer(socket, endpoint, credentials, pending), take)

    def subscriber(self, endpoint: str, credentials: Optional[Credentials], prefixes: Sequence[str], queue: int,
                   largest: int, waiting: int) -> _Subscriber:
        socket = _socket(zmq.SUB)
        return _Subscriber(
            socket, connect_subscriber(socket, endpoint, credentials, prefixes, queue, largest, waiting))

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def work(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(None, function)

    def series(self, elements: AsyncGenerator[T, None]) -> Series[T]:
        return Series(elements)


class _Work(Generic[T]):
    """The task that makes the next element. It does not refer to the series, which Python can so drop."""

    def __init__(self) -> None:
        self.task: Optional[asyncio.Task[T]] = None

    def begin(self, elements: AsyncGenerator[T, None]) -> asyncio.Task[T]:
        if self.task is None:
            self.task = asyncio.create_task(_next(elements), name="camerabus series")
            self.task.add_done_callback(_note)
        return self.task

    def cancel(self) -> None:
        if self.task:
            with contextlib.suppress(RuntimeError):  # the loop was closed
                self.task.cancel()


async def _next(elements: AsyncGenerator[T, None]) -> T:
    return await elements.__anext__()


def _note(task: asyncio.Task[T]) -> None:
    """Looks at the error of a task that nobody waits for, because Python complains otherwise."""
    if not task.cancelled():
        task.exception()


class Series(AsyncIterator[T]):
    """Photos or assets that come one after the other, for one reader at a time.

    The reader may end its wait with `asyncio.wait_for`: the work goes on, and what it brings comes with the next call.
    It ends with `aclose`, or when nothing refers to it any more. Photos that are under way are then cancelled.
    """

    def __init__(self, elements: AsyncGenerator[T, None]):
        self._elements = elements
        self._work = _Work[T]()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._is_read = False

    def __aiter__(self) -> Series[T]:
        return self

    async def __anext__(self) -> T:
        if self._is_read:
            raise shared("series")
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            when_dropped(self, _in_loop(self._loop, self._work.cancel))
        self._is_read = True
        try:
            task = self._work.begin(self._elements)
            await asyncio.wait([task])
        finally:
            self._is_read = False
        self._work.task = None
        try:
            if task.cancelled():  # by `aclose` of another task
                raise closed("series")
            return task.result()
        finally:
            del task  # its error refers to this frame

    async def aclose(self) -> None:
        """Ends it before its end."""
        if task := self._work.task:
            task.cancel()
            await asyncio.wait([task])
        await self._elements.aclose()


class AsyncioCrew:
    """Carries out each job in a task of the running loop."""

    def __init__(self) -> None:
        self.shell = AsyncioShell()
        self._is_ended = False
        self._end: Optional[asyncio.Future[None]] = None

    def lane(self) -> AsyncioShell:
        return self.shell

    async def each(self, jobs: Sequence[Job], to_the_end: bool = False) -> AsyncGenerator[int, None]:
        end = self._awaited_end()
        tasks = [asyncio.create_task(job.work(), name="camerabus rig") for job in jobs]
        left = set(tasks)
        try:
            while left:
                waited = left if to_the_end else {*left, end}
                done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                if end in done:
                    raise closed("rig")
                for task in tasks:
                    if task in left and task in done:
                        left.remove(task)
                        task.result()
                        yield tasks.index(task)
        finally:
            for task in left:
                task.cancel()
                task.add_done_callback(_note)
            if left:
                await asyncio.wait(left)

    async def sleep(self, seconds: float) -> None:
        done, _ = await asyncio.wait({self._awaited_end()}, timeout=seconds)
        if done:
            raise closed("rig")

    def end(self) -> None:
        """Ends what waits, except for what is carried out to the end."""
        self._is_ended = True
        if self._end is not None and not self._end.done():
            self._end.set_result(None)

    def _awaited_end(self) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        if self._end is None:
            self._end = loop.create_future()
            if self._is_ended:
                self._end.set_result(None)
        if self._end.get_loop() is not loop:
            raise elsewhere("AsyncRig", "event loop")
        return self._end


class _Pace:
    """Lets the loop's other tasks run between bursts of messages."""

    def __init__(self) -> None:
        self._count = 0

    async def step(self) -> None:
        self._count += 1
        if self._count % BURST == 0:
            await asyncio.sleep(0)


class _News:
    """Wakes all tasks that wait for a message."""

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self._loop = loop
        self.future = loop.create_future()

    def tell(self) -> None:
        self.future.set_result(None)
        self.future = self._loop.create_future()


async def _read(socket: zmq.asyncio.Socket, arrivals: Arrivals, take: Callable[[Sequence[bytes]], None],
                news: _News) -> None:
    """Reads without a reference to the dealer, which Python can so drop."""
    pace = _Pace()
    while True:
        await pace.step()
        parts = await socket.recv_multipart()
        arrivals.read(parts)
        take(parts)
        news.tell()


def _in_loop(loop: asyncio.AbstractEventLoop, end: Callable[[], None]) -> Callable[[], None]:
    """Calls `end` in the loop, from any thread; at once if the loop was closed."""

    def call() -> None:
        try:
            loop.call_soon_threadsafe(end)
        except RuntimeError:
            end()

    return call


class _Dealer:
    """One task reads for all calls that wait, because a reply may be for any of them."""

    def __init__(self, socket: zmq.asyncio.Socket, arrivals: Arrivals, take: Callable[[Sequence[bytes]], None]):
        self._socket = socket
        self._arrivals = arrivals
        self._loop = asyncio.get_running_loop()
        self._news = _News(self._loop)
        self._reader = reader = self._loop.create_task(
            _read(socket, arrivals, take, self._news), name="camerabus replies")

        def end() -> None:
            close(socket, arrivals, linger=0)
            with contextlib.suppress(RuntimeError):  # the loop was closed
                reader.cancel()

        when_dropped(self, _in_loop(self._loop, end))

    async def send(self, parts: Sequence[bytes]) -> None:
        self._check_loop()
        try:
            await self._socket.send_multipart(parts, zmq.DONTWAIT)
        except zmq.Again:
            pass

    async def wait(self, timeout: float) -> bool:
        self._check_loop()
        done, _ = await asyncio.wait([self._news.future], timeout=timeout)
        return bool(done)

    @property
    def is_excessive(self) -> bool:
        return self._arrivals.is_excessive

    @property
    def refusal(self) -> Optional[Refusal]:
        return self._arrivals.refusal

    def close(self, linger: int) -> None:
        self._reader.cancel()
        close(self._socket, self._arrivals, linger)
        self._news.tell()

    def _check_loop(self) -> None:
        if asyncio.get_running_loop() is not self._loop:
            raise elsewhere("AsyncCameraBus", "event loop")


class _Subscriber:
    def __init__(self, socket: zmq.asyncio.Socket, arrivals: Arrivals):
        self._socket = socket
        self._arrivals = arrivals
        self._pace = _Pace()
        when_dropped(self, _in_loop(asyncio.get_running_loop(), lambda: close(socket, arrivals)))

    async def receive(self, timeout: float) -> Optional[list[bytes]]:
        try:
            await self._pace.step()
            if not await self._socket.poll(math.ceil(max(0.0, timeout) * 1000)):
                return None
            parts = await self._socket.recv_multipart()
            self._arrivals.read(parts)
            return parts
        except asyncio.CancelledError:
            if self._socket.closed:  # by another task, while this one waited
                return None
            raise

    def repeat(self, prefix: str) -> None:
        self._socket.subscribe(prefix)

    def close(self) -> None:
        close(self._socket, self._arrivals)
