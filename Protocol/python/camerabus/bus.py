"""The client's main class: one method for each request to a node."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence, Union

from . import download, messages
from .connection import PATIENCE, Connection
from .controls import Value, to_wire
from .errors import CameraBusError, Code
from .frames import FrameStream
from .monitor import Monitor
from .photo import Capture, Photo
from .tracker import Range
from .when import NOW, When

# How long a node may take to name its endpoints for events and frames, seconds.
ANSWER = 2.0
INLINE_LIMIT = 1 << 20


class CameraBus:
    """Sends requests to one node. It belongs to the thread that made it; make one for each thread.

    You may leave out `camera` if the node has only one. Durations are in seconds. Every method
    raises `CameraBusError`. The node itself names its endpoints for events and frames. Pass
    `events` and `frames` only if the node cannot know them, for example behind a proxy.
    """

    def __init__(self, control: str = "tcp://127.0.0.1:5570", *, events: Optional[str] = None,
                 frames: Optional[str] = None, timeout: float = 10.0, patience: float = PATIENCE):
        self._control = control
        self._events = events
        self._frames = frames
        self._timeout = timeout
        self._patience = patience
        self.connection = Connection(control, patience)

    def __enter__(self) -> CameraBus:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    # Status

    @property
    def epoch(self) -> bytes:
        """The node's epoch in the last reply; empty before the first reply."""
        return self.connection.epoch

    def status(self, camera: str = "") -> messages.StatusReply:
        """The status of all cameras, or of one."""
        return self._ask("status", status=messages.StatusRequest(camera=camera))

    def clock(self, rounds: int = 8) -> tuple[int, int]:
        """Returns the offset and its error bound, in nanoseconds.

        Add the offset to this machine's `time.monotonic_ns()` to get the node's clock.
        """
        best = (0, 2 ** 63)
        for _ in range(rounds):
            sent = time.monotonic_ns()
            now = self.status().now.monotonic_ns
            received = time.monotonic_ns()
            error = (received - sent + 1) // 2
            if error < best[1]:
                best = (now - (sent + received) // 2, error)
        return best

    def formats(self, camera: str = "") -> list[messages.Format]:
        return list(self._ask("formats", formats=messages.FormatsRequest(camera=camera)).formats)

    # Session

    def start_session(self, camera: str = "", *, pixel_format: str = "", size: Optional[tuple[int, int]] = None,
                      frame_rate: float = 0) -> messages.CameraStatus:
        """Starts the camera, or changes its format.

        Parameters that are not given stay as they are.
        """
        request = messages.SessionStartRequest(camera=camera, pixel_format=pixel_format, frame_rate=frame_rate)
        if size:
            request.size.width, request.size.height = size
        return self._ask("session", session_start=request)

    def stop_session(self, camera: str = "") -> messages.CameraStatus:
        return self._ask("session", session_stop=messages.SessionStopRequest(camera=camera))

    # Controls

    def controls(self, camera: str = "", ids: Sequence[str] = ()) -> list[messages.Control]:
        """The controls with these ids, or all controls.

        `controls.from_wire` converts their values.
        """
        if ids:
            request = messages.ControlsGetRequest(camera=camera, ids=ids)
            return list(self._ask("controls", controls_get=request).controls)
        return list(self._ask("controls", controls_list=messages.ControlsListRequest(camera=camera)).controls)

    def set_controls(self, settings: Mapping[str, Value], camera: str = "") -> list[messages.Control]:
        """Sets all of these controls, in this order, or none.

        Returns them with the values that took effect.
        """
        request = messages.ControlsSetRequest(camera=camera, settings=[
            messages.ControlsSetRequest.Setting(id=id, value=to_wire(value)) for id, value in settings.items()])
        return list(self._ask("controls", controls_set=request).controls)

    # Photos

    def begin_capture(self, when: When = NOW, camera: str = "", *, quality: int = 0, keep: bool = True,
                      picture: bool = True, inline_limit: int = INLINE_LIMIT, timeout: Optional[float] = None,
                      id: bytes = b"", epoch: bytes = b"") -> Capture:
        """Asks for a photo and returns at once.

        Several may be under way; wait for each with `photo()`.
        """
        request = messages.CaptureRequest(
            camera=camera, quality=quality, inline_limit=inline_limit if picture else 0, transient=not keep)
        when.put_into(request)
        return Capture(self.connection, request, self._timeout if timeout is None else timeout, picture, id, epoch)

    def capture(self, when: When = NOW, camera: str = "", *, quality: int = 0, keep: bool = True, picture: bool = True,
                inline_limit: int = INLINE_LIMIT, timeout: Optional[float] = None, id: bytes = b"", epoch: bytes = b"",
                on_progress: Optional[Callable[[messages.CaptureProgress], None]] = None) -> Photo:
        """Takes a photo and waits for it.

        With `keep` the node keeps the photo in its library. With `picture` the result has the
        picture's bytes. If the node does not answer, the request is sent again over a new
        connection, which never takes a second photo. If there is still no answer, the error has the
        `request_id` and the `epoch`. Pass them as `id` and `epoch` to the same call to ask for the
        same photo again.
        """
        return self.begin_capture(
            when, camera, quality=quality, keep=keep, picture=picture, inline_limit=inline_limit, timeout=timeout,
            id=id, epoch=epoch).photo(on_progress)

    def cancel(self, request_id: bytes) -> int:
        """Cancels a capture that waits for its frame, or a download.

        Returns a `messages.CancelReply.Outcome`.
        """
        return self._ask("cancel", cancel=messages.CancelRequest(request=request_id)).outcome

    # Movies

    def start_recording(self, camera: str = "", *, quality: int = 0, maximum_duration: float = 0,
                        maximum_bytes: int = 0, timeout: Optional[float] = None, id: bytes = b"",
                        epoch: bytes = b"") -> messages.RecordStarted:
        """Starts a movie.

        An event reports how it ends, and so does the result of `stop_recording`.
        """
        request = messages.RecordStartRequest(
            camera=camera, quality=quality, maximum_duration_ns=round(maximum_duration * 1e9),
            maximum_bytes=maximum_bytes)
        return self._ask("record_started", timeout, id, epoch, record_start=request)

    def stop_recording(self, camera: str = "", *, timeout: Optional[float] = None, id: bytes = b"",
                       epoch: bytes = b"") -> messages.RecordResult:
        """Ends the movie, and waits until its file is complete."""
        return self._ask("record", timeout, id, epoch, record_stop=messages.RecordStopRequest(camera=camera))

    # Library

    def assets(self, camera: str = "", *, limit: int = 0, id: bytes = b"",
               request_id: bytes = b"") -> list[messages.Asset]:
        """Assets in the library, newest first: all, or only those of a camera, an asset id or a
        request id.
        """
        request = messages.AssetsRequest(camera=camera, limit=limit, id=id, request_id=request_id)
        return list(self._ask("assets", assets=request).assets)

    def read(self, asset: Union[messages.Asset, bytes],
             on_progress: Optional[download.Progress] = None) -> bytes:
        """Downloads an asset into memory and checks it."""
        return download.read(self.connection, asset, on_progress)

    def download(self, asset: Union[messages.Asset, bytes], path: Union[str, Path],
                 on_progress: Optional[download.Progress] = None) -> messages.Asset:
        """Downloads an asset to a file, which appears when it is complete.

        After a failure the next call resumes.
        """
        return download.download(self.connection, asset, path, on_progress)

    # Publications

    def events(self, camera: str = "", *, history: bool = False) -> Monitor:
        """Follows the events of all cameras, or of one.

        With `history` it also brings earlier events.
        """
        prefix = f"event/{camera}/" if camera else "event/"
        return Monitor(Connection(self._control, self._patience), self._events_endpoint, prefix, history)

    def replay(self, ranges: Sequence[Range]) -> messages.ReplayReply:
        """Asks for events by their numbers.

        The node may no longer have them all. `events()` does this by itself.
        """
        return self._ask("replay", replay=messages.ReplayRequest(ranges=[
            messages.ReplayRequest.Range(topic=gap.topic, first=gap.first, last=gap.last) for gap in ranges]))

    def frames(self, camera: str = "", stream: str = "preview") -> FrameStream:
        """The frames of a stream: "preview", "full", "raw" or a size such as "320x240"."""
        if not camera:
            names = [camera.name for camera in self.status().cameras]
            if len(names) != 1:
                raise CameraBusError(Code.NO_SUCH_CAMERA, f"name one of the cameras: {', '.join(names)}", "camera")
            camera = names[0]
        topic = f"frame/{camera}/{stream}/"
        return FrameStream(lambda: Connection(self._control, self._patience), self._frames_endpoint, topic)

    def _ask(self, answer: str, timeout: Optional[float] = None, id: bytes = b"", epoch: bytes = b"", **body):
        timeout = self._timeout if timeout is None else timeout
        return self.connection.call(timeout, id=id, epoch=epoch, **body).result(answer)

    def _events_endpoint(self, connection: Connection) -> str:
        if self._events:
            return self._events
        status = _status(connection)
        return reachable(status.events_endpoint, status.events_ipc_endpoint, self._control)

    def _frames_endpoint(self, connection: Connection) -> str:
        if self._frames:
            return self._frames
        status = _status(connection)
        return reachable(status.frames_endpoint, status.frames_ipc_endpoint, self._control)


def _status(connection: Connection) -> messages.StatusReply:
    return connection.call(ANSWER, status=messages.StatusRequest()).result("status")


def reachable(tcp: str, ipc: str, control: str) -> str:
    """Chooses the endpoint to use for a client that reaches the node by `control`.

    `tcp` and `ipc` are the endpoints that the node has bound. In the tcp one the host is replaced
    by that of `control`.
    """
    if control.startswith("ipc://"):
        return ipc or tcp
    bound = re.fullmatch(r"tcp://(.+):(\d+)", tcp)
    reached = re.fullmatch(r"tcp://(.+):(\d+)", control)
    return f"tcp://{reached[1]}:{bound[2]}" if bound and reached else tcp
