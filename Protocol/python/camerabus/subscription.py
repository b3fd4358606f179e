"""A subscription that notices silence and then connects again."""

from __future__ import annotations

import time
from typing import Awaitable, Callable, Optional, Sequence

from .credentials import Credentials
from .errors import CameraBusError
from .shell import Shell, Subscriber

# A node publishes a heartbeat each second. After this many seconds without a message it counts as
# lost.
SILENCE = 3.0
# For the last part of that time the client listens without a break, seconds: while the process was
# stopped or did something else, libzmq may not have read what has arrived.
LISTENING = 1.0
# How long to wait before the node is asked again after it has refused to answer, seconds.
PAUSE = 1.0


class Subscription:
    """Receives publications of the topics with these prefixes.

    `endpoint` returns the endpoint to connect to. It is called again each time the node was lost,
    because a restarted node may use another endpoint.
    """

    def __init__(self, shell: Shell, endpoint: Callable[[], Awaitable[str]], credentials: Optional[Credentials],
                 prefixes: Sequence[str], queue: int, largest: int, waiting: int):
        self._shell = shell
        self._credentials = credentials
        self._endpoint = endpoint
        self._prefixes = prefixes
        self._queue = queue
        self._largest = largest
        self._waiting = waiting
        self._subscriber: Optional[Subscriber] = None
        self._heard = 0.0
        # When the client began to listen for the last time before it counts the node as lost.
        self._listening: Optional[float] = None
        # Whether a message arrived within the last seconds; None until the first message or the
        # first failure.
        self.connected: Optional[bool] = None

    async def open(self) -> Subscriber:
        """Subscribes, if it has not yet.

        - Raises: `CameraBusError` if the node does not name its endpoint.
        """
        if self._subscriber:
            return self._subscriber
        try:
            endpoint = await self._endpoint()
        except CameraBusError:
            self.connected = False
            raise
        self._subscriber = self._shell.subscriber(endpoint, self._credentials, self._prefixes, self._queue,
                                                  self._largest, self._waiting)
        self._heard = time.monotonic()
        self._listening = None
        return self._subscriber

    async def receive(self, timeout: float) -> Optional[list[bytes]]:
        """The next publication; None if none arrived in time, or `connected` became false.

        - Raises: `CameraBusError` if trying again cannot help.
        """
        deadline = time.monotonic() + timeout
        try:
            subscriber = await self.open()
        except CameraBusError as error:
            if not error.retryable:
                raise
            await self._shell.sleep(min(PAUSE, max(0.0, deadline - time.monotonic())))
            return None
        while True:
            end = self._heard + SILENCE - LISTENING if self._listening is None else self._listening + LISTENING
            parts = await subscriber.receive(min(deadline, end) - time.monotonic())
            now = time.monotonic()
            if parts is not None:
                self._heard = now
                self._listening = None
                self.connected = True
                return parts
            if subscriber is not self._subscriber:  # closed by another task
                return None
            if now >= end:
                if self._listening is not None:
                    self.close()
                    self.connected = False
                    return None
                self._listening = now
            if now >= deadline:
                return None

    def repeat(self) -> None:
        """Sends the subscription to the first prefix once more."""
        if self._subscriber:
            self._subscriber.repeat(self._prefixes[0])

    def close(self) -> None:
        if self._subscriber:
            self._subscriber.close()
            self._subscriber = None
