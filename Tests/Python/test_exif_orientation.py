"""Cameras whose JPEGs say by EXIF that they are to be turned, as a sensor's mounting or a telephone makes them.

Pillow says how each picture is to look: turned by its own tag, and then as the node is asked.
"""

from __future__ import annotations

import io
import json
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from PIL import Image, ImageOps

from camerabus import CameraBus, Frame, PhotoSettings, Published, messages
from expecting import present
from live import WithNode
from node import Node
from test_camctl import camctl
from test_odd_jpegs import picture

ORIENTATION = 0x0112
# (rotation, mirrored) of each value of the tag (Exif 2.32, section 4.6.4).
TURNS = {1: (0, False), 2: (0, True), 3: (180, False), 4: (180, True), 5: (90, True), 6: (90, False), 7: (270, True),
         8: (270, False)}


def tagged(value: int) -> bytes:
    exif = Image.Exif()
    exif[ORIENTATION] = value
    data = io.BytesIO()
    picture().save(data, "JPEG", quality=90, subsampling="4:2:0", exif=exif)
    return data.getvalue()


def upright(jpeg: bytes) -> Image.Image:
    """The picture as its tag says, or as it is without one."""
    return present(ImageOps.exif_transpose(Image.open(io.BytesIO(jpeg)))).convert("RGB")


def levels(image: Image.Image) -> NDArray[Any]:
    return numpy.asarray(image.convert("RGB")).astype(int)


class ExifOrientation(WithNode):
    place: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.place = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for value in TURNS:
            (cls.place / f"{value}").mkdir()
            (cls.place / f"{value}" / "1.jpg").write_bytes(tagged(value))
        (cls.place / "moved").mkdir()
        for number in range(16):
            (cls.place / "moved" / f"{number:02}.jpg").write_bytes(tagged(1 if number < 8 else 6))
        cls.node = cls.enterClassContext(Node(
            *(f"exif{value}=files:{cls.place}/{value},@30" for value in TURNS), f"moved=files:{cls.place}/moved,@10"))
        for value in TURNS:
            cls.see_frames(f"exif{value}", 8)

    def assert_shows(self, image: Image.Image, wanted: Image.Image, at_most: float = 6) -> None:
        self.assertEqual(image.size, wanted.size)
        self.assertLess(numpy.abs(levels(image) - levels(wanted)).mean(), at_most)

    def frame(self, camera: str, stream: str) -> Frame:
        with self.bus.frames(camera, stream=stream) as frames:
            return present(frames.next(30))

    def check(self, data: bytes, size: messages.Size, wanted: Image.Image) -> None:
        """The file says the same with and without its tag, and its size is that of its pixels."""
        image = Image.open(io.BytesIO(data))
        self.assertEqual(image.getexif().get(ORIENTATION, 1), 1)
        self.assertEqual((size.width, size.height), image.size)
        self.assert_shows(image, wanted)

    def test_status_and_streams(self) -> None:
        for value, turn in TURNS.items():
            camera = f"exif{value}"
            with self.subTest(camera):
                status = next(camera for camera in self.bus.status().cameras if camera.name == f"exif{value}")
                own = status.format.orientation
                self.assertEqual((own.rotation, own.mirrored), turn)
                self.assertEqual((status.format.size.width, status.format.size.height), (320, 240))
                wanted = upright(tagged(value))
                for stream in ("full", "preview", "160x160"):
                    frame = self.frame(camera, stream)
                    self.assertEqual((frame.header.frame.orientation.rotation, frame.header.frame.orientation.mirrored), turn)
                    small = wanted.copy()
                    small.thumbnail((160, 160) if stream == "160x160" else wanted.size)
                    self.check(frame.data, frame.header.frame.size, small)

    def test_raw_frames_are_the_cameras(self) -> None:
        frame = self.frame("exif6", "raw")
        self.assertEqual(frame.data, tagged(6))
        self.assertEqual((frame.header.frame.size.width, frame.header.frame.size.height), (320, 240))
        self.assertFalse(frame.header.frame.HasField("orientation"))
        photo = self.bus.capture(camera="exif6", settings=PhotoSettings(["raw"]))
        self.assertEqual(photo.data, tagged(6))

    def test_photos(self) -> None:
        for value, turn in TURNS.items():
            for format in ("jpeg", "png", "tiff"):
                with self.subTest(value=value, format=format):
                    steps: list[Any] = []
                    photo = self.bus.capture(camera=f"exif{value}", settings=PhotoSettings([format]), on_progress=steps.append)
                    wanted = upright(tagged(value))
                    self.check(photo.data or b"", photo.resolved.size, wanted)
                    resolved = photo.resolved.orientation
                    self.assertEqual((resolved.rotation, resolved.mirrored), turn)
                    asset = present(photo.asset)
                    self.assertEqual((asset.size.width, asset.size.height), wanted.size)
                    plan = steps[0].settings
                    self.assertEqual((plan.orientation.rotation, plan.orientation.mirrored), turn)
                    self.assertEqual((plan.files[0].size.width, plan.files[0].size.height), wanted.size)

    def test_the_cameras_own_jpeg_is_turned_without_loss(self) -> None:
        photo = self.bus.capture(camera="exif8")
        self.assertTrue(photo.resolved.passthrough)
        turned = subprocess.run(
            ["jpegtran", "-rotate", "270", "-copy", "none"], input=tagged(8), capture_output=True, check=True).stdout
        self.assertEqual(levels(Image.open(io.BytesIO(photo.data or b""))).tolist(),
                         levels(Image.open(io.BytesIO(turned))).tolist())

    def test_what_is_asked_for_comes_after_the_tag(self) -> None:
        wanted = upright(tagged(5)).transpose(Image.Transpose.ROTATE_270)
        photo = self.bus.capture(camera="exif5", settings=PhotoSettings(rotation=90))
        self.check(photo.data or b"", photo.resolved.size, wanted)
        photo = self.bus.capture(camera="exif5", settings=PhotoSettings(rotation=90, outputs=["png"], dimensions=(100, 50)))
        self.assertEqual((photo.resolved.size.width, photo.resolved.size.height), (100, 50))
        self.assert_shows(Image.open(io.BytesIO(photo.data or b"")), ImageOps.fit(wanted, (100, 50)), 12)

    def test_a_tag_of_a_photo_is_of_both(self) -> None:
        photo = self.bus.capture(camera="exif5", settings=PhotoSettings(rotation=90, tag=True))
        image = Image.open(io.BytesIO(photo.data or b""))
        self.assertEqual(image.size, (320, 240))
        self.assert_shows(upright(photo.data or b""), upright(tagged(5)).transpose(Image.Transpose.ROTATE_270))

    def test_what_undoes_the_tag_leaves_no_tag(self) -> None:
        self.bus.configure(camera="exif6", rotation=270, preview_rotation=270)
        try:
            frame = self.frame("exif6", "full")
            self.assertFalse(frame.header.frame.HasField("orientation"))
            self.check(frame.data, frame.header.frame.size, picture())
            photo = self.bus.capture(camera="exif6")
            self.assertFalse(photo.resolved.HasField("orientation"))
            self.check(photo.data or b"", photo.resolved.size, picture())
        finally:
            self.bus.configure(camera="exif6", rotation=0, preview_rotation=0)

    def test_merged_and_deferred_photos(self) -> None:
        photo = self.bus.capture(camera="exif7", settings=PhotoSettings(["png"], priority="quality"))
        self.assertGreater(photo.resolved.merged_frames, 1)
        self.check(photo.data or b"", photo.resolved.size, upright(tagged(7)))
        with self.bus.events("exif7") as monitor:
            self.assert_snapshot(monitor)
            proxy = self.bus.capture(camera="exif7", settings=PhotoSettings(["png"], deferred=True))
            self.check(proxy.data or b"", proxy.resolved.size, upright(tagged(7)))
            while True:
                notice = monitor.next(60)
                if isinstance(notice, Published) and notice.event.HasField("deferred"):
                    break
        final = notice.event.deferred.finished.files[0].asset
        self.assertEqual((final.size.width, final.size.height), (240, 320))
        self.check(self.bus.read(final), final.size, upright(tagged(7)))

    def test_movies(self) -> None:
        with self.bus.events("exif6") as monitor:
            self.assert_snapshot(monitor)
            self.bus.start_recording(camera="exif6", maximum_duration=0.5)
            while True:
                notice = present(monitor.next(60))
                if isinstance(notice, Published) and notice.event.recording.HasField("finished"):
                    break
        asset = notice.event.recording.finished.asset
        self.assertEqual((asset.size.width, asset.size.height), (240, 320))
        movie = self.place / "movie.mkv"
        self.bus.download(asset, movie)
        probe = subprocess.run(
            ["ffprobe", "-v", "error", "-of", "json", "-show_streams", str(movie)], capture_output=True, check=True)
        stream = json.loads(probe.stdout)["streams"][0]
        self.assertEqual((stream["width"], stream["height"]), (240, 320))
        frame = subprocess.run(
            ["ffmpeg", "-v", "error", "-noautorotate", "-i", str(movie), "-frames:v", "1", "-f", "image2", "-c", "png", "-"],
            capture_output=True, check=True).stdout
        self.assert_shows(Image.open(io.BytesIO(frame)), upright(tagged(6)))

    def test_a_camera_that_is_turned_while_it_runs(self) -> None:
        seen: set[int] = set()
        with self.bus.frames("moved", stream="full") as frames:
            while len(seen) < 2:
                frame = present(frames.next(30))
                turn = frame.header.frame.orientation.rotation
                wanted = upright(tagged(6 if turn else 1))
                self.check(frame.data, frame.header.frame.size, wanted)
                seen.add(turn)
        with self.bus.events("moved") as monitor:
            turns: set[int] = set()
            while turns != {0, 90}:
                notice = present(monitor.next(30))
                if isinstance(notice, Published) and notice.event.HasField("state"):
                    turns.add(notice.event.state.format.orientation.rotation)

    def test_capabilities(self) -> None:
        size = next(file.size for file in self.bus.capabilities("exif6").pictures if file.media_type == "image/jpeg")
        self.assertEqual((size.width, size.height), (240, 320))


if __name__ == "__main__":
    unittest.main()
