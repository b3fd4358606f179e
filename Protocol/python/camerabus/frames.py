"""Reads the frames of one stream on a thread of its own and keeps the newest, or those of a video that wait."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import replace
from typing import Awaitable, Callable, Optional

from . import messages
from .blocking import BlockingShell, Stop, Stopped, run
from .connection import Connection
from .errors import CameraBusError, no_room
from .frame import Frame
from .frame_count import FrameCount
from .framing import Malformed, Publication, read_publication
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
# How many pictures of a video wait for the reader.
PICTURES = 60
# How often a picture that a decoder can begin with is asked for at most, seconds.
ASKING = 0.25


class FrameReader:
    """Reads every frame of a topic and keeps the last one; of a video, all from a key picture on.

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
        self._is_video = topic.split("/")[2:3] == ["h264"]
        self._frames: deque[Frame] = deque()
        # The epoch and number of the last picture of a video that the reader can decode.
        self._last: Optional[tuple[bytes, int]] = None
        self._asked = 0.0
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
        return bool(self._frames) or self._error is not None

    def take(self) -> Optional[Frame]:
        """The newest frame if it was not taken before; of a video the oldest that waits.

        - Raises: `CameraBusError` if no frame can follow.
        """
        with self._lock:
            frame = self._frames.popleft() if self._frames else None
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
                if self._is_video and self._last is None and parts is not None and time.monotonic() - self._asked > ASKING:
                    # A repeated subscription brings a key picture.
                    self._asked = time.monotonic()
                    subscription.repeat()
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
            if not self._put(publication, Frame(publication.header, publication.frame)):
                self._count.passed_over += 1
                return False
        self._notify()
        return False

    def _put(self, publication: Publication, frame: Frame) -> bool:
        """Lets a frame wait for the reader. Returns whether there is a new one."""
        passed_over = len(self._frames) if not self._is_video or len(self._frames) >= PICTURES and frame.is_key_picture else 0
        if self._is_video:
            place = publication.header.epoch, publication.header.sequence
            follows = self._last == (place[0], place[1] - 1)
            if not frame.is_key_picture and (not follows or len(self._frames) >= PICTURES):
                self._last = None
                return False
            self._last = place
        for _ in range(passed_over):
            self._frames.popleft()
        self._count.passed_over += passed_over
        self._frames.append(frame)
        return True

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
