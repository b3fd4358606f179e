"""Compares turned pictures with what other programs make of the same frames: libjpeg's encoder and ffmpeg's decoder.

Each photo and each frame of a stream has a frame of the raw stream with the same number. Its planes are turned here, by
the words of the specification, encoded by cjpeg with the same tables, and decoded by ffmpeg, as the node's picture is.
Both have the same samples only if the node encoded the same turned planes.
"""

from __future__ import annotations

import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

from camerabus import Frame, PhotoSettings, at_monotonic, messages
from expecting import present
from jpegs import without_facts
from live import WithNode
from node import Node

# The tables of ITU-T T.81, annex K.
LUMA = """
16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 62
18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 98 112 100 103 99
"""
CHROMA = """
17 18 24 47 99 99 99 99 18 21 26 66 99 99 99 99 24 26 56 99 99 99 99 99 47 66 99 99 99 99 99 99
99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99
"""

ORIENTATIONS = [(rotation, mirrored) for rotation in (0, 90, 180, 270) for mirrored in (False, True)]
TRANSFORMS = {
    (0, False): [], (0, True): ["-flip", "horizontal"], (90, False): ["-rotate", "90"], (90, True): ["-transpose"],
    (180, False): ["-rotate", "180"], (180, True): ["-flip", "vertical"], (270, False): ["-rotate", "270"],
    (270, True): ["-transverse"]}


class Plane(NamedTuple):
    width: int
    height: int
    samples: bytes

    def rows(self) -> list[bytes]:
        return [self.samples[y * self.width:(y + 1) * self.width] for y in range(self.height)]

    def turned(self, rotation: int, mirrored: bool) -> Plane:
        rows = self.rows()
        for _ in range(rotation // 90):
            rows = [bytes(column) for column in zip(*reversed(rows))]
        if mirrored:
            rows = [bytes(reversed(row)) for row in rows]
        return Plane(len(rows[0]), len(rows), b"".join(rows))


def run(*command: str, data: bytes) -> bytes:
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def decoded(jpeg: bytes) -> bytes:
    """The samples of all planes, one after the other, as ffmpeg decodes them."""
    return run("ffmpeg", "-v", "error", "-f", "mjpeg", "-i", "-", "-f", "rawvideo", "-", data=jpeg)


def encoded(plane: Plane, table: str, quality: int, folder: Path) -> bytes:
    """The plane as a JPEG of its own. Below quality 96 the node uses libjpeg's fast transform."""
    tables = folder / "tables"
    tables.write_text(table)
    picture = b"P5 %d %d 255\n" % (plane.width, plane.height) + plane.samples
    return run("cjpeg", "-grayscale", "-quality", str(quality), "-qtables", str(tables), "-dct", "int" if quality >= 96 else "fast",
               data=picture)


def luma_of(jpeg: bytes) -> Plane:
    """The luma of a JPEG as libjpeg decodes it."""
    data = run("djpeg", "-pnm", "-grayscale", "-dct", "int", data=jpeg)
    _, sides, _, samples = data.split(b"\n", 3)
    width, height = map(int, sides.split())
    return Plane(width, height, samples)


def full_luma(codes: bytes) -> bytes:
    return codes.translate(bytes((min(max(code, 16), 235) - 16) * 298 + 128 >> 8 for code in range(256)))


def full_chroma(codes: bytes) -> bytes:
    return codes.translate(bytes(min(max(code, 15), 240) * 291 - 4352 >> 8 for code in range(256)))


def planes_of(frame: Frame) -> list[Plane]:
    """The planes of a raw frame in full range."""
    info, data = frame.info, bytes(frame.data)
    width, height, stride = info.size.width, info.size.height, info.bytes_per_line
    rows = [data[y * stride:(y + 1) * stride] for y in range(len(data) // stride)]
    if info.pixel_format == "GREY":
        return [Plane(width, height, b"".join(row[:width] for row in rows))]
    if info.pixel_format == "YUYV":
        parts = [b"".join(row[start:2 * width:step] for row in rows) for start, step in ((0, 2), (1, 4), (3, 4))]
        chroma_height = height
    else:
        assert info.pixel_format == "NV12"
        pairs = b"".join(row[:width] for row in rows[height:])
        parts = [b"".join(row[:width] for row in rows[:height]), pairs[::2], pairs[1::2]]
        chroma_height = height // 2
    return [Plane(width, height, full_luma(parts[0])),
            *(Plane(width // 2, chroma_height, full_chroma(part)) for part in parts[1:])]


class Orientation(WithNode):
    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(*(
            f"{name.lower()}=synthetic:{size}@30,format={name[:4]}"
            for name, size in (("YUYV", "160x128"), ("NV12", "160x128"), ("GREY", "160x128"), ("MJPG", "160x128"),
                               ("MJPG_odd", "168x136")))))
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for camera in ("yuyv", "nv12", "grey", "mjpg", "mjpg_odd"):
            cls.see_frames(camera, 20)

    def photo_and_frame(self, camera: str, quality: int = 90) -> tuple[bytes, messages.ResolvedCapture, Frame]:
        """A photo, and the raw frame that it was made of."""
        with self.bus.frames(camera, "raw") as frames:
            frame = present(frames.next(30))
        photo = self.bus.capture(at_monotonic(frame.info.timestamp.monotonic_ns), camera, settings=PhotoSettings(quality=quality, keep=False))
        self.assertEqual(photo.resolved.frame_sequence, frame.info.frame_sequence)
        return present(photo.data), photo.resolved, frame

    def stream_and_frame(self, camera: str) -> tuple[Frame, Frame]:
        """A frame of the stream "full" and the raw one that it was made of."""
        with self.bus.frames(camera, "raw") as raw, self.bus.frames(camera, "full") as full:
            raw_frames: dict[int, Frame] = {}
            full_frames: dict[int, Frame] = {}
            while not (both := raw_frames.keys() & full_frames.keys()):
                for stream, seen in ((raw, raw_frames), (full, full_frames)):
                    frame = present(stream.next(30))
                    seen[frame.info.frame_sequence] = frame
            return full_frames[min(both)], raw_frames[min(both)]

    def assert_same(self, found: bytes, expected: bytes) -> None:
        self.assertEqual(len(found), len(expected))
        wrong = [place for place, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]]
        self.assertFalse(wrong, f"{len(wrong)} samples differ, the first at {wrong[:1]}")

    def check(self, jpeg: bytes, frame: Frame, rotation: int, mirrored: bool, quality: int) -> None:
        expected = b"".join(
            decoded(encoded(plane.turned(rotation, mirrored), CHROMA if index else LUMA, quality, self.folder))
            for index, plane in enumerate(planes_of(frame)))
        self.assert_same(decoded(jpeg), expected)

    def sides(self, frame: Frame, rotation: int) -> tuple[int, int]:
        sides = (frame.info.size.width, frame.info.size.height)
        return sides if rotation % 180 == 0 else (sides[1], sides[0])

    def test_photos_of_raw_frames(self) -> None:
        for camera in ("yuyv", "nv12", "grey"):
            for rotation, mirrored in ORIENTATIONS:
                with self.subTest(camera, rotation=rotation, mirrored=mirrored):
                    self.bus.configure(camera, rotation=rotation, mirrored=mirrored)
                    jpeg, resolved, frame = self.photo_and_frame(camera)
                    self.assertEqual((resolved.size.width, resolved.size.height), self.sides(frame, rotation))
                    self.assertEqual((resolved.orientation.rotation, resolved.orientation.mirrored), (rotation, mirrored))
                    self.assertFalse(frame.info.HasField("orientation"))
                    self.assertEqual(resolved.quality, 90)
                    self.check(jpeg, frame, rotation, mirrored, 90)

    def test_streams_of_raw_frames(self) -> None:
        for camera in ("yuyv", "nv12", "grey"):
            for rotation, mirrored in ORIENTATIONS:
                with self.subTest(camera, rotation=rotation, mirrored=mirrored):
                    self.bus.configure(camera, preview_rotation=rotation, preview_mirrored=mirrored)
                    full, raw = self.stream_and_frame(camera)
                    self.assertEqual((full.info.size.width, full.info.size.height), self.sides(raw, rotation))
                    self.assertEqual((full.info.orientation.rotation, full.info.orientation.mirrored), (rotation, mirrored))
                    self.check(bytes(full.data), raw, rotation, mirrored, 80)

    def check_without_loss(self, jpeg: bytes, source: bytes, rotation: int, mirrored: bool) -> None:
        transform = TRANSFORMS[rotation, mirrored]
        self.assert_same(decoded(jpeg), decoded(run("jpegtran", "-perfect", *transform, data=source)))
        # Turned back, it is the camera's own picture: nothing was lost.
        back = TRANSFORMS[rotation if mirrored else -rotation % 360, mirrored]
        self.assert_same(decoded(run("jpegtran", "-perfect", *back, data=jpeg)), decoded(source))

    def test_jpegs_of_whole_blocks_are_turned_without_loss(self) -> None:
        for rotation, mirrored in ORIENTATIONS:
            with self.subTest(rotation=rotation, mirrored=mirrored):
                self.bus.configure("mjpg", rotation=rotation, mirrored=mirrored)
                jpeg, resolved, frame = self.photo_and_frame("mjpg")
                self.assertEqual((resolved.size.width, resolved.size.height), self.sides(frame, rotation))
                self.assertTrue(resolved.passthrough and resolved.quality == 0)
                self.check_without_loss(jpeg, bytes(frame.data), rotation, mirrored)
                if (rotation, mirrored) == (0, False):
                    self.assertEqual(without_facts(jpeg), frame.data)
                    continue
                self.bus.configure("mjpg", preview_rotation=rotation, preview_mirrored=mirrored)
                full, raw = self.stream_and_frame("mjpg")
                self.check_without_loss(bytes(full.data), bytes(raw.data), rotation, mirrored)

    def test_other_jpegs_lose_no_pixel(self) -> None:
        """Turned with their incomplete blocks they would lose columns or rows, so they are encoded again"""
        for rotation, mirrored in ORIENTATIONS:
            with self.subTest(rotation=rotation, mirrored=mirrored):
                self.bus.configure("mjpg_odd", rotation=rotation, mirrored=mirrored)
                jpeg, resolved, frame = self.photo_and_frame("mjpg_odd", quality=85)
                self.assertEqual((resolved.size.width, resolved.size.height), self.sides(frame, rotation))
                is_whole = (rotation, mirrored) in [(0, False), (90, True)]
                self.assertEqual((resolved.passthrough, resolved.quality), (is_whole, 0 if is_whole else 85))
                if is_whole:
                    self.check_without_loss(jpeg, bytes(frame.data), rotation, mirrored)
                    continue
                turned = luma_of(bytes(frame.data)).turned(rotation, mirrored)
                self.assert_same(luma_of(jpeg).samples, luma_of(encoded(turned, LUMA, 85, self.folder)).samples)

    def test_a_movie_is_turned_like_photos(self) -> None:
        for camera in ("nv12", "mjpg"):
            with self.subTest(camera):
                status = self.bus.configure(camera, rotation=90, mirrored=False, preview_rotation=0, preview_mirrored=False)
                self.assertEqual(status.camera.configuration.capture.rotation, 90)
                self.bus.start_recording(camera)
                with self.bus.frames(camera, "full") as frames:
                    for _ in range(10):
                        self.assertEqual(present(frames.next(30)).info.size.width, 160)
                movie = self.bus.stop_recording(camera)
                asset = present(movie.asset)
                self.assertEqual((asset.size.width, asset.size.height), (128, 160))
                path = self.node.folder / "library" / asset.path
                # Without repeating a picture where a frame came late.
                pictures = run("ffmpeg", "-v", "error", "-i", str(path), "-fps_mode", "passthrough", "-f", "rawvideo",
                               "-pix_fmt", "gray", "-", data=b"")
                self.assertEqual(len(pictures), movie.frames * 128 * 160)


if __name__ == "__main__":
    unittest.main()
