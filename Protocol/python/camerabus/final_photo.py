"""The final photo of a proxy, from the node's events and from its library."""

from __future__ import annotations

import math
import time
from typing import Optional, Protocol, Sequence

from . import messages
from .connection import Connection
from .download import read
from .errors import CameraBusError, Code, invalid, unfit
from .monitor import AsyncMonitor
from .photo import Photo, PhotoFile, check_size
from .tracker import Lost, Published, Snapshot

# A request has no more pictures and files than that.
_MOST = 1000
# How long to wait before the library is asked again, seconds.
_PAUSE = 0.2
# Errors of the library after which asking again can help.
_PASSING = {Code.UNREACHABLE, Code.INTERRUPTED, Code.BUSY, Code.DEADLINE_EXCEEDED}


class Library(Protocol):
    async def assets(self, *, limit: int = 0, id: bytes = b"", request_id: bytes = b"") -> list[messages.Asset]: ...


class ProxyFollower:
    """Follows one proxy until its final files are made."""

    def __init__(self, connection: Connection, library: Library, proxy: messages.Asset, timeout: float, pause: float):
        if not isinstance(proxy, messages.Asset) or proxy.deferral == messages.DEFERRAL_UNSPECIFIED:
            raise invalid("photo", "this is no proxy: give a photo that was taken with PhotoSettings(deferred=True), or its asset")
        self._connection = connection
        self._library = library
        self._proxy = proxy
        self._timeout = timeout
        self._pause = pause
        self._deadline = time.monotonic() + timeout

    async def photo(self, monitor: AsyncMonitor, picture: bool) -> Photo:
        """Waits for the files, whatever becomes of events, connections and the node, and fetches them."""
        try:
            final = await self._final(monitor)
            return Photo(self._proxy.request_id, final.resolved,
                         tuple([await self._fetched(file.asset, picture) for file in final.files]))
        except CameraBusError as error:
            error.request_id = error.request_id or self._proxy.request_id
            raise

    async def _final(self, monitor: AsyncMonitor) -> messages.CapturedPicture:
        while True:
            notice = await monitor.next(min(self._pause, max(0.0, self._deadline - time.monotonic())))
            if notice is None and time.monotonic() >= self._deadline:
                raise self._late()
            final = None
            if isinstance(notice, Published) and notice.event.deferred.proxy == self._proxy.id:
                final = self._told(notice.event.deferred)
            elif notice is None or isinstance(notice, (Snapshot, Lost)):
                # Every later event follows. None tells that a proxy was deleted, nor of the photos of a camera that
                # has gone.
                final = await self._found()
            if final:
                return final

    def _told(self, event: messages.DeferredEvent) -> Optional[messages.CapturedPicture]:
        if event.HasField("failed"):
            raise CameraBusError.from_wire(event.failed, self._proxy.request_id)
        if not event.HasField("finished"):
            return None
        if event.request_id != self._proxy.request_id:
            raise unfit(self._proxy.request_id)
        self._check([file.asset for file in event.finished.files])
        return event.finished

    async def _found(self) -> Optional[messages.CapturedPicture]:
        """Asks the library until it answers. None: the files are still to be made."""
        while True:
            try:
                return await self._look_up()
            except CameraBusError as error:
                if error.code not in _PASSING:
                    raise
                if time.monotonic() + _PAUSE >= self._deadline:
                    raise self._late() from error
            await self._connection.shell.sleep(_PAUSE)

    async def _look_up(self) -> Optional[messages.CapturedPicture]:
        found = await self._library.assets(id=self._proxy.id, limit=1)
        if not found:
            raise CameraBusError(
                Code.NO_SUCH_ASSET, "the proxy was deleted, so no final photo is made of it: look for what its request "
                "has left in assets()")
        deferral = found[0].deferral
        if deferral == messages.DEFERRAL_UNSPECIFIED:
            raise unfit(self._proxy.request_id)
        if deferral == messages.DEFERRAL_FAILED:
            raise CameraBusError(
                Code.ENCODING_FAILED, "the final photo could not be made, as the node's log explains: the proxy is all "
                "there is")
        if deferral != messages.DEFERRAL_DONE:
            return None
        listed = await self._library.assets(request_id=self._proxy.request_id, limit=_MOST)
        files = [asset for asset in reversed(listed) if asset.replaces == self._proxy.id]
        if not files:
            raise CameraBusError(
                Code.NO_SUCH_ASSET, "the final photo was made and deleted: the proxy is all there is")
        self._check(files)
        return messages.CapturedPicture(files=[messages.PhotoFile(asset=asset) for asset in files])

    def _check(self, files: Sequence[messages.Asset]) -> None:
        """Raises an error if the files are not the proxy's."""
        if not files or len({asset.id for asset in files}) != len(files) or any(
                asset.replaces != self._proxy.id or asset.request_id != self._proxy.request_id
                or asset.camera != self._proxy.camera or len(asset.id) != 16
                or asset.deferral != messages.DEFERRAL_UNSPECIFIED for asset in files):
            raise unfit(self._proxy.request_id)

    async def _fetched(self, asset: messages.Asset, picture: bool) -> PhotoFile:
        if picture:
            check_size(asset, self._proxy.request_id)
        data = await read(self._connection, asset, deadline=math.inf) if picture else None
        return PhotoFile(asset.media_type or "image/jpeg", asset, asset.sha256, asset.byte_count,
                         asset.layout if asset.HasField("layout") else None, data)

    def _late(self) -> CameraBusError:
        return CameraBusError(
            Code.DEADLINE_EXCEEDED, f"the final photo was not made within {self._timeout:g} seconds: it is still to "
            "come, so ask again, or give it more time", retryable=True)
