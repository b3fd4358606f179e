"""Tests what the node and the doctor say of the wall clock while real programs keep it."""

import json
import time
import unittest

from camerabus import OwnWallClock, messages
from clocks import (
    ADJ_MAXERROR, ADJ_STATUS, UNSYNCHRONIZED, adjtimex, forget, install, running)
from programs import PATIENCE, Node

COMPUTING = ["chrony", "ntpsec"]
WRITING_ZERO = ["openntpd", "systemd-timesyncd"]


class Clock(unittest.TestCase):
    def setUp(self):
        self.addCleanup(forget)
        install()
        forget()

    def bound(self, node):
        """The bound in the status, in nanoseconds; None where it is unknown."""
        (status,) = node.json("status")
        return status["now"].get("wallErrorNanoseconds")

    def known_bound(self, node):
        """The bound, once the node knows who keeps the clock."""
        end = time.monotonic() + PATIENCE
        while (bound := self.bound(node)) is None:
            self.assertLess(time.monotonic(), end, "the bound stays unknown")
        return bound

    def finding(self, node):
        result = node.try_camctl("doctor", "--json")
        findings = [json.loads(line) for line in result.stdout.splitlines()]
        (clock,) = [finding for finding in findings if finding["check"] == "clock"]
        return clock

    def test_bound(self):
        """The bound of the clock's error is that of chronyd or ntpd, and unknown with other programs"""
        with running("server"):
            for name in COMPUTING + WRITING_ZERO:
                with self.subTest(keeper=name), running(name), Node("cam=synthetic:320x240@5") as node:
                    self.bound(node)  # now the node looks for the keeper
                    self.check_clients(node, name)
                    if name in COMPUTING:
                        # The kernel lets it grow, and the keeper may have lowered it.
                        self.assertTrue(0 < self.known_bound(node) < UNSYNCHRONIZED * 1000)
                    finding = self.finding(node)
                    if name in COMPUTING:
                        self.assertEqual(finding["verdict"], "ok")
                        self.assertIn("keeps the wall clock right, within", finding["message"])
                    else:
                        self.assertIsNone(self.bound(node))
                        self.assertEqual(finding["verdict"], "warning")
                        self.assertIn("without a bound", finding["message"])

    def check_clients(self, node, keeper):
        """The clients find the bound of their machine's clock by themselves, in the same way."""
        source = {"chrony": "chronyd", "ntpsec": "ntpd"}.get(keeper)
        (report,) = node.json("clock")
        self.assertEqual(report.get("ownSource"), source)
        own = OwnWallClock()
        read = own.read()
        self.assertEqual(own.source and messages.WallClockSource.Name(own.source),
                         source and f"WALL_CLOCK_SOURCE_{source.upper()}")
        if source:
            self.assertTrue(0 < report["own"]["errorNanoseconds"] < UNSYNCHRONIZED * 1000)
            self.assertTrue(0 < read.error < UNSYNCHRONIZED * 1000)
        else:
            self.assertNotIn("own", report)
            self.assertIsNone(read)

    def test_observer(self):
        """A chronyd that only observes the clock does not lend its name to the kernel's bound"""
        with running("server"), Node("cam=synthetic:320x240@5") as node:
            self.assertIn("nothing keeps", self.finding(node)["message"])
            # Another program, which nobody sees in a container, keeps the clock.
            adjtimex(modes=ADJ_MAXERROR | ADJ_STATUS, maxerror=500, status=0)
            self.bound(node)
            self.assertIn("the kernel counts", self.finding(node)["message"])
            self.assertIsNone(self.bound(node))
