"""Frames of one stream, newest first, with an account of those that did not come."""

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

# Frames that wait for the thread that reads them; a heartbeat may be among them.
QUEUE = 3


@dataclass(frozen=True)
class Frame:
    """`header.frame` says what is known of it: when it was exposed, its size and format, and each stage's time."""

    header: messages.Header
    data: bytes

    @property
    def info(self) -> messages.FrameHeader:
        return self.header.frame


@dataclass
class FrameCount:
    """What became of a topic's publications: received = handed out + passed over; the others were lost on the bus."""

    received: int = 0
    # Received, and not handed out because a newer one waited too.
    passed_over: int = 0
    # Dropped on the bus: gaps in the numbers, and what heartbeats name.
    lost: int = 0
    # Starts of the node that were seen after the first.
    restarts: int = 0
    epoch: bytes = b""
    # The last number that is accounted for; None before there is one.
    last: Optional[int] = None

    def take(self, publication: Publication, topic: str) -> bool:
        """Accounts for a publication of the frames socket; whether it is a frame of this topic."""
        frame = publication.frame is not None and publication.topic.text == topic
        number = publication.header.sequence - 1 if frame else self._told(publication, topic)
        if number is None:
            return False
        if publication.header.epoch != self.epoch:
            self.restarts += bool(self.epoch)
            # What a new start published before this subscription was there is nobody's loss.
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
    """The newest frame each time: `for frame in bus.frames("front"): …`.

    A thread of its own reads all that comes and keeps the last. Reading only when a frame is wanted would bring old
    ones: behind a socket's queue, however short, TCP's buffers hold seconds of small frames.
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
        """The account so far."""
        with self._changed:
            return replace(self._count)

    def next(self, timeout: float = 3600.0) -> Optional[Frame]:
        """The newest frame that was not handed out yet, or the next; None when none came in time."""
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
