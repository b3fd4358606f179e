"""Tests that `help` and type hints of the blocking client name what its methods return."""

import inspect
import pydoc
import re
import subprocess
import typing
import unittest

import camerabus
from camerabus import CameraBus, Capture, messages
from node import program


class Help(unittest.TestCase):
    def test_the_version_is_that_of_the_programs(self) -> None:
        words = subprocess.run([program("camctl"), "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(words.split()[-1], camerabus.__version__)

    def test_help_of_the_blocking_client_shows_nothing_of_asyncio(self) -> None:
        for kind in (CameraBus, Capture, camerabus.Monitor, camerabus.FrameStream):
            results = re.findall("-> .*", pydoc.plain(pydoc.render_doc(kind)))
            self.assertGreater(len(results), 0)
            for word in ("Async", "Awaitable", "Coroutine"):
                self.assertNotIn(word, "\n".join(results))

    def test_every_method_has_its_type_hints(self) -> None:
        methods = {name: method for name, method in inspect.getmembers(CameraBus, inspect.isfunction)
                   if not name.startswith("_")}
        hints = {name: typing.get_type_hints(method) for name, method in methods.items()}
        for name, method in methods.items():
            parameters = inspect.signature(method).parameters
            self.assertEqual(set(hints[name]), {*parameters, "return"} - {"self"}, name)
        self.assertEqual(hints["begin_capture"]["return"], Capture)
        self.assertEqual(hints["all_assets"]["return"], typing.Iterator[messages.Asset])
        self.assertEqual(hints["assets"]["return"], list[messages.Asset])


if __name__ == "__main__":
    unittest.main()
