"""Hears what movies have of a microphone, through another program's ears."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy

from camerabus import (
    NOW, AsyncCameraBus, CameraBus, CameraBusError, Code, LivePhotos, PhotoSettings, Published, messages, movie_frames)
from expecting import present
from live import WithNode
from node import Node

RATE = 48_000
Reason = messages.RecordResult.EndReason


def beeps(path: Path) -> list[float]:
    """When the beeps of a movie begin, in seconds since its beginning."""
    sound = subprocess.run(
        ["ffmpeg", "-v", "error", "-xerror", "-i", str(path), "-vn", "-ac", "1", "-ar", str(RATE), "-af",
         "aresample=async=1:first_pts=0", "-f", "s16le", "-"], check=True, stdout=subprocess.PIPE).stdout
    loud = numpy.flatnonzero(numpy.abs(numpy.frombuffer(sound, "<i2").astype(numpy.int32)) > 3000)
    begins = loud[numpy.flatnonzero(numpy.diff(loud, prepend=-RATE) > RATE // 2)]
    return [float(begin) / RATE for begin in begins]


class Sound(WithNode):
    @classmethod
    def setUpClass(cls) -> None:
        microphones = ("desk=synthetic:drift=120ppm", "door=synthetic:lasts=1s", "taken=synthetic:inuse=on")
        options = [word for each in microphones for word in ("--microphone", each)]
        cls.node = cls.enterClassContext(
            Node("front=synthetic:320x240@30,format=MJPG,microphone=desk", "back=synthetic:320x240@30,format=MJPG",
                 options=options))
        cls.see_frames("front", 5)

    def setUp(self) -> None:
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def check_beeps(self, path: Path, first: int) -> None:
        """Each beep begins at a whole second of the node's clock."""
        found = [beep for beep in beeps(path) if beep > 0.2]
        self.assertGreaterEqual(len(found), 2)
        for beep in found:
            second = first / 1e9 + beep
            self.assertLess(abs(second - round(second)), 0.5 / 30, beep)

    def test_movies_have_sound_in_step_and_their_frames_are_read_as_ever(self) -> None:
        for codec, container, sound_codec, sound in (
                ("h264", "mp4", "", True), ("h264", "mp4", "opus", "desk"), ("mjpeg", "matroska", "", True),
                ("h264", "matroska", "aac", "desk")):
            with self.subTest(container=container, sound_codec=sound_codec):
                recording = self.bus.start_recording(
                    "front", codec=codec, container=container, sound=sound, sound_codec=sound_codec, sound_bit_rate=48_000).recording
                self.see_frames("front", 100)
                result = self.bus.stop_recording("front", recording=recording)
                made = sound_codec or ("aac" if container == "mp4" else "opus")
                self.assertEqual(messages.SoundCodec.Name(result.sound_codec), f"SOUND_CODEC_{made.upper()}")
                # A microphone whose thread waits half a second for a busy machine is silent meanwhile.
                self.assertLess(result.silent_ns, 1_000_000_000)
                path = self.folder / f"{made}.{container}"
                self.bus.download(result.asset, path)
                self.check_beeps(path, result.first.timestamp.monotonic_ns)
                frames = list(movie_frames(path))
                self.assertEqual(len(frames), result.frames)
                self.assertEqual(frames[0].monotonic_ns, result.first.timestamp.monotonic_ns)
                for frame in frames:
                    self.assertLessEqual(abs(frame.milliseconds - (frame.monotonic_ns - frames[0].monotonic_ns) / 1e6), 1)
                self.assertEqual(frames[-1].monotonic_ns, result.last.timestamp.monotonic_ns)

    def test_live_photos_have_the_sound_before_and_after_them(self) -> None:
        self.bus.configure("front", live_photos=LivePhotos(before=1.5, after=1.5, sound=True))
        self.addCleanup(self.bus.configure, "front", live_photos=False)
        while self.bus.status("front").cameras[0].live_photos.reach_ns < 2_000_000_000:
            self.see_frames("front", 5)
        photo = self.bus.capture(NOW, "front", settings=PhotoSettings(live=True))
        movie = present(photo.movie)
        self.bus.download(movie.asset, path := self.folder / "live.mp4")
        first = photo.resolved.timestamp.monotonic_ns - movie.photo_time_ns
        self.check_beeps(path, first)
        with self.assertRaises(CameraBusError) as caught:
            self.bus.configure("back", live_photos=LivePhotos(sound="hall"))
        self.assertEqual(caught.exception.field, "configure.live_photos.microphone")

    def test_two_movies_share_a_microphone(self) -> None:
        ids = {camera: self.bus.start_recording(camera, sound="desk").recording for camera in ("front", "back")}
        self.see_frames("back", 80)
        desk, *others = self.bus.microphones().microphones
        self.assertEqual((desk.name, desk.movies, desk.rate, desk.device), ("desk", 2, RATE, "synthetic"))
        self.assertEqual([other.movies for other in others], [0, 0])
        for camera, recording in ids.items():
            result = self.bus.stop_recording(camera, recording=recording)
            path = self.folder / f"{camera}.mkv"
            self.bus.download(result.asset, path)
            self.check_beeps(path, result.first.timestamp.monotonic_ns)
        self.assertEqual(self.bus.microphones().microphones[0].movies, 0)

    def test_events_say_when_sound_stops_and_comes_back(self) -> None:
        with self.bus.events() as monitor:
            self.assert_snapshot(monitor)
            recording = self.bus.start_recording("back", sound="door").recording
            reasons: list[int] = []
            while len(reasons) < 3:
                notice = monitor.next(30)
                if isinstance(notice, Published) and notice.event.WhichOneof("body") == "sound":
                    sound = notice.event.sound
                    self.assertEqual((sound.recording, sound.microphone), (recording, "door"))
                    reasons.append(sound.interruption.reason)
            gone = messages.InterruptionReason.INTERRUPTION_REASON_DEVICE_DISCONNECTED
            self.assertEqual(reasons, [gone, 0, gone])
            result = self.bus.stop_recording("back", recording=recording)
            self.assertEqual(result.reason, Reason.END_REASON_STOPPED)
            self.assertGreater(result.silent_ns, 300_000_000)

    def test_required_sound(self) -> None:
        self.assert_fails(Code.DEVICE_BUSY, self.bus.start_recording, "back", sound="taken", sound_required=True)
        self.assertFalse(self.bus.status("back").cameras[0].HasField("recording"))
        with self.bus.events() as monitor:
            self.assert_snapshot(monitor)
            self.bus.start_recording("back", sound="door", sound_required=True)
            while not (isinstance(notice := monitor.next(30), Published) and notice.event.recording.HasField("finished")):
                self.assertIsNotNone(notice)
            self.assertEqual(notice.event.recording.finished.reason, Reason.END_REASON_SOUND_LOST)

    def test_what_no_sound_can_be(self) -> None:
        for options, field in (
                ({"sound": "no name"}, "sound"), ({"sound_codec": "opus"}, "sound"), ({"sound": 7}, "sound"),
                ({"sound": True, "sound_codec": "mp3"}, "sound_codec"),
                ({"sound": True, "sound_bit_rate": 100}, "sound_bit_rate"),
                ({"sound": "hall"}, "record_start.sound.microphone"),
                ({"sound": True}, "record_start.sound.microphone")):  # back has none of its own, and the node several
            with self.subTest(**options):
                self.assert_fails(Code.INVALID_ARGUMENT, self.bus.start_recording, "back", field=field, **options)

    def test_asyncio(self) -> None:
        async def record() -> messages.RecordResult:
            async with AsyncCameraBus(self.node.control) as bus:
                self.assertEqual([each.name for each in (await bus.microphones()).microphones], ["desk", "door", "taken"])
                started = await bus.start_recording("front", sound=True)
                async with bus.frames("front") as frames:
                    for _ in range(20):
                        self.assertIsNotNone(await frames.next(30))
                return await bus.stop_recording("front", recording=started.recording)

        self.assertEqual(asyncio.run(record()).sound_codec, messages.SoundCodec.SOUND_CODEC_OPUS)


class Silent(unittest.TestCase):
    def test_a_node_without_a_microphone_says_how_to_get_one(self) -> None:
        with Node("front=synthetic:320x240@30") as node, CameraBus(node.control) as bus:
            with self.assertRaises(CameraBusError) as caught:
                bus.start_recording(sound=True)
            self.assertEqual(caught.exception.code, Code.INVALID_ARGUMENT)
            self.assertIn("--microphone", str(caught.exception))
            self.assertEqual(len(bus.microphones().microphones), 0)
