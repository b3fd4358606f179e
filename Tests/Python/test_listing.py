"""Tests that the client ends a list of assets that a faulty node would never let end."""

import itertools
import tracemalloc
import unittest
from typing import Iterator

from camerabus import AsyncCameraBus, CameraBus, CameraBusError, Code, messages
from camerabus.listing import AT_ONE_TIME, Listing
from fake import FakeNode

NEWEST = 10 ** 18


def assets(*ages: int) -> list[messages.Asset]:
    """Assets of these ages in nanoseconds; the age makes the id."""
    return [messages.Asset(id=age.to_bytes(16, "big"), created_wall_ns=NEWEST - age) for age in ages]


def page(*ages: int, next: object = "") -> messages.AssetsReply:
    return messages.AssetsReply(assets=assets(*ages), next=str(next).encode())


def lists_without_end() -> dict[str, Iterator[messages.AssetsReply]]:
    return {
        "the same page": itertools.repeat(page(1, 2, next="x")),
        "an empty page with one cursor": itertools.repeat(page(next="x")),
        "empty pages with new cursors": (page(next=number) for number in itertools.count()),
        "pages that take turns": itertools.cycle([page(1, 2, next="x"), page(3, next="y")]),
        "the same assets with new cursors": (page(1, 2, next=number) for number in itertools.count()),
        "an older asset each time with the same cursor": (page(number, next="x") for number in itertools.count()),
        "assets that get newer": (page(10 ** 9 - number, next=number) for number in itertools.count()),
        "one page in which the assets get newer": itertools.repeat(page(2, 1, next="x")),
        "other assets of the same time": (messages.AssetsReply(next=str(number).encode(), assets=[
            messages.Asset(id=(number * 1000 + asset).to_bytes(16, "big"), created_wall_ns=NEWEST)
            for asset in range(1000)]) for number in itertools.count()),
    }


class Lists(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())

    def answer(self, pages: Iterator[messages.AssetsReply]) -> None:
        self.node.requests.clear()
        self.node.answers["assets"] = lambda request: [{"assets": next(pages)}]

    def check(self, error: CameraBusError) -> None:
        self.assertEqual(error.code, Code.CORRUPT)
        self.assertIn("list without end", error.message)
        self.assertLessEqual(len(self.node.of("assets")), AT_ONE_TIME // 1000 + 1)

    def test_a_list_without_end_is_an_error(self) -> None:
        for name, pages in lists_without_end().items():
            self.answer(pages)
            with self.subTest(name), CameraBus(self.node.control) as bus, self.assertRaises(CameraBusError) as caught:
                for _ in itertools.islice(bus.all_assets(), 2 * AT_ONE_TIME):
                    pass
            self.check(caught.exception)

    async def test_a_list_without_end_is_an_error_in_asyncio_too(self) -> None:
        for name, pages in lists_without_end().items():
            self.answer(pages)
            async with AsyncCameraBus(self.node.control) as bus:
                with self.subTest(name), self.assertRaises(CameraBusError) as caught:
                    count = 0
                    async for _ in bus.all_assets():
                        count += 1
                        if count > 2 * AT_ONE_TIME:
                            break
            self.check(caught.exception)

    def test_a_limit_is_that_of_all_pages_together(self) -> None:
        pages = [page(*range(1, 1001), next="x"), page(1001, 1002, next="y")]
        self.answer(itertools.cycle(pages))
        with CameraBus(self.node.control) as bus:
            self.assertEqual(bus.assets(limit=0), [])
            self.assertEqual(self.node.of("assets"), [])
            self.assertEqual(len(bus.assets(limit=1002)), 1002)
            self.assertEqual([(request.assets.limit, request.assets.page) for request, _ in self.node.of("assets")],
                             [(1000, b""), (2, b"x")])
            self.assertEqual(len(bus.assets(limit=1000)), 1000)
            self.assertEqual(len(self.node.of("assets")), 3)

    def test_assets_of_the_same_time_may_be_on_several_pages(self) -> None:
        same = [messages.Asset(id=bytes([number] * 16), created_wall_ns=NEWEST) for number in range(4)]
        listing = Listing()
        listing.check(messages.AssetsReply(assets=same[:2], next=b"1"))
        listing.check(messages.AssetsReply(assets=same[2:], next=b"2"))
        listing.check(page(1, 2, next=3))
        listing.check(page())

    def test_a_list_that_gets_older_for_ever_takes_no_memory(self) -> None:
        listing = Listing()
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        before, _ = tracemalloc.get_traced_memory()
        for number in range(20_000):
            listing.check(page(number, next=number))
        after, _ = tracemalloc.get_traced_memory()
        self.assertLess(after - before, 100_000)


if __name__ == "__main__":
    unittest.main()
