"""A SUB socket that knows when it hears nothing, and then tries anew."""

from __future__ import annotations

import time
from typing import Callable, Optional, Sequence

import zmq

from .errors import CameraBusError

# A node publishes a heartbeat each second; after three without one it counts as lost.
SILENCE = 3.0


class Subscription:
    """Receives publications of the topics with these prefixes. It belongs to the thread that made it.

    `endpoint` says where to connect to, and is asked again after each loss: a node that starts anew may be elsewhere.
    """

    def __init__(self, endpoint: Callable[[], str], prefixes: Sequence[str], queue: int):
        self._endpoint = endpoint
        self._prefixes = prefixes
        self._queue = queue
        self._socket: Optional[zmq.Socket] = None
        self._heard = 0.0
        # Whether the node was heard of late; None until it was heard, or looked for in vain.
        self.connected: Optional[bool] = None

    def open(self) -> zmq.Socket:
        """Subscribes, unless it has.

        - Raises: `CameraBusError` where the node cannot be asked for its endpoint.
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
        """The next publication; None when none came in time, `stop` has a message, or `connected` has become false."""
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
