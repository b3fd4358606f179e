"""Photos at equal intervals."""

import asyncio
import time
import unittest
from typing import Any, Optional, cast
from unittest import mock

from camerabus import (
    NEXT, NOW, AsyncCameraBus, CameraBus, CameraBusError, Code, Photo, PhotoFile, PhotoSettings, Shot, When,
    at_monotonic, messages,
)
from camerabus.shell import Shell
from camerabus.time_lapse import LEAD, shots
from expecting import present
from node import Node

SECOND = 10**9


def photo(monotonic_ns: int = 0) -> Photo:
    resolved = messages.ResolvedCapture(timestamp=messages.Timestamp(monotonic_ns=monotonic_ns))
    return Photo(b"", resolved, (PhotoFile("image/jpeg", None, b"", 0, None, None),))


class Clock:
    """A shell and a clock in which time passes by sleeping, and by taking photos."""

    def __init__(self, errors: dict[int, CameraBusError], download: float = 0):
        self.now = 100.0
        self._download = download
        self.slept: list[float] = []
        self.asked: list[tuple[When, float]] = []
        self._errors = errors

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now += seconds

    async def take(self, when: When, lead: float) -> tuple[Photo, float]:
        self.asked.append((when, lead))
        if error := self._errors.get(len(self.asked)):
            raise error
        self.now += lead + 0.25  # it is heard of the frame a quarter of a second after its moment
        reached = self.now
        self.now += self._download
        return photo(7), reached

    def run(self, count: int, interval: int) -> list[Shot]:
        async def collect() -> list[Shot]:
            return [shot async for shot in shots(cast(Shell, self), count, interval, NEXT, self.take)]

        with mock.patch.object(time, "monotonic", lambda: self.now):
            return asyncio.run(collect())


class Plan(unittest.TestCase):
    def test_moments_are_counted_from_the_first_frame(self) -> None:
        clock = Clock({})
        taken = clock.run(3, 60 * SECOND)
        moments = [None, 60 * SECOND + 7, 120 * SECOND + 7]
        self.assertEqual([shot.monotonic_ns for shot in taken], moments)
        self.assertEqual(clock.asked, [(NEXT, 0), *((at_monotonic(present(moment)), LEAD) for moment in moments[1:])])
        self.assertEqual(clock.slept, [55, 55])

    def test_a_picture_that_takes_long_to_come_shifts_no_other(self) -> None:
        clock = Clock({}, download=40)
        taken = clock.run(3, 60 * SECOND)
        self.assertEqual(taken[2].monotonic_ns, 120 * SECOND + 7)
        self.assertEqual(clock.slept, [15, 15])

    def test_a_missed_one_shifts_no_other(self) -> None:
        clock = Clock({2: CameraBusError(Code.FRAME_UNAVAILABLE, "it has gone")})
        taken = clock.run(3, 60 * SECOND)
        self.assertEqual([shot.error.code if shot.error else None for shot in taken], [None, Code.FRAME_UNAVAILABLE, None])
        self.assertEqual(taken[2].monotonic_ns, 120 * SECOND + 7)
        self.assertEqual(clock.slept, [55, 60])

    def test_a_camera_in_trouble_is_asked_again_until_the_moment(self) -> None:
        gone = CameraBusError(Code.DEVICE_NOT_FOUND, "unplugged", retryable=True)
        clock = Clock({number: gone for number in range(2, 50)})
        taken = clock.run(3, 60 * SECOND)
        self.assertEqual([shot.error for shot in taken], [None, gone, gone])
        self.assertEqual(len(clock.asked), 1 + 11 + 11, "for the last time at the moment")
        full = CameraBusError(Code.STORAGE_FULL, "full")
        self.assertEqual([shot.error for shot in Clock({2: full}).run(2, SECOND // 5)], [None, None])
        clock = Clock({2: gone, 3: gone})
        self.assertEqual([shot.error for shot in clock.run(2, 60 * SECOND)], [None, None])
        clock = Clock({2: CameraBusError(Code.UNREACHABLE, "silent", retryable=True)})
        clock.run(2, 60 * SECOND)
        self.assertEqual(len(clock.asked), 2, "there may be a photo all the same")

    def test_a_clock_that_begins_anew_ends_it(self) -> None:
        late = CameraBusError(Code.INVALID_ARGUMENT, "the moment lies after the deadline", "capture.when")
        with self.assertRaises(CameraBusError) as caught:
            Clock({2: late}).run(3, 60 * SECOND)
        self.assertIn("begin another one", caught.exception.message)

    def test_an_error_of_all_photos_ends_it(self) -> None:
        for number, code in ((1, Code.FRAME_UNAVAILABLE), (2, Code.FORBIDDEN)):
            with self.subTest(code=code), self.assertRaises(CameraBusError) as caught:
                Clock({number: CameraBusError(code, "no")}).run(3, 60 * SECOND)
            self.assertEqual(caught.exception.code, code)


class Series(unittest.TestCase):
    """Both clients, with a node."""

    def check(self, taken: list[Shot], interval: int) -> None:
        start: Optional[int] = None
        for shot in taken:
            resolved = present(shot.photo).resolved
            if start is None:
                start = resolved.timestamp.monotonic_ns
            else:
                moment = start + (shot.number - 1) * interval
                self.assertEqual(resolved.timestamp.monotonic_ns - resolved.offset_ns, moment)
                self.assertEqual(shot.monotonic_ns, moment)

    def test_it(self) -> None:
        async def collect(control: str) -> list[Shot]:
            async with AsyncCameraBus(control) as bus:
                return [shot async for shot in bus.time_lapse(3, 0.15, settings=PhotoSettings(keep=False, rotation=90))]

        with Node("cam=synthetic:320x240@30") as node, CameraBus(node.control) as bus:
            taken = list(bus.time_lapse(4, 0.2, NOW, "cam", picture=False))
            self.assertEqual(len(taken), 4)
            self.check(taken, 200_000_000)
            turned = asyncio.run(collect(node.control))
            self.check(turned, 150_000_000)
            self.assertEqual({present(shot.photo).resolved.orientation.rotation for shot in turned}, {90})
            wrongs: tuple[tuple[Any, Any], ...] = ((0, 1), (2, 0), (2, -1), ("3", 1), (2, 1e10), (2**62, 1))
            for count, interval in wrongs:
                with self.subTest(count=count, interval=interval), self.assertRaises(CameraBusError) as caught:
                    next(bus.time_lapse(count, interval))
                self.assertEqual(caught.exception.code, Code.INVALID_ARGUMENT)
                if count == 2:
                    self.assertIn("seconds" if interval >= 0 else "not negative", caught.exception.message)


if __name__ == "__main__":
    unittest.main()
