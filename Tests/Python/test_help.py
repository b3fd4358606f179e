"""Tests that `help` and type hints of the blocking client name what its methods return."""

import inspect
import pydoc
import re
import subprocess
import typing
import unittest
from typing import Any

import camerabus
from camerabus import CameraBus, Capture, Rig, messages
from node import program


class Help(unittest.TestCase):
    def test_the_version_is_that_of_the_programs(self) -> None:
        words = subprocess.run([program("camctl"), "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(words.split()[-1], camerabus.__version__)

    def test_help_of_the_blocking_client_shows_nothing_of_asyncio(self) -> None:
        for kind in (CameraBus, Capture, camerabus.Monitor, camerabus.FrameStream, Rig, camerabus.RigCapture):
            results = re.findall("-> .*", pydoc.plain(pydoc.render_doc(kind)))
            self.assertGreater(len(results), 0)
            for word in ("Async", "Awaitable", "Coroutine"):
                self.assertNotIn(word, "\n".join(results))

    def test_every_method_has_its_type_hints(self) -> None:
        hints = self.hints(Rig)
        self.assertEqual(hints["series"]["return"], typing.Iterator[camerabus.RigShot])
        self.assertEqual(hints["capture"]["return"], camerabus.RigShot)
        hints = self.hints(CameraBus)
        self.assertEqual(hints["begin_capture"]["return"], Capture)
        self.assertEqual(hints["all_assets"]["return"], typing.Iterator[messages.Asset])
        self.assertEqual(hints["assets"]["return"], list[messages.Asset])

    def hints(self, kind: type) -> dict[str, dict[str, Any]]:
        methods = {name: method for name, method in inspect.getmembers(kind, inspect.isfunction)
                   if not name.startswith("_")}
        hints = {name: typing.get_type_hints(method) for name, method in methods.items()}
        for name, method in methods.items():
            parameters = inspect.signature(method).parameters
            self.assertEqual(set(hints[name]), {*parameters, "return"} - {"self"}, name)
        return hints


if __name__ == "__main__":
    unittest.main()
