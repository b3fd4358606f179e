"""What the client's logic needs in order to wait.

The logic is written once, as coroutines. `blocking.py` carries them out by blocking the thread, and
`aio.py` in an asyncio loop.
"""

from __future__ import annotations

import os
import weakref
from typing import Any, AsyncGenerator, AsyncIterator, Awaitable, Callable, Optional, Protocol, Sequence, TypeVar

import zmq

from .arrivals import Arrivals, Refusal, forget, watch
from .credentials import Credentials
from .errors import CameraBusError, Code, no_room, shown
from .framing import MAXIMUM_PART

# How many bytes of replies may wait to be read, and how many more for each call: a photo, or the
# chunks of a download.
WAITING = 8 << 20
PER_CALL = 5 << 20

T = TypeVar("T")
E = TypeVar("E", covariant=True)
AnySocket = TypeVar("AnySocket", bound="zmq.Socket[Any]")


class Dealer(Protocol):
    """A socket for requests. Several calls may wait for it at the same time."""

    async def send(self, parts: Sequence[bytes]) -> None:
        """Sends a message. It is dropped if the queue is full, because then the node is gone."""

    async def wait(self, timeout: float) -> bool:
        """Waits until a message was taken; False if none came in time."""

    @property
    def is_excessive(self) -> bool:
        """Whether the connection was ended, because far more came over it than a node sends."""

    @property
    def refusal(self) -> Optional[Refusal]:
        """Why what answers at the endpoint is of no use; None if it is, or if nothing answers."""

    def close(self, linger: int) -> None:
        """Ends every `wait`. What was sent has `linger` milliseconds to leave."""


class Subscriber(Protocol):
    """A socket for publications. One reader at a time waits for it."""

    async def receive(self, timeout: float) -> Optional[list[bytes]]:
        """The next message; None if none came in time."""

    def repeat(self, prefix: str) -> None:
        """Sends a subscription once more, which brings nothing twice."""

    def close(self) -> None:
        """Ends the subscription."""


class Elements(Protocol[E]):
    """Elements that come one after the other, until they are closed."""

    def __aiter__(self) -> AsyncIterator[E]: ...

    def __anext__(self) -> Awaitable[E]: ...

    def aclose(self) -> Awaitable[None]: ...


class Shell(Protocol):
    """Opens sockets and waits."""

    def dealer(self, endpoint: str, credentials: Optional[Credentials], take: Callable[[Sequence[bytes]], None],
               pending: Callable[[], int]) -> Dealer:
        """Opens a socket whose messages go to `take`. `pending` counts the calls without a final reply."""

    def subscriber(self, endpoint: str, credentials: Optional[Credentials], prefixes: Sequence[str], queue: int,
                   largest: int, waiting: int) -> Subscriber:
        """Subscribes to the topics with these prefixes; `queue` messages wait at most.

        A node is disconnected if it sends a part of more than `largest` bytes, or if more than
        `waiting` bytes wait to be read.
        """

    async def sleep(self, seconds: float) -> None:
        """Lets this time pass."""

    async def work(self, function: Callable[[], T]) -> T:
        """Calls a function that may take long, such as writing to a disk."""

    def series(self, elements: AsyncGenerator[T, None]) -> Elements[T]:
        """The elements of a generator. A wait for the next one that is cancelled leaves the generator at its work."""


def open_socket(make: Callable[[int], AnySocket], kind: int) -> AnySocket:
    """Makes a socket of a context: `open_socket(context.socket, zmq.SUB)`."""
    try:
        return make(kind)
    except zmq.ZMQError as error:
        raise no_room(str(error.strerror)) from error


def connect_dealer(socket: AnySocket, endpoint: str, credentials: Optional[Credentials],
                   pending: Callable[[], int]) -> Arrivals:
    socket.setsockopt(zmq.LINGER, 0)
    socket.setsockopt(zmq.MAXMSGSIZE, MAXIMUM_PART)
    return _connect(socket, endpoint, credentials, lambda: WAITING + PER_CALL * pending())


def connect_subscriber(socket: AnySocket, endpoint: str, credentials: Optional[Credentials], prefixes: Sequence[str],
                       queue: int, largest: int, waiting: int) -> Arrivals:
    socket.setsockopt(zmq.LINGER, 0)
    socket.setsockopt(zmq.MAXMSGSIZE, largest)
    socket.setsockopt(zmq.RCVHWM, queue)
    for prefix in prefixes:
        socket.setsockopt(zmq.SUBSCRIBE, prefix.encode())
    return _connect(socket, endpoint, credentials, lambda: waiting)


def _connect(socket: AnySocket, endpoint: str, credentials: Optional[Credentials],
             limit: Callable[[], int]) -> Arrivals:
    if endpoint.startswith("ipc://"):
        credentials = None
    if credentials:
        credentials.apply(socket)
    # The node may be back at any moment; the first pauses are 50 and 100 ms.
    socket.setsockopt(zmq.RECONNECT_IVL, 50)
    socket.setsockopt(zmq.RECONNECT_IVL_MAX, 250)
    try:
        arrivals = watch(socket, limit, is_encrypted=credentials is not None)
    except (zmq.ZMQError, OSError) as error:
        socket.close()
        raise no_room(str(error.strerror)) from error
    if endpoint.startswith("tcp://["):
        socket.setsockopt(zmq.IPV6, 1)
    try:
        socket.connect(endpoint)
    except zmq.ZMQError as error:
        close(socket, arrivals)
        raise CameraBusError(
            Code.INVALID_ARGUMENT, f"{shown(endpoint)} cannot be connected to: {error.strerror}: give another endpoint"
        ) from error
    return arrivals


def when_dropped(owner: object, end: Callable[[], None]) -> None:
    """Calls `end` when nothing refers to the owner any more, so `end` must not refer to it.

    Python may call it on any thread, and while that thread holds any lock.
    """
    process = os.getpid()

    def end_here() -> None:
        if os.getpid() == process:  # a forked process has its parent's sockets, but may not use them
            end()

    # When the program ends, other threads still use what they have.
    weakref.finalize(owner, end_here).atexit = False


def close(socket: AnySocket, arrivals: Arrivals, linger: Optional[int] = None) -> None:
    if not socket.closed:
        forget(socket, arrivals)
    socket.close(linger=linger)
