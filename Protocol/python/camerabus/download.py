"""Downloads assets from the node's library in chunks, resumes by offset, and checks the whole file.
"""

from __future__ import annotations

import hashlib
import io
import math
import time
from typing import BinaryIO, Callable, Optional, Union

from . import arguments, messages
from .calls import LONGEST_PATIENCE, Call, Silence
from .connection import Connection
from .errors import CameraBusError, Code, writing
from .files import FileWriter, NoReader, write_all
from .shell import Shell

CREDIT = 16
# A download fails after this much silence in total, seconds.
PATIENCE = 60.0
A_DAY = 86_000.0
# How often a pipe without a reader is tried again, seconds.
READER_PAUSE = 0.05

Progress = Callable[[int, int], None]


class Assembly:
    """Assembles the bytes of one asset, in order and without gaps, and computes their SHA-256.

    Bytes that the file already holds count as received. `total` is the length of the asset if it is
    known, or else the one that comes with the first chunk; the node cannot send more.
    """

    def __init__(self, file: BinaryIO, total: Optional[int] = None):
        self._file = file
        self._total = total
        self._hash = hashlib.sha256()
        self.offset = 0
        if not file.readable():
            return  # a device or a pipe
        file.seek(0)
        while block := file.read(1 << 20):
            self._hash.update(block)
            self.offset += len(block)

    def add(self, offset: int, total: int, data: bytes) -> None:
        self._total = total if self._total is None else self._total
        if total != self._total:
            raise CameraBusError(Code.CORRUPT, f"the node sends an asset of {total} bytes, which has {self._total}: "
                                               "download it again")
        if not data:
            raise CameraBusError(Code.CORRUPT, f"the chunk at {offset} of {total} has no bytes: update the node")
        if offset != self.offset or offset + len(data) > total:
            raise CameraBusError(
                Code.CORRUPT, f"a chunk of {len(data)} bytes at {offset} of {total} came where {self.offset} was due")
        with writing(getattr(self._file, "name", "memory")):
            write_all(self._file, data)
        self._hash.update(data)
        self.offset += len(data)

    def finish(self, asset: messages.Asset) -> None:
        """Checks all bytes against the length and SHA-256 of the whole file that the node reports.
        """
        if self.offset != asset.byte_count or self._hash.digest() != asset.sha256:
            raise CameraBusError(
                Code.CORRUPT, f"the {self.offset} bytes at hand are not the asset: download it again", retryable=True)


async def read(connection: Connection, asset: Union[messages.Asset, bytes],
               on_progress: Optional[Progress] = None, *, deadline: float = math.inf) -> bytes:
    """Downloads an asset into memory, until the deadline of the monotonic clock."""
    file = io.BytesIO()
    await fetch(connection, id_of(asset), Assembly(file, _length(asset)), on_progress, deadline=deadline)
    return file.getvalue()


async def download(connection: Connection, asset: Union[messages.Asset, bytes], path: arguments.Path,
                   on_progress: Optional[Progress] = None, *, overwrite: bool = False) -> messages.Asset:
    """Downloads an asset to a file, which appears when it is complete.

    Bytes that arrived before a failure are kept next to it in `PATH.camerabus.part`, and the next call
    resumes there. If they do not fit, it starts from the beginning.
    """
    id = id_of(asset)
    writer = await _open(connection.shell, arguments.path("path", path), overwrite)
    keeps_part = True
    try:
        with writing(path):
            assembly = await connection.shell.work(lambda: Assembly(writer.file, _length(asset)))
        is_resumed = assembly.offset > 0
        try:
            whole = await fetch(connection, id, assembly, on_progress)
        except CameraBusError as error:
            if error.code not in (Code.CORRUPT, Code.INVALID_ARGUMENT) or not is_resumed:
                raise
            # The part does not fit or is longer than the asset, or the asset is damaged: the node
            # checks all that it sends from the beginning on.
            with writing(path):
                writer.file.truncate(0)
            whole = await fetch(connection, id, Assembly(writer.file, _length(asset)), on_progress)
        with writing(path):
            await connection.shell.work(writer.commit)
        return whole
    except CameraBusError as error:
        keeps_part = error.code in (Code.CLOSED, Code.CANCELLED) or error.retryable and error.code != Code.CORRUPT
        raise
    finally:
        with writing(path):
            writer.close(keeps_part)


async def _open(shell: Shell, path: str, overwrite: bool) -> FileWriter:
    """Opens the file, and waits for a pipe's reader in a way that can be cancelled."""
    while True:
        try:
            with writing(path):
                return await shell.work(lambda: FileWriter(path, overwrite, resume=True, wait=False))
        except NoReader:
            await shell.sleep(READER_PAUSE)


async def fetch(connection: Connection, asset: bytes, assembly: Assembly, on_progress: Optional[Progress] = None,
                credit: int = CREDIT, patience: float = PATIENCE, deadline: float = math.inf) -> messages.Asset:
    """Downloads the bytes that the assembly lacks.

    When the node falls silent, it resumes under a new id.
    """
    pause = connection.patience
    idle = 0.0
    while True:
        offset = assembly.offset
        request = messages.Request(download=messages.DownloadRequest(asset=asset, offset=offset, credit=credit))
        left = deadline - time.monotonic()
        if left <= 0:
            raise _late()
        call = await connection.call(request, min(A_DAY, left), repeat=False, pause=pause)
        try:
            whole = await _receive(connection, call, assembly, credit, pause, on_progress, deadline)
            if whole.id != asset:
                raise CameraBusError(Code.CORRUPT, "the node sends another asset than the one it was asked for: update it")
            assembly.finish(whole)
            return whole
        except Silence:
            # The connection may be dead, or slower than the pause. The pause must grow, because
            # otherwise a slow connection would never deliver a chunk. Progress resets it: the next
            # connection may be a fast one.
            failure, waited = call.unanswered(connection.endpoint), pause
            pause = connection.patience if assembly.offset > offset else min(pause * 2, LONGEST_PATIENCE)
        except CameraBusError as error:
            if time.monotonic() >= deadline:
                raise _late() from error
            if not error.retryable or error.code == Code.CORRUPT:
                raise
            failure, waited = error, 1.0
            await connection.shell.sleep(waited)
        finally:
            if not call.is_final:
                connection.forget(call)
                await _cancel(connection, call)
        idle = waited if assembly.offset > offset else idle + waited
        if idle >= patience:
            raise failure


async def _receive(connection: Connection, call: Call, assembly: Assembly, credit: int, pause: float,
                   on_progress: Optional[Progress], deadline: float) -> messages.Asset:
    """Takes chunks until the final reply.

    - Raises: `Silence` if no chunk comes for `pause` seconds, whatever else comes.
    """
    spent = 0
    moved = time.monotonic()
    while True:
        reply = await connection.next(call)
        if time.monotonic() >= deadline:
            raise _late()
        if reply.message.final:
            return call.expect("download", reply).download.asset
        if reply.body != "chunk":
            if time.monotonic() - moved >= pause:
                raise Silence
            continue
        chunk = reply.message.chunk
        data = reply.attachment or b""
        await connection.shell.work(lambda: assembly.add(chunk.offset, chunk.total, data))
        moved = time.monotonic()
        spent += 1
        if spent * 2 >= credit:
            await connection.tell(messages.Request(
                download_credit=messages.DownloadCredit(download=call.id, chunks=spent)))
            spent = 0
        if on_progress:
            on_progress(assembly.offset, chunk.total)


def _late() -> CameraBusError:
    return CameraBusError(
        Code.DEADLINE_EXCEEDED, "the picture did not arrive in time: download its asset, or give more time",
        retryable=True)


async def _cancel(connection: Connection, call: Call) -> None:
    try:
        await connection.tell(messages.Request(cancel=messages.CancelRequest(request=call.id)))
    except CameraBusError as error:
        if error.code != Code.CLOSED:  # closing the connection ends the download too
            raise


def _length(asset: Union[messages.Asset, bytes]) -> Optional[int]:
    return asset.byte_count if isinstance(asset, messages.Asset) else None


def id_of(asset: Union[messages.Asset, bytes]) -> bytes:
    return arguments.identifier("asset", asset.id if isinstance(asset, messages.Asset) else asset)
