"""What a node puts into the JPEGs of photos."""

from __future__ import annotations


def without_facts(jpeg: bytes) -> bytes:
    """A photo without its EXIF and XMP segments, which a node puts behind its start."""
    assert jpeg.startswith(b"\xff\xd8")
    rest = jpeg[2:]
    while rest.startswith(b"\xff\xe1"):
        rest = rest[2 + int.from_bytes(rest[2:4], "big"):]
    return b"\xff\xd8" + rest
