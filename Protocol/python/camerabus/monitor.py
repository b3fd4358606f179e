"""Follows a node's events and misses none, or says which are lost."""

from __future__ import annotations

import time
from collections import deque
from typing import AsyncIterator, Awaitable, Callable, Deque, Optional

from . import arguments, messages
from .connection import Connection
from .errors import CameraBusError, Code, closed, shared
from .framing import Malformed, read_publication
from .subscription import Subscription
from .position import EventPosition
from .tracker import Disconnected, EventTracker, Notice, Range, Reconnected

# How many events wait for a busy monitor. Further events are dropped by ZeroMQ and replayed later.
QUEUE = 10_000
# The longest event that is received, bytes.
LARGEST = 1 << 20
# How many bytes may wait for a busy monitor. An event has a few hundred.
WAITING = 64 << 20
# How many publications to receive before asking the node for those that are missing between them.
AT_ONCE = 1000
# How long a request to the node may take, seconds.
ANSWER = 3.0
# How long to wait before the node is asked again after a failure, seconds: at first and at most. A
# node that has just started may have forgotten its first events after a second.
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 0.25
# How many ranges a node accepts in one replay request.
RANGES = 64
# Errors after which asking again cannot help.
HOPELESS = frozenset({Code.NO_SUCH_CAMERA, Code.CLOSED, Code.INVALID_ARGUMENT, Code.NODE_IS_NEWER})


class AsyncMonitor:
    """Hands out a node's notices in order: `async with bus.events() as events: async for notice in events: …`.

    It begins with the `async with`, or else with the first `next`: nothing that happens after that is missed.
    One task at a time reads it, and may end its wait with `asyncio.wait_for`: what has arrived comes next time.
    It goes on after lost connections and restarts of the node. It ends when it or its client is closed, or when
    nothing refers to it any more.
    """

    def __init__(self, connection: Connection, endpoint: Callable[[Connection], Awaitable[str]], prefix: str,
                 history: bool, after: Optional[EventPosition] = None):
        self._connection = connection
        self._tracker = EventTracker(prefix, history, after)
        self._subscription = Subscription(
            connection.shell, lambda: endpoint(connection), connection.credentials, [prefix, "heartbeat/"], QUEUE,
            LARGEST, WAITING)
        self._notices: Deque[Notice] = deque()
        self._ask_at = 0.0
        self._pause = FIRST_PAUSE
        self._lost = False
        self._is_closed = False
        self._is_read = False
        # How many publications could not be read. They show as gaps and are replayed.
        self.unreadable = 0

    async def next(self, timeout: float = 3600.0) -> Optional[Notice]:
        """The next notice, or None if there is none in time.

        A request to the node can add some seconds.

        - Raises: `CameraBusError` if there is no such camera, if this was closed, or if another task reads it.
        """
        if not await self._wait(arguments.seconds("timeout", timeout)):
            return None
        return self._notices.popleft()

    async def batch(self, timeout: float) -> list[Notice]:
        """All notices that are there, of which the first is waited for."""
        if not await self._wait(timeout):
            return []
        notices = list(self._notices)
        self._notices.clear()
        return notices

    async def _wait(self, timeout: float) -> bool:
        """Waits for a notice. Returns whether there is one."""
        deadline = time.monotonic() + timeout
        if self._is_read:
            raise shared("monitor")
        self._is_read = True
        try:
            # No item leaves `_notices` before it is returned, so that a wait that is cancelled loses none.
            while not self._notices:
                if self._is_closed:
                    raise closed("monitor")
                await self._step(max(0.0, deadline - time.monotonic()))
                if not self._notices and time.monotonic() >= deadline:
                    return False
            return True
        finally:
            self._is_read = False

    def __aiter__(self) -> AsyncIterator[Notice]:
        return self

    async def __anext__(self) -> Notice:
        while True:
            notice = await self.next()
            if notice is not None:
                return notice

    async def begin(self) -> None:
        """Subscribes and takes the snapshot, unless the node does not answer.

        - Raises: `CameraBusError` if there is no such camera, or if this was closed.
        """
        if self._is_closed:
            raise closed("monitor")
        await self._ask()
        self._note_loss()

    def end(self) -> None:
        """Closes it at once."""
        self._is_closed = True
        self._subscription.close()
        self._connection.close()

    async def close(self) -> None:
        self.end()

    async def __aenter__(self) -> AsyncMonitor:
        try:
            await self.begin()
        except BaseException:
            self.end()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _step(self, remaining: float) -> None:
        """Asks the node for missing events, then receives what has arrived."""
        if self._lacks_something() and time.monotonic() >= self._ask_at:
            await self._ask()
            self._note_loss()
        if self._notices:
            return
        if self._lacks_something():
            remaining = min(remaining, max(0.0, self._ask_at - time.monotonic()))
        parts = await self._subscription.receive(remaining)
        self._note_loss()
        if parts is not None and self._lost:
            self._lost = False
            self._notices.append(Reconnected())
        for more in reversed(range(AT_ONCE)):
            if parts is None:
                break
            self._take(parts)
            parts = await self._subscription.receive(0) if more else None

    def _note_loss(self) -> None:
        if self._subscription.connected is False and not self._lost:
            self._lost = True
            self._notices.append(Disconnected())

    def _take(self, parts: list[bytes]) -> None:
        try:
            publication = read_publication(parts)
        except Malformed:
            self.unreadable += 1
            return
        if publication:
            self._notices += self._tracker.take(publication)

    def _lacks_something(self) -> bool:
        """Whether to ask the node for something. A lost node would not answer."""
        return not self._lost and (self._tracker.needs_snapshot or bool(self._tracker.missing()))

    async def _ask(self) -> None:
        try:
            await self._subscription.open()  # before the snapshot, so that events in between are kept
            if self._tracker.needs_snapshot:
                self._notices += await self._snapshot()
            missing = self._tracker.missing()
            if missing:
                self._notices += await self._replay(missing[:RANGES])
            self._pause = FIRST_PAUSE
        except CameraBusError as error:
            if error.code in HOPELESS:
                raise
            self._ask_at = time.monotonic() + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE)

    async def _snapshot(self) -> list[Notice]:
        call = await self._connection.call(messages.Request(status=messages.StatusRequest()), ANSWER)
        reply = await self._connection.result("status", call)
        return self._tracker.take_snapshot(reply.status, call.epoch)

    async def _replay(self, ranges: list[Range]) -> list[Notice]:
        request = messages.ReplayRequest(ranges=[
            messages.ReplayRequest.Range(topic=gap.topic, first=gap.first, last=gap.last) for gap in ranges])
        call = await self._connection.call(messages.Request(replay=request), ANSWER)
        reply = await self._connection.result("replay", call)
        return self._tracker.take_replay(ranges, reply.replay, call.epoch)
