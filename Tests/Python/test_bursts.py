"""Bursts: each picture shows the frame that the answer names, read from the strip of the synthetic camera's pictures."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import subprocess
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import readers
from camerabus import NEXT, AsyncCameraBus, CameraBus, Code, Photo, PhotoSettings, messages, past
from expecting import present
from node import PATIENCE, Node, program
from photo_files import raw, write
from raw_pictures import colors
from strips import Strip, read_strip


def camctl(node: Node, *arguments: object) -> list[str]:
    """The lines that camctl prints, which must succeed."""
    result = subprocess.run(
        [program("camctl"), *map(str, arguments)], env={**os.environ, "CAMERABUS_NODE": node.control}, capture_output=True,
        timeout=PATIENCE, check=False, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def strip_of(photo: Photo) -> Strip:
    """The frame that the answer names."""
    return Strip(photo.resolved.frame_sequence, photo.resolved.timestamp.monotonic_ns)


class Bursts(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(
            "mjpg=synthetic:160x120@60,format=MJPG", "rgb=synthetic:160x120@30,format=RGB3"))

    def setUp(self) -> None:
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=30))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def missing(self, camera: str) -> int:
        """How many frames the camera and the node have lost."""
        counters = self.bus.status(camera).cameras[0].frames
        return (counters.lost_by_camera + counters.corrupted + counters.truncated + counters.skipped
                + counters.pool_exhausted)

    def assert_consecutive(self, numbers: Sequence[int], every: int, missing: int) -> None:
        """One frame in `every` so many, but for those that were lost."""
        steps = [after - before for before, after in zip(numbers, numbers[1:])]
        self.assertGreaterEqual(min(steps), every)
        self.assertLessEqual(sum(steps) - every * len(steps), missing)

    def assert_shows(self, photo: Photo) -> None:
        """Every file of the photo shows the frame of the answer."""
        paths = write(photo, self.folder, str(photo.resolved.frame_sequence))
        for ending, path in paths.items():
            picture = colors(*raw(photo)) if ending == "raw" else readers.read(path)
            self.assertEqual(read_strip(picture), strip_of(photo), ending)

    def test_pictures_follow_each_other(self) -> None:
        before = self.missing("mjpg")
        photos = list(self.bus.burst(20, camera="mjpg"))
        self.assertEqual(len(photos), 20)
        self.assert_consecutive([photo.resolved.frame_sequence for photo in photos], 1, self.missing("mjpg") - before)
        self.assertEqual(len({photo.request_id for photo in photos}), 1)
        self.assertEqual(len({present(photo.asset).id for photo in photos}), 20)
        for photo in photos:
            self.assert_shows(photo)

    def test_one_of_so_many(self) -> None:
        before = self.missing("mjpg")
        photos = list(self.bus.burst(6, camera="mjpg", every=3))
        self.assert_consecutive([photo.resolved.frame_sequence for photo in photos], 3, self.missing("mjpg") - before)
        for photo in photos:
            self.assert_shows(photo)

    def test_a_burst_begins_in_the_past(self) -> None:
        with self.bus.frames("mjpg", "raw") as frames:
            while self.bus.status("mjpg").cameras[0].ring_duration_ns < 500_000_000:
                present(frames.next(30))
        photos = list(self.bus.burst(5, past(0.3), "mjpg"))
        # Counted from 0.3 s before the node read the request.
        self.assertLess(abs(photos[0].resolved.offset_ns), 100_000_000)
        for photo in photos:
            self.assert_shows(photo)

    def test_a_lost_frame_leaves_a_gap_and_no_picture(self) -> None:
        def lose(progress: messages.CaptureProgress) -> None:
            if not lost and progress.step == messages.CaptureProgress.STEP_DID_CAPTURE:
                lost.append(True)
                with CameraBus(self.node.control, timeout=30) as another:
                    another.set_controls({"inject_frame_loss": 3}, "rgb")

        lost: list[bool] = []
        before = self.missing("rgb")
        photos = list(self.bus.burst(40, NEXT, "rgb", on_progress=lose))
        numbers = [photo.resolved.frame_sequence for photo in photos]
        self.assertEqual(len(numbers), 40)
        self.assertGreaterEqual(numbers[-1] - numbers[0], 39 + 3)
        self.assert_consecutive(numbers, 1, self.missing("rgb") - before)

    def test_each_picture_has_all_its_files(self) -> None:
        outputs = ["jpeg", "png", "tiff", "avif", "raw"]
        media_types = ["image/jpeg", "image/png", "image/tiff", "image/avif", "image/x-raw"]
        before = self.missing("rgb")
        photos = list(self.bus.burst(4, camera="rgb", settings=PhotoSettings(outputs)))
        self.assert_consecutive([photo.resolved.frame_sequence for photo in photos], 1, self.missing("rgb") - before)
        for photo in photos:
            self.assertEqual([file.media_type for file in photo.files], media_types)
            self.assert_shows(photo)
        # All of them are in the library, under the one request.
        self.assertEqual(len(list(self.bus.all_assets(request_id=photos[0].request_id))), 20)

    def test_what_a_burst_cannot_be(self) -> None:
        for pictures, every in ((0, 1), (101, 1), (2, 31)):
            with self.subTest(pictures, every=every), self.assertRaisesRegex(Exception, "pictures|every") as caught:
                list(self.bus.burst(pictures, camera="mjpg", every=every))
            self.assertEqual(getattr(caught.exception, "code", None), Code.INVALID_ARGUMENT)


class AsyncBursts(unittest.TestCase):
    def test_pictures_come_one_after_another(self) -> None:
        async def burst(control: str) -> list[Photo]:
            async with AsyncCameraBus(control, timeout=30) as bus:
                return [photo async for photo in bus.burst(20, settings=PhotoSettings(["jpeg", "png"]))]

        with Node("cam=synthetic:160x120@60,format=MJPG") as node:
            photos = asyncio.run(burst(node.control))
            numbers = [photo.resolved.frame_sequence for photo in photos]
            self.assertEqual(numbers, sorted(set(numbers)))
            self.assertEqual(len(numbers), 20)
            for photo in photos:
                for path in write(photo, node.folder, str(photo.resolved.frame_sequence)).values():
                    self.assertEqual(read_strip(readers.read(path)), strip_of(photo))


class OnTheCommandLine(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node("left=synthetic:160x120@30,format=RGB3"))

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def strip(self, path: Path) -> Strip:
        """The frame that a file shows."""
        if path.suffix != ".raw":
            return read_strip(readers.read(path))
        layout = messages.RawLayout(pixel_format="RGB3", bytes_per_line=480)
        layout.size.width, layout.size.height = 160, 120
        return read_strip(colors(layout, path.read_bytes()))

    def test_a_burst_of_two_formats_into_a_folder(self) -> None:
        camctl(self.node, "capture", "--burst", 5, "--format", "jpeg,raw", "-o", self.folder)
        paths = sorted(self.folder.iterdir())
        self.assertEqual(sorted(path.suffix for path in paths), [".jpg"] * 5 + [".raw"] * 5)
        strips = {suffix: [self.strip(path) for path in paths if path.suffix == suffix] for suffix in (".jpg", ".raw")}
        # Sorted by their names, they are in the order of the frames.
        self.assertEqual(strips[".jpg"], strips[".raw"])
        self.assertEqual(strips[".jpg"], sorted(set(strips[".jpg"])))

    def test_nothing_is_said_to_be_kept_of_a_burst_that_was_not_taken(self) -> None:
        for arguments, status, words in [
                ("--burst 3 --when past:1h", 1, "ring"), ("--bracket disconnect_for=1,0", 1, ""),
                ("--bracket exposure:1,2", 64, "with units"), ("--flash on --quality-priority", 64, "--quality-priority"),
                ("--quality-priority --format dng", 64, "add another format"), ("--quality 9 --format png", 64, "jpeg"),
                ("--format raw --rotate 90", 64, "--rotate")]:
            with self.subTest(arguments):
                result = subprocess.run(
                    [program("camctl"), "capture", *arguments.split(), "-o", str(self.folder)],
                    env={**os.environ, "CAMERABUS_NODE": self.node.control}, capture_output=True, timeout=PATIENCE, check=False, text=True)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertIn(words, result.stderr)
                self.assertNotIn("kept:", result.stderr)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_names_have_the_camera_and_the_frame(self) -> None:
        camctl(self.node, "capture", "--burst", 4, "--format", "jpeg,png,raw", "-o", self.folder / "{camera}-{frame}.{ext}")
        paths = sorted(self.folder.iterdir())
        self.assertEqual(len(paths), 12)
        for path in paths:
            with self.subTest(path.name):
                name = present(re.fullmatch(r"left-(\d+)\.(jpg|png|raw)", path.name))
                self.assertEqual(self.strip(path).number, int(name[1]))

    def test_json_says_which_frame_each_file_shows(self) -> None:
        lines = camctl(self.node, "capture", "--burst", 3, "--format", "jpeg,png", "--json", "-o", self.folder)
        shots: list[dict[str, Any]] = [json.loads(line) for line in lines]
        self.assertEqual([shot["resolved"]["picture"] for shot in shots], [1, 2, 3])
        self.assertEqual(len({shot["requestID"] for shot in shots}), 1)
        for shot in shots:
            resolved = shot["resolved"]
            expected = Strip(resolved["frameSequence"], resolved["timestamp"]["monotonicNanoseconds"])
            self.assertEqual([file["mediaType"] for file in shot["files"]], ["image/jpeg", "image/png"])
            for file in shot["files"]:
                path = Path(file["file"])
                self.assertEqual(self.strip(path), expected)
                self.assertEqual(file["byteCount"], path.stat().st_size)
                self.assertEqual(file["sha256"], hashlib.sha256(path.read_bytes()).hexdigest())


if __name__ == "__main__":
    unittest.main()
