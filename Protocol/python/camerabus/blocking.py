"""Carries out the client's logic by blocking the thread that calls it."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque
from typing import Any, AsyncGenerator, Callable, Coroutine, Deque, Optional, Sequence, TypeVar

import zmq

from .arrivals import Arrivals, Refusal
from .credentials import Credentials
from .crew import Job
from .errors import closed, elsewhere, no_room, shared
from .shell import close, connect_dealer, connect_subscriber, open_socket, when_dropped

T = TypeVar("T")


class Stopped(Exception):
    """The shell was told to stop."""


class Stop:
    """Ends all waiting of a shell, from any thread and until it is cleared."""

    _descriptor = -1

    def __init__(self) -> None:
        try:
            self._descriptor = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        except OSError as error:
            raise no_room(os.strerror(error.errno or 0)) from error

    def set(self) -> None:
        os.eventfd_write(self._descriptor, 1)

    def clear(self) -> None:
        """Lets the shell wait again, of which nothing waits now."""
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._descriptor)

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        """Gives the descriptor back, when nothing uses it any more."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __del__(self) -> None:
        self.close()


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Carries out a coroutine of the logic. It never suspends, because its waiting blocks."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise AssertionError("the coroutine waits for something that is not of this shell")


def new_socket(kind: int) -> zmq.Socket[bytes]:
    """A socket of the process's context."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context.instance()
    return open_socket(context.socket, kind)


class Runner:
    """Carries out the coroutines of a client or a monitor, for one thread at a time."""

    def __init__(self, what: str, *, keeps_thread: bool):
        """`what` it is, for errors. With `keeps_thread` no other thread than the first one may use it."""
        self.shell = BlockingShell(Stop())
        self._what = what
        self._keeps_thread = keeps_thread
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._thread: Optional[int] = None
        # How many calls are under way: a function that a call calls may call again.
        self._depth = 0
        self._end: Optional[Callable[[], None]] = None

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Carries out a coroutine.

        - Raises: `CameraBusError` too if it was closed, or if another thread uses it.
        """
        try:
            self._enter()
        except BaseException:
            coroutine.close()
            raise
        try:
            return run(coroutine)
        except Stopped:
            raise closed(self._what) from None
        finally:
            self._leave()

    def close(self, end: Callable[[], None]) -> None:
        """Calls `end` as soon as no call is under way. A call of another thread ends with CLOSED."""
        self.shell.stop.set()
        with self._lock:
            self._end = end
            if self._depth:
                return
        end()

    def _enter(self) -> None:
        thread = threading.get_ident()
        if os.getpid() != self._process:
            raise elsewhere(self._what, "process")
        with self._lock:
            if self._end is not None:
                raise closed(self._what)
            if self._thread not in (None, thread):
                if self._keeps_thread:
                    raise elsewhere(self._what, "thread")
                if self._depth:
                    raise shared(self._what)
            self._thread = thread
            self._depth += 1

    def _leave(self) -> None:
        with self._lock:
            self._depth -= 1
            end = None if self._depth else self._end
        if end is not None:
            end()


class BlockingShell:
    """Waits by blocking. When `stop` is set, all waiting ends with `Stopped`."""

    def __init__(self, stop: Stop):
        self.stop = stop

    def dealer(self, endpoint: str, credentials: Optional[Credentials], take: Callable[[Sequence[bytes]], None],
               pending: Callable[[], int]) -> _Dealer:
        socket = new_socket(zmq.DEALER)
        return _Dealer(socket, connect_dealer(socket, endpoint, credentials, pending), take, self.stop)

    def subscriber(self, endpoint: str, credentials: Optional[Credentials], prefixes: Sequence[str], queue: int,
                   largest: int, waiting: int) -> _Subscriber:
        socket = new_socket(zmq.SUB)
        return _Subscriber(
            socket, connect_subscriber(socket, endpoint, credentials, prefixes, queue, largest, waiting), self.stop)

    async def sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            ready, _, _ = zmq.select([self.stop.fileno()], [], [], left)
            if ready:
                raise Stopped

    async def work(self, function: Callable[[], T]) -> T:
        return function()

    def series(self, elements: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
        return elements


class BlockingCrew:
    """Carries out each job on a thread of its own, and waits by blocking until the shell is stopped."""

    def __init__(self, shell: BlockingShell):
        self.shell = shell

    def lane(self) -> BlockingShell:
        return BlockingShell(Stop())

    async def each(self, jobs: Sequence[Job], to_the_end: bool = False) -> AsyncGenerator[int, None]:
        team = _Team(jobs)
        left = len(jobs)
        try:
            team.begin()
            while left:
                waited = [team.news.fileno()] if to_the_end else [team.news.fileno(), self.shell.stop.fileno()]
                ready, _, _ = zmq.select(waited, [], [])
                if self.shell.stop.fileno() in ready:
                    raise Stopped
                team.news.clear()
                while team.ended:
                    index, failure = team.ended.popleft()
                    left -= 1
                    if failure is not None:
                        raise failure
                    yield index
        finally:
            team.end()

    async def sleep(self, seconds: float) -> None:
        await self.shell.sleep(seconds)


class _Team:
    """Threads that carry out jobs."""

    def __init__(self, jobs: Sequence[Job]):
        self._jobs = jobs
        self._lock = threading.Lock()
        # The threads that work at a job, and what stops them. A thread that was started may come late, after the end.
        self._working: dict[Stop, threading.Thread] = {}
        self._is_over = False
        # The jobs that are done, and what has failed in them; and news of another one.
        self.ended: Deque[tuple[int, Optional[BaseException]]] = deque()
        self.news = Stop()

    def begin(self) -> None:
        for index in range(len(self._jobs)):
            try:
                threading.Thread(target=self._work, args=(index,), name="camerabus rig", daemon=True).start()
            except RuntimeError as error:
                raise no_room(str(error), "thread") from error

    def _work(self, index: int) -> None:
        job = self._jobs[index]
        assert isinstance(job.lane, BlockingShell)
        with self._lock:
            if self._is_over:
                return
            job.lane.stop.clear()
            self._working[job.lane.stop] = threading.current_thread()
        failure: Optional[BaseException] = None
        try:
            run(job.work())
        except BaseException as error:
            failure = error
        with self._lock:
            del self._working[job.lane.stop]
            self.ended.append((index, failure))
            self.news.set()

    def end(self) -> None:
        """Ends what is not done, and waits for that."""
        with self._lock:
            self._is_over = True
            working = dict(self._working)
        for stop in working:
            stop.set()
        for thread in working.values():
            thread.join()
        # Not left to `__del__`, where Python would lose a Ctrl-C.
        self.news.close()


class _Dealer:
    def __init__(self, socket: zmq.Socket[bytes], arrivals: Arrivals, take: Callable[[Sequence[bytes]], None],
                 stop: Stop):
        self._socket = socket
        self._arrivals = arrivals
        self._take = take
        self._stop = stop
        when_dropped(self, lambda: close(socket, arrivals, linger=0))

    async def send(self, parts: Sequence[bytes]) -> None:
        try:
            self._socket.send_multipart(parts, zmq.DONTWAIT)
        except zmq.Again:
            pass

    async def wait(self, timeout: float) -> bool:
        if not _is_ready(self._socket, timeout, self._stop):
            return False
        parts = self._socket.recv_multipart()
        self._arrivals.read(parts)
        self._take(parts)
        return True

    @property
    def is_excessive(self) -> bool:
        return self._arrivals.is_excessive

    @property
    def refusal(self) -> Optional[Refusal]:
        return self._arrivals.refusal

    def close(self, linger: int) -> None:
        close(self._socket, self._arrivals, linger)


class _Subscriber:
    def __init__(self, socket: zmq.Socket[bytes], arrivals: Arrivals, stop: Stop):
        self._socket = socket
        self._arrivals = arrivals
        self._stop = stop
        when_dropped(self, lambda: close(socket, arrivals))

    async def receive(self, timeout: float) -> Optional[list[bytes]]:
        if not _is_ready(self._socket, timeout, self._stop):
            return None
        parts = self._socket.recv_multipart()
        self._arrivals.read(parts)
        return parts

    def repeat(self, prefix: str) -> None:
        self._socket.subscribe(prefix)

    def close(self) -> None:
        close(self._socket, self._arrivals)


def _is_ready(socket: zmq.Socket[bytes], timeout: float, stop: Stop) -> bool:
    ready, _, _ = zmq.select([socket, stop.fileno()], [], [], max(0.0, timeout))
    if stop.fileno() in ready:
        raise Stopped
    return socket in ready
