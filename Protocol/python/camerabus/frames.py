"""The frames of one stream, newest first, and a count of those that were lost."""

from __future__ import annotations

import threading
import uuid
from dataclasses import dataclass, replace
from typing import Callable, Iterator, Optional

import zmq

from . import messages
from .connection import Connection
from .framing import Malformed, Publication, read_publication
from .subscription import Subscription

# How many frames wait for the reading thread; a heartbeat may be among them.
QUEUE = 3


@dataclass(frozen=True)
class Frame:
    """A frame's bytes with its header: `header.frame` has the time of each stage, the size and the
    format.
    """

    header: messages.Header
    data: bytes

    @property
    def info(self) -> messages.FrameHeader:
        return self.header.frame


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


class FrameStream:
    """Hands out the newest frame each time: `for frame in bus.frames("front"): …`.

    Its own thread reads every frame and keeps the last one. Reading only when a frame is wanted
    would bring old frames: behind a socket's queue, however short, TCP's buffers hold seconds of
    small frames.
    """

    def __init__(self, connect: Callable[[], Connection], endpoint: Callable[[Connection], str], topic: str):
        self.topic = topic
        self._count = FrameCount()
        self._newest: Optional[Frame] = None
        self._connected = False
        self._changed = threading.Condition()
        name = f"inproc://{uuid.uuid4()}"
        self._stop: zmq.Socket = zmq.Context.instance().socket(zmq.PAIR)
        self._stop.bind(name)
        self._thread = threading.Thread(
            target=self._run, args=(connect, endpoint, name), name=f"camerabus {topic}", daemon=True)
        self._thread.start()

    @property
    def connected(self) -> bool:
        """Whether the node was heard within the last three seconds."""
        return self._connected

    @property
    def count(self) -> FrameCount:
        """The counts so far."""
        with self._changed:
            return replace(self._count)

    def next(self, timeout: float = 3600.0) -> Optional[Frame]:
        """The newest frame if it was not handed out before, else the next one; None if none arrives
        in time.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None, timeout)
            frame, self._newest = self._newest, None
            return frame

    def __iter__(self) -> Iterator[Frame]:
        while True:
            frame = self.next()
            if frame:
                yield frame

    def close(self) -> None:
        if not self._stop.closed:
            self._stop.send(b"")
            self._thread.join()
            self._stop.close()

    def __enter__(self) -> FrameStream:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _run(self, connect, endpoint, name) -> None:
        stop: zmq.Socket = zmq.Context.instance().socket(zmq.PAIR)
        stop.connect(name)
        connection = connect()
        subscription = Subscription(lambda: endpoint(connection), [self.topic, "heartbeat/"], QUEUE)
        while not stop.poll(0):
            parts = subscription.receive(3600.0, stop)
            self._connected = bool(subscription.connected)
            if parts is not None:
                self._take(parts)
        subscription.close()
        connection.close()
        stop.close()

    def _take(self, parts: list[bytes]) -> None:
        try:
            publication = read_publication(parts)
        except Malformed:
            return
        with self._changed:
            if publication and self._count.take(publication, self.topic) and publication.frame is not None:
                self._count.passed_over += self._newest is not None
                self._newest = Frame(publication.header, publication.frame)
                self._changed.notify()
