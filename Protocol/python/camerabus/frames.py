"""Reads the frames of one stream on a thread of its own and keeps the newest."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Awaitable, Callable, Optional

from . import messages
from .blocking import BlockingShell, Stop, Stopped, run
from .connection import Connection
from .errors import CameraBusError, no_room
from .frame import Frame
from .frame_count import FrameCount
from .framing import Malformed, read_publication
from .shell import Shell
from .subscription import Subscription

# How many frames wait for the reading thread; a heartbeat may be among them.
QUEUE = 3
# The longest frame that is received, bytes. A raw 8K frame fits.
LARGEST = 256 << 20
# How many bytes may wait for the reading thread: a full queue, a frame that waits for room in it,
# and what belongs to them.
WAITING = (QUEUE + 1) * LARGEST + (1 << 20)
# How long the node may take to say why no frames come, seconds.
ANSWER = 2.0


class FrameReader:
    """Reads every frame of a topic and keeps the last one.

    Reading only when a frame is wanted would bring old frames: behind a socket's queue, however
    short, TCP's buffers hold seconds of small frames. The asyncio client uses the same thread, so
    that a busy loop gets the newest frame too. The thread refers to this, so `notify` must not refer
    to what stops it when it is dropped.
    """

    def __init__(self, connect: Callable[[Shell], Connection], endpoint: Callable[[Connection], Awaitable[str]],
                 topic: str, notify: Callable[[], None]):
        self.topic = topic
        self._connect = connect
        self._endpoint = endpoint
        self._notify = notify
        self._count = FrameCount()
        self._newest: Optional[Frame] = None
        self._error: Optional[CameraBusError] = None
        # Whether a frame came since the last heartbeat.
        self._is_flowing = False
        self._lock = threading.Lock()
        self.connected = False
        self._stop = Stop()
        self._thread = threading.Thread(target=self._run, name=f"camerabus {topic}", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            raise no_room(str(error), "thread") from error

    @property
    def count(self) -> FrameCount:
        """The counts so far."""
        with self._lock:
            return replace(self._count)

    @property
    def has_news(self) -> bool:
        """Whether `take` would return a frame or raise."""
        return self._newest is not None or self._error is not None

    def take(self) -> Optional[Frame]:
        """The newest frame if it was not taken before.

        - Raises: `CameraBusError` if no frame can follow.
        """
        with self._lock:
            frame, self._newest = self._newest, None
        if frame is None and self._error is not None:
            raise self._error
        return frame

    def stop(self) -> None:
        """Lets the thread end, and with it the subscription, without waiting for that."""
        self._stop.set()

    def close(self) -> None:
        """Stops, and waits until the thread has ended."""
        self.stop()
        self._thread.join()

    def _run(self) -> None:
        shell = BlockingShell(self._stop)
        connection = self._connect(shell)
        subscription = Subscription(
            shell, lambda: self._endpoint(connection), connection.credentials, [self.topic, "heartbeat/"], QUEUE, LARGEST, WAITING)
        try:
            while True:
                parts = run(subscription.receive(3600.0))
                self.connected = bool(subscription.connected)
                if parts is not None and self._take(parts):
                    run(self._check_refusal(connection))
        except Stopped:
            pass
        except CameraBusError as error:
            self.connected = False
            self._error = error
            self._notify()
        finally:
            subscription.close()
            connection.close()

    def _take(self, parts: list[bytes]) -> bool:
        """Takes a publication. Returns whether it is a heartbeat and no frame came since the last."""
        try:
            publication = read_publication(parts)
        except Malformed:
            return False
        if publication is None:
            return False
        with self._lock:
            if not self._count.take(publication, self.topic) or publication.frame is None:
                is_silent = publication.heartbeat is not None and not self._is_flowing
                self._is_flowing = self._is_flowing and publication.heartbeat is None
                return is_silent
            self._is_flowing = True
            self._count.passed_over += self._newest is not None
            self._newest = Frame(publication.header, publication.frame)
        self._notify()
        return False

    async def _check_refusal(self, connection: Connection) -> None:
        """Asks whether the node refuses the stream.

        Other reasons for silence pass by themselves, or when a client switches the stream on again.

        - Raises: `CameraBusError` with the node's reason.
        """
        _, camera, stream, _ = self.topic.split("/")
        request = messages.Request(status=messages.StatusRequest(camera=camera))
        try:
            cameras = (await connection.ask("status", request, ANSWER)).status.cameras
        except CameraBusError:
            return
        for known in cameras[0].streams if cameras else ():
            if known.name == stream and known.HasField("error") and known.error.code != messages.ERROR_CODE_CONFLICT:
                raise CameraBusError.from_wire(known.error)
