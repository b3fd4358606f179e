"""The numbers and exact times of the frames of an MP4, read from the remarks in its pictures."""

from __future__ import annotations

import os
from typing import BinaryIO, Iterator, NamedTuple, Optional

# Boxes with boxes inside, which follow.
FOLDERS = {b"moov", b"trak", b"mdia", b"moof", b"traf"}
# The largest table of samples that is read: of a million.
LARGEST_TABLE = 16 << 20
# The most pictures of a fragment.
SAMPLES = 1 << 20
# Units of a picture before its first slice.
UNITS = 16
# The type and size of a remark, and its id.
REMARK = bytes([5, 40]) + b"CBFRAME1" + bytes.fromhex("8e3c27d15e9a4b96")
# The longest remark, with the bytes that keep it from looking like a start code.
LONGEST = 5 + 2 * 42


class Remark(NamedTuple):
    """What a picture says of its frame, and when players show it, in milliseconds."""

    sequence: int
    monotonic_ns: int
    wall_ns: int
    milliseconds: int


class _Sample(NamedTuple):
    offset: int
    size: int
    time: int


def remarks(file: BinaryIO) -> Iterator[Remark]:
    """Those of the pictures of a fragmented MP4, in their order; of one that is cut off, of those before the cut."""
    end = os.fstat(file.fileno()).st_size
    position = fragment = time = duration = size = 0
    scale = track = scale_of_track = 1000
    video: Optional[int] = None
    is_video = True
    samples: list[_Sample] = []
    while (found := _box(file, position, end)) is not None:
        begin, (kind, content, position) = position, found
        if kind in FOLDERS:
            if kind == b"moof":
                fragment, samples = begin, []
            position = content
            continue
        count = position - content
        if kind == b"mdhd":
            head = _read(file, content, min(count, 24))
            place = 20 if head[:1] == b"\1" else 12
            scale_of_track = max(1, _number(head[place:place + 4]))
        elif kind == b"tkhd":
            head = _read(file, content, min(count, 24))
            place = 20 if head[:1] == b"\1" else 12
            track = _number(head[place:place + 4])
        elif kind == b"hdlr" and video is None and _read(file, content, min(count, 12))[8:] == b"vide":
            video, scale = track, scale_of_track
        elif kind == b"tfhd":
            head = _read(file, content, min(count, 32))
            is_video = video is None or _number(head[4:8]) == video
            if is_video:
                duration, size = _header(head)
        elif kind == b"tfdt" and is_video:
            head = _read(file, content, min(count, 12))
            time = _number(head[4:12] if head[:1] == b"\1" else head[4:8])
        elif kind == b"trun" and is_video and count <= LARGEST_TABLE:
            table, time = _table(_read(file, content, count), fragment, time, duration, size, SAMPLES - len(samples))
            samples += table
        elif kind == b"mdat":
            for sample in samples:
                if content <= sample.offset and sample.offset + sample.size <= position:
                    words = _remark(file, sample)
                    if words is not None:
                        yield Remark(*words, round(sample.time * 1000 / scale))
            samples = []


def _box(file: BinaryIO, position: int, end: int) -> Optional[tuple[bytes, int, int]]:
    """The kind of the box there, where its content begins, and where it ends; None where it is cut off."""
    head = _read(file, position, 16)
    size, content = _number(head[:4]), position + 8
    if size == 1:
        size, content = _number(head[8:16]), position + 16
    if len(head) < 8 or size < content - position or size > end - position:
        return None
    return head[4:8], content, position + size


def _header(head: bytes) -> tuple[int, int]:
    """The duration and the size of samples that have none of their own."""
    flags, place = _number(head[1:4]), 8
    place += 8 * (flags & 1) + 4 * (flags >> 1 & 1)
    duration = size = 0
    if flags & 8:
        duration, place = _number(head[place:place + 4]), place + 4
    if flags & 16:
        size = _number(head[place:place + 4])
    return duration, size


def _table(
        table: bytes, fragment: int, time: int, duration: int, size: int, room: int) -> tuple[list[_Sample], int]:
    """The samples of a table, at most so many, and the time after the last one."""
    flags, count, place, offset = _number(table[1:4]), _number(table[4:8]), 8, fragment
    if flags & 1:
        offset += int.from_bytes(table[place:place + 4], "big", signed=True)
        place += 4
    place += flags & 4
    entry = 4 * bin(flags & 0xF00).count("1")
    if count > room or count * entry > max(0, len(table) - place):
        return [], time
    samples = []
    for start in range(place, place + count * entry, entry) if entry else [place] * count:
        own_duration, own_size = duration, size
        if flags & 0x100:
            own_duration, start = _number(table[start:start + 4]), start + 4
        if flags & 0x200:
            own_size = _number(table[start:start + 4])
        samples.append(_Sample(offset, own_size, time))
        offset, time = offset + own_size, time + own_duration
    return samples, time


def _remark(file: BinaryIO, sample: _Sample) -> Optional[tuple[int, int, int]]:
    """What the units before a picture's first slice say of its frame."""
    offset, end = sample.offset, sample.offset + sample.size
    for _ in range(UNITS):
        head = _read(file, offset, min(max(0, end - offset), LONGEST))
        length = _number(head[:4])
        if len(head) <= 5 or not 0 < length <= end - offset - 4 or 1 <= head[4] & 0x1F <= 5:
            return None
        if head[4] == 6:
            # Without the bytes that keep a unit from looking like a start code.
            unit = head[5:4 + length].replace(b"\0\0\3", b"\0\0")
            words = unit[len(REMARK):len(REMARK) + 24]
            if unit.startswith(REMARK) and len(words) == 24:
                return (_number(words[:8]), int.from_bytes(words[8:16], "big", signed=True),
                        int.from_bytes(words[16:], "big", signed=True))
        offset += 4 + length
    return None


def _read(file: BinaryIO, offset: int, count: int) -> bytes:
    file.seek(offset)
    return file.read(count)


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")
