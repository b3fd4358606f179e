"""A `camerad` on a machine of a rig."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from harness.record import PATIENCE

from .space import FILES

REPOSITORY = Path(__file__).resolve().parents[3]
PROGRAMS = Path(os.environ.get("CAMERABUS_PROGRAMS") or REPOSITORY / ".build" / "optimised" / "release")
PORTS = (5570, 5571, 5572)
READY = re.compile(r"camerad: ready control=.*\n")


class Node:
    """A node with one camera, for a `with` statement. It may be killed and started again.

    All wall clocks of the machine are the same, so it is true that the node's is wrong by less than 1 ms.
    """

    def __init__(self, name, machine, camera):
        self.name, self.machine, self.camera = name, machine, camera
        self._folder = FILES / name
        self.process = None

    def __enter__(self):
        self._folder.mkdir()
        self._log = open(self._folder / "log", "w+")
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.kill()
        self._log.close()
        shutil.rmtree(self._folder)

    def start(self):
        """Starts the node and waits for its ready line."""
        endpoints = [word for name, port in zip(("control", "events", "frames"), PORTS)
                     for word in (f"--{name}", f"tcp://{self.machine.address}:{port}")]
        self.process = subprocess.Popen(
            self.machine.command(
                PROGRAMS / "camerad", "--camera", f"cam={self.camera}", "--library", self._folder / "library",
                "--pressure", "off", "--insecure", "--clock-error", "1ms", *endpoints),
            stdout=subprocess.PIPE, stderr=self._log, text=True)
        line = self.process.stdout.readline()
        if not READY.fullmatch(line):
            self._log.flush()
            raise AssertionError(f"{self.name} said {line!r} and {(self._folder / 'log').read_text()!r}")

    def kill(self):
        """Kills the node with SIGKILL."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stdout.close()
