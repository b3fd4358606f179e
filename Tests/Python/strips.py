"""Reads the strip at the bottom of the synthetic camera's pictures, which says which frame they show.

It has 160 black and white cells over the whole width, 80, 40 or 20 in a row: the number 0xCB4D in 16 bits, the frame's
number and its timestamp in nanoseconds in 64 bits each, and their checksum (CRC-16/CCITT-FALSE), the highest bits
first.
"""

from __future__ import annotations

import binascii
from typing import NamedTuple

from readers import Picture

_BITS = 160


class Strip(NamedTuple):
    number: int
    monotonic_ns: int


def read_strip(picture: Picture, white: int = 255) -> Strip:
    """The strip of a picture that is not turned or cropped.

    `white` is the value of white in a picture with another depth than eight bits.
    """
    # Colours are for distances: black has none, and white has one.
    brightness = picture.max(axis=2) if picture.ndim == 3 else picture
    height, width = brightness.shape
    for cells in (80, 40, 20):
        side = width / cells
        places = [(int(height - (_BITS // cells - index // cells - 0.5) * side), int((index % cells + 0.5) * side))
                  for index in range(_BITS)]
        if places[0][0] < 0:
            continue
        bits = "".join("1" if brightness[place] * 2 >= white else "0" for place in places)
        data = int(bits, 2).to_bytes(20, "big")
        if data.startswith(b"\xcb\x4d") and binascii.crc_hqx(data[:18], 0xFFFF) == int.from_bytes(data[18:], "big"):
            return Strip(int.from_bytes(data[2:10], "big"), int.from_bytes(data[10:18], "big"))
    raise AssertionError("the picture has no strip")
