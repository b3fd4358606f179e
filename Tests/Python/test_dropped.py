"""Tests that clients and streams which a program drops leave nothing behind: no thread, no descriptor and no
subscription.
"""

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
import unittest
from typing import Callable

from camerabus import AsyncCameraBus, CameraBus, Code, arrivals
from expecting import present
from live import WithNode
from node import PATIENCE


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def await_until(condition: Callable[[], bool], message: Callable[[], str]) -> None:
    """libzmq and the node act on their own threads, and tell nobody when they are done."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, message()
        time.sleep(0.01)


class Dropped(WithNode):
    def setUp(self) -> None:
        super().setUp()
        self.bus.status()
        await_until(self.is_watched, lambda: "the connection of the client is not watched")
        gc.collect()
        gc.disable()  # what is dropped ends at once, not when Python looks for cycles
        self.addCleanup(gc.enable)
        self.threads = set(threading.enumerate())
        self.descriptors = descriptors()

    @staticmethod
    def is_watched() -> bool:
        """Whether the test's own client has its last descriptor: the watch takes one for each connection, on its own
        thread, and what others have dropped is gone.
        """
        watch = arrivals._watch()
        return [watched.connection is not None for watched in list(watch._watched.values())] == [True]

    def assert_nothing_is_left(self) -> None:
        for thread in set(threading.enumerate()) - self.threads:
            thread.join(PATIENCE)
            self.assertFalse(thread.is_alive(), thread)
        await_until(lambda: descriptors() <= self.descriptors, lambda: f"{descriptors()} of {self.descriptors} are open")
        await_until(lambda: not self.subscribers(), lambda: f"{self.subscribers()} subscribers")

    def subscribers(self) -> int:
        return sum(stream.subscribers for stream in self.bus.status("front").cameras[0].streams)

    def test_a_loop_over_frames_that_breaks_off(self) -> None:
        for _ in range(3):
            for _ in self.bus.frames("front"):
                break
            self.assert_nothing_is_left()

    def test_a_stream_goes_on_after_its_loop_while_somebody_has_it(self) -> None:
        frames = self.bus.frames("front")
        for first in frames:
            break
        for second in frames:
            break
        self.assertGreater(second.info.frame_sequence, first.info.frame_sequence)
        del frames
        self.assert_nothing_is_left()

    def test_clients_and_monitors_without_a_close(self) -> None:
        for _ in range(3):
            bus = CameraBus(self.node.control)
            bus.status()
            monitor = bus.events()
            monitor.next(30)
            del bus, monitor
            self.assert_nothing_is_left()

    def test_a_stream_keeps_the_client_that_it_came_from(self) -> None:
        frames = CameraBus(self.node.control).frames("front")
        for _ in range(3):
            present(frames.next(30))
        del frames
        self.assert_nothing_is_left()

    def test_a_client_that_is_closed_closes_its_streams(self) -> None:
        with CameraBus(self.node.control) as bus:
            frames, monitor = bus.frames("front"), bus.events()
            present(frames.next(30))
        await_until(lambda: not self.subscribers(), lambda: f"{self.subscribers()} subscribers")
        for stream in (frames, monitor):
            self.assert_fails(Code.CLOSED, stream.next, 30)
        del frames, monitor, stream, bus
        self.assert_nothing_is_left()

    def test_clients_and_streams_of_asyncio_without_a_close(self) -> None:
        async def use() -> None:
            await asyncio.to_thread(lambda: None)  # the loop has a thread of its own
            before = descriptors()
            for _ in range(3):
                bus = AsyncCameraBus(self.node.control)
                async for _ in bus.frames("front"):
                    break
                async for _ in bus.events():
                    break
                del bus
                await asyncio.to_thread(await_until, lambda: descriptors() <= before,
                                        lambda: f"{descriptors()} of {before} are open")

        asyncio.run(use())
        self.assert_nothing_is_left()

    def test_clients_of_asyncio_that_outlive_their_loop(self) -> None:
        async def use() -> None:
            bus = AsyncCameraBus(self.node.control)
            frames, events = bus.frames("front"), bus.events()
            present(await frames.next(30))
            present(await events.next(30))
            kept.extend([bus, frames, events])

        kept: list[object] = []
        asyncio.run(use())
        kept.clear()
        self.assert_nothing_is_left()

    def test_a_connection_that_has_ended_already(self) -> None:
        other = os.eventfd(0)
        self.addCleanup(os.close, other)
        before = descriptors()
        with self.assertRaises(OSError):
            arrivals._Connection(other)
        self.assertEqual(descriptors(), before)

    def test_a_program_that_closes_nothing_ends(self) -> None:
        program = (
            "import sys; from camerabus import CameraBus\n"
            "bus = CameraBus(sys.argv[1]); frames = bus.frames('front'); events = bus.events()\n"
            "frames.next(30); events.next(30); print('done')")
        done = subprocess.run([sys.executable, "-c", program, self.node.control], capture_output=True, text=True,
                              timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "done\n", ""))


if __name__ == "__main__":
    unittest.main()
