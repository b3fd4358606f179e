"""Tests the rig of the Python client with nodes that run: blocking and in asyncio."""

import asyncio
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from typing import Any

from both_rigs import WithBothRigs
from camerabus import (
    ALL, ANY, AsyncRig, CameraBus, CameraBusError, Code, PhotoSettings, Published, Readiness, Rig, RigOutcome, RigShot, RigStep,
    ShotFolder, at_least, messages)
from camerabus.wire_json import number, resolved_json
from expecting import is_a, present
from node import PATIENCE, Node, program

CALIBRATION = """image_width: 320
image_height: 240
camera_matrix: {rows: 3, cols: 3, data: [300, 0, 160.5, 0, 300, 120.5, 0, 0, 1]}
distortion_model: plumb_bob
distortion_coefficients: {rows: 1, cols: 5, data: [0.1, -0.05, 0, 0, 0]}
"""


def keys(value: Any) -> Any:
    """A value of JSON with the kinds of values instead of them."""
    if isinstance(value, dict):
        return {key: keys(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [keys(inner) for inner in value]
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


class WithNodes(WithBothRigs):
    left: Node
    right: Node

    @classmethod
    def setUpClass(cls) -> None:
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (folder / "front.yaml").write_text(CALIBRATION)
        cls.left = cls.enterClassContext(Node(
            f"front=synthetic:320x240@30,calibration={folder}/front.yaml", "back=synthetic:320x240@30,format=YUYV,phase=9ms"))
        cls.right = cls.enterClassContext(Node("front=synthetic:160x120@50"))
        for node, cameras in ((cls.left, ("front", "back")), (cls.right, ("front",))):
            with CameraBus(node.control, timeout=PATIENCE) as bus:
                for camera in cameras:
                    bus.capture(camera=camera)

    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.rig: dict[str, object] = {"name": "studio", "nodes": [
            {"node": self.left.control, "name": "left", "cameras": [
                {"camera": "front", "name": "north", "position": [0, 1.5, -2]}, {"camera": "back"}]},
            {"node": self.right.control, "name": "right"}]}
        self.file = self.folder / "rig.yaml"
        self.file.write_text(json.dumps(self.rig))  # which is YAML too

    def capture(self, **options: Any) -> RigShot:
        return is_a(RigShot, self.side.call("capture", **options))

    def leases(self) -> list[str]:
        held = []
        for node in (self.left, self.right):
            with CameraBus(node.control) as bus:
                held += [camera.name for camera in bus.status().cameras if camera.HasField("lease")]
        return held


class Shots(WithNodes):
    def camctl_shot(self, *words: object, status: int = 0) -> dict[str, Any]:
        output = self.folder / f"camctl{len(list(self.folder.iterdir()))}"
        done = subprocess.run(
            [program("camctl"), "rig", "capture", *map(str, words), "--output", output], capture_output=True, text=True,
            timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        shot: dict[str, Any] = json.loads((output / "shot.json").read_text())
        return shot

    def test_the_folder_of_a_shot_is_that_of_camctl(self) -> None:
        theirs = self.camctl_shot("--rig", self.file)

        def test() -> None:
            self.side.open(self.file)
            output = self.folder / type(self.side).__name__
            shot = self.capture(folder=output)
            ours = json.loads((output / "shot.json").read_text())
            self.assertEqual(keys(ours), keys(theirs))
            self.assertEqual(ours, shot.json())
            self.assertEqual((ours["outcome"], ours["rig"], ours["shot"]), ("complete", "studio", shot.shot.hex()))
            for part, other in zip(ours["parts"], theirs["parts"]):
                for name in ("camera", "node", "nodeCamera", "position"):
                    self.assertEqual(part.get(name), other.get(name))
                self.assertEqual(part["picture"].get("calibration"), other["picture"].get("calibration"))
                for name in ("size", "orientation", "facts", "prioritization", "isPassthrough", "mergedFrames"):
                    self.assertEqual(part["picture"]["resolved"][name], other["picture"]["resolved"][name])
                (file,), (other_file,) = part["picture"]["files"], other["picture"]["files"]
                self.assertEqual((file["name"], file["mediaType"]), (other_file["name"], other_file["mediaType"]))
                data = (output / file["name"]).read_bytes()
                self.assertEqual((hashlib.sha256(data).hexdigest(), len(data)), (file["sha256"], file["byteCount"]))
            # The nodes have this machine's clock, so the times are those of the nodes.
            starts = [part["picture"]["resolved"]["timestamp"]["monotonicNanoseconds"] for part in ours["parts"]]
            self.assertEqual([part["picture"]["earliestStartNanoseconds"] for part in ours["parts"]], starts)
            apart = max(starts) - min(starts)
            self.assertEqual(ours["skew"], {"leastNanoseconds": apart, "mostNanoseconds": apart})
            self.assertEqual(len(list(output.iterdir())), 4)
            self.assertEqual(self.leases(), [])

        self.both(test)

    def test_a_shot_that_is_not_taken_is_told_as_camctl_tells_it(self) -> None:
        with CameraBus(self.right.control) as bus:
            bus.acquire_lease(holder="calibration")
            self.addCleanup(lambda: self.assertEqual(self.leases(), []))
            theirs = self.camctl_shot("--rig", self.file, status=75)

            def test() -> None:
                self.side.open(self.file)
                output = self.folder / type(self.side).__name__
                shot = self.capture(folder=output)
                ours = json.loads((output / "shot.json").read_text())
                self.assertEqual(shot.outcome, RigOutcome.ABANDONED)
                self.assertEqual(keys(ours), keys(theirs))
                self.assertEqual(ours["parts"][2]["problem"], theirs["parts"][2]["problem"])
                self.assertEqual(ours["parts"][2]["failedStep"], theirs["parts"][2]["failedStep"])
                self.assertEqual([path.name for path in output.iterdir()], ["shot.json"])
                self.assertEqual(self.leases(), ["front"])

            self.both(test)
            bus.release_lease()

    def test_several_files_of_each_picture(self) -> None:
        theirs = self.camctl_shot("--rig", self.file, "--format", "jpeg,png,raw")
        with Rig(self.file) as rig:
            shot = rig.capture(settings=PhotoSettings(["jpeg", "png", "raw"]), folder=self.folder / "own")
            self.assertEqual(keys(shot.json()), keys(theirs))
            self.assertEqual([[file.name for file in present(part.picture).files] for part in shot.parts],
                             [[file["name"] for file in part["picture"]["files"]] for part in theirs["parts"]])
            self.assertEqual(len(list((self.folder / "own").iterdir())), 10)

    def test_without_a_folder_the_pictures_are_in_memory(self) -> None:
        with Rig(self.rig) as rig:
            shot = rig.capture(policy=at_least(3))
            for part in shot.parts:
                picture = present(part.picture)
                self.assertEqual(hashlib.sha256(present(picture.photo.data)).digest(), picture.files[0].sha256)
                self.assertIsNone(picture.files[0].name)
                self.assertEqual(present(picture.photo.asset).request_id, picture.photo.request_id)

    def test_a_series_has_a_folder_for_each_shot(self) -> None:
        def test() -> None:
            self.side.open(self.rig)
            output = self.folder / type(self.side).__name__
            shots = list(self.side.each("series", every=0.2, count=2, folder=output))
            for shot, name in zip(shots, ("0001", "0002")):
                self.assertEqual(json.loads((output / name / "shot.json").read_text()), shot.json())
                self.assertEqual(len(list((output / name).glob("*.jpg"))), 3)

        self.both(test)

    def test_a_node_that_is_killed_ends_its_own_part(self) -> None:
        def test() -> None:
            with Node("front=synthetic:160x120@50") as other:
                rig = [{"node": self.left.control, "name": "left"}, {"node": other.control, "name": "other"}]
                self.side.open(rig, timeout=2)
                self.assertEqual(self.capture().outcome, RigOutcome.COMPLETE)
                other.kill_for_good()
                shot = self.capture(policy=ANY)
                self.assertEqual(shot.outcome, RigOutcome.INCOMPLETE)
                self.assertEqual([(part.node, part.failed_step) for part in shot.missing], [("other", RigStep.CONNECT)])
                self.assertEqual(self.leases(), [])

        self.both(test)

    def test_a_node_that_is_killed_during_a_shot_ends_its_own_part(self) -> None:
        def test() -> None:
            with Node("front=synthetic:160x120@50") as other, CameraBus(other.control) as bus, bus.events() as monitor:
                rig = [{"node": self.left.control, "name": "left"}, {"node": other.control, "name": "other"}]
                self.side.open(rig, timeout=1)
                self.assertTrue(bus.capture().data)

                def kill() -> None:
                    while True:
                        notice = present(monitor.next(30))
                        if isinstance(notice, Published) and notice.event.state.HasField("lease"):
                            return other.kill_for_good()

                killer = threading.Thread(target=kill)
                killer.start()
                # The node waits for its frame when it is killed.
                shot = self.capture(at=time.monotonic_ns() + 3 * 10 ** 9, policy=ANY)
                killer.join()
                self.assertEqual(shot.outcome, RigOutcome.INCOMPLETE)
                [missing] = shot.missing
                self.assertEqual(missing.node, "other")
                self.assertIn(missing.failed_step, (RigStep.PREPARE, RigStep.TAKE))
                self.assertEqual([bool(present(part.picture).offset) for part in shot.parts[:2]], [True, True])

        self.both(test)

    def test_a_picture_that_cannot_be_kept_says_so(self) -> None:
        def test() -> None:
            self.side.open(self.rig)
            output = self.folder / type(self.side).__name__
            with ShotAt(output, "back.jpg"):
                shot = self.capture(folder=output)
            part = shot.parts[1]
            self.assertEqual((part.failed_step, present(part.problem).code), (RigStep.KEEP, Code.FILE_EXISTS))
            # The node's library has it.
            self.assertIsNone(present(part.picture).files[0].name)
            self.assertEqual(shot.outcome, RigOutcome.INCOMPLETE)

        self.both(test)

    def test_a_description_that_is_there_is_not_replaced(self) -> None:
        def test() -> None:
            self.side.open(self.rig)
            output = self.folder / type(self.side).__name__
            with ShotAt(output, "shot.json"), self.assertRaises(CameraBusError) as caught:
                self.capture(folder=output)
            self.assertEqual(caught.exception.code, Code.FILE_EXISTS)
            self.assertEqual((output / "shot.json").read_text(), "taken")
            self.assertEqual(len(list(output.glob("*.jpg"))), 3)

        self.both(test)


class Interruptions(WithNodes):
    def test_no_moment_of_ctrl_c_leaves_a_camera_prepared(self) -> None:
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        seed = random.randrange(2 ** 32)
        moments = random.Random(seed)
        interrupted = 0
        with Rig(self.rig) as rig:
            rig.capture()
            for _ in range(60):
                delay = moments.uniform(0.001, 0.2)
                try:
                    signal.setitimer(signal.ITIMER_REAL, delay)
                    rig.capture()
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except KeyboardInterrupt:
                    interrupted += 1
                self.await_freedom(f"seed {seed}, after {delay} s")
            self.assertGreater(interrupted, 0)
            self.assertEqual(rig.capture().outcome, RigOutcome.COMPLETE)

    def test_no_moment_of_a_cancellation_leaves_a_camera_prepared(self) -> None:
        seed = random.randrange(2 ** 32)
        moments = random.Random(seed)

        async def use() -> int:
            cancelled = 0
            async with AsyncRig(self.rig) as rig:
                await rig.capture()
                for _ in range(60):
                    delay = moments.uniform(0.001, 0.2)
                    task = asyncio.create_task(rig.capture())
                    await asyncio.sleep(delay)
                    task.cancel()
                    await asyncio.wait([task])
                    cancelled += task.cancelled()
                    await asyncio.to_thread(self.await_freedom, f"seed {seed}, after {delay} s")
                self.assertEqual((await rig.capture()).outcome, RigOutcome.COMPLETE)
            return cancelled

        self.assertGreater(asyncio.run(use()), 0)

    def await_freedom(self, message: str) -> None:
        """Waits until no camera is leased, which a lease that ends by itself takes ten seconds for."""
        begin = time.monotonic()
        for node in (self.left, self.right):
            with CameraBus(node.control) as bus, bus.events() as monitor:
                held = {camera.name for camera in bus.status().cameras if camera.HasField("lease")}
                while held:
                    notice = present(monitor.next(30))
                    if isinstance(notice, Published) and notice.event.HasField("state"):
                        state = notice.event.state
                        (held.add if state.HasField("lease") else held.discard)(state.name)
        self.assertLess(time.monotonic() - begin, 8, message)


class ShotAt:
    """A folder in which a name is taken as soon as it was found to be empty."""

    def __init__(self, folder: pathlib.Path, name: str):
        self._folder, self._name = folder, name
        self._listdir = os.listdir

    def __enter__(self) -> None:
        def listdir(path: str) -> list[str]:
            names = self._listdir(path)
            if path == str(self._folder):
                (self._folder / self._name).write_text("taken")
            return names

        os.listdir = listdir  # type: ignore[assignment]

    def __exit__(self, *_: object) -> None:
        os.listdir = self._listdir


class States(WithNodes):
    def test_the_states_and_clocks_of_all_nodes(self) -> None:
        def test() -> None:
            with Node("front=synthetic:160x120@50") as gone:
                gone.kill_for_good()
                self.rig["nodes"] = [*self.rig["nodes"], {"node": gone.control, "name": "gone"}]  # type: ignore[misc]
                self.side.open(self.rig, presence=0.5)
                left, right, missing = self.side.call("status")
                self.assertEqual([camera.name for camera in left.status.cameras], ["front", "back"])
                self.assertEqual((left.clock.least, left.clock.most, left.problem), (0, 0, None))
                self.assertEqual((missing.name, missing.status, missing.clock), ("gone", None, None))
                self.assertEqual(missing.problem.code, Code.UNREACHABLE)
                clocks = self.side.call("clocks")
                self.assertEqual([(clock.node, clock.is_changed) for clock in clocks],
                                 [("left", False), ("right", False), ("gone", False)])
                self.assertEqual((clocks[1].offset.least, clocks[1].offset.most), (0, 0))
                self.assertEqual((clocks[2].offset, clocks[2].problem.code), (None, Code.UNREACHABLE))
                readiness = self.side.call("readiness")
                self.assertEqual((readiness.is_ready, readiness.ready, readiness.cameras), (False, 3, 4))
                [obstacle] = readiness.in_the_way
                self.assertEqual((obstacle.camera, obstacle.node, obstacle.readiness), (None, "gone", None))
                self.assertIn("does the node run there", obstacle.why)
                self.assertTrue(self.side.call("readiness", at_least(3)).is_ready)
                self.rig["nodes"] = self.rig["nodes"][:2]  # type: ignore[index]

        self.both(test)

    def test_only_the_cameras_of_the_rig_count(self) -> None:
        rig = [{"node": self.left.control, "cameras": ["back"]}]

        def test() -> None:
            self.side.open(rig)
            [left] = self.side.call("status")
            self.assertEqual([camera.name for camera in left.status.cameras], ["back"])
            self.assertEqual([part.camera for part in self.capture().parts], ["back"])

        self.both(test)

    def test_readiness_names_who_is_in_the_way(self) -> None:
        self.rig["nodes"] = [{"node": self.left.control, "name": "left", "cameras": [
            {"camera": "front", "name": "north"}, "back", "side"]}]

        def test() -> None:
            self.side.open(self.rig)
            with CameraBus(self.left.control) as bus:
                bus.acquire_lease("front", holder="calibration")
                bus.suspend_session("back", reason="cleaning")
                try:
                    readiness = self.side.call("readiness", ALL)
                    bus.stop_session("back")
                    stopped = self.side.call("readiness").in_the_way[1]
                finally:
                    bus.start_session("back")
                    bus.release_lease("front")
            self.assertEqual((readiness.is_ready, readiness.ready, readiness.cameras), (False, 0, 3))
            front, back, side = readiness.in_the_way
            self.assertEqual((front.camera, front.node, front.readiness), ("north", "left", Readiness.NOT_READY_LEASED))
            self.assertIn("calibration", front.why)
            self.assertEqual((back.camera, back.readiness), ("back", Readiness.SESSION_NOT_RUNNING))
            self.assertRegex(back.why, "resume|cleaning")
            self.assertEqual((stopped.camera, stopped.readiness), ("back", Readiness.SESSION_NOT_RUNNING))
            self.assertIn("start it", stopped.why)
            self.assertEqual((side.camera, side.readiness), ("side", None))
            self.assertIn("no camera side", side.why)
            self.assertNotIn("north", [obstacle.camera for obstacle in self.side.call("readiness", ANY).in_the_way])

        self.both(test)


class Mistakes(WithNodes):
    def assert_invalid(self, field: str, words: str, method: str, **options: Any) -> None:
        with self.assertRaises(CameraBusError) as caught:
            if method in ("capture", "readiness"):
                self.side.call(method, **options)
            else:
                next(self.side.each(method, **options))
        self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, field))
        self.assertIn(words, caught.exception.message)

    def test_wrong_values_are_told_before_anything_is_sent(self) -> None:
        def test() -> None:
            self.side.open(self.rig)
            for method in ("capture", "shoot"):
                self.assert_invalid("at", "time.monotonic_ns()", method, at=0.5)
                self.assert_invalid("at", "time.monotonic_ns()", method, at=-1)
                self.assert_invalid("at", "at most 10 s ahead", method, at=2 ** 62)
                self.assert_invalid("policy", "give ALL, ANY or at_least(NUMBER)", method, policy=2)
                self.assert_invalid("settings", "PhotoSettings", method, settings={})
                self.assert_invalid("folder", "the path of a file", method, folder=3)
            self.assert_invalid("every", "above 0", "series", every=0, count=1)
            self.assert_invalid("count", "from 1", "series", every=1, count=0)
            self.assert_invalid("policy", "give ALL", "series", every=1, count=1, policy="all")
            self.assert_invalid("policy", "give ALL", "readiness", policy=None)

        self.both(test)
        for least in (0, 1.5, "2"):
            with self.assertRaises(CameraBusError):
                at_least(least)  # type: ignore[arg-type]

    def test_a_rig_has_nodes_that_are_known(self) -> None:
        for rig, options in (([], {}), (["nobody-knows-it"], {}), ("missing.yaml", {}), ([self.left.control], {"own": 3}),
                             ([self.left.control], {"timeout": 0}), ([self.left.control], {"presence": -1})):
            with self.assertRaises(CameraBusError, msg=str(rig)):
                Rig(rig, **options)  # type: ignore[arg-type]

    def test_a_folder_has_to_be_empty(self) -> None:
        (self.folder / "file").write_text("")
        before = [len(self.assets(node)) for node in (self.left, self.right)]

        def test() -> None:
            self.side.open(self.rig)
            for folder, code in ((self.folder, Code.FILE_EXISTS), (self.folder / "file", Code.FILE_EXISTS),
                                 (self.folder / "file" / "shot", Code.FILE_EXISTS)):
                with self.assertRaises(CameraBusError) as caught:
                    self.capture(folder=folder)
                self.assertEqual(caught.exception.code, code)
                self.assertIn("name a folder", caught.exception.message)

        self.both(test)
        self.assertEqual([len(self.assets(node)) for node in (self.left, self.right)], before)

    def assets(self, node: Node) -> list[messages.Asset]:
        with CameraBus(node.control) as bus:
            return bus.assets()


class Values(unittest.TestCase):
    def test_a_frame_has_the_keys_of_swift(self) -> None:
        resolved = messages.ResolvedCapture(
            timestamp=messages.Timestamp(monotonic_ns=1, wall_ns=2, wall_error_ns=3), exposure_ns=4, quality=90,
            flash=messages.ControlEffect.BASIS_METADATA,
            timestamp_mark=messages.TIMESTAMP_MARK_FRAME_END, calibration_id="c",
            facts=messages.FrameFacts(gain=0.25, focus=1, kelvin=5000, zoom=2, flash=True,
                                      color_range=messages.COLOR_RANGE_FULL, color_matrix=messages.COLOR_MATRIX_BT709),
            device_time=messages.DeviceTime(ticks=5, monotonic_ns=6, error_ns=7, basis=messages.DeviceTime.BASIS_USB_FRAMES),
            prioritization=messages.PHOTO_PRIORITIZATION_QUALITY, merged_frames=4,
            shot=messages.ResolvedShot(index=1, count=2, evidence=messages.ControlEffect.BASIS_PICTURE, settings=[
                messages.ControlsSetRequest.Setting(id="a", value=messages.ControlValue(number=0.5)),
                messages.ControlsSetRequest.Setting(id="b", value=messages.ControlValue(bytes=b"\x01\xff")),
                messages.ControlsSetRequest.Setting(
                    id="c", value=messages.ControlValue(point=messages.ControlValue.Point(x=0.5, y=1))),
                messages.ControlsSetRequest.Setting(id="d", value=messages.ControlValue())]))
        self.assertEqual(resolved_json(resolved), {
            "picture": 1, "frameSequence": 0, "offsetNanoseconds": 0, "size": {"width": 0, "height": 0},
            "timestamp": {"monotonicNanoseconds": 1, "wallNanoseconds": 2, "wallErrorNanoseconds": 3},
            "exposure": {"earliestStartNanoseconds": 0, "latestEndNanoseconds": 0, "durationNanoseconds": 4,
                         "timestampMark": "frameEnd"},
            "orientation": {"rotation": 0, "isMirrored": False}, "isPassthrough": False, "quality": 90,
            "startNanoseconds": 0, "calibrationID": "c", "gapNanoseconds": 0, "prioritization": "quality",
            "mergedFrames": 4, "flash": "metadata",
            "facts": {"gain": 0.25, "focus": 1, "kelvin": 5000, "zoom": 2, "colorRange": "full", "colorMatrix": "bt709",
                      "isLitByFlash": True},
            "deviceTime": {"ticks": 5, "monotonicNanoseconds": 6, "errorNanoseconds": 7, "basis": "usbFrames"},
            "shot": {"index": 1, "count": 2, "evidence": "picture", "settings": [
                {"id": "a", "value": 0.5}, {"id": "b", "value": {"hex": "01ff"}}, {"id": "c", "value": {"x": 0.5, "y": 1}}]}})
        # A newer node may say more.
        self.assertEqual(resolved_json(messages.ResolvedCapture())["exposure"]["timestampMark"], "unknown")
        self.assertEqual([number(value) for value in (1e300, float("inf"), -float("inf"))], [1e300, "Infinity", "-Infinity"])
        self.assertEqual(number(float("nan")), "NaN")


if __name__ == "__main__":
    unittest.main()
