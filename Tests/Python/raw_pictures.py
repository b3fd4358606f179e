"""Reads raw files of photos by their `layout` alone, with numpy, in other words than the node's."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from camerabus import messages
from readers import Picture

Bytes = NDArray[numpy.uint8]

# The bits of a sample in the formats of sensors with one sample for each pixel.
BITS = {
    **dict.fromkeys(("GREY", "BA81", "GBRG", "GRBG", "RGGB"), 8),
    **dict.fromkeys(("Y10", "Y10P", "BG10", "GB10", "BA10", "RG10", "pBAA", "pGAA", "pgAA", "pRAA"), 10),
    **dict.fromkeys(("Y12", "BG12", "GB12", "BA12", "RG12", "pBCC", "pGCC", "pgCC", "pRCC"), 12),
    **dict.fromkeys(("Y16", "Y16-BE", "Z16", "BYR2", "GB16", "GR16", "RG16"), 16)}
# The colours of each square of four samples of a Bayer sensor, row by row.
PATTERNS = {
    **dict.fromkeys(("BA81", "BG10", "pBAA", "BG12", "pBCC", "BYR2"), "BGGR"),
    **dict.fromkeys(("GBRG", "GB10", "pGAA", "GB12", "pGCC", "GB16"), "GBRG"),
    **dict.fromkeys(("GRBG", "BA10", "pgAA", "BA12", "pgCC", "GR16"), "GRBG"),
    **dict.fromkeys(("RGGB", "RG10", "pRAA", "RG12", "pRCC", "RG16"), "RGGB")}
# The places of luma, blue and red chroma in the four bytes of two pixels.
PACKED = {"YUYV": (0, 1, 3), "UYVY": (1, 0, 2), "YVYU": (0, 3, 1), "VYUY": (1, 2, 0)}
# Whether chroma is interleaved and has half the rows, and whether blue comes first.
PLANES = {"NV12": (True, True, True), "NV21": (True, True, False), "NV16": (True, False, True),
          "YU12": (False, True, True), "YV12": (False, True, False), "422P": (False, False, True)}


def expected_picture(layout: messages.RawLayout, data: bytes) -> tuple[Picture, int]:
    """What a PNG shows of the raw bytes, and by how much its numbers may differ: by 1 where they are rounded."""
    name = layout.pixel_format
    if name not in BITS:
        return colors(layout, data), 0 if name in ("RGB3", "BGR3") else 1
    numbers = samples(layout, data)
    if name in PATTERNS:
        return without_mosaic(shown(numbers, BITS[name], 255 if BITS[name] == 8 else 65535), PATTERNS[name]), 1
    if 8 < BITS[name] < 16:
        # The lowest of 16 bits repeat the highest.
        numbers = numbers << (16 - BITS[name]) | numbers >> (2 * BITS[name] - 16)
    return numbers, 0


def shown(numbers: Picture, bits: int, most: int, black: int = 0) -> Picture:
    """The codes of a sensor's samples on sRGB's curve (IEC 61966-2-1): light is counted from black to white."""
    light = (numbers - black).clip(0) / ((1 << bits) - 1 - black)
    return (numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055) * most).round().astype(numpy.int32)


def samples(layout: messages.RawLayout, data: bytes) -> Picture:
    """The numbers of a Bayer sensor, of grey or of distances."""
    name, width, height = layout.pixel_format, layout.size.width, layout.size.height
    rows = _rows(data, height, layout.bytes_per_line)
    if name == "Y10P" or name.startswith("p"):
        # The highest eight bits of four or two samples, then a byte with the lowest bits, the first sample's first.
        count, low = (4, 2) if BITS[name] == 10 else (2, 4)
        groups = -(-width // count)
        packed = rows[:, :groups * (count + 1)].reshape(height, groups, count + 1).astype(numpy.int32)
        rest = packed[..., count:] >> numpy.arange(count) * low & (1 << low) - 1
        return (packed[..., :count] << low | rest).reshape(height, -1)[:, :width]
    if BITS[name] == 8:
        return rows[:, :width].astype(numpy.int32)
    return rows[:, :2 * width].copy().view(">u2" if name == "Y16-BE" else "<u2").astype(numpy.int32)


def colors(layout: messages.RawLayout, data: bytes) -> Picture:
    """Red, green and blue of RGB, BGR, or luma and chroma."""
    name, width, height, line = layout.pixel_format, layout.size.width, layout.size.height, layout.bytes_per_line
    rows = _rows(data, height, line)
    if name in ("RGB3", "BGR3"):
        pixels = rows[:, :3 * width].reshape(height, width, 3).astype(numpy.int32)
        return pixels if name == "RGB3" else pixels[..., ::-1]
    pairs = (width + 1) // 2
    if name in PACKED:
        groups = rows[:, :4 * pairs].reshape(height, pairs, 4)
        first, blue, red = PACKED[name]
        luma = groups[..., [first, first + 2]].reshape(height, 2 * pairs)
        chroma = [groups[..., blue], groups[..., red]]
    else:
        is_interleaved, is_halved, is_blue_first = PLANES[name]
        luma, rest = rows, data[height * line:]
        chroma_height = (height + 1) // 2 if is_halved else height
        if is_interleaved:
            both = _rows(rest, chroma_height, (line + 1) // 2 * 2)
            chroma = [both[:, start::2] for start in (0, 1)]
        else:
            length = (line + 1) // 2
            chroma = [_rows(rest[start * chroma_height * length:], chroma_height, length) for start in (0, 1)]
        chroma = [plane.repeat(height // chroma_height + (height % chroma_height > 0), axis=0) for plane in chroma]
        if not is_blue_first:
            chroma.reverse()
    planes = [luma, *(plane.repeat(2, axis=1) for plane in chroma)]
    return _converted(layout, *(plane[:height, :width].astype(float) for plane in planes))


def _rows(data: bytes, height: int, line: int) -> Bytes:
    return numpy.frombuffer(data, numpy.uint8, height * line).reshape(height, line)


def _converted(layout: messages.RawLayout, luma: NDArray[numpy.float64], blue: NDArray[numpy.float64],
               red: NDArray[numpy.float64]) -> Picture:
    """The definition of the ITU-R's recommendations, solved for red, green and blue."""
    weights = {messages.COLOR_MATRIX_BT601: (0.299, 0.114), messages.COLOR_MATRIX_BT709: (0.2126, 0.0722)}
    of_red, of_blue = weights[layout.color_matrix]
    scale = {messages.COLOR_RANGE_LIMITED: (16, 255 / 219, 255 / 224), messages.COLOR_RANGE_FULL: (0, 1.0, 1.0)}
    black, of_luma, of_chroma = scale[layout.color_range]
    y = (luma - black) * of_luma
    r = y + 2 * (1 - of_red) * (red - 128) * of_chroma
    b = y + 2 * (1 - of_blue) * (blue - 128) * of_chroma
    g = (y - of_red * r - of_blue * b) / (1 - of_red - of_blue)
    return numpy.stack([r, g, b], axis=-1).round().clip(0, 255).astype(numpy.int32)


def without_mosaic(numbers: Picture, pattern: str) -> Picture:
    """The three colours of a Bayer mosaic: a missing one is the mean of its nearest samples."""
    height, width = numbers.shape
    # Beyond the edges the samples are mirrored, so that each has its own colour.
    around = numpy.pad(numbers, 1, mode="reflect").astype(float)
    place = numpy.add.outer(numpy.arange(-1, height + 1) % 2 * 2, numpy.arange(-1, width + 1) % 2)
    result = numpy.empty((height, width, 3))
    for channel, color in enumerate("RGB"):
        has_color = numpy.isin(place, [index for index, letter in enumerate(pattern) if letter == color])
        sums, counts = numpy.zeros((2, height, width))
        for y in range(3):
            for x in range(3):
                part = (slice(y, y + height), slice(x, x + width))
                sums += around[part] * has_color[part]
                counts += has_color[part]
        result[..., channel] = numpy.where(has_color[1:-1, 1:-1], numbers, sums / counts)
    return numpy.floor(result + 0.5).astype(numpy.int32)
