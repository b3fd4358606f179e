"""Counts the frames of a stream that arrived and those that were lost, without I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .framing import Publication


@dataclass
class FrameCount:
    """Counts a topic's publications: received = handed out + passed over; the others were lost on
    the bus.
    """

    received: int = 0
    # Received, but not handed out because a newer frame was already there.
    passed_over: int = 0
    # Dropped on the bus: gaps in the sequence numbers, also those that heartbeats show.
    lost: int = 0
    # How often the node has restarted.
    restarts: int = 0
    epoch: bytes = b""
    # The last sequence number that is counted; None before the first.
    last: Optional[int] = None

    def take(self, publication: Publication, topic: str) -> bool:
        """Counts a publication of the frames socket.

        Returns whether it is a frame of this topic.
        """
        frame = publication.frame is not None and publication.topic.text == topic
        number = publication.header.sequence - 1 if frame else self._told(publication, topic)
        if number is None:
            return False
        if publication.header.epoch != self.epoch:
            self.restarts += bool(self.epoch)
            # Frames that the restarted node published before this subscription existed are not
            # lost.
            self.epoch, self.last = publication.header.epoch, None
        if self.last is None:
            self.last = number
        if number > self.last:
            self.lost += number - self.last
            self.last = number
        if frame:
            self.last = max(self.last, publication.header.sequence)
            self.received += 1
        return frame

    @staticmethod
    def _told(publication: Publication, topic: str) -> Optional[int]:
        if publication.heartbeat is None:
            return None
        for told in publication.heartbeat.topics:
            if told.topic == topic:
                return told.last_sequence
        return None
