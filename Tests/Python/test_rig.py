"""Tests rigs: `camctl rig` with nodes that run, one that is gone, and cameras that are taken."""

import hashlib
import json
import pathlib
import subprocess
import tempfile
import unittest
from typing import Any

from camerabus import CameraBus
from node import PATIENCE, Node, program


class Rig(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.left = self.enterContext(Node(
            "front=synthetic:320x240@30", "back=synthetic:320x240@30,phase=9ms"))
        self.right = self.enterContext(Node("front=synthetic:160x120@50"))
        self.nodes = ["--node", self.left.control, "--node", self.right.control]
        for node, cameras in ((self.left, ("front", "back")), (self.right, ("front",))):
            with CameraBus(node.control) as bus:
                for camera in cameras:
                    bus.capture(camera=camera)

    def camctl(self, *words: object, status: int = 0) -> str:
        done = subprocess.run([program("camctl"), *map(str, words)], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done.stdout if status in (0, 75) else done.stderr

    def shot(self, *words: object, status: int = 0) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.camctl("rig", "capture", "--json", *words, status=status))
        return value

    def leases(self) -> list[str]:
        held = []
        for node in (self.left, self.right):
            with CameraBus(node.control) as bus:
                held += [camera.name for camera in bus.status().cameras if camera.HasField("lease")]
        return held

    def test_a_rig_from_nothing_to_a_shot(self) -> None:
        self.camctl("rig", "init", self.left.control, self.right.control, "--output", "rig.yaml", "--name", "studio")
        status = [json.loads(line) for line in self.camctl("rig", "status", "--rig", "rig.yaml", "--json").splitlines()]
        self.assertEqual([len(node["status"]["cameras"]) for node in status], [2, 1])
        shot = self.shot("--rig", "rig.yaml", "--output", "shot")
        self.assertEqual((shot["outcome"], shot["rig"]), ("complete", "studio"))
        self.assertEqual(shot, json.loads((self.folder / "shot" / "shot.json").read_text()))
        self.assertEqual(len(shot["parts"]), 3)
        starts = []
        for part in shot["parts"]:
            picture = part["picture"]
            (file,) = picture["files"]
            data = (self.folder / "shot" / file["name"]).read_bytes()
            self.assertEqual(file["name"], part["camera"] + ".jpg")
            self.assertEqual(hashlib.sha256(data).hexdigest(), file["sha256"])
            # The nodes have this machine's clock, so the times are those of the nodes.
            self.assertEqual(picture["clock"], {"leastNanoseconds": 0, "mostNanoseconds": 0})
            start = picture["resolved"]["timestamp"]["monotonicNanoseconds"]
            self.assertEqual((picture["earliestStartNanoseconds"], picture["latestStartNanoseconds"]), (start, start))
            self.assertEqual(picture["offset"]["mostNanoseconds"], start - shot["monotonicNanoseconds"])
            starts.append(start)
        skew = max(starts) - min(starts)
        self.assertEqual(shot["skew"], {"leastNanoseconds": skew, "mostNanoseconds": skew})
        self.assertEqual(self.leases(), [])
        self.assertIn("something in shot", self.camctl("rig", "capture", "--rig", "rig.yaml", "--output", "shot", status=1))

    def test_all_or_none(self) -> None:
        with CameraBus(self.right.control) as bus:
            bus.acquire_lease(holder="calibration")
            shot = self.shot(*self.nodes, "--output", "shot", status=75)
            self.assertEqual(shot["outcome"], "abandoned")
            problems = {part["node"]: part.get("problem", {}).get("message", "") for part in shot["parts"]}
            self.assertEqual(sorted(bool(text) for text in problems.values()), [False, True])
            self.assertTrue(any("calibration" in text for text in problems.values()))
            with CameraBus(self.left.control) as other:
                self.assertEqual(len(other.assets()), 2)  # those of the beginning
            bus.release_lease()
        self.assertEqual(self.leases(), [])
        self.assertEqual(sorted(path.name for path in (self.folder / "shot").iterdir()), ["shot.json"])

    def test_whoever_can(self) -> None:
        self.right.stop()
        shot = self.shot(*self.nodes, "--output", "shot", "--need", "2", status=75)
        self.assertEqual(shot["outcome"], "incomplete")
        self.assertEqual([part.get("failedStep") for part in shot["parts"]], [None, None, "connect"])
        self.assertEqual(len(list((self.folder / "shot").glob("*.jpg"))), 3)  # with the contact sheet
        self.shot(*self.nodes, "--output", "none", "--need", "3", status=75)
        with CameraBus(self.left.control) as bus:
            self.assertFalse(any(camera.HasField("lease") for camera in bus.status().cameras))

    def test_nothing_is_taken_by_a_dry_run(self) -> None:
        self.assertIn("3 of 3 cameras ready", self.camctl("rig", "capture", *self.nodes, "--dry-run"))
        with CameraBus(self.left.control) as bus:
            self.assertEqual(len(bus.assets()), 2)
        self.assertEqual(self.leases(), [])

    def test_a_series(self) -> None:
        self.camctl("rig", "series", *self.nodes, "--count", 3, "--every", "100ms", "--output", "series", "--format", "png")
        moments = []
        for number in ("0001", "0002", "0003"):
            folder = self.folder / "series" / number
            moments.append(json.loads((folder / "shot.json").read_text())["monotonicNanoseconds"])
            self.assertEqual(len(list(folder.glob("*.png"))), 3)
        self.assertEqual(moments, sorted(moments))

    def test_mistakes(self) -> None:
        self.camctl("rig", "capture", "--output", "shot", status=64)
        self.camctl("rig", "capture", *self.nodes, status=64)
        self.camctl("rig", "capture", *self.nodes, "--output", "shot", "--need", "0", status=64)
        self.camctl("rig", "status", "--rig", "missing.yaml", status=64)


if __name__ == "__main__":
    unittest.main()
