"""Live photos: the movie has the photo's frame where the answer says, and what was before and after it; with a running
node, blocking and in asyncio, by camctl, and with a node that lies."""

from __future__ import annotations

import asyncio
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, Optional

import numpy

from camerabus import (
    NOW, AsyncCameraBus, CameraBus, CameraBusError, Code, LivePhotos, Photo, PhotoSettings, messages, past)
from expecting import present
from fake import A, FakeNode
from node import Node, program
from readers import read, run
from strips import read_strip

WIDTH, HEIGHT = 320, 240
CAMERA = f"cam=synthetic:{WIDTH}x{HEIGHT}@20,format=YUYV"
INTERVAL = 50_000_000
LIVE = PhotoSettings(live=True)


def frames(movie: Path) -> tuple[list[int], list[int]]:
    """The times in nanoseconds, and the numbers of a movie's frames as their pictures show them."""
    lines = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0",
                movie).decode().split()
    pixels = run("ffmpeg", "-v", "error", "-xerror", "-i", movie, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
                 "rgb24", "-")
    pictures = numpy.frombuffer(pixels, numpy.uint8).reshape((-1, HEIGHT, WIDTH, 3)).astype(numpy.int32)
    return [round(float(line.rstrip(",")) * 1e9) for line in lines], [read_strip(picture).number for picture in pictures]


class LiveTest(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(CAMERA))

    def setUp(self) -> None:
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=30))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.addCleanup(self.bus.configure, live_photos=False)

    def switch_on(self, before: float = 0.8, after: float = 0.4) -> None:
        """Waits until all of the time before a photo of the last moments is kept."""
        self.bus.configure(live_photos=LivePhotos(before=before, after=after))
        with self.bus.frames(stream="raw") as pictures:
            while self.bus.status().cameras[0].live_photos.reach_ns < (before + 0.4) * 1e9:
                pictures.next(30)

    def check(self, photo: Photo, before: float = 0.8, after: float = 0.4) -> None:
        movie = present(photo.movie)
        self.assertFalse(movie.HasField("error"), movie)
        asset = movie.asset
        self.assertEqual((asset.part, asset.request_id), (messages.ASSET_PART_LIVE, photo.request_id))
        path = self.folder / f"{asset.id.hex()}.mp4"
        self.bus.download(asset, path)
        times, numbers = frames(path)
        self.assertEqual(len(numbers), asset.frames)
        self.assertEqual(numbers, sorted(numbers))
        # A busy machine may drop a frame that is coded, and then it says which are there.
        index = min(range(len(times)), key=lambda each: abs(times[each] - movie.photo_time_ns))
        if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            self.assertLess(abs(times[index] - movie.photo_time_ns), INTERVAL // 2)
            (still := self.folder / f"{asset.id.hex()}.jpg").write_bytes(present(photo.data))
            self.assertEqual(read_strip(read(still)).number, numbers[index])
            self.assertLessEqual(photo.resolved.frame_sequence, numbers[-1])
        # It begins with a picture that needs no other one, of which there is one a second.
        self.assertGreaterEqual(movie.photo_time_ns, before * 1e9 - INTERVAL)
        self.assertLess(movie.photo_time_ns, before * 1e9 + 1.2e9)
        self.assertLessEqual(times[-1] - movie.photo_time_ns, after * 1e9 + INTERVAL)


class LivePhotosOfANode(LiveTest):
    def test_the_photo_is_in_its_movie(self) -> None:
        self.switch_on()
        steps: list[int] = []
        photo = self.bus.capture(NOW, settings=LIVE, on_progress=lambda progress: steps.append(progress.step))
        kinds = messages.CaptureProgress
        self.assertEqual(sorted(steps), [kinds.STEP_WILL_BEGIN, kinds.STEP_WILL_CAPTURE, kinds.STEP_DID_CAPTURE,
                                         kinds.STEP_DID_PROCESS, kinds.STEP_DID_RECORD_MOVIE])
        self.check(photo)
        found = self.bus.assets(request_id=photo.request_id)
        self.assertEqual({asset.part for asset in found}, {messages.ASSET_PART_UNSPECIFIED, messages.ASSET_PART_LIVE})

    def test_photos_of_the_past_and_of_several_files(self) -> None:
        self.switch_on()
        self.check(self.bus.capture(past(0.1), settings=LIVE))
        photo = self.bus.capture(NOW, settings=PhotoSettings(["jpeg", "png"], live=True, name="Gate", tags=["a"]))
        self.assertEqual(len(photo.files), 2)
        self.check(photo)
        self.assertEqual((present(photo.movie).asset.name, list(present(photo.movie).asset.tags)), ("Gate", ["a"]))

    def test_they_overlap(self) -> None:
        self.switch_on()

        async def take() -> list[Photo]:
            async with AsyncCameraBus(self.node.control, timeout=30) as bus:
                return list(await asyncio.gather(*(bus.capture(past(0.1 * number), settings=LIVE) for number in range(4))))

        photos = asyncio.run(take())
        for photo in photos:
            self.check(photo)
        self.assertEqual(len({present(photo.movie).asset.id for photo in photos}), 4)
        self.assertEqual(self.bus.status().cameras[0].live_photos.in_progress, 0)

    def test_they_are_refused_while_they_are_off(self) -> None:
        with self.assertRaises(CameraBusError) as caught:
            self.bus.capture(NOW, settings=LIVE)
        self.assertEqual((caught.exception.code, caught.exception.field), (Code.CONFLICT, "capture.live"))
        self.switch_on()
        self.bus.configure(live_photos=False)
        self.assertFalse(self.bus.status().cameras[0].HasField("live_photos"))

    def test_the_end_of_the_stream_is_the_end_of_the_movie(self) -> None:
        self.switch_on(after=5)
        with self.bus.events("cam") as monitor:
            capture = self.bus.begin_capture(NOW, settings=LIVE)
            while True:
                notice = present(monitor.next(30))
                event = getattr(notice, "event", None)
                if event is not None and event.capture.progress.step == messages.CaptureProgress.STEP_DID_PROCESS:
                    break
            self.bus.stop_session()
        photo = capture.photo()
        self.bus.start_session()
        movie = present(photo.movie)
        self.assertLess(movie.asset.duration_ns - movie.photo_time_ns, 4_000_000_000)
        self.assertTrue(present(photo.data))

    def test_camctl_writes_both(self) -> None:
        def camctl(*words: object) -> list[Any]:
            lines = run(program("camctl"), *words, "--node", self.node.control, "--json").decode().splitlines()
            return [json.loads(line) for line in lines]

        [configured] = camctl("configure", "--live-photos", "0.5s,0.3s")
        settings = configured["status"]["livePhotos"]["settings"]
        self.assertEqual((settings["beforeNanoseconds"], settings["afterNanoseconds"]), (500_000_000, 300_000_000))
        [photo] = camctl("capture", "--live", "--output", self.folder / "still.jpg")
        self.assertEqual(photo["movie"]["file"], str(self.folder / "still.mp4"))
        self.assertEqual(len(frames(self.folder / "still.mp4")[1]), photo["movie"]["asset"]["frames"])
        self.assertEqual(photo["movie"]["asset"]["requestID"], photo["requestID"])
        camctl("configure", "--live-photos", "off")


class Lies(unittest.TestCase):
    def capture(self, movie: Optional[messages.LiveMovie], settings: Optional[PhotoSettings]) -> Photo:
        asset = messages.Asset(id=A, camera="cam", byte_count=3, sha256=bytes(32))
        result = messages.CaptureResult(asset=asset, sha256=bytes(32), byte_count=3)
        if movie is not None:
            result.movie.CopyFrom(movie)

        def answer(request: messages.Request) -> list[dict[str, Any]]:
            for each in (result.asset, result.movie.asset):
                if each.id:
                    each.request_id = request.id
            return [{"capture": result}]

        with FakeNode() as node:
            node.answers["capture"] = answer
            with CameraBus(node.control, timeout=5) as bus:
                return bus.capture(settings=settings, picture=False)

    def test_a_movie_that_is_none(self) -> None:
        right = messages.Asset(id=bytes(16), camera="cam", part=messages.ASSET_PART_LIVE)
        self.assertTrue(self.capture(messages.LiveMovie(asset=right), LIVE).movie)
        wrong = messages.Asset(id=bytes(16), camera="cam")
        for movie, settings in ((None, LIVE), (messages.LiveMovie(asset=right), None), (messages.LiveMovie(asset=wrong), LIVE)):
            with self.assertRaises(CameraBusError) as caught:
                self.capture(movie, settings)
            self.assertEqual(caught.exception.code, Code.CORRUPT)

    def test_a_photo_without_its_movie(self) -> None:
        error = messages.Error(code=messages.ERROR_CODE_STORAGE_FULL, message="the disk is full")
        photo = self.capture(messages.LiveMovie(error=error), LIVE)
        self.assertEqual(present(photo.movie).error.message, "the disk is full")


if __name__ == "__main__":
    unittest.main()
