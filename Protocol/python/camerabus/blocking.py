"""Carries out the client's logic by blocking the thread that calls it."""

from __future__ import annotations

import math
import time
from typing import Any, Callable, Coroutine, Optional, Sequence, TypeVar

import zmq

from .shell import connect_dealer, connect_subscriber, open_socket

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

    def dealer(self, endpoint: str, take: Callable[[Sequence[bytes]], None]) -> _Dealer:
        return _Dealer(connect_dealer(new_socket(zmq.DEALER), endpoint), take, self._stop)

    def subscriber(self, endpoint: str, prefixes: Sequence[str], queue: int, largest: int) -> _Subscriber:
        return _Subscriber(
            connect_subscriber(new_socket(zmq.SUB), endpoint, prefixes, queue, largest), self._stop)

    async def sleep(self, seconds: float) -> None:
        if self._stop is None:
            time.sleep(seconds)
        elif self._stop.poll(math.ceil(seconds * 1000)):
            raise Stopped

    async def work(self, function: Callable[[], T]) -> T:
        return function()


class _Dealer:
    def __init__(self, socket: zmq.Socket[bytes], take: Callable[[Sequence[bytes]], None],
                 stop: Optional[zmq.Socket[bytes]]):
        self._socket = socket
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
        self._take(self._socket.recv_multipart())
        return True

    def close(self, linger: int) -> None:
        self._socket.close(linger=linger)


class _Subscriber:
    def __init__(self, socket: zmq.Socket[bytes], stop: Optional[zmq.Socket[bytes]]):
        self._socket = socket
        self._stop = stop

    async def receive(self, timeout: float) -> Optional[list[bytes]]:
        return self._socket.recv_multipart() if _is_ready(self._socket, timeout, self._stop) else None

    def close(self) -> None:
        self._socket.close()


def _is_ready(socket: zmq.Socket[bytes], timeout: float, stop: Optional[zmq.Socket[bytes]]) -> bool:
    ready, _, _ = zmq.select([socket] + ([stop] if stop else []), [], [], max(0.0, timeout))
    if stop in ready:
        raise Stopped
    return socket in ready
