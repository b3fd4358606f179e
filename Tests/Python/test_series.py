"""Tests that a wait for the next photo or asset may end early: nothing is lost, and it comes with the next call."""

import asyncio
import gc
import time
import unittest
from typing import Any, AsyncIterator, Callable

from camerabus import AsyncCameraBus, CameraBusError, Code, at_monotonic, messages
from expecting import present
from fake import A, FakeNode, Replies
from live import AtRandomMoments

# How long the fake node takes to answer, seconds.
SLOW = 0.4


def photos(request: messages.Request) -> Replies:
    """As many photos as were asked for."""
    capture = request.capture
    asset = messages.Asset(id=A, request_id=request.id)
    count = max(capture.burst.pictures, len(capture.bracket.shots))
    if not count:
        return [{"capture": messages.CaptureResult(asset=asset)}]
    picture = messages.CapturedPicture(files=[messages.PhotoFile(asset=asset)])
    return [{"capture": messages.CaptureResult(pictures=[picture] * count)}]


def assets(request: messages.Request) -> Replies:
    ids = [b"1" * 16, b"2" * 16]
    return [{"assets": messages.AssetsReply(assets=[messages.Asset(id=id) for id in ids])}]


def slowly(answer: Callable[[messages.Request], Replies]) -> Callable[[messages.Request], Replies]:
    def wait(request: messages.Request) -> Replies:
        time.sleep(SLOW)
        return answer(request)

    return wait


async def take(series: AsyncIterator[Any]) -> Any:
    return await anext(series)


async def capture_photos(bus: AsyncCameraBus) -> AsyncIterator[Any]:
    return (await bus.begin_capture(pictures=2, picture=False)).photos()


# Each series of two elements, with the request that it waits for.
SERIES: dict[str, tuple[str, Callable[[AsyncCameraBus], Any]]] = {
    "burst": ("capture", lambda bus: bus.burst(2, picture=False)),
    "bracket": ("capture", lambda bus: bus.bracket([-1, 1], picture=False)),
    "time_lapse": ("capture", lambda bus: bus.time_lapse(2, 0.01, picture=False)),
    "all_assets": ("assets", lambda bus: bus.all_assets()),
    "photos": ("capture", capture_photos),
}


class WithFakeNode(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.node.answers |= {"capture": slowly(photos), "assets": slowly(assets)}
        self.bus = await self.enterAsyncContext(AsyncCameraBus(self.node.control))
        await self.bus.status()

    async def series(self, name: str) -> Any:
        series = SERIES[name][1](self.bus)
        return await series if asyncio.iscoroutine(series) else series


class Waits(WithFakeNode):
    async def test_a_wait_that_ends_early_ends_no_series(self) -> None:
        for name, (kind, _) in SERIES.items():
            with self.subTest(name):
                self.node.requests.clear()
                series = await self.series(name)
                count = ended = 0
                while True:
                    try:
                        await asyncio.wait_for(anext(series), SLOW / 4)
                        count += 1
                    except asyncio.TimeoutError:
                        ended += 1
                    except StopAsyncIteration:
                        break
                self.assertEqual(count, 2)
                self.assertGreater(ended, 0)
                self.assertEqual(len(self.node.of(kind)), 2 if name == "time_lapse" else 1)
                self.assertEqual(self.node.of("cancel"), [])
                with self.assertRaises(StopAsyncIteration):
                    await anext(series)

    async def test_what_came_while_nobody_waited_is_there_at_once(self) -> None:
        for name in SERIES:
            with self.subTest(name):
                series = await self.series(name)
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(anext(series), SLOW / 4)
                await asyncio.sleep(SLOW * 2)
                began = time.monotonic()
                await anext(series)
                self.assertLess(time.monotonic() - began, SLOW / 2)

    async def test_an_error_that_came_while_nobody_waited_is_raised_once(self) -> None:
        self.node.answers["assets"] = slowly(
            lambda request: [{"error": messages.Error(code=messages.ERROR_CODE_STORAGE_FAILED, message="gone")}])
        series = self.bus.all_assets()
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(anext(series), SLOW / 4)
        await asyncio.sleep(SLOW * 2)
        with self.assertRaises(CameraBusError) as caught:
            await anext(series)
        self.assertEqual(caught.exception.code, Code.STORAGE_FAILED)
        with self.assertRaises(StopAsyncIteration):
            await anext(series)

    async def test_a_second_reader_is_told_so(self) -> None:
        series = self.bus.burst(2, picture=False)
        first = asyncio.create_task(take(series))
        await asyncio.sleep(0)
        with self.assertRaises(CameraBusError) as caught:
            await anext(series)
        self.assertEqual(caught.exception.code, Code.CONFLICT)
        await first
        await anext(series)


class Ends(WithFakeNode):
    """Photos that nobody waits for any more are cancelled."""

    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.node.answers["capture"] = lambda request: None
        gc.disable()  # what is dropped ends at once, not when Python looks for cycles
        self.addCleanup(gc.enable)
        self.reports: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, report: self.reports.append(report))

    async def begun(self, task: "asyncio.Task[Any]") -> None:
        await asyncio.to_thread(self.node.await_requests, "capture", len(self.node.of("cancel")) + 1)
        self.assertFalse(task.done())

    async def assert_cancelled(self) -> None:
        await asyncio.to_thread(self.node.await_requests, "cancel", len(self.node.of("capture")))
        self.assertEqual([request.cancel.request for request, _ in self.node.of("cancel")],
                         [request.id for request, _ in self.node.of("capture")])
        self.assertEqual(self.reports, [])

    async def test_a_series_that_is_dropped_while_its_photos_are_under_way(self) -> None:
        for name in ("burst", "bracket", "time_lapse"):
            with self.subTest(name):
                series = await self.series(name)
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(anext(series), 0.2)
                del series
                await self.assert_cancelled()

    async def test_a_loop_whose_task_is_cancelled(self) -> None:
        async def read() -> None:
            async for _ in self.bus.burst(2, picture=False):
                pass

        reading = asyncio.create_task(read())
        await self.begun(reading)
        reading.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await reading
        await self.assert_cancelled()

    async def test_a_series_that_is_closed(self) -> None:
        series: Any = self.bus.burst(2, picture=False)
        reading = asyncio.create_task(take(series))
        await self.begun(reading)
        await series.aclose()
        with self.assertRaises(CameraBusError) as caught:
            await reading
        self.assertEqual(caught.exception.code, Code.CLOSED)
        await self.assert_cancelled()
        with self.assertRaises(StopAsyncIteration):
            await anext(series)

    async def test_a_client_that_is_closed_ends_its_series(self) -> None:
        reading = asyncio.create_task(take(self.bus.burst(2, picture=False)))
        await self.begun(reading)
        abandoned = self.bus.burst(2, picture=False)
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(anext(abandoned), 0.1)
        await self.bus.close()
        for wait in (reading, anext(abandoned)):
            with self.assertRaises(CameraBusError) as caught:
                await wait
            self.assertEqual(caught.exception.code, Code.CLOSED)
        self.assertEqual(self.reports, [])


class AtTheNode(AtRandomMoments):
    async def impatiently(self, series: AsyncIterator[Any]) -> list[Any]:
        """All elements, in waits that are mostly too short."""
        elements, end = [], time.monotonic() + 60
        while time.monotonic() < end:
            try:
                elements.append(await asyncio.wait_for(anext(series), self.random.uniform(0, 0.02)))
            except asyncio.TimeoutError:
                continue
            except StopAsyncIteration:
                return elements
        self.fail(f"it never ended: {self.message}, {len(elements)}")

    def test_every_photo_and_asset_comes_once_whatever_the_waits(self) -> None:
        async def use() -> None:
            async with AsyncCameraBus(self.node.control, timeout=30) as bus:
                before = await bus.assets("front", limit=10_000)
                burst = await self.impatiently(bus.burst(5, camera="front"))
                self.assertEqual(len({photo.resolved.frame_sequence for photo in burst}), 5, self.message)
                self.assertTrue(all(photo.data[:2] == b"\xff\xd8" for photo in burst))
                self.assertEqual(len({photo.request_id for photo in burst}), 1)
                bracket = await self.impatiently(bus.bracket([{"contrast": 90}, {"contrast": 110}], camera="front"))
                self.assertEqual([photo.resolved.shot.index for photo in bracket], [1, 2])
                lapse = await self.impatiently(bus.time_lapse(4, 0.1, camera="front"))
                self.assertEqual([shot.number for shot in lapse], [1, 2, 3, 4])
                self.assertTrue(all(shot.photo for shot in lapse), lapse)
                kept = await self.impatiently(bus.all_assets("front", limit=3))
                # Each photo is in the library once: none was taken twice.
                self.assertEqual(len(kept), len(before) + 11, self.message)
                self.assertEqual({asset.id for asset in kept}, {asset.id for asset in await bus.assets("front", limit=10_000)})

        asyncio.run(use())

    def test_a_burst_that_is_dropped_is_cancelled_at_the_node(self) -> None:
        async def use() -> None:
            async with AsyncCameraBus(self.node.control, timeout=30) as bus:
                later = at_monotonic((await bus.status()).now.monotonic_ns + 9_000_000_000)
                async with bus.events("front") as events:
                    await events.next(30)
                    burst = bus.burst(3, later, "front")
                    with self.assertRaises(asyncio.TimeoutError):
                        await asyncio.wait_for(anext(burst), 0.3)
                    del burst
                    while not (event := getattr(present(await events.next(30)), "event", None)) \
                            or not event.capture.HasField("failed"):
                        pass
                self.assertEqual(event.capture.failed.code, messages.ERROR_CODE_CANCELLED)

        asyncio.run(use())


if __name__ == "__main__":
    unittest.main()
