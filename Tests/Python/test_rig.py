"""Tests rigs: `camctl rig` with nodes that run, one that is gone, and cameras that are taken."""

import hashlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest
from typing import Any

from camerabus import NEXT, CameraBus, Credentials, messages, movie_frames
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

    def recording(self, *words: object, status: int = 0) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.camctl("rig", "record", "--json", *words, status=status))
        return value

    def test_movies_that_begin_and_end_together(self) -> None:
        recording = self.recording(*self.nodes, "--duration", "1s", "--output", "take")
        self.assertEqual(recording["outcome"], "complete")
        self.assertEqual(recording, json.loads((self.folder / "take" / "recording.json").read_text()))
        begin, end = recording["fromMonotonicNanoseconds"], recording["untilMonotonicNanoseconds"]
        self.assertEqual(end - begin, 10 ** 9)
        starts = []
        for part in recording["parts"]:
            movie = part["movie"]
            (file,) = movie["files"]
            self.assertEqual(file["name"], part["camera"] + ".mkv")
            path = self.folder / "take" / file["name"]
            self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), file["sha256"])
            frames = list(movie_frames(path))
            self.assertEqual(len(frames), movie["frames"])
            # The nodes have this machine's clock, so the times are those of the nodes.
            for frame, said in ((frames[0], movie["first"]), (frames[-1], movie["last"])):
                self.assertEqual(said["time"]["timestamp"]["monotonicNanoseconds"], frame.monotonic_ns)
                self.assertEqual(said["earliestStartNanoseconds"], frame.monotonic_ns)
            self.assertEqual(movie["first"]["offset"]["leastNanoseconds"], frames[0].monotonic_ns - begin)
            self.assertEqual(movie["last"]["offset"]["mostNanoseconds"], frames[-1].monotonic_ns - end)
            starts.append((frames[0].monotonic_ns, movie["delay"]["leastNanoseconds"]))
        first = min(start for start, _ in starts)
        self.assertEqual([delay for _, delay in starts], [start - first for start, _ in starts])

    def test_nobody_records_if_one_cannot(self) -> None:
        with CameraBus(self.right.control) as bus:
            bus.start_recording()
            recording = self.recording(*self.nodes, "--duration", "1s", "--output", "take", status=75)
        self.assertEqual(recording["outcome"], "abandoned")
        (refused,) = [part for part in recording["parts"] if "problem" in part]
        self.assertIn("records already", refused["problem"]["message"])
        with CameraBus(self.left.control) as bus:
            self.assertFalse(any(camera.HasField("recording") for camera in bus.status().cameras))
            self.assertEqual([asset for asset in bus.assets() if asset.media_type != "image/jpeg"], [])

    def test_a_camera_that_cannot_record_is_named(self) -> None:
        self.right.stop()
        recording = self.recording(*self.nodes, "--duration", "0.5s", "--output", "take", "--need", "any", status=75)
        self.assertEqual(recording["outcome"], "incomplete")
        self.assertEqual([part.get("failedStep") for part in recording["parts"]], [None, None, "connect"])
        self.assertEqual(len(list((self.folder / "take").glob("*.mkv"))), 2)

    def test_a_node_that_dies_ends_its_own_movie(self) -> None:
        process = subprocess.Popen(
            [program("camctl"), "rig", "record", "--json", *self.nodes, "--duration", "3s", "--timeout", "2s", "--output", "take"],
            cwd=self.folder, stdout=subprocess.PIPE, text=True)
        with CameraBus(self.right.control) as bus, bus.frames("front") as frames:
            for _ in frames:
                if bus.status().cameras[0].recording.frames:
                    break
        self.right.kill_for_good()
        recording = json.loads(process.communicate(timeout=PATIENCE)[0])
        self.assertEqual((process.returncode, recording["outcome"]), (75, "incomplete"))
        self.assertEqual([part.get("failedStep") for part in recording["parts"]], [None, None, "take"])
        self.assertIn("its node is gone", recording["parts"][2]["problem"]["message"])
        self.assertEqual(len(list((self.folder / "take").glob("*.mkv"))), 2)

    def test_an_interrupt_ends_all_movies_at_one_moment(self) -> None:
        process = subprocess.Popen(
            [program("camctl"), "rig", "record", "--json", *self.nodes, "--output", "take"], cwd=self.folder,
            stdout=subprocess.PIPE, text=True)
        with CameraBus(self.right.control) as bus, bus.frames("front") as frames:
            for _ in frames:
                if bus.status().cameras[0].recording.frames:
                    break
        process.send_signal(signal.SIGINT)
        recording = json.loads(process.communicate(timeout=PATIENCE)[0])
        self.assertEqual((process.returncode, recording["outcome"]), (130, "complete"))
        end = recording["untilMonotonicNanoseconds"]
        for part in recording["parts"]:
            self.assertEqual(part["movie"]["reason"], "stopped")
            self.assertLessEqual(abs(part["movie"]["last"]["offset"]["leastNanoseconds"]), 10 ** 9 // 30, end)

    def test_mistakes(self) -> None:
        self.camctl("rig", "capture", "--output", "shot", status=64)
        self.camctl("rig", "capture", *self.nodes, status=64)
        self.camctl("rig", "capture", *self.nodes, "--output", "shot", "--need", "0", status=64)
        self.camctl("rig", "status", "--rig", "missing.yaml", status=64)
        self.camctl("rig", "record", *self.nodes, "--duration", "1s", status=64)
        self.camctl("rig", "record", *self.nodes, "--duration", "0s", "--output", "take", status=64)


class Phase(unittest.TestCase):
    """Cameras whose frames begin with their streams."""

    def setUp(self) -> None:
        specification = "cam=synthetic:160x120@25,free=on"
        self.nodes = [self.enterContext(Node(specification)) for _ in range(3)]
        self.words = [word for node in self.nodes for word in ("--node", node.control)]

    def camctl(self, *words: object, status: int = 0) -> str:
        done = subprocess.run([program("camctl"), *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done.stdout

    def align(self, *words: str, status: int = 0) -> dict[str, Any]:
        """Aligns them as well as a busy machine, which begins streams late, always can."""
        value: dict[str, Any] = json.loads(self.camctl(
            "rig", "align", *self.words, *words, "--tolerance", "4ms", "--tries", "20", "--json", status=status))
        return value

    def phases(self) -> list[float]:
        """Of the cameras, by the timestamps of their frames, which have this machine's clock: milliseconds."""
        moments = []
        for node in self.nodes:
            with CameraBus(node.control) as bus:
                moments.append(bus.capture(NEXT).resolved.timestamp.monotonic_ns)
        apart = [(moment - moments[0]) % 40_000_000 / 1e6 for moment in moments]
        return [phase - 40 if phase > 20 else phase for phase in apart]

    def test_free_cameras_get_a_common_phase(self) -> None:
        alignment = self.align()
        self.assertEqual([part["isAligned"] for part in alignment["parts"]], [True] * 3)
        self.assertEqual(alignment["parts"][0]["restarts"], 0)
        for phase, part in zip(self.phases(), alignment["parts"]):
            self.assertLessEqual(abs(phase), 4.2)
            self.assertLess(abs(part["after"]["leastNanoseconds"] / 1e6 - phase), 0.2)
        status = [json.loads(line) for line in self.camctl("rig", "status", *self.words, "--json").splitlines()]
        for node in status:
            (phase,) = node["phases"]
            self.assertLessEqual(abs(phase["phase"]["mostNanoseconds"]), 4_200_000)
        # A second time there is nothing to do.
        again = self.align()
        self.assertEqual([part["restarts"] for part in again["parts"]], [0] * 3)

    def test_a_camera_that_records_is_left_alone(self) -> None:
        with CameraBus(self.nodes[1].control) as bus:
            bus.start_recording()
            alignment = json.loads(self.camctl(
                "rig", "align", *self.words, "--json", "--tolerance", "1us", "--tries", "1", status=75))
            problem = alignment["parts"][1]["problem"]
            self.assertEqual(problem["code"], "conflict")
            self.assertIn("records", problem["message"])
            self.assertEqual(bus.stop_recording().reason, messages.RecordResult.END_REASON_STOPPED)

    def test_a_camera_of_another_rate_is_named(self) -> None:
        other = self.enterContext(Node("cam=synthetic:160x120@20,free=on"))
        alignment = self.align("--node", other.control, status=75)
        self.assertEqual([part["isAligned"] for part in alignment["parts"]], [True, True, True, False])
        self.assertIn("the same rate", alignment["parts"][3]["problem"]["message"])


class WrongKey(unittest.TestCase):
    """A rig of two nodes with keys, in whose network another program takes the place of one."""

    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.left = self.add("left")
        right = self.add("right")
        right.stop()
        self.keys("invite", "somebody", "--control", right.control, folder="another")
        self.stranger = Node("cam=synthetic:160x120@30", options=["--keys", self.folder / "another", "--log", "info"])
        self.stranger.control, self.stranger.events, self.stranger.frames = right.control, right.events, right.frames
        self.enterContext(self.stranger)

    def add(self, name: str) -> Node:
        """A node that this user knows by its name, and by its key."""
        node = self.enterContext(Node("cam=synthetic:160x120@30", options=["--keys", self.folder / name, "--log", "info"]))
        invitation = self.keys("invite", "rig", "--control", node.control, folder=name)
        self.camctl("nodes", "add", name, line=invitation)
        return node

    def keys(self, verb: str, *words: str, folder: str) -> str:
        return self.camctl("keys", verb, "--keys", str(self.folder / folder), *words)

    def camctl(self, *words: str, line: str = "", status: int = 0) -> str:
        done = subprocess.run(
            [program("camctl"), *words], input=line, capture_output=True, text=True, timeout=PATIENCE,
            env={**os.environ, "XDG_CONFIG_HOME": str(self.folder / "config")}, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done.stdout

    def capture(self, need: str, status: int) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.camctl(
            "rig", "capture", "--node", "left", "--node", "right", "--output", f"shot {need}", "--need", need, "--json", status=status))
        return value

    def test_a_node_with_a_wrong_key_is_named_and_gets_no_shot(self) -> None:
        known, unknown = (json.loads(line) for line in self.camctl(
            "rig", "status", "--node", "left", "--node", "right", "--json", status=75).splitlines())
        self.assertEqual((known["name"], known.get("problem")), ("left", None))
        self.assertEqual((unknown["name"], unknown["problem"]["code"], unknown.get("status")), ("right", "wrongNode", None))
        for need, outcome, pictures in (("all", "abandoned", 0), ("any", "incomplete", 1)):
            with self.subTest(need):
                shot = self.capture(need, status=75)
                self.assertEqual(shot["outcome"], outcome)
                left, right = shot["parts"]
                self.assertEqual((left.get("problem"), len(left.get("picture", {}).get("files", []))), (None, pictures))
                self.assertEqual((right["node"], right["failedStep"], right["problem"]["code"]), ("right", "connect", "wrongNode"))
                self.assertIn("invitation", right["problem"]["message"])
                files = {path.name for path in (self.folder / f"shot {need}").iterdir()} - {"shot.json", "contact-sheet.jpg"}
                self.assertEqual(len(files), pictures)
        secret = self.folder / "another" / "node.key_secret"
        with CameraBus(self.stranger.control, credentials=Credentials.from_files(secret, secret), timeout=PATIENCE) as bus:
            status = bus.status()
            self.assertFalse([topic.topic for topic in status.topics if "shot" in topic.topic or "capture" in topic.topic])
            self.assertFalse(status.cameras[0].HasField("lease"))
            self.assertEqual(len(bus.assets()), 0)
        self.assertNotIn("leased", self.stranger.errors())


if __name__ == "__main__":
    unittest.main()
