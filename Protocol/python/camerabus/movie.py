"""The numbers and exact times of a movie's frames, read from the file."""

from __future__ import annotations

import os
import stat
import struct
from dataclasses import dataclass
from typing import BinaryIO, Iterator

from . import arguments
from .errors import CameraBusError, invalid, reading, shown
from .fragments import remarks

# Elements of Matroska.
HEADER, SEGMENT, CLUSTER, CLUSTER_TIME, BLOCK_GROUP, BLOCK = 0x1A45DFA3, 0x18538067, 0x1F43B675, 0xE7, 0xA0, 0xA1
ADDITIONS, MORE, ADDITIONAL = 0x75A1, 0xA6, 0xA5
FOLDERS = {SEGMENT, CLUSTER, BLOCK_GROUP, ADDITIONS, MORE}
STAMP = struct.Struct(">8sQqq")
# The number of the track, which takes one byte because a movie has two at most, and the time since that
# of the cluster.
BLOCK_START = struct.Struct(">xh")


@dataclass(frozen=True)
class MovieFrame:
    """A frame of a movie. `sequence` and `monotonic_ns` are those of its `FrameHeader` on the bus."""

    sequence: int
    monotonic_ns: int
    wall_ns: int
    # The time at which players show it, since the beginning of the movie.
    milliseconds: int


def movie_frames(path: arguments.Path) -> Iterator[MovieFrame]:
    """The frames of a movie that a node recorded, in their order.

    Frames without a number are left out, such as those of other programs. A file that is cut off has
    the frames before the cut. The file is read while you take the frames, whatever its length, and
    a small part of it is in memory at a time.

    - Raises: `CameraBusError` when you take the first frame, if the file cannot be read or is no
      movie.
    """
    with reading(arguments.path("path", path)):
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # opening a pipe would wait for a writer
            raise _no_movie(path)
        with open(path, "rb") as file:
            head = file.read(8)
            if head[4:] == b"ftyp":
                for remark in remarks(file):
                    yield MovieFrame(*remark)
                return
            if head[:4] != HEADER.to_bytes(4, "big"):
                raise _no_movie(path)
            file.seek(0)
            yield from _frames(file)


def _no_movie(path: arguments.Path) -> CameraBusError:
    return invalid("path", f"{shown(os.fspath(path))} is no Matroska file and no MP4: give a movie that a node recorded")


def _frames(file: BinaryIO) -> Iterator[MovieFrame]:
    cluster = milliseconds = 0
    for element, size in _elements(file):
        if element == CLUSTER_TIME and size <= 8:
            cluster = int.from_bytes(file.read(size), "big")
        elif element == BLOCK and size >= BLOCK_START.size:
            milliseconds = cluster + BLOCK_START.unpack(_exactly(file, BLOCK_START.size))[0]
            file.seek(size - BLOCK_START.size, os.SEEK_CUR)
        elif element == ADDITIONAL and size == STAMP.size:
            mark, sequence, monotonic, wall = STAMP.unpack(_exactly(file, size))
            if mark == b"CBFRAME1":
                yield MovieFrame(sequence, monotonic, wall, milliseconds)
        else:
            file.seek(size, os.SEEK_CUR)


def _elements(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Each element with the number of its bytes, which the caller reads or passes over.

    The elements inside of a folder follow it. The bytes of every other element are in the file: the
    first element that goes beyond its end is where it was cut off.
    """
    end = os.fstat(file.fileno()).st_size
    while head := file.read(1):
        element = int.from_bytes(head + file.read(_more(head)), "big")
        first = file.read(1)
        if not first or not first[0] or not head[0]:
            return
        more = _more(first)
        size = int.from_bytes(first + file.read(more), "big") & ((1 << 7 * (more + 1)) - 1)
        if element in FOLDERS:
            continue
        if size > end - file.tell():
            return
        yield element, size


def _exactly(file: BinaryIO, count: int) -> bytes:
    """The next bytes, with zeros for those that were cut off since the file was opened."""
    return file.read(count).ljust(count, b"\0")


def _more(head: bytes) -> int:
    """How many bytes of a number of variable length follow its first byte."""
    return 8 - head[0].bit_length()
