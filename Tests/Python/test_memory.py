"""A node that remembers what clients change of its cameras, and that reads its configuration again."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import unittest
from pathlib import Path
from typing import Callable, Iterator

from camerabus import CameraBus, CameraBusError, Code, Published, Snapshot, messages
from node import Node
from test_bursts import camctl

CAMERA = "cam=synthetic:640x480@30,format=MJPG"


def values(bus: CameraBus, *names: str) -> list[object]:
    return [getattr(control.value, str(control.value.WhichOneof("value"))) for control in bus.controls(ids=names)]


class Memory(unittest.TestCase):
    def test_what_clients_change_is_there_after_a_kill(self) -> None:
        with Node(CAMERA, options=["--remember"]) as node:
            file = node.folder / "library-state" / "cam.json"
            with CameraBus(node.control, timeout=30) as bus:
                self.assertFalse(file.exists())
                bus.set_controls({"brightness": 77})
                # It is on the disk when the answer comes.
                self.assertEqual(json.loads(file.read_text())["settings"], [{"id": "brightness", "value": {"integer": "77"}}])
                bus.configure(
                    size=(320, 240), pixel_format="YUYV", rotation=90, preview_mirrored=True, controls={"zoom": 2.0},
                    streams=[messages.StreamSettings(stream="preview", quality=30)], subject_area=0.5)
                before = bus.status().cameras[0]
            self.assertEqual((file.parent.stat().st_mode & 0o777, file.stat().st_mode & 0o777), (0o700, 0o600))
            node.kill()
            node.start()
            with CameraBus(node.control, timeout=30) as bus:
                after = bus.status().cameras[0]
                self.assertEqual(values(bus, "brightness", "zoom"), [77, 2.0])
                self.assertEqual(after.format, before.format)
                self.assertEqual(after.configuration, before.configuration)
                self.assertEqual(after.remembered, before.remembered)
                self.assertEqual(after.subject_area_threshold, 0.5)
                self.assertEqual(list(after.refusals), [])

                forgotten = bus.forget()
                self.assertEqual(forgotten.remembered, messages.Remembered())
                self.assertEqual(forgotten.format, before.format)
                self.assertFalse(file.exists())
            again = camctl(node, "configure", "--forget", "--json")
            self.assertEqual([sorted(json.loads(line)) for line in again], [["controls", "status"]])
            node.kill()
            node.start()
            with CameraBus(node.control, timeout=30) as bus:
                camera = bus.status().cameras[0]
                self.assertEqual((camera.format.size.width, camera.subject_area_threshold), (640, 0))
                self.assertEqual(values(bus, "brightness"), [128])

    def test_without_it_nothing_is_remembered_or_forgotten(self) -> None:
        with Node(CAMERA) as node, CameraBus(node.control, timeout=30) as bus:
            bus.set_controls({"brightness": 77})
            self.assertFalse(bus.status().cameras[0].HasField("remembered"))
            with self.assertRaises(CameraBusError) as caught:
                bus.forget()
            self.assertEqual((caught.exception.code, caught.exception.field), (Code.UNSUPPORTED, "configure.forget"))
            self.assertFalse((node.folder / "library-state").exists())

    def test_what_cannot_be_kept_holds_and_is_said(self) -> None:
        with Node(CAMERA, options=["--remember"]) as node, CameraBus(node.control, timeout=30) as bus:
            (node.folder / "library-state").write_text("in the way")
            reply = bus.configure(controls={"brightness": 77})
            self.assertEqual(values(bus, "brightness"), [77])
            self.assertIn("library-state cannot be written", reply.camera.remembered.problem)
            self.assertIn("remembers not all", "\n".join(camctl(node, "status")))
            with self.assertRaises(CameraBusError) as caught:
                bus.forget()
            self.assertEqual(caught.exception.code, Code.STORAGE_FAILED)
            (node.folder / "library-state").unlink()
            self.assertEqual(bus.configure(controls={"brightness": 78}).camera.remembered.problem, "")

    def test_a_file_that_nobody_understands_is_put_aside(self) -> None:
        for text in ("no JSON", '{"settings": [{"id": "brightness"}]}', '{"preview": {"rotation": 45}}', "{" * 100_000,
                     '{"format": {"frameRate": "NaN"}}', '{"streams": [{"stream": "preview", "quality": 900}]}'):
            with self.subTest(text=text[:40]), Node(CAMERA, options=["--remember"]) as node:
                file = node.folder / "library-state" / "cam.json"
                node.kill()
                file.parent.mkdir()
                file.write_text(text)
                node.start()
                with CameraBus(node.control, timeout=30) as bus:
                    self.assertIn("cannot be read", bus.status().cameras[0].remembered.problem)
                    bus.set_controls({"brightness": 7})
                    self.assertEqual(bus.status().cameras[0].remembered.problem, "")
                self.assertEqual((file.parent / "cam.json.unreadable").read_text(), text)

    def test_as_many_streams_as_there_may_be_are_remembered(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "camerad.yaml"
            file.write_text("cameras:\n  cam: {source: 'synthetic:640x480@30', streams: {preview: {quality: 50}}}\n")
            with Node(options=["--remember", "--config", file]) as node:
                with CameraBus(node.control, timeout=30) as bus:
                    bus.configure(streams=[messages.StreamSettings(stream="preview", quality=0)])
                    bus.configure(streams=[messages.StreamSettings(stream=f"{width}x64", quality=40) for width in range(64, 96)])
                    before = bus.status().cameras[0]
                node.kill()
                node.start()
                with CameraBus(node.control, timeout=30) as bus:
                    after = bus.status().cameras[0]
                self.assertEqual(len(after.remembered.streams), 33)
                self.assertEqual((after.remembered, after.configuration), (before.remembered, before.configuration))

    def test_a_later_version_may_have_written_more(self) -> None:
        with Node(CAMERA, options=["--remember"]) as node:
            node.kill()
            (node.folder / "library-state").mkdir()
            (node.folder / "library-state" / "cam.json").write_text(json.dumps({
                "colour": 3, "settings": [{"id": "brightness", "value": {"integer": "9"}, "since": 4}],
                "format": {"preset": "PRESET_NEW", "mode": "MODE_VIDEO", "size": {"width": 320, "height": 240}}}))
            node.start()
            with CameraBus(node.control, timeout=30) as bus:
                self.assertEqual(values(bus, "brightness"), [9])
                self.assertEqual(bus.status().cameras[0].format.size.width, 320)

    def test_what_a_change_that_was_cut_off_had_before_is_put_back(self) -> None:
        with Node(CAMERA, options=["--remember"]) as node:
            with CameraBus(node.control, timeout=30) as bus:
                device = bus.status().cameras[0].device.identity
            node.kill()
            file = node.folder / "library-state" / "cam.json"
            file.parent.mkdir()
            file.write_text(json.dumps({"undo": {
                "device": device, "settings": [{"id": "contrast", "value": {"integer": "9"}}]}}))
            node.start()
            with CameraBus(node.control, timeout=30) as bus:
                self.assertEqual(values(bus, "contrast"), [9])
                # It counts as the device's own value from then on.
                self.assertEqual(bus.status().cameras[0].remembered, messages.Remembered())
                bus.set_controls({"brightness": 3})
            self.assertNotIn("undo", json.loads(file.read_text()))


class Reload(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.folder / "camerad.yaml"

    def configure(self, *lines: str) -> None:
        self.file.write_text("\n".join(lines) + "\n")

    def reload(self, node: Node) -> None:
        os.kill(node.pid, signal.SIGHUP)

    def states(self, bus: CameraBus, camera: str) -> Iterator[messages.CameraStatus]:
        """The camera's states, from that of the snapshot on."""
        for notice in bus.events():
            if isinstance(notice, Snapshot):
                yield from (state for state in notice.status.cameras if state.name == camera)
            if isinstance(notice, Published) and notice.event.camera == camera and notice.event.HasField("state"):
                yield notice.event.state

    def test_cameras_come_and_go_and_the_others_go_on(self) -> None:
        first = ["cameras:", "  stays: synthetic:160x120@30", "  goes: synthetic:320x240@30", "  turns:",
                 "    source: synthetic:160x120@30", "    controls: {brightness: 10, contrast: 20}"]
        self.configure(*first)
        with Node(options=["--config", self.file, "--log", "info"], has_terminal=False) as node, CameraBus(node.control, timeout=30) as bus, \
                CameraBus(node.control, timeout=30) as watcher, bus.frames("stays", stream="raw") as frames:
            last = next(iter(frames)).info.frame_sequence
            goes = self.states(watcher, "goes")
            since = {camera.name: camera.since for camera in bus.status().cameras}
            self.configure(*(line.replace("goes", "comes").replace("brightness: 10", "brightness: 11") for line in first))
            next(goes)
            self.reload(node)
            self.assertTrue(any(state.adoption == messages.ADOPTION_ENDED for state in goes))
            for state in self.states(watcher, "comes"):
                if state.state == messages.SESSION_STATE_RUNNING:
                    break
            cameras = {camera.name: camera for camera in bus.status().cameras}
            self.assertEqual(sorted(cameras), ["comes", "stays", "turns"])
            for name in ("stays", "turns"):
                self.assertEqual(cameras[name].since.monotonic_ns, since[name].monotonic_ns, f"{name} was started again")
            self.assertEqual([control.value.integer for control in bus.controls("turns", ["brightness", "contrast"])], [11, 20])
            with self.assertRaises(CameraBusError) as caught:
                bus.capture(camera="goes")
            self.assertEqual(caught.exception.code, Code.NO_SUCH_CAMERA)
            self.assertGreater(bus.capture(camera="comes").byte_count, 0)
            # No frame of the other camera was left out meanwhile.
            for frame in frames:
                if frame.info.frame_sequence > last + 20:
                    break
            self.assertEqual(frames.count.lost, 0)

    def test_a_mistake_changes_nothing(self) -> None:
        self.configure("cameras:", "  cam: synthetic:160x120@30")
        with Node(options=["--config", self.file, "--log", "info"], has_terminal=False) as node, CameraBus(node.control, timeout=30) as bus:
            self.configure("cameras:", "  cam: synthetic:160x120@30", "  other: {source: nothing, colour: 3}")
            self.reload(node)
            # The log is written before anything else is done.
            while "stays as it was" not in node.errors():
                bus.status()
            self.assertIn("camerad.yaml:3: a camera has no key 'colour'", node.errors())
            self.assertEqual([camera.name for camera in bus.status().cameras], ["cam"])
            self.configure("name: other", "announce: true", "cameras:", "  cam: synthetic:160x120@30")
            self.reload(node)
            while "the configuration was read again" not in node.errors():
                bus.status()
            self.assertIn("name has changed in the configuration: restart the node for it", node.errors())
            self.assertIn("announce has changed in the configuration: restart the node for it", node.errors())

    def test_a_movie_goes_on_and_what_it_minds_comes_afterwards(self) -> None:
        source = ["cameras:", "  cam:", "    source: synthetic:160x120@30"]
        self.configure(*source, "    position: front")
        with Node(options=["--config", self.file, "--log", "info"], has_terminal=False) as node, \
                CameraBus(node.control, timeout=30) as bus:
            bus.start_recording("cam")
            for number, keys in enumerate((
                    ["position: back", "remember: true", "preview: {rotation: 90}", "capture: {rotation: 180}"],
                    ["position: back", "remember: false", "preview: {rotation: 90}", "capture: {rotation: 180}"])):
                self.configure(*source, *(f"    {key}" for key in keys))
                self.reload(node)
                while node.errors().count("the configuration was read again") <= number:
                    bus.status()
                camera = self.until(bus, lambda camera: [item.setting for item in camera.refusals] == ["configuration"])
                self.assertTrue(camera.HasField("recording"))
                self.assertEqual(camera.HasField("remembered"), number == 0)
                self.assertEqual((camera.configuration.preview.rotation, camera.configuration.capture.rotation), (90, 0))
            self.until(bus, lambda camera: camera.recording.frames > 3)
            bus.stop_recording("cam")
            self.reload(node)
            camera = self.until(bus, lambda camera: camera.configuration.capture.rotation == 180)
            self.assertEqual(list(camera.refusals), [])

    def until(self, bus: CameraBus, is_so: Callable[[messages.CameraStatus], bool]) -> messages.CameraStatus:
        while not is_so(camera := bus.status().cameras[0]):
            pass
        return camera

    def test_a_camera_that_is_configured_otherwise_is_another_one(self) -> None:
        self.configure("cameras:", "  cam: synthetic:160x120@30")
        with Node(options=["--config", self.file, "--log", "info"], has_terminal=False) as node, CameraBus(node.control, timeout=30) as bus:
            with bus.frames("cam", stream="raw") as frames:
                self.assertEqual(next(iter(frames)).info.size.width, 160)
                self.configure("cameras:", "  cam: synthetic:320x240@30")
                self.reload(node)
                # A reader goes on with the camera that has the name.
                for frame in frames:
                    if frame.info.size.width == 320:
                        break


if __name__ == "__main__":
    unittest.main()
