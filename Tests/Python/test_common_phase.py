"""Tests the phases of cameras, and which moment a shot has that nobody has chosen: the cases of Swift's tests."""

import random
import unittest
from typing import Optional

from camerabus import Bounds, ClockOffset, messages
from camerabus.common_phase import CommonPhase, ReadyCamera, Rhythm, shot_moment


class Phases(unittest.TestCase):
    phase = CommonPhase(1000)

    def test_a_phase_is_at_most_half_an_interval_away(self) -> None:
        for moment, other, expected in (
                (5_000, 2_000, 0), (5_100, 2_000, 100), (4_900, 2_000, -100), (2_000, 5_100, -100), (2_600, 2_000, -400)):
            with self.subTest((moment, other)):
                self.assertEqual(self.phase.distance(moment, other), expected)

    def test_the_next_frame_is_not_before_the_start(self) -> None:
        for moment, expected in ((2_300, 7_300), (9_300, 7_300), (7_000, 7_000)):
            self.assertEqual(self.phase.next(moment, 7_000), expected)
        # A rounded nanosecond would lie before it.
        self.assertEqual(CommonPhase(1000.4).next(0, 1001), 2001)
        self.assertGreaterEqual(CommonPhase(1000.4).next(3, 1004), 1004)

    def test_no_moment_is_nearer_to_all_frames_than_the_best_one(self) -> None:
        seed = random.randrange(2 ** 32)
        numbers = random.Random(seed)
        for _ in range(100):
            frames = [numbers.randrange(100_000) for _ in range(numbers.randint(1, 6))]

            def farthest(moment: int) -> int:
                return max(abs(self.phase.distance(frame, moment)) for frame in frames)

            best = self.phase.best(frames, 200_000)
            assert best is not None
            self.assertTrue(200_000 <= best <= 201_000)
            self.assertLessEqual(farthest(best), min(map(farthest, range(200_000, 201_000))) + 1, (seed, frames))
        self.assertIsNone(self.phase.best([], 0))

    def test_intervals_that_differ_by_a_thousandth_are_the_same(self) -> None:
        self.assertEqual([self.phase.has(other) for other in (998.9, 999, 1000, 1001, 1001.1)],
                         [False, True, True, True, False])

    def test_intervals_are_the_same_if_their_stamps_cannot_tell_them_apart(self) -> None:
        def pace(interval: float, deviation: float, frames: int) -> messages.FramePace:
            return messages.FramePace(interval_ns=interval, deviation_ns=deviation, frames=frames)

        phase = CommonPhase(200_120_000)
        # Of 24 frames that are 2.5 ms late or early, the slope of the line is known within 0.22 ms.
        noisy = pace(200_120_000, 2_500_000, 24)
        self.assertTrue(phase.has_pace(pace(199_865_000, 2_500_000, 24), noisy))
        self.assertFalse(phase.has_pace(pace(199_865_000, 2_500_000, 256), pace(200_120_000, 2_500_000, 256)))
        self.assertFalse(phase.has_pace(pace(190_000_000, 2_500_000, 24), noisy))

    def test_the_place_of_a_camera_is_known_as_well_as_the_clocks_and_the_stamps(self) -> None:
        def rhythm(newest: int, interval: float, clock: ClockOffset, deviation: float = 0, frames: int = 4) -> Rhythm:
            return Rhythm(messages.FramePace(
                newest=messages.Timestamp(monotonic_ns=newest), interval_ns=interval, deviation_ns=deviation, frames=frames),
                clock)

        reference = rhythm(10_000, 1000, ClockOffset(0, 0), deviation=20)
        camera = rhythm(57_300, 1000.01, ClockOffset(6_990, 7_010), deviation=10)
        place = self.phase.place(camera, reference)
        self.assertEqual(place.bounds, Bounds(300 - 10 - 15, 300 + 10 + 15))
        self.assertAlmostEqual(place.drift, 10)
        self.assertEqual(self.phase.place(reference, reference).bounds, Bounds(0, 0))


class Moments(unittest.TestCase):
    def test_a_shot_shows_the_present_where_all_cameras_keep_it_until_their_nodes_know_of_it(self) -> None:
        def moment(*cameras: tuple[Optional[int], int]) -> int:
            return shot_moment(1000, 50, [ReadyCamera(None, reach, interval) for reach, interval in cameras])

        self.assertEqual(moment((80, 10), (900, 30)), 1000)
        # One has lost the frames of now when it hears of them, or has none yet.
        self.assertEqual(moment((79, 10), (900, 30)), 1080)
        self.assertEqual(moment((900, 10), (None, 20)), 1070)

    def test_a_shot_is_nearest_to_the_frames_of_all_cameras(self) -> None:
        # When each camera took a frame, and the moment of a shot at 10,000 of cameras that take one every 1000, and keep
        # 5000 or nothing.
        for frames, reach, expected in (
                ([9_300, 2_500], 5000, 9_400), ([9_300, 9_300], 5000, 9_300), ([9_100, 2_900], 5000, 9_000),
                ([7_000, 8_200, 9_400], 5000, 9_200), ([9_300, 2_500], 0, 11_400)):
            with self.subTest(frames):
                self.assertEqual(shot_moment(10_000, 50, [ReadyCamera(frame, reach, 1000) for frame in frames]), expected)

    def test_cameras_of_other_rates_and_unknown_frames_have_no_common_moment(self) -> None:
        for cameras in ([ReadyCamera(9_300, 5000, 1000), ReadyCamera(9_100, 5000, 500)],
                        [ReadyCamera(9_300, 5000, 1000), ReadyCamera(None, 5000, 1000)], [ReadyCamera(1, 5000, 0)]):
            self.assertEqual(shot_moment(10_000, 50, cameras), 10_000)


if __name__ == "__main__":
    unittest.main()
