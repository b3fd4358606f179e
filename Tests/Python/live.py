"""A base class with one node for all tests of a class, and a client for each test."""

import random
import unittest
from typing import Callable, Optional

from camerabus import CameraBus, CameraBusError, Code, Disconnected, Monitor, Reconnected, Snapshot
from node import Node


class WithNode(unittest.TestCase):
    """Starts a node with two cameras for all tests of a class."""

    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(
            Node("front=synthetic:640x480@30,format=YUYV", "back=synthetic:320x240@30,format=MJPG"))
        cls.see_frames("front", 20)  # fill the ring, so that tests can take photos of the past

    @classmethod
    def see_frames(cls, camera: str, count: int) -> None:
        with CameraBus(cls.node.control) as bus, bus.frames(camera) as frames:
            for _ in range(count):
                assert frames.next(30), f"{camera} sends no frames"

    def setUp(self) -> None:
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=30))

    def assert_snapshot(self, monitor: Monitor) -> None:
        """Waits for the snapshot: from then on the monitor misses no event."""
        while isinstance(notice := monitor.next(30), (Disconnected, Reconnected)):
            pass
        self.assertIsInstance(notice, Snapshot)

    def assert_fails(self, code: Code, function: Callable[..., object], *arguments: object, field: Optional[str] = None,
                     **options: object) -> CameraBusError:
        with self.assertRaises(CameraBusError) as caught:
            function(*arguments, **options)
        self.assertEqual(caught.exception.code, code, caught.exception)
        if field is not None:
            self.assertEqual(caught.exception.field, field)
        return caught.exception


class AtRandomMoments(WithNode):
    """With a live node, and a seed whose moments `random.seed` repeats; a failure says it."""

    def setUp(self) -> None:
        super().setUp()
        seed = random.randrange(2 ** 32)
        self.random = random.Random(seed)
        self.message = f"seed {seed}"
