"""Tests that a lease whose acquisition is given up is not left on the node."""

import asyncio
import os
import signal
import time
import unittest
from typing import Callable

from camerabus import AsyncCameraBus, CameraBus, CameraBusError, Code, messages
from fake import FakeNode, Replies
from live import AtRandomMoments


def interrupt_oneself() -> None:
    os.kill(os.getpid(), signal.SIGINT)


class GivenUp(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.node.answers["lease_acquire"] = lambda request: None

    def assert_released(self) -> None:
        self.node.await_requests("lease_release", 1)
        [(acquired, _)], [(released, _)] = self.node.of("lease_acquire"), self.node.of("lease_release")
        # Only a lease with this id ends: one that the client or another had before stays.
        self.assertEqual((released.lease, released.lease_release.camera), (acquired.id, "cam"))
        self.assertFalse(released.lease_release.force)

    async def test_a_task_that_is_cancelled_gives_the_lease_back(self) -> None:
        async with AsyncCameraBus(self.node.control) as bus:
            waiting = asyncio.create_task(bus.acquire_lease("cam"))
            await asyncio.to_thread(self.node.await_requests, "lease_acquire", 1)
            waiting.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await waiting
            await asyncio.to_thread(self.assert_released)

    async def test_a_task_whose_time_is_over_gives_the_lease_back(self) -> None:
        async with AsyncCameraBus(self.node.control) as bus:
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(bus.acquire_lease("cam"), 0.1)
            await asyncio.to_thread(self.assert_released)

    def test_ctrl_c_gives_the_lease_back(self) -> None:
        def answer(request: messages.Request) -> Replies:
            interrupt_oneself()
            return None

        self.node.answers["lease_acquire"] = answer
        with CameraBus(self.node.control) as bus:
            with self.assertRaises(KeyboardInterrupt):
                bus.acquire_lease("cam")
            self.assert_released()

    def test_a_node_that_does_not_answer_in_time_is_told_to_end_the_lease(self) -> None:
        with CameraBus(self.node.control, timeout=0.1) as bus:
            with self.assertRaises(CameraBusError) as caught:
                bus.acquire_lease("cam")
            self.assertEqual(caught.exception.code, Code.UNREACHABLE)
            self.assert_released()

    def test_a_refusal_gives_nothing_back(self) -> None:
        self.node.answers["lease_acquire"] = lambda request: [
            {"error": messages.Error(code=messages.ERROR_CODE_CONFLICT, message="leased", field="lease")}]
        with CameraBus(self.node.control) as bus:
            with self.assertRaises(CameraBusError):
                bus.acquire_lease("cam")
            bus.status()
        self.assertEqual(self.node.of("lease_release"), [])


class AtTheNode(AtRandomMoments):
    def assert_free(self, bus: CameraBus, delay: float) -> None:
        self.assertFalse(bus.status("front").cameras[0].HasField("lease"), f"{self.message}, after {delay} s")

    def test_no_moment_of_cancelling_a_task_leaves_a_lease(self) -> None:
        async def use() -> int:
            count = 0
            async with AsyncCameraBus(self.node.control, timeout=30) as bus:
                for _ in range(100):
                    await bus.status("front")
                    delay = self.random.uniform(0, 0.002)
                    waiting = asyncio.create_task(bus.acquire_lease("front", term=600))
                    await asyncio.sleep(delay)
                    waiting.cancel()
                    await asyncio.wait([waiting])
                    if waiting.cancelled():
                        count += 1
                    else:
                        await bus.release_lease("front")
                    status = await bus.status("front")
                    self.assertFalse(status.cameras[0].HasField("lease"), f"{self.message}, after {delay} s")
            return count

        self.assertGreater(asyncio.run(use()), 0)

    def test_no_moment_of_ctrl_c_leaves_a_lease(self) -> None:
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        count = 0
        for _ in range(200):
            self.assert_free(self.bus, delay := self.random.uniform(0.0001, 0.002))
            try:
                signal.setitimer(signal.ITIMER_REAL, delay)
                self.bus.acquire_lease("front", term=600)
                # A pause would last for ever if the signal came just before it.
                for _ in range(600):
                    time.sleep(0.05)
                self.fail(f"{self.message}: no signal came")
            except KeyboardInterrupt:
                # It has the lease if it came between the answer and the pause.
                if self.bus._client._leases:
                    self.bus.release_lease("front")
                else:
                    count += 1
            self.assert_free(self.bus, delay)
        self.assertGreater(count, 0)


if __name__ == "__main__":
    unittest.main()
