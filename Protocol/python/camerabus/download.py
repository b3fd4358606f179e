"""Downloads assets from the node's library in chunks, resumes by offset, and checks the whole file.
"""

from __future__ import annotations

import hashlib
import io
import os
import time
from pathlib import Path
from typing import BinaryIO, Callable, Optional, Union

from . import messages
from .connection import LONGEST_PATIENCE, Call, Connection, Silence
from .errors import CameraBusError, Code

CREDIT = 16
# A download fails after this much silence in total, seconds.
PATIENCE = 60.0
A_DAY = 86_000.0

Progress = Callable[[int, int], None]


class Assembly:
    """Assembles the bytes of one asset, in order and without gaps, and computes their SHA-256.

    Bytes that the file already holds count as received.
    """

    def __init__(self, file: BinaryIO):
        self._file = file
        self._hash = hashlib.sha256()
        self.offset = 0
        file.seek(0)
        while block := file.read(1 << 20):
            self._hash.update(block)
            self.offset += len(block)

    def add(self, offset: int, total: int, data: bytes) -> None:
        if offset != self.offset or offset + len(data) > total:
            raise CameraBusError(
                Code.CORRUPT, f"a chunk of {len(data)} bytes at {offset} of {total} came where {self.offset} was due")
        self._file.write(data)
        self._hash.update(data)
        self.offset += len(data)

    def finish(self, asset: messages.Asset) -> None:
        """Checks all bytes against the length and SHA-256 of the whole file that the node reports.
        """
        if self.offset != asset.byte_count or self._hash.digest() != asset.sha256:
            raise CameraBusError(
                Code.CORRUPT, f"the {self.offset} bytes at hand are not the asset: download it again", retryable=True)


def read(connection: Connection, asset: Union[messages.Asset, bytes], on_progress: Optional[Progress] = None) -> bytes:
    """Downloads an asset into memory."""
    file = io.BytesIO()
    fetch(connection, _id_of(asset), Assembly(file), on_progress)
    return file.getvalue()


def download(connection: Connection, asset: Union[messages.Asset, bytes], path: Union[str, Path],
             on_progress: Optional[Progress] = None) -> messages.Asset:
    """Downloads an asset to a file, which appears when it is complete.

    Bytes that arrived before a failure are kept next to it in `PATH.ID.part`, and the next call
    resumes there.
    """
    id = _id_of(asset)
    part = Path(f"{path}.{id.hex()}.part")
    part.touch()
    with open(part, "r+b") as file:
        try:
            whole = fetch(connection, id, Assembly(file), on_progress)
        except CameraBusError as error:
            if error.code == Code.CORRUPT:
                part.unlink()
            raise
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    return whole


def fetch(connection: Connection, asset: bytes, assembly: Assembly, on_progress: Optional[Progress] = None,
          credit: int = CREDIT, patience: float = PATIENCE) -> messages.Asset:
    """Downloads the bytes that the assembly lacks.

    When the node falls silent, it resumes under a new id.
    """
    pause = connection.patience
    idle = 0.0
    while True:
        offset = assembly.offset
        request = messages.DownloadRequest(asset=asset, offset=offset, credit=credit)
        call = connection.call(A_DAY, repeat=False, pause=pause, download=request)
        try:
            whole = _receive(connection, call, assembly, credit, on_progress)
            assembly.finish(whole)
            return whole
        except Silence:
            # The connection may be dead, or slower than the pause. The pause must grow, because
            # otherwise a slow connection would never deliver a chunk. Progress resets it: the next
            # connection may be a fast one.
            failure, waited = call.unanswered(), pause
            pause = connection.patience if assembly.offset > offset else min(pause * 2, LONGEST_PATIENCE)
        except CameraBusError as error:
            if not error.retryable or error.code == Code.CORRUPT:
                raise
            failure, waited = error, 1.0
            time.sleep(waited)
        finally:
            if call.final is None:
                connection.forget(call)
                connection.tell(cancel=messages.CancelRequest(request=call.id))
        idle = waited if assembly.offset > offset else idle + waited
        if idle >= patience:
            raise failure


def _receive(connection: Connection, call: Call, assembly: Assembly, credit: int,
             on_progress: Optional[Progress]) -> messages.Asset:
    spent = 0
    for reply in call.replies():
        if reply.message.final:
            break
        if reply.message.WhichOneof("body") != "chunk":
            continue
        chunk = reply.message.chunk
        assembly.add(chunk.offset, chunk.total, reply.attachment or b"")
        spent += 1
        if spent * 2 >= credit:
            connection.tell(download_credit=messages.DownloadCredit(download=call.id, chunks=spent))
            spent = 0
        if on_progress:
            on_progress(assembly.offset, chunk.total)
    return call.body_of(reply, "download").asset


def _id_of(asset: Union[messages.Asset, bytes]) -> bytes:
    return asset if isinstance(asset, bytes) else asset.id
