"""Checks vivid's test pattern in photos."""

from programs import decode

# Vivid's 75 % colour bars from left to right.
BARS = [(191, 191, 191), (191, 191, 0), (0, 191, 191), (0, 191, 0),
        (191, 0, 191), (191, 0, 0), (0, 0, 191), (0, 0, 0)]
# The same bars in vivid's grey format: Rec. 709 luma.
GREY_BARS = [(luma, luma, luma) for luma in (190, 176, 149, 136, 54, 40, 13, 0)]


def developed(bars):
    """The bars of a Bayer sensor, whose samples count light: a picture has them with sRGB's curve (IEC 61966-2-1).

    Vivid's samples are the numbers of its other formats.
    """
    return [tuple(round(255 * (1.055 * (code / 255) ** (1 / 2.4) - 0.055)) if code else 0 for code in bar) for bar in bars]


def check_bars(test, photo, width, height, bars):
    """Checks that the photo has this size and these colours. The pattern must be without text."""
    actual_width, actual_height, pixel = decode(photo)
    test.assertEqual((actual_width, actual_height), (width, height))
    bar = width // len(bars)
    for index, expected in enumerate(bars):
        # Stay away from the edges, where chroma subsampling blends the neighbours.
        for x in range(index * bar + bar // 4, (index + 1) * bar - bar // 4, bar // 8):
            for y in (8, height // 2, height - 9):
                actual = pixel(x, y)
                distance = max(abs(a - b) for a, b in zip(actual, expected))
                test.assertLessEqual(distance, 10, f"{actual} for {expected} at {x},{y}")
