"""Tests the order of events of several nodes. Times are milliseconds here, and elements are texts."""

import os
import random
import unittest
from typing import Optional

from camerabus.merge import EventMerge

MS = 10 ** 6


class Merging(unittest.TestCase):
    def setUp(self) -> None:
        self.merge = EventMerge[str](2, 100 * MS)

    def add(self, name: str, lane: int, time: int, arrived: int) -> None:
        self.merge.add(name, lane, time * MS, arrived * MS)

    def next(self, now: int) -> Optional[str]:
        output = self.merge.next(now * MS)
        return output and output[0] + (" late" if output[2] else "")

    def test_an_event_is_held_back_for_the_window_and_earlier_ones_overtake_it(self) -> None:
        self.add("b", 0, 10, 11)
        self.assertEqual(self.merge.due, 110 * MS)
        self.assertIsNone(self.next(109))
        self.add("a", 1, 5, 60)
        self.assertIsNone(self.next(104))
        self.assertEqual(self.next(105), "a")
        self.assertIsNone(self.next(109))
        self.assertEqual(self.next(110), "b")
        self.assertIsNone(self.merge.due)

    def test_an_event_that_comes_after_the_window_is_handed_out_at_once_and_is_late(self) -> None:
        self.add("b", 0, 10, 11)
        self.assertEqual(self.next(110), "b")
        self.add("a", 1, 5, 200)
        self.assertEqual(self.next(200), "a late")
        self.add("c", 1, 210, 211)
        self.assertEqual(self.next(310), "c")

    def test_a_lane_keeps_its_order_whatever_its_times_say(self) -> None:
        self.add("a", 0, 50, 51)
        self.add("b", 0, 20, 52)
        self.add("c", 1, 30, 53)
        self.assertEqual([self.next(130), self.next(149), self.next(150), self.next(150)], ["c", None, "a", "b late"])

    def test_a_time_in_the_future_counts_as_that_of_the_arrival_and_holds_up_nobody(self) -> None:
        self.add("a", 0, 1_000_000, 10)
        self.add("b", 1, 20, 21)
        self.assertEqual([self.next(110), self.next(120)], ["a", "b"])

    def test_a_lane_alone_waits_for_nobody(self) -> None:
        self.merge = EventMerge[str](1, 100 * MS)
        self.add("a", 0, 10, 10)
        self.assertEqual(self.next(10), "a")

    def test_the_past_of_all_lanes_comes_in_one_order(self) -> None:
        for ending in ("settled", "full", "over"):
            with self.subTest(ending):
                self.merge = EventMerge[str](2, 100 * MS, 1000 * MS, total=32)
                self.add("b", 0, -500, 10)
                self.merge.settle(0)
                self.assertIsNone(self.next(200))
                self.assertEqual(self.merge.due, 1000 * MS)
                self.add("a", 1, -700, 210)
                self.assertIsNone(self.next(220))
                if ending == "settled":
                    self.merge.settle(1)
                elif ending == "full":
                    for _ in range(15):
                        self.add("c", 1, 220, 220)
                now = 1000 if ending == "over" else 221
                self.assertEqual(self.next(now), "a")
                if ending != "full":
                    self.assertEqual(self.next(now), "b")

    def test_each_lane_holds_its_share_and_no_more(self) -> None:
        for lanes, share in ((1, 1024), (8, 1024), (16, 512), (256, 32), (10_000, 16)):
            self.assertEqual(EventMerge[str](lanes, 0).limit, share)
        for number in range(self.merge.limit):
            self.assertFalse(self.merge.is_full(0))
            self.add(str(number), 0, 0, 0)
        self.assertTrue(self.merge.is_full(0))
        self.assertFalse(self.merge.is_full(1))
        self.next(1000)
        self.assertFalse(self.merge.is_full(0))

    def test_whatever_comes_each_lane_keeps_its_order_and_what_is_not_late_is_in_order(self) -> None:
        for _ in range(200):
            seed = int(os.environ.get("CAMERABUS_SEED") or random.SystemRandom().randrange(2 ** 32))
            with self.subTest(seed=seed):
                self.check_at_random(random.Random(seed))

    def check_at_random(self, randomness: random.Random) -> None:
        self.merge = EventMerge[str](3, 50 * MS)
        now, latest, sent, received = 0, -MS, [0, 0, 0], [0, 0, 0]
        times: dict[str, int] = {}
        for _ in range(300):
            now += randomness.randrange(11)
            if randomness.random() < 0.5:
                lane = randomness.randrange(3)
                sent[lane] += 1
                name = f"{lane} {sent[lane]}"
                times[name] = now - randomness.randrange(randomness.choice([40, 120]))
                self.add(name, lane, times[name], now)
            while (output := self.merge.next(now * MS)) is not None:
                name, lane, is_late = output
                received[lane] += 1
                self.assertEqual(name, f"{lane} {received[lane]}")
                self.assertEqual(is_late, times[name] < latest)
                latest = max(latest, times[name])
        while (output := self.merge.next((now + 1000) * MS)) is not None:
            received[output[1]] += 1
        self.assertEqual(received, sent)
