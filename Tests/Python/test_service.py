"""Tests what a node tells the service manager that has started it (sd_notify(3))."""

import os
import signal
import socket
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from node import PATIENCE, Node


class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.manager.close)
        self.manager.bind(str(self.folder / "notify"))
        self.manager.settimeout(PATIENCE)

    def test_it_says_that_it_is_ready_that_its_threads_turn_and_that_it_stops(self) -> None:
        variables = {"NOTIFY_SOCKET": str(self.folder / "notify"), "WATCHDOG_USEC": "50000"}
        with mock.patch.dict(os.environ, variables):
            with Node("cam=synthetic:320x240@30", options=["--keys", self.folder / "keys"]) as node:
                self.assertEqual(self.manager.recv(100), b"READY=1")
                for _ in range(3):
                    self.assertEqual(self.manager.recv(100), b"WATCHDOG=1")
                # Without a service manager it would end the node.
                os.kill(node.pid, signal.SIGHUP)
                for _ in range(3):
                    self.assertEqual(self.manager.recv(100), b"WATCHDOG=1")
        while (told := self.manager.recv(100)) != b"STOPPING=1":
            self.assertEqual(told, b"WATCHDOG=1")

    def test_a_stopped_node_does_not_say_that_its_threads_turn(self) -> None:
        variables = {"NOTIFY_SOCKET": str(self.folder / "notify"), "WATCHDOG_USEC": "50000"}
        with mock.patch.dict(os.environ, variables), Node("cam=synthetic:320x240@30") as node:
            self.assertEqual(self.manager.recv(100), b"READY=1")
            os.kill(node.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, node.pid, os.WSTOPPED | os.WNOWAIT)
            self.manager.settimeout(0.5)
            with self.assertRaises(TimeoutError):
                while True:
                    self.assertEqual(self.manager.recv(100), b"WATCHDOG=1")
            os.kill(node.pid, signal.SIGCONT)

    def test_without_a_watchdog_nothing_is_fed(self) -> None:
        variables = {"NOTIFY_SOCKET": str(self.folder / "notify")}
        with mock.patch.dict(os.environ, variables), Node("cam=synthetic:320x240@30"):
            self.assertEqual(self.manager.recv(100), b"READY=1")
        self.assertEqual(self.manager.recv(100), b"STOPPING=1")
