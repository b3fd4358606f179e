"""Tests how long the client waits for a node that does not answer, with a clock of the test's own."""

from __future__ import annotations

import unittest
from typing import Any, Callable, Optional, Sequence
from unittest import mock

from camerabus import NOW, CameraBusError, Code, messages
from camerabus.blocking import run
from camerabus.client import Client
from camerabus.credentials import Credentials
from camerabus.framing import read_request, write_reply
from camerabus.subscription import Subscription
from fake import A


class SilentNode:
    """A shell whose waiting moves the clock. The node answers only `status`, after some seconds."""

    def __init__(self, status_after: Optional[float]):
        self.now = 1000.0
        self._status_after = status_after
        self._answers: list[tuple[float, list[bytes]]] = []

    is_excessive = False
    refusal = None

    def dealer(self, endpoint: str, credentials: Optional[Credentials], take: Callable[[Sequence[bytes]], None],
               pending: Callable[[], int]) -> SilentNode:
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


class StoppedReader:
    """A shell of a process that was stopped for a minute. What arrived meanwhile is read `reading`
    seconds after the process runs again, or never.
    """

    def __init__(self, reading: Optional[float]):
        self.now = 1000.0
        self._read_at = None if reading is None else 1060 + reading

    def subscriber(self, endpoint: str, credentials: Optional[Credentials], prefixes: Sequence[str], queue: int,
                   largest: int, waiting: int) -> StoppedReader:
        return self

    async def receive(self, timeout: float) -> Optional[list[bytes]]:
        if self.now < 1060:
            self.now = 1060.0
            return None
        if self._read_at is not None and self._read_at <= self.now + timeout:
            self.now = self._read_at
            return [b"event"]
        self.now += max(0.0, timeout)
        return None

    def close(self) -> None:
        pass


class Silence(unittest.TestCase):
    def receive(self, reading: Optional[float]) -> tuple[Optional[list[bytes]], Optional[bool], float]:
        node: Any = StoppedReader(reading)

        async def endpoint() -> str:
            return "tcp://127.0.0.1:5571"

        with mock.patch("camerabus.subscription.time.monotonic", lambda: node.now):
            subscription = Subscription(node, endpoint, None, ["event/"], 1, 1, 1)
            parts = run(subscription.receive(3600.0))
        return parts, subscription.connected, float(node.now)

    def test_what_arrived_while_the_process_was_stopped_is_read_before_silence_is_judged(self) -> None:
        self.assertEqual(self.receive(0.9), ([b"event"], True, 1060.9))

    def test_a_node_that_is_silent_then_too_is_lost_a_second_later(self) -> None:
        self.assertEqual(self.receive(None), (None, False, 1061.0))


class Patience(unittest.TestCase):
    def seconds(self, status_after: Optional[float], ask: Callable[[Client], Any]) -> float:
        """How long a request with a timeout of 1 s lasts that fails."""
        node: Any = SilentNode(status_after)
        with mock.patch("camerabus.connection.time.monotonic", lambda: node.now):
            with self.assertRaises(CameraBusError) as caught:
                run(ask(Client(node, "tcp://127.0.0.1:5570", None, None, None, None, 1.0, 3.0)))
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
                run(Client(node, "tcp://127.0.0.1:5570", None, None, None, None, 1.0, 3.0).read(A))
        self.assertEqual(caught.exception.code, Code.UNREACHABLE)
        self.assertLess(node.now - 1000, 100)


if __name__ == "__main__":
    unittest.main()
