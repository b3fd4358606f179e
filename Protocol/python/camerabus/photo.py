"""A photo, from its request to its picture."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional, Union

from . import messages
from .connection import Call, Connection
from .download import read
from .errors import CameraBusError, Code


@dataclass(frozen=True)
class Photo:
    """A finished photo. `data` is None if the picture was not requested."""

    request_id: bytes
    resolved: messages.ResolvedCapture
    # None for a transient photo.
    asset: Optional[messages.Asset]
    sha256: bytes
    byte_count: int
    data: Optional[bytes]

    def write(self, path: Union[str, Path]) -> None:
        if self.data is None:
            raise ValueError("this photo was taken with picture=False: download its asset")
        Path(path).write_bytes(self.data)


class Capture:
    """A photo under way: follow its steps, cancel it by its id, or wait for it."""

    def __init__(self, connection: Connection, request: messages.CaptureRequest, timeout: float, picture: bool,
                 id: bytes = b"", epoch: bytes = b""):
        self._connection = connection
        self._request = request
        self._picture = picture
        self._call = connection.call(timeout, id=id, epoch=epoch, capture=request)
        self._inline: Optional[bytes] = None

    @property
    def id(self) -> bytes:
        return self._call.id

    @property
    def epoch(self) -> bytes:
        return self._call.epoch

    def photo(self, on_progress: Optional[Callable[[messages.CaptureProgress], None]] = None) -> Photo:
        """Waits for the photo, and downloads the picture if it was not attached."""
        result = self._finish(self._call, on_progress)
        if self._picture and self._inline is None and not result.HasField("asset"):
            # The reply with the picture was lost. The node keeps it with its answer and sends it
            # again.
            again = self._connection.call(self._call.timeout, id=self.id, epoch=self.epoch, capture=self._request)
            result = self._finish(again, None)
        data = self._inline
        if self._picture and data is None:
            if not result.HasField("asset"):
                raise self._corrupt("the node has sent the photo without its picture")
            data = read(self._connection, result.asset)
        elif data is not None and hashlib.sha256(data).digest() != result.sha256:
            raise self._corrupt("the picture that came is not the one that the node took")
        return Photo(self.id, result.resolved, result.asset if result.HasField("asset") else None,
                     result.sha256, result.byte_count, data)

    def _finish(self, call: Call, on_progress) -> messages.CaptureResult:
        for reply in call.replies():
            if not reply.message.final and reply.message.WhichOneof("body") == "capture_progress":
                if reply.attachment is not None:
                    self._inline = reply.attachment
                if on_progress:
                    on_progress(reply.message.capture_progress)
        return call.body_of(reply, "capture")

    def _corrupt(self, message: str) -> CameraBusError:
        return CameraBusError(Code.CORRUPT, message, request_id=self.id, epoch=self.epoch)
