"""Tests the recovery of cameras that are lost in every way that drivers know, while they have work
to do.
"""

import os
import random
import unittest
from pathlib import Path

import faults
import vivid
from bars import BARS, check_bars
from camerabus import NEXT, CameraBus, CameraBusError, Code
from jpegs import without_facts
from loopback import Feeder, padded, test_images
from monitor import Follower, Monitor
from programs import Node, packets, v4l2
from work import Download, Work

VIVID, LOOPBACK = "platform:vivid-000", "/dev/video9"
SIZES = {"cam": (320, 180), "loop": (640, 360)}
ROUNDS = 20
SEED = int(os.environ.get("CAMERABUS_SEED") or random.randrange(1 << 32))


class Recovery(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.images = test_images(*SIZES["loop"], 10)
        # The rounds change the numbers of the cameras.
        cls.addClassCleanup(vivid.replug)
        cls.feeder = Feeder(LOOPBACK, *SIZES["loop"], [padded(image, 400_000) for image in cls.images])
        cls.addClassCleanup(cls.feeder.end)
        cls.node = cls.enterClassContext(
            Node(f"cam=v4l2:{VIVID},320x180@10,format=YUYV", f"loop=v4l2:{LOOPBACK},format=MJPG"))
        cls.monitor = cls.enterClassContext(Monitor(cls.node))
        cls.bus = cls.enterClassContext(CameraBus(cls.node.control, timeout=90))
        # A file so large that its download needs more than the first credit.
        big = cls.bus.start_recording("loop", maximum_bytes=8 << 20)
        cls.monitor.ends(big.recording.hex())
        (cls.big,) = cls.bus.assets(request_id=big.recording)
        cls.feeder.images = cls.images
        # Show the bars without text. After a loss the node must restore this setting, or photos are
        # wrong.
        cls.bus.set_controls({"osd_text_mode": 2}, "cam")

    def status(self, camera):
        (status,) = self.bus.status(camera).cameras
        return status

    def test_rounds(self):
        """A lost camera ends each of its requests once, and comes back as it was"""
        choice = random.Random(SEED)
        print(f"# CAMERABUS_SEED={SEED} repeats these rounds", flush=True)
        every = [("cam", fault) for fault in faults.OF_VIVID] + [("loop", fault) for fault in faults.OF_LOOPBACK]
        rounds = every + choice.choices(every, k=ROUNDS - len(every))
        choice.shuffle(rounds)
        self.movies = {camera: [] for camera in SIZES}
        sizes = []
        with Follower(self.node, "watch", "--camera", "cam", "--frames") as self.preview:
            for number, (camera, fault) in enumerate(rounds, 1):
                with self.subTest(round=number, fault=fault.__name__):
                    self.play(camera, fault, choice.randrange(1 << 16))
                sizes.append((self.descriptors(), self.memory()))
        print(f"# descriptors and kilobytes after each round: {sizes}", flush=True)
        self.check_sizes(sizes)
        self.check_movies()
        self.assertEqual(self.monitor.missed(), [])

    def play(self, camera, fault, value):
        """Loses the camera while it does all kinds of work, and gets it back."""
        if camera == "cam":
            self.bus.set_controls({"integer_32_bits": value}, "cam")
        before = self.status(camera)
        work = Work(self.node.control, camera)
        subject = before.device.location if camera == "cam" else self.feeder
        with Download(self.node.control, self.big):
            mark = self.monitor.mark()
            work.hurry()
            with fault(subject) as (state, reason, words):
                trouble = self.monitor.trouble(camera, mark, words)
                self.assertEqual((trouble["state"], trouble.get("interruption")), (state, reason))
                self.assertEqual(trouble["readiness"], "sessionNotRunning")
                self.movies[camera].append(work.check(self, self.monitor))
            self.monitor.ready(camera, trouble)
        self.check_camera(camera, before, value)

    def check_camera(self, camera, before, value):
        """Checks that the camera is as it was, that photos are right, and that the preview goes on.
        """
        after = self.status(camera)
        self.assertEqual(after.format, before.format)
        taken = self.bus.capture(NEXT, camera)
        if camera == "loop":
            self.assertIn(without_facts(taken.data), self.images)
            return
        photo = self.node.folder / "photo.jpg"
        taken.write(photo, overwrite=True)
        check_bars(self, photo, *SIZES["cam"], BARS)
        shown = v4l2(after.device.location, "--get-ctrl", "integer_32_bits")
        self.assertEqual(shown.split(), ["integer_32_bits:", str(value)])
        moment = taken.resolved.timestamp.monotonic_ns
        self.preview.wait(0, lambda frame: frame["timestamp"]["monotonicNanoseconds"] >= moment)

    def check_movies(self):
        """Checks that all movies can be read to the end and have as many frames as reported."""
        for camera, movies in self.movies.items():
            paths = [self.node.folder / "library" / movie["asset"]["path"] for movie in movies]
            self.assertEqual(packets(paths), sum(movie["frames"] for movie in movies), camera)

    def check_sizes(self, sizes):
        """Checks that descriptors and memory do not grow from round to round."""
        descriptors, memory = zip(*sizes)
        self.assertLessEqual(max(descriptors[ROUNDS // 2:]), max(descriptors[:ROUNDS // 2]) + 2)
        # The node keeps up to 16 MiB of answers with their pictures and 1 MiB of events for each
        # topic, which fill up during the rounds. If each round leaked a stream's buffers, the
        # growth would be far larger.
        self.assertLessEqual(memory[-1], max(memory[:ROUNDS // 2]) + 60_000)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.node.process.pid}/fd"))

    def memory(self):
        """The node's resident memory, in kilobytes."""
        status = Path(f"/proc/{self.node.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

    def test_gone(self):
        """A request to a missing camera is answered at once; status says what the node has tried"""
        requests = {
            "controls": lambda: self.bus.controls("cam"),
            "get": lambda: self.bus.controls("cam", ["brightness"]),
            "set": lambda: self.bus.set_controls({"brightness": 1}, "cam"),
            "formats": lambda: self.bus.formats("cam"),
            "start": lambda: self.bus.start_session("cam"),
            "photo": lambda: self.bus.capture(NEXT, "cam"),
            "movie": lambda: self.bus.start_recording("cam"),
        }
        mark = self.monitor.mark()
        with faults.unplugged(self.status("cam").device.location):
            trouble = self.monitor.trouble("cam", mark)
            for name, request in requests.items():
                with self.subTest(request=name), self.assertRaises(CameraBusError) as raised:
                    request()
                self.assertEqual(raised.exception.code, Code.DEVICE_NOT_FOUND)
                self.assertTrue(raised.exception.retryable)
            tried = self.status("cam")
            self.assertEqual(tried.since.monotonic_ns, trouble["since"]["monotonicNanoseconds"])
            self.assertTrue(tried.last_attempt.startswith("failed to open /dev/video"), tried)
            self.assertGreaterEqual(tried.attempts, 1)
            self.assertGreater(tried.next_attempt_monotonic_ns, tried.last_attempt_monotonic_ns)
        self.monitor.ready("cam", trouble)


class ByPath(unittest.TestCase):
    def test_path(self):
        """A node waits for a camera that is named by its path at this path"""
        self.addCleanup(vivid.replug)
        with Node("cam=v4l2:/dev/video0,320x180@10,format=YUYV") as node, Monitor(node) as monitor:
            mark = monitor.mark()
            with faults.plugged_in_elsewhere("/dev/video0"):
                trouble = monitor.trouble("cam", mark, "there is no /dev/video0")
            tries = monitor.trouble("cam", monitor.mark())["attempts"]
            still = monitor.state("cam", mark, lambda status: status["attempts"] > tries)
            self.assertEqual(still["state"], "interrupted")
            vivid.replug()
            monitor.ready("cam", trouble)
