"""A photo, from its request to its picture."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import AsyncGenerator, Callable, Optional, Union

from . import arguments, messages, output
from .calls import GRACE, Call
from .connection import Connection
from .controls import PointOfInterest, seen_point
from .download import read
from .errors import CameraBusError, Code, invalid, unfit, writing
from .files import write_whole
from .shell import Elements

Progress = Callable[[messages.CaptureProgress], None]

# The longest picture that is taken into memory, bytes. A node may claim any length.
LARGEST = 256 << 20


@dataclass(frozen=True)
class PhotoFile:
    """A file that was made of a photo. `data` is None if the picture was not requested."""

    # "image/jpeg", "image/png", "image/tiff", "image/x-adobe-dng", "image/avif", "image/heic" or "image/x-raw".
    media_type: str
    # None for a transient photo.
    asset: Optional[messages.Asset]
    sha256: bytes
    byte_count: int
    # What the bytes of a raw file mean; None for others.
    layout: Optional[messages.RawLayout]
    data: Optional[bytes]

    @property
    def is_proxy(self) -> bool:
        return self.asset is not None and self.asset.deferral != messages.DEFERRAL_UNSPECIFIED

    def write(self, path: arguments.Path, *, overwrite: bool = False) -> None:
        """Writes the file, which is there whole or not at all.

        A file that exists is FILE_EXISTS, unless `overwrite` lets it be replaced; it then keeps its
        permissions and owner. A link is followed. A device or a pipe is written to, and a pipe
        without a reader is waited for.
        """
        if self.data is None:
            raise invalid("picture", "this photo was taken with picture=False: download its asset")
        with writing(name := arguments.path("path", path)):
            write_whole(name, self.data, arguments.flag("overwrite", overwrite))


@dataclass(frozen=True)
class DepthPicture:
    """The frame of the depth camera that is nearest to a photo. It has that camera's own point of view."""

    camera: str
    resolved: messages.ResolvedCapture
    # Its timestamp minus that of the photo, nanoseconds.
    difference_ns: int
    # A PNG of 16 bits: millimetres, 0 where the distance is not known.
    map: PhotoFile
    # A PNG of 8 bits: 255 where the distance is known and within the matte, else 0; None if none was asked for.
    matte: Optional[PhotoFile]


@dataclass(frozen=True)
class Photo:
    """A finished photo: the frame that it shows, and the files that were made of it, at least one."""

    request_id: bytes
    resolved: messages.ResolvedCapture
    files: tuple[PhotoFile, ...]
    # The distances that go with it; None unless they were asked for.
    depth: Optional[DepthPicture] = None
    # The movie around it, or why there is none; None unless a live photo was asked for. `download` fetches its asset.
    movie: Optional[messages.LiveMovie] = None

    @property
    def asset(self) -> Optional[messages.Asset]:
        """The first file in the library; None for a transient photo."""
        return self.files[0].asset

    @property
    def sha256(self) -> bytes:
        return self.files[0].sha256

    @property
    def byte_count(self) -> int:
        return self.files[0].byte_count

    @property
    def data(self) -> Optional[bytes]:
        """The first file; None if the picture was not requested."""
        return self.files[0].data

    @property
    def is_proxy(self) -> bool:
        """Whether it is a proxy, the only file: `final_photo` has the files that were asked for."""
        return self.files[0].is_proxy

    @property
    def all_files(self) -> tuple[PhotoFile, ...]:
        """The files, and behind them the map and the matte of its depth."""
        depth = [self.depth.map, self.depth.matte] if self.depth else []
        return self.files + tuple(file for file in depth if file is not None)

    def point_of_interest(self, x: float, y: float, zoom: float = 1.0) -> PointOfInterest:
        """The point that is seen in this photo at these shares of its width and height, to let the camera
        measure there.

        `zoom` counts only if the photo does not say its own.
        """
        return seen_point(x, y, self.resolved, zoom)

    def write(self, path: arguments.Path, *, overwrite: bool = False) -> None:
        """Writes the first file, as `PhotoFile.write` does."""
        self.files[0].write(path, overwrite=overwrite)


def check_size(asset: messages.Asset, request_id: bytes, epoch: bytes = b"") -> None:
    """Raises TOO_LARGE for a picture that is not taken into memory."""
    if asset.byte_count > LARGEST:
        raise CameraBusError(
            Code.TOO_LARGE, f"the photo was taken and has {asset.byte_count} bytes, and a capture brings {LARGEST} at most: "
            f"download the asset {asset.id.hex()} to a file", request_id=request_id, epoch=epoch)


class AsyncCapture:
    """A request for photos under way: follow its steps, cancel it by its id, or wait for it."""

    def __init__(self, connection: Connection, call: Call, picture: bool):
        self._connection = connection
        self._call = call
        self._picture = picture
        self._inline: Optional[bytes] = None
        self._movie: Optional[messages.LiveMovie] = None

    @property
    def id(self) -> bytes:
        return self._call.id

    @property
    def epoch(self) -> bytes:
        return self._call.epoch

    async def photo(self, on_progress: Optional[Progress] = None) -> Photo:
        """Waits for the photo, the first one of a burst or a bracket, and downloads what was not attached.

        Each download ends with the capture's timeout, counted from its beginning.
        """
        return await self._photo((await self._pictures(on_progress))[0])

    def photos(self, on_progress: Optional[Progress] = None) -> Elements[Photo]:
        """Waits for all photos of a burst or a bracket. Each is downloaded when you take it."""
        return self._connection.shell.series(self.each(on_progress))

    async def each(self, on_progress: Optional[Progress]) -> AsyncGenerator[Photo, None]:
        """As `photos`, for a waiter that is not cancelled."""
        for picture in await self._pictures(on_progress):
            yield await self._photo(picture)

    async def _pictures(self, on_progress: Optional[Progress]) -> list[messages.CapturedPicture]:
        """Waits for the result: the frame of each picture, with its files."""
        arguments.callback("on_progress", on_progress)
        result = await self._finish(self._call, on_progress)
        if self._picture and self._inline is None and not result.HasField("asset"):
            # The reply with the picture was lost. The node keeps it with its answer and sends it
            # again.
            request = messages.Request()
            request.CopyFrom(self._call.request)
            request.epoch = self.epoch
            result = await self._finish(await self._connection.call(request, self._call.timeout), None)
        if result.HasField("movie"):
            self._movie = result.movie
        if result.pictures:
            return list(result.pictures)
        file = messages.PhotoFile(
            media_type=result.media_type, sha256=result.sha256, byte_count=result.byte_count)
        if result.HasField("asset"):
            file.asset.CopyFrom(result.asset)
        if result.HasField("layout"):
            file.layout.CopyFrom(result.layout)
        return [messages.CapturedPicture(resolved=result.resolved, files=[file])]

    async def _photo(self, picture: messages.CapturedPicture) -> Photo:
        files = tuple([await self._file(file) for file in picture.files])
        depth = await self._depth(picture.depth) if picture.HasField("depth") else None
        return Photo(self.id, picture.resolved, files, depth, self._movie)

    async def _depth(self, depth: messages.DepthPicture) -> DepthPicture:
        matte = await self._file(depth.matte) if depth.HasField("matte") else None
        return DepthPicture(depth.camera, depth.resolved, depth.difference_ns, await self._file(depth.map), matte)

    async def _file(self, file: messages.PhotoFile) -> PhotoFile:
        asset = file.asset if file.HasField("asset") else None
        data = self._inline
        if self._picture and data is None:
            if asset is None:
                raise self._corrupt("the node has sent the photo without its picture: take another one")
            check_size(asset, self.id, self.epoch)
            data = await read(self._connection, asset, deadline=time.monotonic() + self._call.timeout + GRACE)
        elif data is not None and (hashlib.sha256(data).digest() != file.sha256 or len(data) != file.byte_count):
            raise self._corrupt("the picture that came is not the one that the node took: take another one")
        return PhotoFile(file.media_type or "image/jpeg", asset, file.sha256, file.byte_count,
                         file.layout if file.HasField("layout") else None, data)

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
        """The result, if its pictures and assets are those that were asked for."""
        request = self._call.photo or self._call.request.capture
        pictures, files = output.pictures(request), output.files(request)
        if output.several(request) and (len(result.pictures) != pictures or any(
                len(picture.files) != files for picture in result.pictures)):
            raise unfit(self.id, self.epoch)
        for picture in result.pictures:
            if not self._fits(picture, request):
                raise unfit(self.id, self.epoch)
        all_files: list[Union[messages.CaptureResult, messages.PhotoFile]] = [result]
        for picture in result.pictures:
            all_files += picture.files
        for file in all_files[1:] or all_files:
            if (file.HasField("asset") and file.asset.deferral != messages.DEFERRAL_UNSPECIFIED) != request.deferred:
                raise unfit(self.id, self.epoch)
        for file in all_files:
            if file.HasField("asset") and (
                    file.asset.request_id != self.id or file.asset.sha256 != file.sha256
                    or request.camera not in ("", file.asset.camera)):
                raise unfit(self.id, self.epoch)
        movie = result.movie
        if result.HasField("movie") != request.live or movie.HasField("asset") and (
                movie.asset.request_id != self.id or movie.asset.part != messages.ASSET_PART_LIVE
                or request.camera not in ("", movie.asset.camera)):
            raise unfit(self.id, self.epoch)
        return result

    def _fits(self, picture: messages.CapturedPicture, request: messages.CaptureRequest) -> bool:
        """Whether it has the depth that was asked for."""
        depth = picture.depth
        if not request.HasField("depth") or not picture.HasField("depth"):
            return request.HasField("depth") == picture.HasField("depth")
        parts = [(depth.map, messages.ASSET_PART_DEPTH)]
        if request.depth.HasField("matte"):
            parts.append((depth.matte, messages.ASSET_PART_MATTE))
        return request.depth.HasField("matte") == depth.HasField("matte") and all(
            file.asset.request_id == self.id and file.asset.sha256 == file.sha256 and file.asset.part == part
            and file.asset.camera == depth.camera for file, part in parts)

    def _corrupt(self, message: str) -> CameraBusError:
        return CameraBusError(Code.CORRUPT, message, request_id=self.id, epoch=self.epoch)
