"""Tests a camera that sends H.264 or HEVC itself: v4l2loopback, into which the pictures of another encoder are written.
"""

import contextlib
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from camerabus import CameraBus, PhotoSettings
from loopback import Feeder, video
from programs import Node, output_of

LOOPBACK = "/dev/video9"
SIZE = (160, 96)
COUNT, KEY_EVERY = 100, 20
# Of the node's remarks in MP4.
REMARK = b"CBFRAME1\x8e<'\xd1^\x9aK\x96"


def units(data):
    """The units of a byte stream, without their start codes and the node's remarks."""
    found = [unit.rstrip(b"\0") for unit in re.split(b"\0\0\1", data)]
    return [unit for unit in found if unit and not (unit[0] == 6 and unit[3:19] == REMARK)]


def kind(unit):
    return unit[0] & 0x1F


def pictures_of(data):
    """The units of each picture of H.264, which has one slice."""
    pictures = [[]]
    for unit in units(data):
        pictures[-1].append(unit)
        if kind(unit) in (1, 5):
            pictures.append([])
    assert not pictures.pop()
    return [tuple(picture) for picture in pictures]


def pixels(path):
    """The luma of each picture of a file, as another program decodes it."""
    # It warns of pictures that are nearer to each other than the nominal rate.
    command = ["ffmpeg", "-v", "fatal", "-xerror", "-err_detect", "explode", "-i", str(path), "-fps_mode", "passthrough",
               "-f", "rawvideo", "-pix_fmt", "gray", "-"]
    result = subprocess.run(command, capture_output=True, check=True)
    count = SIZE[0] * SIZE[1]
    return [result.stdout[place:place + count] for place in range(0, len(result.stdout), count)]


def difference(left, right):
    return sum(abs(one - other) for one, other in zip(left, right)) / len(left)


class VideoCameras(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    @contextlib.contextmanager
    def camera(self, codec="h264", change=lambda pictures: pictures):
        """A node with a camera that sends a video in a loop."""
        self.pictures = change(video(*SIZE, COUNT, KEY_EVERY, codec))
        feeder = Feeder(LOOPBACK, *SIZE, self.pictures, pixel_format=codec.upper().encode())
        try:
            with Node(f"cam=v4l2:{LOOPBACK}") as self.node, CameraBus(self.node.control, timeout=120) as self.bus:
                yield
        finally:
            feeder.end()

    def status(self):
        (status,) = self.bus.status("cam").cameras
        return status

    def check_untouched(self, data):
        """All pictures are the camera's. Each follows the one before, or is a key picture: the guest may lose some."""
        places = {picture: place for place, picture in enumerate(pictures_of(b"".join(self.pictures)))}
        self.assertEqual(len(places), COUNT)
        next_place = None
        for picture in pictures_of(data):
            if next_place is None or places[picture] != next_place:
                self.assertEqual([kind(picture[0]), kind(picture[-1])], [7, 5])
            next_place = (places[picture] + 1) % COUNT

    def record(self, container, seconds=4):
        path, encoders = self.folder / f"movie.{container}", set()
        recording = self.bus.start_recording("cam", codec="h264", container=container, maximum_duration=seconds).recording
        while (status := self.status()).HasField("recording"):
            encoders.add(status.recording.encoder)
        self.assertEqual(encoders - {""}, {"camera"})
        (asset,) = self.bus.assets(request_id=recording)
        self.bus.download(asset, path)
        return path

    def test_a_movie_has_the_cameras_own_pictures(self):
        """A movie has the pictures of the camera's H.264 untouched"""
        with self.camera():
            self.assertEqual(self.status().format.device_pixel_format, "H264")
            for container in ("matroska", "mp4"):
                with self.subTest(container=container):
                    path = self.record(container)
                    stream = self.folder / "movie.h264"
                    output_of("ffmpeg", "-y", "-v", "error", "-i", path, "-c", "copy", stream)
                    self.check_untouched(stream.read_bytes())
                    self.assertGreater(len(pixels(path)), 5)

    def test_a_photo_is_a_picture_of_the_video(self):
        """A photo of a camera that sends video shows one of its pictures"""
        for codec in ("h264", "hevc"):
            with self.subTest(codec=codec), self.camera(codec):
                fed = self.folder / f"fed.{codec}"
                fed.write_bytes(b"".join(self.pictures))
                wanted = pixels(fed)
                for _ in range(3):
                    photo = self.folder / "photo.png"
                    photo.write_bytes(self.bus.capture(settings=PhotoSettings(["png"], keep=False)).data)
                    (made,) = pixels(photo)
                    self.assertLess(min(difference(made, picture) for picture in wanted), 3)
                self.assertEqual(self.status().format.device_pixel_format, codec.upper())
                self.assertEqual(self.status().format.pixel_format, "YU12")

    def test_each_subscriber_begins_with_a_key_picture(self):
        """Subscribers get the camera's H.264 from a key picture on"""
        with self.camera():
            for _ in range(2):
                with self.bus.frames("cam", "h264") as stream:
                    frames = [stream.next(60) for _ in range(12)]
                    (told,) = (each for each in self.status().streams if each.name == "h264")
                    self.assertEqual(told.encoder, "camera")
                self.assertTrue(frames[0].is_key_picture)
                data = b"".join(frame.data for frame in frames)
                self.check_untouched(data)
                path = self.folder / "stream.h264"
                path.write_bytes(data)
                self.assertEqual(len(pixels(path)), 12)

    def test_parameters_that_come_once(self):
        """A late subscriber gets the parameters that the camera has sent once"""
        def bare(pictures):
            kept = [
                b"".join(b"\0\0\0\1" + unit for unit in units(picture) if unit[0] & 0x1F not in (7, 8))
                for picture in pictures[1:]]
            # The loop is not to come to its beginning again.
            return [pictures[0]] + kept * 8

        with self.camera(change=bare), self.bus.frames("cam", "h264") as stream:
            frames = [stream.next(120) for _ in range(25)]
            path = self.folder / "stream.h264"
            path.write_bytes(b"".join(frame.data for frame in frames))
            self.assertEqual(len(pixels(path)), 25)
            with self.bus.frames("cam", "h264") as late:
                frames = [late.next(120) for _ in range(5)]
            self.assertTrue(frames[0].is_key_picture)
            path.write_bytes(b"".join(frame.data for frame in frames))
            self.assertEqual(len(pixels(path)), 5)

    def test_damaged_pictures(self):
        """Damaged pictures and those that need them are counted, and are in no movie"""
        def damaged(pictures):
            return [picture[:len(picture) // 3] if index % KEY_EVERY == 12 else picture for index, picture in enumerate(pictures)]

        with self.camera(change=damaged):
            with self.bus.frames("cam", "h264") as stream:
                frames = [stream.next(60) for _ in range(30)]
            path = self.folder / "stream.h264"
            path.write_bytes(b"".join(frame.data for frame in frames))
            self.assertEqual(len(pixels(path)), 30)
            # Of each group of twenty, the damaged one and the seven behind it.
            self.assertGreater(self.status().frames.corrupted, 7)
