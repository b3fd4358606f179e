"""Tests what a node in Deploy's unit knows of the wall clock, and that its start leaves no complaint."""

import json
import time
import unittest
from pathlib import Path

import service
from clocks import CONFIGURATIONS, PACKAGES, UNSYNCHRONIZED, adjtimex, forget, install, running
from programs import PATIENCE
from systemd import Systemd

CHRONY = f"""
[Service]
ExecStart={PACKAGES}/chrony/usr/sbin/chronyd -n -u root -f /etc/chrony.conf
"""


class ServiceClock(unittest.TestCase):
    def test_bound(self):
        """A node in the unit finds chronyd and gives the bound of the clock's error"""
        self.addCleanup(forget)
        install()
        forget()
        service.install()
        Path("/etc/systemd/system/chrony.service").write_text(CHRONY)
        Path("/etc/chrony.conf").write_text(CONFIGURATIONS["chrony"])
        with running("server"), Systemd() as systemd:
            systemd.run("systemctl", "start", "--no-block", "chrony", "camerad")
            self.await_condition("chronyd has not synchronized", lambda: adjtimex() < UNSYNCHRONIZED)

            def bound():
                status = json.loads(systemd.run("env", "HOME=/root", "camctl", "status", "--json"))
                return status["now"].get("wallErrorNanoseconds")

            self.await_condition(
                "the node is not ready",
                lambda: systemd.facts("camerad", "ActiveState") == {"ActiveState": "active"})
            self.await_condition("the bound stays unknown", lambda: bound() is not None)
            findings = systemd.run(
                "sh", "-c", "HOME=/root camctl doctor --json || true").splitlines()
            (clock,) = [finding for finding in map(json.loads, findings) if finding["check"] == "clock"]
            self.assertEqual(clock["verdict"], "ok", clock)
            log = systemd.run("journalctl", "--unit", "camerad", "--output", "cat", "--no-pager")
            self.assertIn("Started", log)
            self.assertNotIn("thread priority", log)

    def await_condition(self, failure, is_met):
        end = time.monotonic() + 2 * PATIENCE
        while not is_met():
            self.assertLess(time.monotonic(), end, failure)
            time.sleep(0.2)
