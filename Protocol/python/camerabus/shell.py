"""What the client's logic needs in order to wait.

The logic is written once, as coroutines. `blocking.py` carries them out by blocking the thread, and
`aio.py` in an asyncio loop.
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Protocol, Sequence, TypeVar

import zmq

from .errors import CameraBusError, Code, shown
from .framing import MAXIMUM_PART

T = TypeVar("T")
AnySocket = TypeVar("AnySocket", bound="zmq.Socket[Any]")


class Dealer(Protocol):
    """A socket for requests. Several calls may wait for it at the same time."""

    async def send(self, parts: Sequence[bytes]) -> None:
        """Sends a message. It is dropped if the queue is full, because then the node is gone."""

    async def wait(self, timeout: float) -> bool:
        """Waits until a message was taken; False if none came in time."""

    def close(self, linger: int) -> None:
        """Ends every `wait`. What was sent has `linger` milliseconds to leave."""


class Subscriber(Protocol):
    """A socket for publications. One reader at a time waits for it."""

    async def receive(self, timeout: float) -> Optional[list[bytes]]:
        """The next message; None if none came in time."""

    def close(self) -> None:
        """Ends the subscription."""


class Shell(Protocol):
    """Opens sockets and waits."""

    def dealer(self, endpoint: str, take: Callable[[Sequence[bytes]], None]) -> Dealer:
        """Opens a socket whose messages go to `take`."""

    def subscriber(self, endpoint: str, prefixes: Sequence[str], queue: int, largest: int) -> Subscriber:
        """Subscribes to the topics with these prefixes; `queue` messages wait at most.

        A node that sends a part of more than `largest` bytes is disconnected.
        """

    async def sleep(self, seconds: float) -> None:
        """Lets this time pass."""

    async def work(self, function: Callable[[], T]) -> T:
        """Calls a function that may take long, such as writing to a disk."""


def open_socket(make: Callable[[int], AnySocket], kind: int) -> AnySocket:
    """Makes a socket of a context: `open_socket(context.socket, zmq.SUB)`."""
    try:
        return make(kind)
    except zmq.ZMQError as error:
        raise CameraBusError(
            Code.BUSY, f"no socket could be opened: {error.strerror}: close clients and streams that you no longer use",
            retryable=True) from error


def connect_dealer(socket: AnySocket, endpoint: str) -> AnySocket:
    socket.setsockopt(zmq.LINGER, 0)
    socket.setsockopt(zmq.MAXMSGSIZE, MAXIMUM_PART)
    return _connect(socket, endpoint)


def connect_subscriber(socket: AnySocket, endpoint: str, prefixes: Sequence[str], queue: int, largest: int
                       ) -> AnySocket:
    socket.setsockopt(zmq.LINGER, 0)
    socket.setsockopt(zmq.MAXMSGSIZE, largest)
    socket.setsockopt(zmq.RCVHWM, queue)
    for prefix in prefixes:
        socket.setsockopt(zmq.SUBSCRIBE, prefix.encode())
    return _connect(socket, endpoint)


def _connect(socket: AnySocket, endpoint: str) -> AnySocket:
    socket.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
    try:
        socket.connect(endpoint)
    except zmq.ZMQError as error:
        socket.close()
        raise CameraBusError(
            Code.INVALID_ARGUMENT, f"{shown(endpoint)} cannot be connected to: {error.strerror}: give another endpoint"
        ) from error
    return socket
