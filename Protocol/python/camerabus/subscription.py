"""A SUB socket that notices silence and then connects again."""

from __future__ import annotations

import time
from typing import Callable, Optional, Sequence

import zmq

from .errors import CameraBusError

# A node publishes a heartbeat each second. After this many seconds without a message it counts as
# lost.
SILENCE = 3.0


class Subscription:
    """Receives publications of the topics with these prefixes. It belongs to the thread that made
    it.

    `endpoint` returns the endpoint to connect to. It is called again each time the node was lost,
    because a restarted node may use another endpoint.
    """

    def __init__(self, endpoint: Callable[[], str], prefixes: Sequence[str], queue: int):
        self._endpoint = endpoint
        self._prefixes = prefixes
        self._queue = queue
        self._socket: Optional[zmq.Socket] = None
        self._heard = 0.0
        # Whether a message arrived within the last seconds; None until the first message or the
        # first failure.
        self.connected: Optional[bool] = None

    def open(self) -> zmq.Socket:
        """Subscribes, if it has not yet.

        - Raises: `CameraBusError` if the node does not tell its endpoint.
        """
        if self._socket:
            return self._socket
        try:
            endpoint = self._endpoint()
        except CameraBusError:
            self.connected = False
            raise
        socket: zmq.Socket = zmq.Context.instance().socket(zmq.SUB)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.RCVHWM, self._queue)
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
        for prefix in self._prefixes:
            socket.setsockopt(zmq.SUBSCRIBE, prefix.encode())
        socket.connect(endpoint)
        self._socket = socket
        self._heard = time.monotonic()
        return socket

    def receive(self, timeout: float, stop: Optional[zmq.Socket] = None) -> Optional[list[bytes]]:
        """The next publication; None if none arrived in time, `stop` has a message, or `connected`
        became false.
        """
        deadline = time.monotonic() + timeout
        try:
            socket = self.open()
        except CameraBusError:
            return None
        wait = min(deadline, self._heard + SILENCE) - time.monotonic()
        ready, _, _ = zmq.select([socket] + ([stop] if stop else []), [], [], max(0.0, wait))
        if socket in ready:
            self._heard = time.monotonic()
            self.connected = True
            return socket.recv_multipart()
        if not ready and time.monotonic() >= self._heard + SILENCE:
            self.close()
            self.connected = False
        return None

    def close(self) -> None:
        if self._socket:
            self._socket.close()
            self._socket = None
