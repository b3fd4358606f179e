"""Tests who may use a client and its streams, and what becomes of a wait that ends early."""

import asyncio
import copy
import pickle
import unittest
from concurrent.futures import ThreadPoolExecutor

from camerabus import AsyncCameraBus, CameraBusError, Code, Published, Snapshot, messages
from expecting import is_a, present
from live import WithNode


class Readers(WithNode):
    def test_other_threads_are_told_to_make_a_client_of_their_own(self) -> None:
        self.bus.status()
        with ThreadPoolExecutor(8) as threads:
            for use in [threads.submit(self.bus.status) for _ in range(80)]:
                error = use.exception(30)
                self.assertIsInstance(error, CameraBusError)
                self.assertIn("one for each thread", str(error))
        self.assertTrue(self.bus.status().cameras)

    def test_a_monitor_begins_when_it_is_made(self) -> None:
        with self.bus.events("front") as monitor:
            self.bus.set_controls({"contrast": 131}, "front")
            is_a(Snapshot, monitor.next(30))
            while (notice := is_a(Published, monitor.next(30))).topic != "event/front/control/":
                pass
            self.assertEqual(notice.event.control.value.integer, 131)

    def test_a_wait_that_ends_early_ends_no_stream(self) -> None:
        async def use() -> None:
            async with AsyncCameraBus(self.node.control) as bus, bus.events("front") as events:
                is_a(Snapshot, await anext(events.__aiter__()))
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(anext(events.__aiter__()), 0.01)
                waiting = asyncio.create_task(events.next(30))
                await asyncio.sleep(0)
                with self.assertRaises(CameraBusError) as caught:
                    await events.next(30)
                self.assertEqual(caught.exception.code, Code.CONFLICT)
                await bus.set_controls({"contrast": 132}, "front")
                is_a(Published, present(await waiting))

        asyncio.run(use())

    def test_an_error_is_the_same_behind_pickle_and_copy(self) -> None:
        error = CameraBusError(Code.BUSY, "later", "capture", True, b"i" * 16, b"e" * 16, messages.ROLE_OPERATOR)
        for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            self.assertIsInstance(other, CameraBusError)
            self.assertEqual((vars(other), str(other)), (vars(error), str(error)))


if __name__ == "__main__":
    unittest.main()
