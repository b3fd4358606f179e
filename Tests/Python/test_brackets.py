"""Tests brackets with a running node, as an independent program decodes them."""

import json
import subprocess
import unittest

from camerabus import CameraBus, Code, Exposure, NEXT, NOW, Photo, When, messages, past
from expecting import present
from live import WithNode
from node import Node, program

CAMERA = "cam=synthetic:640x480@60,format=GREY,caption=off,settle=1-6"


def brightness(photo: Photo) -> float:
    """The mean of what does not move in the picture, as djpeg reads it."""
    grey = subprocess.run(["djpeg", "-grayscale"], input=present(photo.data), capture_output=True, check=True).stdout
    _, size, _, samples = grey.split(b"\n", 3)
    width, height = (int(side) for side in size.split())
    still = samples[:width * height * 2 // 5]
    return sum(still) / len(still)


class Brackets(WithNode):
    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(CAMERA, CAMERA.replace("cam", "plain", 1) + ",facts=off"))

    def values(self, bus: CameraBus, camera: str) -> dict[str, messages.ControlValue]:
        return {control.id: control.value for control in bus.controls(camera)}

    def test_the_pictures_have_the_ratios_of_their_exposures(self) -> None:
        for camera, evidence in (("cam", messages.ControlEffect.BASIS_METADATA),
                                 ("plain", messages.ControlEffect.BASIS_PICTURE)):
            with self.subTest(camera):
                self.bus.set_controls({"test_pattern": 1, "exposure.duration": 0.002}, camera)
                self.see_frames(camera, 8)
                before = self.values(self.bus, camera)
                steps: list[messages.CaptureProgress] = []
                photos = list(self.bus.bracket([-2, 0, Exposure(0.008)], camera=camera, on_progress=steps.append))
                shots = [photo.resolved.shot for photo in photos]
                self.assertEqual([(shot.index, shot.count) for shot in shots], [(1, 3), (2, 3), (3, 3)])
                self.assertEqual({shot.evidence for shot in shots}, {evidence})
                self.assertEqual([shot.settings[0].value.number for shot in shots], [0.0005, 0.002, 0.008])
                dark, middle, light = (brightness(photo) for photo in photos)
                self.assertAlmostEqual(middle / dark, 4, delta=0.2)
                self.assertAlmostEqual(light / middle, 4, delta=0.2)
                self.assertFalse(steps[0].settings.zero_shutter_lag)
                self.assertEqual(self.values(self.bus, camera), before)

    def test_any_control_can_be_bracketed(self) -> None:
        photos = list(self.bus.bracket([{"brightness": 40}, {"brightness": 90}], camera="cam"))
        self.assertEqual([photo.resolved.shot.settings[0].value.integer for photo in photos], [40, 90])
        self.assertGreater(brightness(photos[1]) - brightness(photos[0]), 20)

    def test_wrong_shots_are_refused(self) -> None:
        def take(shots: object, when: When = NEXT) -> None:
            list(self.bus.bracket(shots, when, "cam"))  # type: ignore[arg-type]

        for shots in ([], [0] * 17, "abc", [float("nan")], [Exposure(-1)], [None]):
            self.assert_fails(Code.INVALID_ARGUMENT, take, shots)
        self.assert_fails(Code.FRAME_UNAVAILABLE, take, [0, 1], past(0.1), field="capture.when")
        self.assert_fails(Code.NO_SUCH_CONTROL, take, [{"nonsense": 1}], NOW, field="nonsense")

    def test_camctl_takes_a_bracket_of_each_form(self) -> None:
        for text, name in (("-1,0,1", "exposure."), ("exposure:1ms,4ms,16ms", "exposure.duration=0.016"),
                           ("brightness=40,90,140", "brightness=140"), ("brightness=40;90;140", "brightness=140"),
                           ("point_of_interest=0.2,0.2;0.5,0.5;0.8,0.7", "point_of_interest=0.8,0.7")):
            with self.subTest(text):
                done = subprocess.run(
                    [program("camctl"), "--node", self.node.control, "--camera", "cam", "capture", "--bracket", text,
                     "--overwrite", "-o", str(self.node.folder / f"{name}-%d.jpg")], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 0, done.stderr)
                lines = done.stdout.splitlines()
                self.assertEqual(len(lines), 3)
                self.assertIn("shot 3 of 3 with " + name, lines[2])
        done = subprocess.run(
            [program("camctl"), "--node", self.node.control, "--camera", "cam", "--json", "capture", "--bracket", "-1",
             "-o", str(self.node.folder / "json.jpg")], capture_output=True, text=True, timeout=60)
        shot = json.loads(done.stdout)["resolved"]["shot"]
        self.assertEqual((shot["index"], shot["count"]), (1, 1))
        self.assertEqual([setting["id"][:9] for setting in shot["settings"]], ["exposure."])
        self.assertIn(shot["evidence"], ("metadata", "picture"))
        for wrong in ("abc", "1,,2", "exposure:0ms", "exposure:4", "=3", "brightness=", "99", ",".join("0" * 17)):
            with self.subTest(wrong):
                done = subprocess.run([program("camctl"), "--node", self.node.control, "capture", "--bracket", wrong],
                                      capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 64, done.stderr)
        done = subprocess.run(
            [program("camctl"), "--node", self.node.control, "--camera", "cam", "capture", "--bracket",
             "point_of_interest=0.1,0.2"], capture_output=True, text=True, timeout=60)
        self.assertIn("end each value in a semicolon", done.stderr)


class Killed(unittest.TestCase):
    def test_a_node_that_is_killed_at_any_step_puts_the_controls_back(self) -> None:
        with Node(CAMERA) as node:
            for step in range(4):
                with self.subTest(step), CameraBus(node.control, timeout=30) as bus:
                    wanted = {"brightness": 140, "auto_exposure": 1, "exposure_time_absolute": 20}
                    bus.set_controls(wanted, "cam")
                    note = node.folder / "library" / ".brackets" / "cam.json"
                    self.assertFalse(note.exists())
                    capture = bus.begin_capture(camera="cam", shots=[-2, {"brightness": 90}, 2])

                    def kill(progress: messages.CaptureProgress) -> None:
                        is_begin = step == 0 and progress.step == messages.CaptureProgress.STEP_WILL_BEGIN
                        if is_begin or (progress.step == messages.CaptureProgress.STEP_DID_CAPTURE
                                        and progress.picture == step):
                            node.kill()
                            raise _Killed

                    with self.assertRaises(_Killed):
                        list(capture.photos(kill))
                    # The last frame may have been the end of the bracket, and its note gone.
                    owes = note.exists()
                    self.assertTrue(owes or step == 3)
                    node.start()
                with CameraBus(node.control, timeout=30) as bus:
                    values = {control.id: control.value.integer for control in bus.controls("cam", list(wanted))}
                    # A simulated camera begins anew with its own values.
                    own = {"brightness": 128, "auto_exposure": 0, "exposure_time_absolute": 100}
                    self.assertEqual(values, wanted if owes else own)
                    self.assertFalse(note.exists())


class _Killed(Exception):
    pass


if __name__ == "__main__":
    unittest.main()
