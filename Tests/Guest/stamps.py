"""Reads the time and the number that vivid writes into each picture (`osd_text_mode` 0 or 1)."""

import re
import subprocess

# The digits of the kernel's font VGA8x16: rows 2 to 11 of 16.
DIGITS = {
    "0": "386cc6c6d6d6c6c66c38", "1": "1838781818181818187e", "2": "7cc6060c183060c0c6fe",
    "3": "7cc606063c060606c67c", "4": "0c1c3c6cccfe0c0c0c1e", "5": "fec0c0c0fc060606c67c",
    "6": "3860c0c0fcc6c6c6c67c", "7": "fec606060c1830303030", "8": "7cc6c6c67cc6c6c6c67c",
    "9": "7cc6c6c67e0606060c78",
}
GLYPHS = {digit: int(rows, 16) for digit, rows in DIGITS.items()}
# The text " 00:00:01:033 31" begins here, in pixels.
LEFT, TOP = 16, 16


def read_stamp(jpeg):
    """The time since the start of the stream in milliseconds, and the frame's number from 0."""
    data = subprocess.run(["djpeg", "-pnm", "-grayscale"], input=jpeg, capture_output=True, check=True).stdout
    header = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", data)
    width, pixels = int(header[1]), data[header.end():]

    def glyph(column):
        bits = 0
        for y in range(TOP + 2, TOP + 12):
            for x in range(LEFT + 8 * column, LEFT + 8 * column + 8):
                bits = bits << 1 | (pixels[y * width + x] > 127)
        return bits

    def number(columns):
        return int("".join(digit(glyph(column)) for column in columns))

    hours, minutes, seconds = number((1, 2)), number((4, 5)), number((7, 8))
    # Behind the text is a bar, which is all bright or all dark.
    last = next(column for column in range(14, 24) if glyph(column) in (0, 2 ** 80 - 1))
    time = ((hours * 60 + minutes) * 60 + seconds) * 1000 + number((10, 11, 12))
    return time, number(range(14, last))


def digit(bits):
    """The digit whose glyph is nearest. A JPEG may blur some pixels."""
    best = min(GLYPHS, key=lambda digit: (GLYPHS[digit] ^ bits).bit_count())
    assert (GLYPHS[best] ^ bits).bit_count() <= 6, f"no digit: {bits:020x}"
    return best
