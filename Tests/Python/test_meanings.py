"""Tests of controls with a meaning, their effect on frames, capabilities and calibration, on a live node."""

import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any

import numpy

from camerabus import (
    CameraBus, CameraBusError, Code, PhotoSettings, PointOfInterest, Published, Snapshot, messages,
    point_of_interest, value_of,
)
from expecting import present
from node import Node

TURNED = messages.Size(width=120, height=160)
CALIBRATION = """
image_width: 320
image_height: 240
camera_matrix: {rows: 3, cols: 3, data: [250, 0, 160, 0, 250, 120, 0, 0, 1]}
distortion_model: plumb_bob
distortion_coefficients: {rows: 1, cols: 5, data: [0.1, -0.2, 0, 0, 0]}
"""


class Light:
    """Watches how bright the frames of a camera are, on a thread of its own."""

    def __init__(self, node: Node, camera: str):
        self._bus = CameraBus(node.control)
        self._camera = camera
        self._means: dict[int, float] = {}
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run)
        self._stops = False

    def __enter__(self) -> "Light":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stops = True
        self._thread.join()
        self._bus.close()

    def _run(self) -> None:
        with self._bus.frames(self._camera, "raw") as frames:
            while not self._stops:
                frame = present(frames.next(30))
                upper = numpy.frombuffer(frame.data, dtype=numpy.uint8).reshape(240, 320)[:96]
                with self._changed:
                    self._means[frame.info.frame_sequence] = float(upper.mean())
                    self._changed.notify_all()

    def wait(self, more: int) -> None:
        """Waits for so many more frames."""
        with self._changed:
            wanted = len(self._means) + more
            assert self._changed.wait_for(lambda: len(self._means) >= wanted, 30)

    def steps(self, since: int) -> list[tuple[int, int]]:
        """The frames that followed each other with another brightness."""
        with self._changed:
            seen = sorted(self._means.items())
        return [(before, after) for (before, old), (after, new) in zip(seen, seen[1:])
                if before >= since and abs(new - old) > 1]


class Meanings(unittest.TestCase):
    node: Node
    bus: CameraBus

    @classmethod
    def setUpClass(cls) -> None:
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (folder / "front.yaml").write_text(CALIBRATION)
        cls.node = cls.enterClassContext(Node(
            f"front=synthetic:320x240@60,format=GREY,caption=off,settle=1-6,calibration={folder}/front.yaml",
            "bare=synthetic:320x240@60,format=GREY,caption=off,settle=3,facts=off"))
        cls.bus = cls.enterClassContext(CameraBus(cls.node.control))

    def test_exposure_is_measured_where_somebody_points_in_the_preview(self) -> None:
        """The preview is turned and zoomed; the black bar in it makes the picture bright, the white one dark."""
        self.assertTrue(self.bus.capabilities("front").points_of_interest)
        self.bus.configure("front", preview_rotation=90, preview_mirrored=True)
        self.addCleanup(self.bus.configure, "front", preview_rotation=0, preview_mirrored=False)
        self.addCleanup(self.bus.set_controls, {"point_of_interest": PointOfInterest(0.5, 0.5), "zoom": 1.0}, "front")
        self.bus.set_controls({"exposure.mode": "auto", "torch.mode": "off", "zoom": 1.25}, "front")
        with self.bus.frames("front", "preview") as frames, self.bus.frames("front", "raw") as raw:
            frame = present(frames.next(30))
            while frame.info.facts.zoom != 1.25:  # the change takes up to six frames
                frame = present(frames.next(30))
            # Columns of the camera are rows of the picture: white is at the top.
            means = []
            for y in (0.05, 0.5, 0.95):
                point = frame.point_of_interest(0.6, y)
                self.assertEqual(point, point_of_interest(0.6, y, frame.info.orientation, 1.25))
                self.assertAlmostEqual(point.y, 0.5 + 0.1 / 1.25)
                for _ in range(10):  # until the change before has settled
                    present(raw.next(30))
                reply = self.bus.set_controls({"point_of_interest": point}, "front")
                set_to = value_of(reply.controls[0].value)
                assert isinstance(set_to, PointOfInterest)
                self.assertAlmostEqual(set_to.x, 0.14 if y == 0.05 else 0.5 if y == 0.5 else 0.86, 2)
                self.assertGreater(reply.effect.effective_frame, 0)
                while present(picture := raw.next(30)).info.frame_sequence < reply.effect.effective_frame:
                    pass
                means.append(float(numpy.frombuffer(present(picture).data, dtype=numpy.uint8).mean()))
            self.assertLess(means[0] + 10, means[1])
            self.assertLess(means[1] + 10, means[2])
        photo = self.bus.capture(camera="front")
        self.assertEqual(photo.point_of_interest(0.6, 0.2, 9), point_of_interest(0.6, 0.2, photo.resolved.orientation, 1.25))
        photo.resolved.facts.ClearField("zoom")
        self.assertEqual(photo.point_of_interest(0.1, 0.2, 2), PointOfInterest(0.3, 0.35))
        wrongs: tuple[Any, ...] = (PointOfInterest(1.5, 0), [2, 0], (0.5, 0.5), 0.5)
        for wrong in wrongs:
            with self.subTest(wrong=wrong), self.assertRaises(CameraBusError) as caught:
                self.bus.set_controls({"point_of_interest": wrong}, "front")
            self.assertEqual(caught.exception.code, Code.INVALID_ARGUMENT)

    def test_the_effective_frame_is_the_first_with_another_brightness(self) -> None:
        """By pixels that this program reads, whether the camera says how it took a frame or not."""
        for camera, basis in (("front", messages.ControlEffect.BASIS_METADATA), ("bare", messages.ControlEffect.BASIS_PICTURE)):
            with self.subTest(camera=camera), Light(self.node, camera) as light:
                light.wait(1)
                self.bus.set_controls({"exposure.duration": 0.005, "exposure.gain": 0}, camera)
                found = 0
                for duration in 4 * (0.002, 0.004, 0.001):
                    light.wait(10)
                    effect = self.bus.set_controls({"exposure.duration": duration}, camera).effect
                    if effect.not_settled and camera == "bare":
                        continue  # a busy machine has lost a frame, in which the change may have begun
                    self.assertEqual(effect.basis, basis)
                    light.wait(3)
                    [(before, after)] = light.steps(since=effect.effective_frame - 4)
                    self.assertLess(before, effect.effective_frame)
                    self.assertLessEqual(effect.effective_frame, after)
                    found += 1
                    if found == 3:
                        break
                self.assertEqual(found, 3)

    def test_a_photo_of_now_shows_the_change(self) -> None:
        for zoom in (2.0, 1.0, 3.0):
            effect = self.bus.set_controls({"zoom": zoom}, "front").effect
            photo = self.bus.capture(camera="front", settings=PhotoSettings(keep=False))
            self.assertGreaterEqual(photo.resolved.frame_sequence, effect.effective_frame)
            self.assertEqual(photo.resolved.facts.zoom, zoom)

    def test_meanings_and_the_drivers_controls_are_two_views_of_one(self) -> None:
        self.bus.set_controls({"focus.position": 0.4, "white_balance.kelvin": 4000.0}, "front")
        got = {control.id: value_of(control.value) for control in self.bus.controls("front")}
        self.assertEqual(got["focus_absolute"], 150)
        self.assertEqual((got["white_balance_automatic"], got["white_balance_temperature"]), (False, 4000))
        self.bus.set_controls({"focus_absolute": 50}, "front")
        [position] = self.bus.controls("front", ["focus.position"])
        self.assertEqual((position.value.number, position.unit, list(position.sources)),
                         (0.8, "", ["focus_absolute", "focus_automatic_continuous"]))

    def test_locked_automatics_keep_what_they_have_decided(self) -> None:
        self.bus.set_controls({"exposure.duration": 0.5, "exposure.gain": 1.0, "white_balance.kelvin": 2800.0}, "front")
        self.bus.set_controls({"exposure.mode": "auto", "white_balance.mode": "auto"}, "front")
        self.bus.set_controls({"exposure.bias": -1.0}, "front")
        self.bus.set_controls({"exposure.mode": "locked", "white_balance.mode": "locked"}, "front")
        got = {control.id: value_of(control.value) for control in self.bus.controls("front")}
        self.assertEqual((got["exposure.duration"], got["exposure.gain"], got["white_balance.kelvin"]), (0.005, 0, 5000))
        self.assertEqual((got["auto_exposure"], got["white_balance_automatic"]), (1, False))
        # The camera that says no facts answers without a search for what no picture shows.
        self.bus.set_controls({"exposure.mode": "auto"}, "bare")
        self.assertFalse(self.bus.set_controls({"exposure.mode": "locked"}, "bare").HasField("effect"))
        self.bus.set_controls({"exposure.mode": "auto", "white_balance.mode": "once"}, "front")
        self.bus.set_controls({"exposure.bias": 0.0}, "front")
        got = {control.id: value_of(control.value) for control in self.bus.controls("front")}
        self.assertEqual((got["white_balance_automatic"], got["white_balance_temperature"]), (False, 5000))
        self.bus.set_controls({"white_balance.mode": "auto"}, "front")

    def test_a_change_is_an_event_of_both(self) -> None:
        with self.bus.events("front") as events:
            self.assertIsInstance(events.next(30), Snapshot)
            self.bus.set_controls({"torch.level": 0.25}, "front")
            seen: dict[str, object] = {}
            while not {"torch.level", "intensity_torch_mode", "torch.mode"} <= seen.keys():
                notice = present(events.next(30))
                if isinstance(notice, Published) and notice.event.HasField("control"):
                    seen[notice.event.control.id] = value_of(notice.event.control.value)
            self.assertEqual((seen["torch.level"], seen["intensity_torch_mode"], seen["torch.mode"]), (0.25, 25, 1))

    def test_what_cannot_be_is_refused_and_changes_nothing(self) -> None:
        before = self.bus.controls("front")
        mistakes: list[tuple[dict[str, object], Code]] = [
            ({"zoom": 5.5}, Code.INVALID_ARGUMENT), ({"zoom": "far"}, Code.INVALID_ARGUMENT),
            ({"exposure.mode": "auto", "exposure.duration": 0.01}, Code.INVALID_ARGUMENT),
            ({"exposure.iso": 100.0}, Code.NO_SUCH_CONTROL), ({"focus.mode": "once"}, Code.INVALID_ARGUMENT)]
        for settings, code in mistakes:
            with self.subTest(settings=settings), self.assertRaises(CameraBusError) as caught:
                self.bus.set_controls(settings, "front")  # type: ignore[arg-type]
            self.assertEqual(caught.exception.code, code)
        self.assertEqual(self.bus.controls("front"), before)

    def test_capabilities_say_beforehand_what_a_camera_does(self) -> None:
        able = self.bus.capabilities("front")
        self.assertEqual(able.format.pixel_format, "GREY")
        ids = [control.id for control in able.controls]
        for name in ("exposure.duration", "focus.position", "zoom", "torch.level"):
            self.assertIn(name, ids)
        self.assertNotIn("exposure.iso", ids)
        self.assertTrue(able.says_facts and able.torch and able.flash)
        self.assertFalse(self.bus.capabilities("bare").says_facts)
        self.assertFalse(able.device_time)
        self.assertFalse(self.bus.capture(camera="front", settings=PhotoSettings(keep=False)).resolved.HasField("device_time"))
        self.assertEqual([(picture.size.width, picture.switches_format) for picture in able.pictures
                          if picture.media_type == "image/jpeg"], [(320, False), (3840, True)])
        self.assertEqual((able.limits.waiting_photos, able.limits.settings), (48, 64))
        presets = {preset.preset for preset in able.presets}
        self.assertIn(messages.PRESET_HD1280X720, presets)

    def test_a_new_format_is_an_event_of_the_capabilities(self) -> None:
        with self.bus.events("bare") as events:
            self.assertIsInstance(events.next(30), Snapshot)
            self.bus.configure("bare", size=(160, 120), rotation=90)
            self.addCleanup(self.bus.configure, "bare", size=(320, 240), rotation=0)
            while True:
                notice = present(events.next(30))
                if isinstance(notice, Published) and [picture.size for picture in notice.event.capabilities.pictures][:1] == [TURNED]:
                    break

    def test_a_calibration_goes_with_every_photo(self) -> None:
        calibration = self.bus.calibration("front")
        self.assertEqual((calibration.size.width, list(calibration.camera_matrix)[:3]), (320, [250, 0, 160]))
        self.assertEqual(self.bus.capture(camera="front", settings=PhotoSettings(keep=False)).resolved.calibration_id, calibration.id)
        with self.assertRaises(CameraBusError) as caught:
            self.bus.calibration("bare")
        self.assertEqual(caught.exception.code, Code.UNSUPPORTED)


if __name__ == "__main__":
    unittest.main()
