"""Tests when the client knows how wrong this machine's wall clock may be, and what it makes of that."""

import tempfile
import time
import unittest
from pathlib import Path
from typing import Optional

from camerabus import CameraBus, OwnWallClock, messages
from expecting import present
from fake import FakeNode, Replies

CHRONYD, NTPD = messages.WALL_CLOCK_SOURCE_CHRONYD, messages.WALL_CLOCK_SOURCE_NTPD
OPERATOR = messages.WALL_CLOCK_SOURCE_OPERATOR
MS = 10 ** 6


class WallClock(unittest.TestCase):
    def setUp(self) -> None:
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def start(self, *programs: str) -> None:
        """Makes the entries of running programs in a copy of /proc: each is a name and the words of its command."""
        for number, program in enumerate(programs, 1):
            name, *words = program.split(" ")
            folder = self.root / "proc" / str(number)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "comm").write_text(name + "\n")
            (folder / "cmdline").write_text("".join(word.replace("_", " ") + "\0" for word in words))

    def test_the_keeper_of_the_clock_is_found_as_a_node_finds_it(self) -> None:
        cases: list[tuple[list[str], int, Optional[int]]] = [
            ([], 1200, None), (["chronyd /usr/sbin/chronyd -F 1"], 1200, CHRONYD), (["ntpd /usr/sbin/ntpd -g"], 1200, NTPD),
            (["chronyd /usr/sbin/chronyd"], -1, None), (["chronyd /usr/sbin/chronyd"], 0, None),
            (["ntpd /usr/sbin/ntpd -f", "ntpd ntpd:_ntp_engine"], 1200, None),
            (["systemd-timesyn /lib/systemd/systemd-timesyncd"], 500, None),
            (["chronyd /usr/sbin/chronyd", "phc2sys phc2sys -a"], 500, None),
            (["ptp4l ptp4l -i eth0", "chronyd /usr/sbin/chronyd"], 500, None),
            (["bash bash", "chronyd /usr/sbin/chronyd"], 1200, CHRONYD),
            (["chronyd /usr/sbin/chronyd -x"], 1200, None), (["chronyd /usr/sbin/chronyd -4dx"], 1200, None),
            (["chronyd /usr/sbin/chronyd -ux -f /etc/x -F 1"], 1200, CHRONYD),
            (["chronyd /usr/sbin/chronyd -x", "chronyd /usr/sbin/chronyd"], 1200, CHRONYD)]
        for number, (programs, kernel, source) in enumerate(cases):
            with self.subTest(programs=programs, kernel=kernel):
                self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
                self.start(*programs)
                own = OwnWallClock(root=str(self.root), kernel_bound=lambda kernel=kernel: kernel)  # type: ignore[misc]
                clock = own.read()
                self.assertEqual(own.source, source)
                if source is None:
                    self.assertIsNone(clock)
                else:
                    self.assertGreaterEqual(present(clock).error, kernel * 1000)

    def test_after_somebody_wrote_the_kernels_bound_it_counts_only_with_its_keeper(self) -> None:
        bounds = iter([1000, 1500, 1])
        self.start("chronyd /usr/sbin/chronyd")
        own = OwnWallClock(root=str(self.root), kernel_bound=lambda: next(bounds))
        self.assertIsNotNone(own.read())
        # It grows, and nobody looks.
        self.start("chronyd /usr/sbin/chronyd", "systemd-timesyn /lib/systemd/systemd-timesyncd")
        self.assertIsNotNone(own.read())
        # Another program has taken the clock over.
        self.assertIsNone(own.read())

    def test_a_person_knows_better(self) -> None:
        own = OwnWallClock(3 * MS, root=str(self.root), kernel_bound=lambda: -1)
        clock = present(own.read())
        self.assertEqual(own.source, OPERATOR)
        self.assertGreaterEqual(clock.error, 3 * MS)
        # Unless somebody sets the clock in between.
        self.assertLess(abs(time.time_ns() - time.monotonic_ns() - clock.offset), 500 * MS)

    def test_the_kernel_is_asked_where_nobody_states_anything(self) -> None:
        own = OwnWallClock()
        self.assertEqual(own.read() is None, own.source is None)


class SlowNode(unittest.TestCase):
    """A node whose clock is 5 s ahead, over a link that takes 20 ms each way."""

    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.wall_is_off = 0

        def answer(request: messages.Request) -> Replies:
            time.sleep(0.02)
            clock = messages.Timestamp(
                monotonic_ns=time.monotonic_ns() + 5 * 10 ** 9, wall_ns=time.time_ns() + self.wall_is_off, wall_error_ns=MS)
            reply = messages.ClockReply(read_monotonic_ns=clock.monotonic_ns, answered=clock, clock_id="n")
            time.sleep(0.02)
            return [{"clock": reply}]

        self.node.answers["clock"] = answer
        self.bus = self.enterContext(CameraBus(self.node.control))

    def test_the_wall_clocks_of_both_machines_count_if_both_have_bounds(self) -> None:
        slow = self.bus.clock(2, OwnWallClock(kernel_bound=lambda: -1))
        self.assertGreater(slow.most - slow.least, 38 * MS)
        quick = self.bus.clock(2, OwnWallClock(MS))
        # The two bounds on each side, and what it took to read two clocks.
        self.assertGreaterEqual(quick.most - quick.least, 3.9 * MS)
        self.assertLess(quick.most - quick.least, slow.most - slow.least)
        for offset in (slow, quick):
            self.assertTrue(offset.least <= 5 * 10 ** 9 <= offset.most)

    def test_bounds_of_wall_clocks_that_contradict_the_readings_do_not_count(self) -> None:
        self.wall_is_off = 10 ** 10
        offset = self.bus.clock(2, OwnWallClock(MS))
        self.assertTrue(offset.least <= 5 * 10 ** 9 <= offset.most)
        self.assertGreater(offset.most - offset.least, 38 * MS)


if __name__ == "__main__":
    unittest.main()
