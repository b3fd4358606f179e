"""Tests the asyncio client: with a running node, and with one that falls silent."""

import asyncio
import hashlib
import os
import tempfile
import unittest
from pathlib import Path
from typing import Optional

from camerabus import (
    NOW, AsyncCameraBus, AsyncMonitor, CameraBusError, Code, PhotoSettings, Published, Snapshot, aio, at_monotonic,
    messages, past,
)
from camerabus.arrivals import Arrivals
from expecting import is_a, present
from fake import FakeNode, in_turn
from node import Node
from proxy import Proxy
from test_silence import PHOTO, PICTURE, PROCESSED


class WithLiveNode(unittest.IsolatedAsyncioTestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(
            Node("front=synthetic:640x480@30,format=YUYV", "back=synthetic:320x240@30,format=MJPG"))

    async def asyncSetUp(self) -> None:
        self.bus = await self.enterAsyncContext(AsyncCameraBus(self.node.control, timeout=30))

    async def test_tasks_that_share_a_client_get_their_own_answers(self) -> None:
        later = at_monotonic((await self.bus.status()).now.monotonic_ns + 1_000_000_000)
        waiting = asyncio.create_task(self.bus.capture(later, "front"))
        answers = await asyncio.gather(*(self.bus.status(camera) for camera in ("front", "back") * 10))
        self.assertEqual([answer.cameras[0].name for answer in answers], ["front", "back"] * 10)
        photos = await asyncio.gather(*(self.bus.capture(NOW, camera) for camera in ("front", "back", "front")))
        self.assertEqual([present(photo.asset).camera for photo in photos], ["front", "back", "front"])
        self.assertEqual(present((await waiting).data)[:2], b"\xff\xd8")

    async def test_a_task_that_is_cancelled_cancels_its_photo_and_no_other(self) -> None:
        later = at_monotonic((await self.bus.status()).now.monotonic_ns + 20_000_000_000)
        id = bytes(range(16))
        async with self.bus.events("front") as monitor:
            is_a(Snapshot, await monitor.next(30))
            waiting = asyncio.create_task(self.bus.capture(later, "front", id=id))
            other = asyncio.create_task(self.bus.capture(NOW, "back"))
            await other
            waiting.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await waiting
            while True:
                capture = is_a(Published, await monitor.next(30)).event.capture
                if capture.request_id == id and capture.HasField("failed"):
                    break
        self.assertEqual(capture.failed.code, messages.ERROR_CODE_CANCELLED)

    async def test_frames_come_newest_first_and_a_busy_loop_misses_none_of_the_count(self) -> None:
        async with self.bus.frames("front") as frames:
            first = present(await frames.next(30))
            async with self.bus.frames("front") as others:
                for _ in range(10):
                    present(await others.next(30))
            async for frame in frames:
                break
            self.assertGreater(frame.info.frame_sequence, first.info.frame_sequence + 5)
            self.assertTrue(frames.connected)
            self.assertGreater(frames.count.passed_over, 0)

    async def test_a_closed_stream_of_frames_says_so(self) -> None:
        frames = self.bus.frames("front")
        present(await frames.next(30))
        unused = self.bus.frames("front")
        for stream in (frames, unused):
            await stream.close()
            with self.assertRaises(CameraBusError) as caught:
                await stream.next(30)
            self.assertEqual(caught.exception.code, Code.CLOSED)

    async def test_events_history_and_controls(self) -> None:
        photo = await self.bus.capture(NOW, "back")
        async with self.bus.events("back", history=True) as monitor:
            seen = set()
            async for notice in monitor:
                if isinstance(notice, Snapshot):
                    break
                seen.add(is_a(Published, notice).event.capture.request_id)
        self.assertIn(photo.request_id, seen)
        [control] = (await self.bus.set_controls({"contrast": 99}, "front")).controls
        self.assertEqual(control.value.integer, 99)

    async def test_a_download_that_breaks_off_is_resumed(self) -> None:
        photo = await self.bus.capture(NOW, "front")
        proxy = Proxy(self.node.control)
        self.addCleanup(proxy.close)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "photo.jpg"
            async with AsyncCameraBus(proxy.endpoint, patience=0.5) as bus:
                await bus.status()
                proxy.cut_after(1000)
                await bus.download(present(photo.asset), path)
            self.assertEqual(hashlib.sha256(path.read_bytes()).digest(), photo.sha256)
        self.assertGreaterEqual(proxy.connections, 2)

    async def test_a_download_that_waits_for_the_reader_of_a_pipe_can_be_cancelled(self) -> None:
        photo = await self.bus.capture(NOW, "front")
        with tempfile.TemporaryDirectory() as folder:
            pipe = Path(folder) / "pipe"
            os.mkfifo(pipe)
            download = asyncio.create_task(self.bus.download(present(photo.asset), pipe))
            # It waits by now, because it asks the node only when it has a reader.
            await self.bus.status()
            download.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await download

    async def test_mistakes_are_the_same_errors_as_in_the_blocking_client(self) -> None:
        async def frames(camera: str) -> None:
            async with self.bus.frames(camera) as stream:
                await stream.next(30)

        async def events(camera: str) -> None:
            async with self.bus.events(camera) as monitor:
                await monitor.next(30)

        for mistake, code in (
                (frames("nope"), Code.NO_SUCH_CAMERA), (events("nope"), Code.NO_SUCH_CAMERA),
                (self.bus.capture(0.2), Code.INVALID_ARGUMENT),  # type: ignore[arg-type]
                (self.bus.capture(settings=PhotoSettings(keep="no")), Code.INVALID_ARGUMENT),  # type: ignore[arg-type]
                (self.bus.capture(past(600), "front"), Code.FRAME_UNAVAILABLE)):
            with self.assertRaises(CameraBusError) as caught:
                await mistake
            self.assertEqual(caught.exception.code, code)


class Floods(unittest.IsolatedAsyncioTestCase):
    """Messages that are always there already, so that awaiting one never suspends a task."""

    def setUp(self) -> None:
        self.taken = 0

    async def poll(self, timeout: int) -> int:
        return 1

    async def recv_multipart(self) -> list[bytes]:
        self.taken += 1
        if self.taken > 100_000:
            raise asyncio.CancelledError  # the test has failed: let the loop end
        return [b"lie"]

    closed = False

    def monitor(self, endpoint: Optional[str], events: int) -> None:
        pass

    def close(self, linger: int = 0) -> None:
        pass

    async def test_replies_without_end_leave_the_other_tasks_their_turn(self) -> None:
        dealer = aio._Dealer(self, Arrivals(lambda: 0), lambda parts: None)  # type: ignore[arg-type]
        for _ in range(3):
            self.assertTrue(await dealer.wait(60))
        dealer.close(0)
        self.assertLess(self.taken, 10_000)

    async def test_publications_without_end_leave_the_other_tasks_their_turn(self) -> None:
        subscriber = aio._Subscriber(self, Arrivals(lambda: 0))  # type: ignore[arg-type]

        async def read() -> None:
            while await subscriber.receive(60):
                pass

        reader = asyncio.create_task(read())
        for _ in range(3):
            await asyncio.sleep(0)
        reader.cancel()
        self.assertLess(self.taken, 10_000)


class Failures(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.bus = await self.enterAsyncContext(AsyncCameraBus(self.node.control, patience=0.2))

    async def test_a_photo_without_an_answer_is_asked_for_again_over_a_new_connection(self) -> None:
        self.node.answers["capture"] = in_turn(None, [PROCESSED, {"capture": PHOTO}])
        self.assertEqual((await self.bus.capture(NOW, settings=PhotoSettings(keep=False))).data, PICTURE)
        sent = self.node.of("capture")
        self.assertEqual(len({request.id for request, _ in sent}), 1)
        self.assertEqual(len({sender for _, sender in sent[:2]}), 2)

    async def test_a_silent_node_is_unreachable(self) -> None:
        self.node.answers["formats"] = lambda request: None
        async with AsyncCameraBus(self.node.control, timeout=0.1, patience=0.1) as bus:
            with self.assertRaises(CameraBusError) as caught:
                await bus.formats()
        self.assertEqual((caught.exception.code, caught.exception.retryable), (Code.UNREACHABLE, True))

    async def test_another_loop_is_told_to_make_a_client_of_its_own(self) -> None:
        bus = AsyncCameraBus(self.node.control, timeout=1)

        def use_in_two_loops() -> None:
            asyncio.run(bus.status())
            with self.assertRaises(CameraBusError) as caught:
                asyncio.run(bus.status())
            self.assertIn("one for each event loop", caught.exception.message)
            asyncio.run(bus.close())

        await asyncio.to_thread(use_in_two_loops)

    async def test_closing_ends_what_waits(self) -> None:
        self.node.answers["formats"] = lambda request: None
        monitor: AsyncMonitor = self.bus.events()
        is_a(Snapshot, await monitor.next(10))
        frames = self.bus.frames("cam")
        waiting = [asyncio.create_task(self.bus.formats()), asyncio.create_task(monitor.next(10))]
        await asyncio.to_thread(self.node.await_requests, "formats", 1)
        await self.bus.close()
        await monitor.close()
        await frames.close()
        for task in (*waiting, self.bus.status(), monitor.next(), frames.next()):
            with self.assertRaises(CameraBusError) as caught:
                await task
            self.assertEqual(caught.exception.code, Code.CLOSED)


if __name__ == "__main__":
    unittest.main()
