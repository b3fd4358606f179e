"""Carries out the client's logic by blocking the thread that calls it."""

from __future__ import annotations

import math
import time
from typing import Any, Callable, Coroutine, Optional, Sequence, TypeVar

import zmq

from .arrivals import Arrivals, Refusal
from .credentials import Credentials
from .shell import close, connect_dealer, connect_subscriber, open_socket

T = TypeVar("T")


class Stopped(Exception):
    """The stop socket of the shell has a message."""


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


class BlockingShell:
    """Waits by blocking. If `stop` gets a message, all waiting ends with `Stopped`."""

    def __init__(self, stop: Optional[zmq.Socket[bytes]] = None):
        self._stop = stop

    def dealer(self, endpoint: str, credentials: Optional[Credentials], take: Callable[[Sequence[bytes]], None],
               pending: Callable[[], int]) -> _Dealer:
        socket = new_socket(zmq.DEALER)
        return _Dealer(socket, connect_dealer(socket, endpoint, credentials, pending), take, self._stop)

    def subscriber(self, endpoint: str, credentials: Optional[Credentials], prefixes: Sequence[str], queue: int,
                   largest: int, waiting: int) -> _Subscriber:
        socket = new_socket(zmq.SUB)
        return _Subscriber(
            socket, connect_subscriber(socket, endpoint, credentials, prefixes, queue, largest, waiting), self._stop)

    async def sleep(self, seconds: float) -> None:
        if self._stop is None:
            time.sleep(seconds)
        elif self._stop.poll(math.ceil(seconds * 1000)):
            raise Stopped

    async def work(self, function: Callable[[], T]) -> T:
        return function()


class _Dealer:
    def __init__(self, socket: zmq.Socket[bytes], arrivals: Arrivals, take: Callable[[Sequence[bytes]], None],
                 stop: Optional[zmq.Socket[bytes]]):
        self._socket = socket
        self._arrivals = arrivals
        self._take = take
        self._stop = stop

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
    def __init__(self, socket: zmq.Socket[bytes], arrivals: Arrivals, stop: Optional[zmq.Socket[bytes]]):
        self._socket = socket
        self._arrivals = arrivals
        self._stop = stop

    async def receive(self, timeout: float) -> Optional[list[bytes]]:
        if not _is_ready(self._socket, timeout, self._stop):
            return None
        parts = self._socket.recv_multipart()
        self._arrivals.read(parts)
        return parts

    def close(self) -> None:
        close(self._socket, self._arrivals)


def _is_ready(socket: zmq.Socket[bytes], timeout: float, stop: Optional[zmq.Socket[bytes]]) -> bool:
    ready, _, _ = zmq.select([socket] + ([stop] if stop else []), [], [], max(0.0, timeout))
    if stop in ready:
        raise Stopped
    return socket in ready
