"""The connections to one node of a rig, and what is known of its clock."""

from __future__ import annotations

import contextlib
import threading
from typing import Callable, Optional

from . import arguments, messages
from .calls import PATIENCE
from .client import Client
from .clocks import ClockEstimate, ClockOffset, WallClock
from .crew import Crew
from .errors import CameraBusError
from .rig import RigNode
from .shell import Shell

# How many readings bound a clock at first, and how many more later.
_FIRST, _FURTHER = 8, 4
# How often a node is asked within the time in which it has to be there.
_TRIES = 3


class RigLink:
    """Follows the clock of one node, and has a connection for it and one for each camera: pictures that come do not
    hold up the readings.
    """

    def __init__(self, node: RigNode, crew: Crew, wall: Callable[[], Optional[WallClock]], timeout: float,
                 connect_timeout: float):
        self.node = node
        self._crew = crew
        self._wall = wall
        self._control, self._credentials = node.connection()
        # How long a request of a camera may take, seconds.
        self.timeout = arguments.timeout("timeout", timeout)
        self.lane = crew.lane()
        self._client = self._connect(self.lane, connect_timeout, min(PATIENCE, connect_timeout / _TRIES))
        self._cameras: dict[str, tuple[Shell, Client]] = {}
        self._clock = ClockEstimate()
        # Several cameras of the node may read its clock at once, each by its own connection.
        self._lock = threading.Lock()
        self._has_readings = False
        # How often a clock was found to be changed.
        self.changes = 0
        # The longest time that a reading of the last burst took, nanoseconds.
        self.round_trip = 0

    async def status(self) -> messages.StatusReply:
        """How the node and its cameras of the rig are."""
        found = await self._client.status()
        if self.node.cameras is None:
            return found
        names = {camera.camera for camera in self.node.cameras}
        status = messages.StatusReply()
        status.CopyFrom(found)
        del status.cameras[:]
        status.cameras.extend(camera for camera in found.cameras if camera.name in names)
        return status

    async def read_clock(self, client: Optional[Client] = None) -> None:
        """Reads the node's clock some times, by this connection to it or by its own."""
        longest = 0
        for _ in range(_FURTHER if self._has_readings else _FIRST):
            reading = await (client or self._client).read_clock()
            with self._lock:
                self.changes += not self._clock.add(reading, self._wall())
            longest = max(longest, reading.received - reading.sent)
        self.round_trip, self._has_readings = longest, True

    async def try_clock(self) -> None:
        """Reads the clock, if the node answers."""
        with contextlib.suppress(CameraBusError):
            await self.read_clock()

    def offset(self, moment: int) -> Optional[ClockOffset]:
        """How far the node's clock is ahead at a moment of this machine's; None while that is not known."""
        with self._lock:
            return self._clock.at(moment)

    def camera(self, name: Optional[str]) -> tuple[Shell, Client]:
        """The connection for a camera, and its lane."""
        name = name or ""
        if name not in self._cameras:
            lane = self._crew.lane()
            self._cameras[name] = lane, self._connect(lane, self.timeout, PATIENCE)
        return self._cameras[name]

    def close(self) -> None:
        self._client.connection.close()
        for _, client in self._cameras.values():
            client.connection.close()

    def _connect(self, lane: Shell, timeout: float, patience: float) -> Client:
        return Client(lane, self._control, None, self._credentials, None, None, timeout, patience)
