"""Downloads assets from the node's library in chunks, resumes by offset, and checks the whole file.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO, Callable, Optional, Union

from . import arguments, messages
from .calls import LONGEST_PATIENCE, Call, Silence
from .connection import Connection
from .errors import CameraBusError, Code, writing

CREDIT = 16
# A download fails after this much silence in total, seconds.
PATIENCE = 60.0
A_DAY = 86_000.0

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
        file.seek(0)
        while block := file.read(1 << 20):
            self._hash.update(block)
            self.offset += len(block)

    def add(self, offset: int, total: int, data: bytes) -> None:
        self._total = total if self._total is None else self._total
        if total != self._total:
            raise CameraBusError(Code.CORRUPT, f"the node sends an asset of {total} bytes, which has {self._total}: "
                                               "download it again")
        if offset != self.offset or offset + len(data) > total:
            raise CameraBusError(
                Code.CORRUPT, f"a chunk of {len(data)} bytes at {offset} of {total} came where {self.offset} was due")
        with writing(getattr(self._file, "name", "memory")):
            self._file.write(data)
        self._hash.update(data)
        self.offset += len(data)

    def finish(self, asset: messages.Asset) -> None:
        """Checks all bytes against the length and SHA-256 of the whole file that the node reports.
        """
        if self.offset != asset.byte_count or self._hash.digest() != asset.sha256:
            raise CameraBusError(
                Code.CORRUPT, f"the {self.offset} bytes at hand are not the asset: download it again", retryable=True)


async def read(connection: Connection, asset: Union[messages.Asset, bytes],
               on_progress: Optional[Progress] = None) -> bytes:
    """Downloads an asset into memory."""
    file = io.BytesIO()
    total = asset.byte_count if isinstance(asset, messages.Asset) else None
    await fetch(connection, id_of(asset), Assembly(file, total), on_progress)
    return file.getvalue()


async def download(connection: Connection, asset: Union[messages.Asset, bytes], path: arguments.Path,
                   on_progress: Optional[Progress] = None) -> messages.Asset:
    """Downloads an asset to a file, which appears when it is complete.

    Bytes that arrived before a failure are kept next to it in `PATH.ID.part`, and the next call
    resumes there. If they do not fit, it starts from the beginning. A link is followed, and a device or a pipe is written to.
    """
    id = id_of(asset)
    with writing(path):
        target = Path(os.path.realpath(arguments.path("path", path)))
        existing = target.stat() if target.exists() else None
        if existing and stat.S_ISDIR(existing.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if existing and not stat.S_ISREG(existing.st_mode):
        return await _pour(connection, id, target, on_progress)
    part = Path(f"{target}.{id.hex()}.part")
    with writing(path):
        part.touch()
        file = open(part, "r+b")
    with file:
        try:
            with writing(path):
                assembly = await connection.shell.work(lambda: Assembly(file))
            is_resumed = assembly.offset > 0
            try:
                whole = await fetch(connection, id, assembly, on_progress)
            except CameraBusError as error:
                if error.code != Code.CORRUPT or not is_resumed:
                    raise
                # The part does not fit, or the asset is damaged: the node checks all that it sends
                # from the beginning on.
                with writing(path):
                    file.truncate(0)
                whole = await fetch(connection, id, Assembly(file), on_progress)
        except CameraBusError as error:
            if error.code in (Code.CORRUPT, Code.ASSET_DAMAGED):
                part.unlink()
            raise
        with writing(path):
            file.flush()
            await connection.shell.work(lambda: os.fsync(file.fileno()))
    with writing(path):
        if existing:
            shutil.copymode(target, part)
        os.replace(part, target)
    return whole


async def _pour(connection: Connection, id: bytes, target: Path, on_progress: Optional[Progress]) -> messages.Asset:
    """Writes an asset into something that is not a regular file, after it is complete."""
    with tempfile.TemporaryFile() as file:
        whole = await fetch(connection, id, Assembly(file), on_progress)
        file.seek(0)

        def copy() -> None:
            with open(target, "wb") as sink:
                shutil.copyfileobj(file, sink)

        with writing(target):
            await connection.shell.work(copy)
    return whole


async def fetch(connection: Connection, asset: bytes, assembly: Assembly, on_progress: Optional[Progress] = None,
                credit: int = CREDIT, patience: float = PATIENCE) -> messages.Asset:
    """Downloads the bytes that the assembly lacks.

    When the node falls silent, it resumes under a new id.
    """
    pause = connection.patience
    idle = 0.0
    while True:
        offset = assembly.offset
        request = messages.Request(download=messages.DownloadRequest(asset=asset, offset=offset, credit=credit))
        call = await connection.call(request, A_DAY, repeat=False, pause=pause)
        try:
            whole = await _receive(connection, call, assembly, credit, on_progress)
            assembly.finish(whole)
            return whole
        except Silence:
            # The connection may be dead, or slower than the pause. The pause must grow, because
            # otherwise a slow connection would never deliver a chunk. Progress resets it: the next
            # connection may be a fast one.
            failure, waited = call.unanswered(connection.endpoint), pause
            pause = connection.patience if assembly.offset > offset else min(pause * 2, LONGEST_PATIENCE)
        except CameraBusError as error:
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


async def _receive(connection: Connection, call: Call, assembly: Assembly, credit: int,
                   on_progress: Optional[Progress]) -> messages.Asset:
    spent = 0
    while True:
        reply = await connection.next(call)
        if reply.message.final:
            return call.expect("download", reply).download.asset
        if reply.body != "chunk":
            continue
        chunk = reply.message.chunk
        assembly.add(chunk.offset, chunk.total, reply.attachment or b"")
        spent += 1
        if spent * 2 >= credit:
            await connection.tell(messages.Request(
                download_credit=messages.DownloadCredit(download=call.id, chunks=spent)))
            spent = 0
        if on_progress:
            on_progress(assembly.offset, chunk.total)


async def _cancel(connection: Connection, call: Call) -> None:
    try:
        await connection.tell(messages.Request(cancel=messages.CancelRequest(request=call.id)))
    except CameraBusError as error:
        if error.code != Code.CLOSED:  # closing the connection ends the download too
            raise


def id_of(asset: Union[messages.Asset, bytes]) -> bytes:
    return arguments.identifier("asset", asset.id if isinstance(asset, messages.Asset) else asset)
