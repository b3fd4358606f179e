"""Tests what readings of a node's clock prove of it, with simulated networks and clocks, and with recorded exchanges."""

import json
import os
import random
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any, Optional

from camerabus import ClockEstimate, ClockOffset, ClockReading, EstimatedTime, WallClock, clock_id
from camerabus.clocks import DRIFT
from expecting import present

MS = 10 ** 6
SECOND = 1000 * MS


class NodeClock:
    """A clock that is off by a number that changes slowly, within the allowed drift."""

    def __init__(self, randomness: random.Random):
        self.turns = [(0, randomness.randrange(-10 ** 15, 10 ** 15))]
        while self.turns[-1][0] < 600 * SECOND:
            moment, offset = self.turns[-1]
            length = randomness.randrange(SECOND, 60 * SECOND)
            rate = randomness.choice([-100, 100, randomness.uniform(-100, 100)])
            self.turns.append((moment + length, offset + int(length * rate / 10 ** 6)))

    def offset(self, moment: int) -> int:
        """By which it is ahead at a moment of the client's clock."""
        for (start, first), (end, last) in zip(self.turns, self.turns[1:]):
            if start <= moment <= end:
                return first + (last - first) * (moment - start) // (end - start)
        raise ValueError(moment)

    def read(self, moment: int) -> int:
        return moment + self.offset(moment)


def exchange(clock: NodeClock, sent: int, out: int, served: int, back: int, name: str = "n") -> ClockReading:
    read, answered, received = sent + out, sent + out + served, sent + out + served + back
    return ClockReading(sent, received, clock.read(read), clock.read(answered), 0, clock_id=name)


def provable(readings: list[ClockReading], moment: int) -> tuple[int, int]:
    """What all readings together prove, one by one."""
    def drift(known: int) -> int:
        return -(-abs(moment - known) // DRIFT)
    return (max(reading.answered - reading.received - drift(reading.received) for reading in readings),
            min(reading.read - reading.sent + drift(reading.sent) for reading in readings))


class Estimating(unittest.TestCase):
    def test_the_truth_lies_within_the_bound_of_a_time_which_the_arrival_narrows(self) -> None:
        for _ in range(200):
            seed = int(os.environ.get("CAMERABUS_SEED") or random.SystemRandom().randrange(2 ** 32))
            randomness = random.Random(seed)
            clock, estimate = NodeClock(randomness), ClockEstimate("own")
            for round in range(4):
                delays = [randomness.randrange(20 * MS) for _ in range(2)]
                estimate.add(exchange(clock, SECOND + round * 100 * MS, delays[0], 0, delays[1]))
            truth = randomness.randrange(5 * SECOND)
            arrived = truth + randomness.randrange(30 * MS)
            time = EstimatedTime.of(clock.read(truth), arrived, estimate)
            with self.subTest(seed=seed):
                error = present(time.error)
                self.assertLessEqual(abs(time.moment - truth), error)
                self.assertLessEqual(time.moment + error, arrived + 1)

    def test_without_a_clock_or_against_what_it_says_a_time_is_that_of_the_arrival(self) -> None:
        self.assertEqual(EstimatedTime.of(5, 7, ClockEstimate("own")), EstimatedTime(7, None))
        estimate = ClockEstimate("own")
        estimate.add(ClockReading(0, 2, 1 + SECOND, 1 + SECOND, 0))
        self.assertEqual(EstimatedTime.of(3 * SECOND, 100, estimate), EstimatedTime(100, None))

    def test_the_truth_lies_within_the_bounds_and_they_are_the_narrowest(self) -> None:
        links = [(MS, 0, 0), (20 * MS, 5 * MS, 0), (MS, 0, 2 * MS), (100_000, 50 * MS, MS)]
        for round in range(200):
            seed = int(os.environ.get("CAMERABUS_SEED") or random.SystemRandom().randrange(2 ** 32))
            randomness = random.Random(seed)
            delay, jitter, asymmetry = links[round % len(links)]
            clock, estimate, readings = NodeClock(randomness), ClockEstimate("own"), []
            moment = randomness.randrange(SECOND)
            for _ in range(randomness.randrange(1, 6)):
                for _ in range(8):
                    reading = exchange(
                        clock, moment, delay + randomness.randrange(jitter + 1), randomness.randrange(MS),
                        delay + asymmetry + randomness.randrange(jitter + 1))
                    self.assertTrue(estimate.add(reading), f"seed {seed}")
                    readings.append(reading)
                    moment = reading.received + randomness.randrange(MS)
                moment += randomness.randrange(90 * SECOND)
            for _ in range(20):
                moment = randomness.randrange(550 * SECOND)
                offset = present(estimate.at(moment))
                self.assertLessEqual(offset.least, clock.offset(moment), f"seed {seed}")
                self.assertGreaterEqual(offset.most, clock.offset(moment), f"seed {seed}")
                self.assertEqual((offset.least, offset.most), provable(readings, moment), f"seed {seed}")

    def test_the_middle_and_its_error_cover_the_bounds(self) -> None:
        for offset in (ClockOffset(-3, 4), ClockOffset(1, 2), ClockOffset(-5, -2), ClockOffset(7, 7)):
            self.assertGreaterEqual(offset.middle + offset.error, offset.most)
            self.assertLessEqual(offset.middle - offset.error, offset.least)

    def test_a_clock_that_was_changed_is_noticed_and_known_anew(self) -> None:
        estimate = ClockEstimate("own")
        self.assertIsNone(estimate.at(0))
        self.assertTrue(estimate.add(reading(0, ahead=5 * SECOND)))
        self.assertTrue(estimate.add(reading(SECOND, ahead=5 * SECOND)))
        self.assertFalse(estimate.add(reading(2 * SECOND, ahead=8 * SECOND)))
        self.assertEqual(present(estimate.at(2 * SECOND)).least, 8 * SECOND - MS - 200)
        self.assertTrue(estimate.add(reading(3 * SECOND, ahead=8 * SECOND)))
        # Less than the drift is no change.
        self.assertTrue(estimate.add(reading(1003 * SECOND, ahead=8 * SECOND + 99 * MS)))
        self.assertFalse(estimate.add(reading(1004 * SECOND, ahead=8 * SECOND + 105 * MS)))

    def test_another_clock_is_known_anew(self) -> None:
        estimate = ClockEstimate("own")
        self.assertTrue(estimate.add(reading(0, ahead=5)))
        self.assertFalse(estimate.add(reading(SECOND, ahead=5, name="after the boot")))
        self.assertTrue(estimate.add(reading(2 * SECOND, ahead=5, name="after the boot")))

    def test_an_answer_that_took_longer_than_its_request_proves_nothing(self) -> None:
        estimate = ClockEstimate("own")
        self.assertFalse(estimate.add(ClockReading(0, MS, 0, 2 * MS, 0, clock_id="n")))
        self.assertIsNone(estimate.at(0))

    def test_the_same_clock_is_ahead_by_nothing_unless_that_is_a_lie(self) -> None:
        estimate = ClockEstimate("own")
        estimate.add(reading(0, ahead=0, name="own"))
        self.assertEqual(estimate.at(100 * SECOND), ClockOffset(0, 0))
        # A virtual machine that was copied while it ran.
        estimate.add(reading(SECOND, ahead=7 * MS, name="own"))
        self.assertGreater(present(estimate.at(SECOND)).least, 0)

    def test_wall_clocks_with_bounds_are_one_more_reading(self) -> None:
        own = WallClock(offset=1000 * SECOND, error=10_000)
        estimate = ClockEstimate("own")
        slow = reading(0, ahead=5 * SECOND, delay=20 * MS, wall=995 * SECOND, wall_error=20_000)
        self.assertTrue(estimate.add(slow, own))
        self.assertFalse(estimate.wall_is_wrong)
        offset = present(estimate.at(0))
        self.assertEqual((offset.least, offset.most), (5 * SECOND - 30_000 - 4000, 5 * SECOND + 30_000))
        # It says nothing without the bound of the node's or of this machine's.
        for unknown, mine in ((None, own), (20_000, None)):
            estimate = ClockEstimate("own")
            estimate.add(reading(0, ahead=5 * SECOND, delay=20 * MS, wall=995 * SECOND, wall_error=unknown), mine)
            self.assertGreater(present(estimate.at(0)).error, 19 * MS)

    def test_a_wall_clock_that_contradicts_the_readings_does_not_count(self) -> None:
        own = WallClock(offset=1000 * SECOND, error=10_000)
        estimate = ClockEstimate("own")
        self.assertTrue(estimate.add(reading(0, ahead=5 * SECOND, wall=998 * SECOND, wall_error=20_000), own))
        self.assertTrue(estimate.wall_is_wrong)
        self.assertEqual(present(estimate.at(0)).most, 5 * SECOND + MS)
        # The clock is put right.
        self.assertTrue(estimate.add(reading(SECOND, ahead=5 * SECOND, wall=995 * SECOND, wall_error=20_000), own))
        self.assertFalse(estimate.wall_is_wrong)

    def test_the_name_of_this_machines_clock(self) -> None:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            self.assertTrue(clock_id().startswith(file.read().strip()))


class RecordedExchanges(unittest.TestCase):
    """Exchanges with real nodes over links that delay and lose, recorded by `Tests/Rig/run clocks` with what is true. The
    Swift client is tested with the same.
    """

    recordings: list[dict[str, Any]]

    @classmethod
    def setUpClass(cls) -> None:
        file = Path(__file__).resolve().parents[1] / "Rig" / "exchanges.json"
        cls.recordings = json.loads(file.read_text())["recordings"]
        assert len(cls.recordings) == 4

    def test_the_truth_lies_within_the_bounds_also_if_clocks_drift(self) -> None:
        for recording in self.recordings:
            for drift in (-99, 0, 99):
                estimate = ClockEstimate("own")
                for known in readings(recording, drift):
                    self.assertTrue(estimate.add(known))
                    for distance in (-60, -1, 0, 1, 60):
                        moment = known.received + distance * SECOND
                        offset = present(estimate.at(moment))
                        truth = drifted(recording, moment, drift)
                        self.assertLessEqual(offset.least, truth, (recording["link"], drift))
                        self.assertGreaterEqual(offset.most, truth, (recording["link"], drift))

    def test_the_bounds_are_those_of_the_swift_client_and_narrow(self) -> None:
        for recording in self.recordings:
            estimate = ClockEstimate("own")
            for known in readings(recording, 0):
                estimate.add(known)
            offset = present(estimate.at(recording["at"]))
            self.assertEqual(offset, ClockOffset(recording["least"], recording["most"]))
            self.assertLessEqual(offset.most - offset.least, 2 * recording["ideal"], recording["link"])

    def test_wall_clocks_with_bounds_make_the_bounds_narrower(self) -> None:
        for recording in self.recordings:
            estimate, own = ClockEstimate("own"), WallClock(recording["own_wall"], 100_000)
            for known in readings(recording, 0):
                self.assertTrue(estimate.add(replace(known, wall_error=100_000), own))
                self.assertFalse(estimate.wall_is_wrong)
            offset = present(estimate.at(recording["at"]))
            self.assertLessEqual(offset.least, recording["truth"])
            self.assertGreaterEqual(offset.most, recording["truth"])
            # The bounds of the offset are of different moments, between which clocks may drift.
            self.assertLessEqual(offset.most - offset.least, 420_000, recording["link"])


def drifted(recording: dict[str, Any], moment: int, drift: int) -> int:
    """The offset at a moment if the node's clock ran so many millionths too fast."""
    return int(recording["truth"] + (moment - recording["exchanges"][0][0]) * drift // 10 ** 6)


def readings(recording: dict[str, Any], drift: int) -> list[ClockReading]:
    """The exchanges as they would be if the node's clock ran so many millionths too fast."""
    def show(moment: int) -> int:
        actual = moment - int(recording["truth"])
        return actual + drifted(recording, actual, drift)
    return [ClockReading(sent, received, show(read), show(answered), wall, clock_id="node")
            for sent, read, answered, wall, received in recording["exchanges"]]


def reading(sent: int, ahead: int, delay: int = MS, name: str = "n", wall: int = 0,
            wall_error: Optional[int] = None) -> ClockReading:
    """A reading over a link with the same delay on both ways. `wall` is the node's wall clock less its monotonic clock."""
    moment = sent + delay + ahead
    return ClockReading(sent, sent + 2 * delay, moment, moment, moment + wall, wall_error, clock_id=name)


if __name__ == "__main__":
    unittest.main()
