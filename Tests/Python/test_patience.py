"""Tests how long the client waits for a node that does not answer, with a clock of the test's own."""

from __future__ import annotations

import unittest
from typing import Any, Callable, Optional, Sequence
from unittest import mock

from camerabus import NOW, CameraBusError, Code, messages
from camerabus.blocking import run
from camerabus.client import Client
from camerabus.framing import read_request, write_reply
from fake import A


class SilentNode:
    """A shell whose waiting moves the clock. The node answers only `status`, after some seconds."""

    def __init__(self, status_after: Optional[float]):
        self.now = 1000.0
        self._status_after = status_after
        self._answers: list[tuple[float, list[bytes]]] = []

    is_excessive = False

    def dealer(self, endpoint: str, take: Callable[[Sequence[bytes]], None], pending: Callable[[], int]) -> SilentNode:
        self._take = take
        return self

    async def send(self, parts: Sequence[bytes]) -> None:
        request = read_request(parts)
        if request.HasField("status") and self._status_after is not None:
            reply = messages.Reply(
                id=request.id, epoch=A, index=1, final=True, status=messages.StatusReply(node_name="slow"))
            self._answers.append((self.now + self._status_after, write_reply(reply)))

    async def wait(self, timeout: float) -> bool:
        if self._answers and self._answers[0][0] <= self.now + timeout:
            self.now, parts = self._answers.pop(0)
            self._take(parts)
            return True
        self.now += timeout
        return False

    def close(self, linger: int) -> None:
        pass


class ChatteringNode(SilentNode):
    """Sends progress for every download, ten times a second, but never a chunk."""

    async def send(self, parts: Sequence[bytes]) -> None:
        request = read_request(parts)
        if request.HasField("download"):
            self._id = request.id

    async def wait(self, timeout: float) -> bool:
        self.now += 0.1
        self._take(write_reply(messages.Reply(id=self._id, epoch=A, capture_progress=messages.CaptureProgress())))
        return True


class Patience(unittest.TestCase):
    def seconds(self, status_after: Optional[float], ask: Callable[[Client], Any]) -> float:
        """How long a request with a timeout of 1 s lasts that fails."""
        node: Any = SilentNode(status_after)
        with mock.patch("camerabus.connection.time.monotonic", lambda: node.now):
            with self.assertRaises(CameraBusError) as caught:
                run(ask(Client(node, "tcp://127.0.0.1:5570", None, None, 1.0, 3.0)))
        self.assertEqual(caught.exception.code, Code.UNREACHABLE)
        return float(node.now) - 1000

    def test_a_request_ends_about_when_its_timeout_is_over(self) -> None:
        for ask in (lambda bus: bus.status(), lambda bus: bus.capture(NOW), lambda bus: bus.frame_topic("cam", "full")):
            self.assertAlmostEqual(self.seconds(None, ask), 1.3)

    def test_asking_for_the_epoch_first_takes_nothing_but_a_part_of_the_timeout(self) -> None:
        self.assertAlmostEqual(self.seconds(0.75, lambda bus: bus.capture(NOW)), 1.3)
        self.assertAlmostEqual(self.seconds(0.75, lambda bus: bus.start_recording(timeout=5)), 5.3)

    def test_a_download_without_progress_ends_after_a_minute_whatever_the_node_says(self) -> None:
        node: Any = ChatteringNode(None)
        with mock.patch("camerabus.connection.time.monotonic", lambda: node.now):
            with self.assertRaises(CameraBusError) as caught:
                run(Client(node, "tcp://127.0.0.1:5570", None, None, 1.0, 3.0).read(A))
        self.assertEqual(caught.exception.code, Code.UNREACHABLE)
        self.assertLess(node.now - 1000, 100)


if __name__ == "__main__":
    unittest.main()
