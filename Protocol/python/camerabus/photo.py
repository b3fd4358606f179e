"""A photo, from its request to its picture."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import Callable, Optional

from . import arguments, messages
from .calls import GRACE, Call
from .connection import Connection
from .controls import PointOfInterest, seen_point
from .download import read
from .errors import CameraBusError, Code, invalid, unfit, writing
from .files import FileWriter, write_all

Progress = Callable[[messages.CaptureProgress], None]

# The longest picture that is taken into memory, bytes. A node may claim any length.
LARGEST = 256 << 20


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

    def point_of_interest(self, x: float, y: float, zoom: float = 1.0) -> PointOfInterest:
        """The point that is seen in this photo at these shares of its width and height, to let the camera
        measure there.

        `zoom` counts only if the photo does not say its own.
        """
        return seen_point(x, y, self.resolved, zoom)

    def write(self, path: arguments.Path, *, overwrite: bool = False) -> None:
        """Writes the picture to a file, which is there whole or not at all.

        A file that exists is FILE_EXISTS, unless `overwrite` lets it be replaced; it then keeps its
        permissions and owner. A link is followed. A device or a pipe is written to, and a pipe
        without a reader is waited for.
        """
        if self.data is None:
            raise invalid("picture", "this photo was taken with picture=False: download its asset")
        with writing(name := arguments.path("path", path)):
            writer = FileWriter(name, arguments.flag("overwrite", overwrite))
            try:
                write_all(writer.file, self.data)
                writer.commit()
            finally:
                writer.close()


class AsyncCapture:
    """A photo under way: follow its steps, cancel it by its id, or wait for it."""

    def __init__(self, connection: Connection, call: Call, picture: bool):
        self._connection = connection
        self._call = call
        self._picture = picture
        self._inline: Optional[bytes] = None

    @property
    def id(self) -> bytes:
        return self._call.id

    @property
    def epoch(self) -> bytes:
        return self._call.epoch

    async def photo(self, on_progress: Optional[Progress] = None) -> Photo:
        """Waits for the photo, and downloads the picture if it was not attached.

        The download ends with the capture's timeout, counted from this call.
        """
        arguments.callback("on_progress", on_progress)
        deadline = time.monotonic() + self._call.timeout + GRACE
        result = await self._finish(self._call, on_progress)
        if self._picture and self._inline is None and not result.HasField("asset"):
            # The reply with the picture was lost. The node keeps it with its answer and sends it
            # again.
            request = messages.Request(id=self.id, epoch=self.epoch, capture=self._call.request.capture)
            result = await self._finish(await self._connection.call(request, self._call.timeout), None)
        data = self._inline
        if self._picture and data is None:
            if not result.HasField("asset"):
                raise self._corrupt("the node has sent the photo without its picture: take another one")
            if result.asset.byte_count > LARGEST:
                raise self._corrupt(f"the photo is said to have {result.asset.byte_count} bytes, and a capture takes "
                                    f"{LARGEST} into memory at most: download its asset")
            data = await read(self._connection, result.asset, deadline=deadline)
        elif data is not None and (hashlib.sha256(data).digest() != result.sha256 or len(data) != result.byte_count):
            raise self._corrupt("the picture that came is not the one that the node took: take another one")
        return Photo(self.id, result.resolved, result.asset if result.HasField("asset") else None,
                     result.sha256, result.byte_count, data)

    async def _finish(self, call: Call, on_progress: Optional[Progress]) -> messages.CaptureResult:
        while True:
            reply = await self._connection.next(call)
            if reply.message.final:
                return self._checked(call.expect("capture", reply).capture)
            if reply.body == "capture_progress":
                if reply.attachment is not None:
                    self._inline = reply.attachment
                if on_progress:
                    on_progress(reply.message.capture_progress)

    def _checked(self, result: messages.CaptureResult) -> messages.CaptureResult:
        """The result, if its asset is the photo that was asked for."""
        if result.HasField("asset") and (
                result.asset.request_id != self.id or result.asset.sha256 != result.sha256
                or self._call.request.capture.camera not in ("", result.asset.camera)):
            raise unfit(self.id, self.epoch)
        return result

    def _corrupt(self, message: str) -> CameraBusError:
        return CameraBusError(Code.CORRUPT, message, request_id=self.id, epoch=self.epoch)
