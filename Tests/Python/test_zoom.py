"""Compares zoomed pictures with what numpy makes of the same frames of the raw stream.

The node makes the zoom of cameras that have none. Their raw frames are whole, so each picture can be told from the frame
with the same number.
"""

from __future__ import annotations

import json
import math
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from camerabus import Code, Frame, PhotoSettings, Published, at_monotonic, messages, movie_frames, value_of
from expecting import is_a, present
from live import WithNode
from node import Node
from test_camctl import camctl
from test_orientation import decoded, planes_of, run

Picture = list[NDArray[numpy.float64]]

SIZES = {"yuyv": (160, 128), "nv12": (160, 128), "grey": (160, 128), "mjpg": (160, 128), "noise": (1280, 720)}
# Samples of luma that share one of chroma, across and down.
SUBSAMPLING = {"yuyv": (2, 1), "nv12": (2, 2), "mjpg": (2, 2)}


def places(source: int, target: int, zoom: float) -> NDArray[numpy.float64]:
    """Where the middles of the target's samples are among those of the source."""
    return numpy.array([source / 2 + (index + 0.5 - target / 2) * source / (zoom * target) - 0.5 for index in range(target)])


def zoomed(plane: NDArray[Any], zoom: float, width: int, height: int) -> NDArray[numpy.float64]:
    """The middle of a plane, interpolated between its samples."""
    across = places(plane.shape[1], width, zoom)
    rows = numpy.array([numpy.interp(across, numpy.arange(plane.shape[1]), row) for row in plane])
    down = places(plane.shape[0], height, zoom)
    return numpy.array([numpy.interp(down, numpy.arange(plane.shape[0]), column) for column in rows.T]).T


def split(samples: bytes, camera: str, width: int, height: int) -> Picture:
    """The planes of a picture that follow each other."""
    shapes = [(height, width)]
    if camera in SUBSAMPLING:
        across, down = SUBSAMPLING[camera]
        shapes += [(height // down, width // across)] * 2
    planes, start = [], 0
    for shape in shapes:
        count = shape[0] * shape[1]
        planes.append(numpy.frombuffer(samples, numpy.uint8, count, start).reshape(shape).astype(float))
        start += count
    return planes


class Zoom(WithNode):
    @classmethod
    def setUpClass(cls) -> None:
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        noise = numpy.random.default_rng(1).integers(88, 168, (720, 1280), dtype=numpy.uint8)
        (folder / "noise.jpg").write_bytes(
            run("cjpeg", "-grayscale", "-quality", "95", data=b"P5 1280 720 255\n" + noise.tobytes()))
        cls.node = cls.enterClassContext(Node(
            *(f"{name}=synthetic:160x128@30,format={name.upper()},zoom=off" for name in SIZES if name != "noise"),
            f"noise=files:{folder}", "own=synthetic:160x128@30,format=MJPG"))
        for camera in SIZES:
            cls.see_frames(camera, 20)

    def zoom(self, camera: str, factor: float) -> messages.ControlEffect:
        reply = self.bus.set_controls({"zoom": factor}, camera)
        self.assertEqual(value_of(reply.controls[0].value), factor)
        self.assertIn(reply.effect.basis, (messages.ControlEffect.BASIS_METADATA, messages.ControlEffect.BASIS_UNCHANGED))
        return reply.effect

    def planes(self, frame: Frame, camera: str) -> Picture:
        """The planes of a raw frame in full range."""
        if frame.info.pixel_format == "MJPG":
            return split(decoded(bytes(frame.data)), camera, *SIZES[camera])
        return [numpy.frombuffer(plane.samples, numpy.uint8).reshape(plane.height, plane.width).astype(float)
                for plane in planes_of(frame)]

    def pair(self, camera: str, stream: str) -> tuple[Frame, Frame]:
        """A frame of a stream and the raw one that it was made of."""
        seen: dict[str, dict[int, Frame]] = {"raw": {}, stream: {}}
        with self.bus.frames(camera, "raw") as raw, self.bus.frames(camera, stream) as made:
            while not (both := seen["raw"].keys() & seen[stream].keys()):
                for name, frames in (("raw", raw), (stream, made)):
                    frame = present(frames.next(30))
                    seen[name][frame.info.frame_sequence] = frame
        return seen["raw"][min(both)], seen[stream][min(both)]

    def assert_close(self, found: Picture, expected: Picture, most: float, mean: float) -> None:
        self.assertEqual([plane.shape for plane in found], [plane.shape for plane in expected])
        for one, other in zip(found, expected):
            difference = numpy.abs(one - other)
            self.assertLessEqual(difference.max(), most)
            self.assertLessEqual(difference.mean(), mean)

    def test_photos(self) -> None:
        for camera in ("yuyv", "nv12", "grey", "mjpg"):
            width, height = SIZES[camera]
            for factor in (2.0, 1.37, 7.0, 1.0):
                with self.subTest(camera=camera, zoom=factor):
                    effect = self.zoom(camera, factor)
                    with self.bus.frames(camera, "raw") as frames:
                        frame = present(frames.next(30))
                    self.assertGreaterEqual(frame.info.frame_sequence, effect.effective_frame)
                    self.assertEqual(frame.info.facts.zoom, 1)
                    photo = self.bus.capture(
                        at_monotonic(frame.info.timestamp.monotonic_ns), camera, settings=PhotoSettings(quality=100, keep=False))
                    self.assertEqual(photo.resolved.frame_sequence, frame.info.frame_sequence)
                    self.assertEqual(photo.resolved.facts.zoom, factor)
                    self.assertEqual((photo.resolved.size.width, photo.resolved.size.height), (width, height))
                    self.assertEqual(photo.resolved.passthrough, camera == "mjpg" and factor == 1)
                    found = split(decoded(present(photo.data)), camera, width, height)
                    expected = [zoomed(plane, factor, *plane.shape[::-1]) for plane in self.planes(frame, camera)]
                    self.assert_close(found, expected, 4, 0.7)

    def test_turned_pictures(self) -> None:
        try:
            self.bus.configure("nv12", rotation=90, mirrored=True, preview_rotation=180, controls={"zoom": 2.5})
            raw, made = self.pair("nv12", "full")
            luma = zoomed(self.planes(raw, "nv12")[0], 2.5, 160, 128)
            found = split(decoded(bytes(made.data)), "grey", 160, 128)[0]
            self.assertLess(numpy.abs(found - numpy.rot90(luma, 2)).mean(), 3)
            photo = self.bus.capture(at_monotonic(raw.info.timestamp.monotonic_ns), "nv12", settings=PhotoSettings(quality=100, keep=False))
            self.assertEqual((photo.resolved.size.width, photo.resolved.size.height), (128, 160))
            found = split(decoded(present(photo.data)), "grey", 128, 160)[0]
            self.assert_close([found], [numpy.fliplr(numpy.rot90(luma, -1))], 4, 0.7)
        finally:
            self.bus.configure("nv12", rotation=0, mirrored=False, preview_rotation=0)

    def test_streams_keep_their_sizes_and_say_the_zoom(self) -> None:
        for camera in ("yuyv", "mjpg"):
            for stream, size in (("full", (160, 128)), ("preview", (160, 128)), ("80x80", (80, 64))):
                for factor in (3.0, 1.0):
                    with self.subTest(camera=camera, stream=stream, zoom=factor):
                        self.zoom(camera, factor)
                        raw, made = self.pair(camera, stream)
                        self.assertEqual(made.info.facts.zoom, factor)
                        self.assertEqual((made.info.size.width, made.info.size.height), size)
                        if camera == "mjpg" and factor == 1 and size == SIZES[camera]:
                            self.assertEqual(bytes(made.data), bytes(raw.data))
                        if factor == 3:
                            across, down = SUBSAMPLING[camera]
                            luma = zoomed(self.planes(raw, camera)[0], factor, *size)
                            found = split(decoded(bytes(made.data)), camera, *size)[0]
                            self.assertLess(numpy.abs(found - luma).mean(), 4)

    def test_a_smaller_stream_has_all_detail_of_the_middle(self) -> None:
        self.zoom("noise", 2)
        raw, made = self.pair("noise", "preview")
        self.assertEqual((made.info.size.width, made.info.size.height), (640, 360))
        middle = self.planes(raw, "noise")[0][180:540, 320:960]
        found = split(decoded(bytes(made.data)), "noise", 640, 360)[0]
        # What would be left of the picture if it were made smaller first.
        blurred = numpy.kron(middle.reshape(180, 2, 320, 2).mean(axis=(1, 3)), numpy.ones((2, 2)))
        error = numpy.abs(found - middle).mean()
        self.assertLess(error, numpy.abs(found - blurred).mean() / 2)

    def test_a_movie_is_zoomed_from_that_frame_on(self) -> None:
        self.zoom("mjpg", 1)
        with self.bus.frames("mjpg", "raw") as raw:
            frames = {}

            def keep_frames(count: int) -> None:
                for _ in range(count):
                    frame = present(raw.next(30))
                    frames[frame.info.frame_sequence] = frame

            self.bus.start_recording("mjpg", quality=100)
            keep_frames(15)
            effect = self.zoom("mjpg", 2.5)
            while not frames or max(frames) < effect.effective_frame + 15:
                keep_frames(1)
        result = self.bus.stop_recording("mjpg")
        path = self.node.folder / "zoomed.mkv"
        self.bus.download(result.asset, path)
        numbers = [frame.sequence for frame in movie_frames(path)]
        samples = subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-fps_mode", "passthrough", "-"],
                                 capture_output=True, check=True).stdout
        count = len(samples) // len(numbers)
        compared = {True: 0, False: 0}
        for index, number in enumerate(numbers):
            if number in frames:
                is_zoomed = number >= effect.effective_frame
                found = split(samples[index * count:(index + 1) * count], "mjpg", 160, 128)
                expected = [zoomed(plane, 2.5 if is_zoomed else 1, *plane.shape[::-1])
                            for plane in self.planes(frames[number], "mjpg")]
                self.assert_close(found, expected, 4, 0.7)
                compared[is_zoomed] += 1
        self.assertGreater(compared[True], 5)
        self.assertGreater(compared[False], 0)

    def test_what_is_said_of_it(self) -> None:
        [zoom] = [control for control in self.bus.capabilities("grey").controls if control.id == "zoom"]
        self.assertEqual((zoom.range.minimum, zoom.range.maximum, list(zoom.sources)), (1, 16, ["crop"]))
        [zoom] = [control for control in self.bus.capabilities("own").controls if control.id == "zoom"]
        self.assertEqual(list(zoom.sources), ["zoom_absolute"])
        for wrong in (0.9, 16.5, float("nan"), "far"):
            self.assert_fails(Code.INVALID_ARGUMENT, self.bus.set_controls, {"zoom": wrong}, "grey", field="zoom")

    def test_it_is_part_of_a_transaction(self) -> None:
        self.zoom("grey", 2)
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.configure, "grey", controls={"zoom": 3, "brightness": 10 ** 6})
        self.assertEqual(value_of(self.bus.controls("grey", ["zoom"])[0].value), 2)
        reply = self.bus.configure("grey", controls={"zoom": 3})
        self.assertEqual(value_of(reply.controls[0].value), 3)
        self.assertEqual(self.bus.capture(camera="grey", settings=PhotoSettings(keep=False)).resolved.facts.zoom, 3)

    def test_ramps(self) -> None:
        for camera, sources in (("grey", ["crop"]), ("own", ["zoom_absolute"])):
            with self.subTest(camera=camera), self.bus.events(camera) as monitor, \
                    self.bus.frames(camera, "full") as frames:
                self.assert_snapshot(monitor)
                self.bus.set_controls({"zoom": 1}, camera)
                reply = self.bus.set_controls({"zoom": 4}, camera, ramp_rate=4)
                self.assertEqual(reply.controls[0].ramping_to, 4)
                self.assertFalse(reply.HasField("effect"))
                last = None
                while last is None or last.HasField("ramping_to") or value_of(last.value) != 4:
                    event = is_a(Published, monitor.next(30)).event
                    if event.HasField("control") and event.control.id == "zoom":
                        last = event.control
                self.assertEqual(list(last.sources), sources)
                while present(frames.next(30)).info.facts.zoom != 4:
                    pass

    def test_the_frames_of_a_ramp_follow_from_their_time_stamps(self) -> None:
        self.zoom("grey", 1)
        infos: list[messages.FrameHeader] = []
        with self.bus.frames("grey", "full") as frames:
            present(frames.next(30))
            self.bus.set_controls({"zoom": 8}, "grey", ramp_rate=3)
            while not infos or infos[-1].facts.zoom != 8:
                infos.append(present(frames.next(30)).info)
        moving = next(index for index, info in enumerate(infos) if info.facts.zoom > 1)
        origin = infos[moving].timestamp.monotonic_ns - math.log2(infos[moving].facts.zoom) / 3 * 1e9
        for info in infos[moving:]:
            expected = min(8, 2 ** (3 * (info.timestamp.monotonic_ns - origin) / 1e9))
            self.assertAlmostEqual(info.facts.zoom, expected, delta=1e-6 * expected)
        self.assertEqual(infos[-1].facts.zoom, 8)

    def test_a_ramp_ends_where_it_stands(self) -> None:
        def begin() -> None:
            self.bus.set_controls({"zoom": 1}, "grey")
            self.bus.set_controls({"zoom": 16}, "grey", ramp_rate=0.25)
            while present(frames.next(30)).info.facts.zoom <= 1:
                pass

        def release() -> None:
            self.bus.acquire_lease("grey")
            begin()
            self.bus.release_lease("grey")

        def stop() -> None:
            begin()
            self.bus.stop_ramp("grey")

        for end in (stop, release):
            with self.subTest(end.__name__), self.bus.frames("grey", "full") as frames:
                end()
                # The end of a lease ends it with the next turn of the session.
                while (zoom := self.bus.controls("grey", ["zoom"])[0]).HasField("ramping_to"):
                    pass
                value = value_of(zoom.value)
                self.assertTrue(1 < float(str(value)) < 16, value)
                while present(frames.next(30)).info.facts.zoom != value:
                    pass
                for _ in range(5):
                    self.assertEqual(present(frames.next(30)).info.facts.zoom, value)
        for rate in (0.0, 65.0):
            self.assert_fails(Code.INVALID_ARGUMENT, self.bus.set_controls, {"zoom": 2}, "grey", ramp_rate=rate,
                              field="controls_set.ramp_rate")
        for rate in (-1.0, float("nan")):
            self.assert_fails(
                Code.INVALID_ARGUMENT, self.bus.set_controls, {"zoom": 2}, "grey", ramp_rate=rate, field="ramp_rate")
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.set_controls, {"brightness": 2}, "grey", ramp_rate=1,
                          field="controls_set.ramp_rate")
        self.bus.stop_session("grey")
        self.assert_fails(Code.NOT_RUNNING, self.bus.set_controls, {"zoom": 2}, "grey", ramp_rate=1)
        self.bus.start_session("grey")

    def test_a_ramp_goes_on_after_what_is_none_of_its_business(self) -> None:
        self.addCleanup(self.bus.set_controls, {"zoom": 1}, "grey")
        self.addCleanup(self.bus.configure, "grey", preview_rotation=0)
        with self.bus.frames("grey", "full") as frames:
            self.bus.set_controls({"zoom": 1}, "grey")
            self.bus.set_controls({"zoom": 16}, "grey", ramp_rate=0.1)
            while present(frames.next(30)).info.facts.zoom <= 1:
                pass
            self.assert_fails(
                Code.CONTROL_NOT_WRITABLE, self.bus.set_controls, {"zoom": 2, "exposure_time_absolute": -1}, "grey")
            self.bus.configure("grey", preview_rotation=90, controls={"brightness": 100})
            photo = self.bus.capture(camera="grey", settings=PhotoSettings(size="max"))
            self.assertGreater(photo.resolved.gap_ns, 0)
            [zoom] = self.bus.controls("grey", ["zoom"])
            self.assertEqual(zoom.ramping_to, 16)
            value = value_of(zoom.value)
            assert isinstance(value, float)
            while present(frames.next(30)).info.facts.zoom <= value + 0.05:
                pass

    def test_capabilities_say_that_a_zoomed_photo_is_not_the_cameras_own(self) -> None:
        self.zoom("mjpg", 1)
        self.assertTrue(self.bus.capabilities("mjpg").pictures[0].passthrough)
        with self.bus.events("mjpg") as events:
            present(events.next(30))
            for zoom, passes in ((2, False), (1, True)):
                self.zoom("mjpg", zoom)
                while not (isinstance(notice := present(events.next(30)), Published)
                           and notice.event.HasField("capabilities")):
                    pass
                self.assertEqual([each.passthrough for each in notice.event.capabilities.pictures
                                  if each.media_type == "image/jpeg"], [passes, passes])
                for size in (messages.PHOTO_SIZE_UNSPECIFIED, messages.PHOTO_SIZE_MAXIMUM):
                    photo = self.bus.capture(camera="mjpg", settings=PhotoSettings(size=size))
                    self.assertEqual(photo.resolved.passthrough, passes, size)

    def test_from_the_command_line(self) -> None:
        done = camctl(self.node, "controls", "set", "--camera", "nv12", "zoom=3", "--ramp", "8", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["rampingTo"], 3)
        done = camctl(self.node, "controls", "set", "--camera", "nv12", "--stop-ramp")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, rb"^zoom=[0-9.]+\n$")
        for wrong in (["--effect"], ["--stop-ramp"]):
            self.assertEqual(
                camctl(self.node, "controls", "set", "--camera", "nv12", "zoom=3", "--ramp", "8", *wrong).returncode, 64)
        [zoom] = self.bus.controls("nv12", ["zoom"])
        self.assertFalse(zoom.HasField("ramping_to"))
        done = camctl(self.node, "controls", "reset", "--camera", "nv12", "zoom")
        self.assertEqual((done.returncode, done.stdout.strip()), (0, b"zoom=1"), done.stderr)


if __name__ == "__main__":
    unittest.main()
