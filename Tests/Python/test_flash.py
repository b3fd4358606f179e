"""Tests photos with the flash: a running node, the client, camctl, and what exiftool and djpeg find in the files."""

from __future__ import annotations

import json
import subprocess
import unittest
from dataclasses import replace
from typing import Any

import readers
from camerabus import (
    NEXT, NOW, AsyncCameraBus, CameraBus, CameraBusError, Code, Photo, PhotoSettings, Snapshot, messages, past,
)
from expecting import present
from live import WithNode
from node import Node, program
from photo_files import write
from test_brackets import brightness

CAMERA = "cam=synthetic:640x480@60,format=GREY,caption=off"
PLAIN = CAMERA.replace("cam", "plain", 1) + ",facts=off"
# A dim scene: a fifth of the light.
DIM = {"test_pattern": 1, "auto_exposure": 1, "exposure_time_absolute": 20}
LED = ["led_mode", "strobe_timeout"]
PICTURE, METADATA = messages.ControlEffect.BASIS_PICTURE, messages.ControlEffect.BASIS_METADATA
Steps = list[messages.CaptureProgress]


class Flash(WithNode):
    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(CAMERA, PLAIN))

    def setUp(self) -> None:
        super().setUp()
        for camera in ("cam", "plain"):
            self.bus.set_controls(DIM, camera)
            self.see_frames(camera, 8)

    def led(self, camera: str) -> list[int]:
        return [control.value.integer for control in self.bus.controls(camera, LED)]

    def tag(self, photo: Photo) -> object:
        """What exiftool says of the flash; None if nothing is said."""
        paths = write(photo, self.node.folder, photo.request_id.hex())
        facts: dict[str, Any] = readers.facts(paths.values())[paths["jpg"]]
        return facts.get("ExifIFD:Flash")

    def test_a_lit_photo_is_two_stops_brighter_and_its_file_says_so(self) -> None:
        for camera, basis in (("cam", METADATA), ("plain", PICTURE)):
            with self.subTest(camera):
                before = self.led(camera)
                steps: Steps = []
                lit = self.bus.capture(camera=camera, settings=PhotoSettings(flash="on", priority="quality"), on_progress=steps.append)
                self.assertEqual(lit.resolved.flash, basis)
                self.assertEqual(lit.resolved.facts.HasField("flash"), basis == METADATA)
                settings = steps[0].settings
                self.assertEqual((settings.flash, settings.zero_shutter_lag), (messages.FLASH_MODE_ON, False))
                self.assertEqual(settings.prioritization, messages.PHOTO_PRIORITIZATION_SPEED)
                self.assertEqual(self.led(camera), before)
                plain = self.bus.capture(NEXT, camera)
                self.assertEqual(plain.resolved.flash, messages.ControlEffect.BASIS_UNSPECIFIED)
                self.assertAlmostEqual(brightness(lit) / brightness(plain), 4, delta=0.3)
                self.assertEqual(self.tag(lit), 1)
                self.assertEqual(self.tag(plain), 0 if basis == METADATA else None)

    def test_auto_decides_by_the_light(self) -> None:
        for exposure, mode in ((20, messages.FLASH_MODE_ON), (100, messages.FLASH_MODE_OFF)):
            for camera in ("cam", "plain"):
                with self.subTest(camera=camera, exposure=exposure):
                    self.bus.set_controls({"exposure_time_absolute": exposure}, camera)
                    self.see_frames(camera, 4)
                    steps: Steps = []
                    photo = self.bus.capture(NOW, camera, settings=PhotoSettings(flash="auto"), on_progress=steps.append)
                    self.assertEqual(steps[0].settings.flash, mode)
                    is_lit = mode == messages.FLASH_MODE_ON
                    self.assertEqual(photo.resolved.flash != 0, is_lit)
                    self.assertEqual(steps[0].settings.zero_shutter_lag, not is_lit)

    def test_the_torch_burns_again(self) -> None:
        self.bus.set_controls({"torch.mode": "on"}, "cam", find_effect=True)
        self.bus.capture(camera="cam", settings=PhotoSettings(flash="on"))
        self.assertEqual(self.led("cam"), [2, 100_000])
        self.bus.set_controls({"torch.mode": "off"}, "cam")

    def test_wrong_ones_are_refused(self) -> None:
        for wrong in ("", "ON", "red", 1, None, True):
            self.assert_fails(Code.INVALID_ARGUMENT, self.bus.capture, NOW, "cam", settings=PhotoSettings(flash=wrong), field="flash")  # type: ignore[arg-type]
        for mode in ("on", "auto"):
            lit = PhotoSettings(flash=mode)
            for options in ({"settings": replace(lit, size="max")}, {"settings": lit, "pictures": 2},
                            {"settings": lit, "shots": [1]}):
                capture = self.bus.begin_capture(camera="cam", **options)
                self.assert_fails(Code.INVALID_ARGUMENT, capture.photo, field="capture.flash")
        self.assert_fails(Code.FRAME_UNAVAILABLE, self.bus.capture, past(0.1), "cam", settings=PhotoSettings(flash="on"), field="capture.when")
        self.assertEqual(self.bus.capture(past(0.05), "cam", settings=PhotoSettings(flash="auto")).resolved.flash, 0)

    def test_a_fault_is_named(self) -> None:
        self.bus.set_controls({"inject_flash_fault": 4}, "cam")
        error = self.assert_fails(Code.DEVICE_FAILED, self.bus.capture, NOW, "cam", settings=PhotoSettings(flash="on"))
        self.assertIn("(over-temperature)", error.message)
        self.bus.set_controls({"inject_flash_fault": 0}, "cam")
        self.assertEqual(self.led("cam"), [0, 100_000])

    def camctl(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [program("camctl"), "--node", self.node.control, "--camera", "cam", *words], capture_output=True, text=True,
            timeout=60, check=False)

    def test_camctl_fires_it(self) -> None:
        path = str(self.node.folder / "camctl-%d.jpg")
        done = self.camctl("capture", "--flash", "on", "--count", "2", "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("lit by the flash (metadata)"), 2, done.stdout)
        done = self.camctl("--json", "capture", "--flash", "auto", "-o", path, "--overwrite")
        resolved = json.loads(done.stdout)["resolved"]
        self.assertEqual((resolved["flash"], resolved["facts"]["isLitByFlash"]), ("metadata", True))
        done = self.camctl("--json", "capture", "-o", path, "--overwrite")
        resolved = json.loads(done.stdout)["resolved"]
        self.assertEqual((resolved.get("flash"), resolved["facts"]["isLitByFlash"]), (None, False))
        self.assertIn("flash", self.camctl("capabilities").stdout)
        self.assertTrue(json.loads(self.camctl("--json", "capabilities").stdout)["hasFlash"])
        for wrong in (["--flash", "red"], ["--flash", "on", "--burst", "2"], ["--flash", "on", "--bracket", "1"],
                      ["--flash", "auto", "--size", "max"],
                      ["--flash", "on", "--count", "2", "--interval", "1s"]):
            with self.subTest(wrong):
                done = self.camctl("capture", *wrong, "-o", path)
                self.assertEqual(done.returncode, 64, done.stderr)
        done = self.camctl("capture", "--flash", "on", "--when", "past:0.1s", "-o", str(self.node.folder / "past.jpg"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("no frame of a certain moment", done.stderr)


class Asyncio(unittest.IsolatedAsyncioTestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(CAMERA))

    async def test_photos_with_the_flash_take_turns(self) -> None:
        async with AsyncCameraBus(self.node.control, timeout=30) as bus:
            await bus.set_controls(DIM)
            for capture in [await bus.begin_capture(settings=PhotoSettings(flash="on")) for _ in range(3)]:
                self.assertEqual((await capture.photo()).resolved.flash, METADATA)


class Killed(unittest.TestCase):
    def test_a_node_that_is_killed_puts_the_led_back(self) -> None:
        with Node(CAMERA) as node:
            with CameraBus(node.control, timeout=30) as bus:
                # No frame shows its light, so it is fired again and again.
                bus.set_controls({"led_mode": 2, "inject_flash_fault": 2})
                note = node.folder / "library" / ".brackets" / "cam.json"
                self.assertFalse(note.exists())
                with bus.events("cam") as monitor:
                    while not isinstance(monitor.next(30), Snapshot):
                        pass
                    bus.begin_capture(settings=PhotoSettings(flash="on"))
                    for notice in monitor:
                        event = getattr(notice, "event", None)
                        if event and event.control.id == "led_mode" and event.control.value.integer == 1:
                            break
                node.kill()
                self.assertTrue(note.exists())
                node.start()
            with CameraBus(node.control, timeout=30) as bus:
                # A simulated camera begins anew with its own values.
                self.assertEqual([control.value.integer for control in bus.controls("cam", LED)], [2, 100_000])
                self.assertFalse(note.exists())

    def test_a_camera_without_a_flash_says_what_to_do(self) -> None:
        with Node(CAMERA) as node, CameraBus(node.control, timeout=30) as bus:
            photo = bus.capture(camera="cam")
            folder = node.folder / "pictures"
            folder.mkdir()
            (folder / "a.jpg").write_bytes(present(photo.data))
            with Node(f"files=files:{folder}") as other, CameraBus(other.control, timeout=30) as files:
                self.assertFalse(files.capabilities("files").flash)
                for mode in ("on", "auto"):
                    with self.assertRaises(CameraBusError) as caught:
                        files.capture(settings=PhotoSettings(flash=mode))
                    self.assertEqual((caught.exception.code, caught.exception.field), (Code.NO_SUCH_CONTROL, "capture.flash"))


if __name__ == "__main__":
    unittest.main()
