"""A running `camerad` with synthetic cameras, for a `with` statement."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Iterable

from expecting import present

PATIENCE = 60  # a program that takes longer counts as hung, seconds


def program(name: str) -> Path:
    """The path of a program under test: in the folder CAMERABUS_PROGRAMS, or in SwiftPM's build
    folder.
    """
    build = Path(__file__).resolve().parents[2] / ".build"
    folders = [os.environ["CAMERABUS_PROGRAMS"]] if "CAMERABUS_PROGRAMS" in os.environ else [
        build / "debug", build / "release"]
    for folder in folders:
        path = Path(folder) / name
        if path.exists():
            return path
    raise FileNotFoundError(f"there is no {name}: swift build --product {name}, or name its folder in CAMERABUS_PROGRAMS")


def program_for_all(name: str, folder: Path) -> Path:
    """A copy of a program in a folder that other users reach. They may not reach the repository."""
    return Path(shutil.copy(program(name), folder))


class Node:
    """A node: `Node("front=synthetic:640x480@30")`.

    It listens on free ports and keeps them when it restarts.
    """

    def __init__(self, *cameras: str, options: Iterable[object] = (), has_terminal: bool = True):
        self._cameras = cameras
        # Where the tests run in a terminal, the node has it too, unless it is to be like a service.
        self._has_terminal = has_terminal
        self._options = [str(option) for option in options]
        self.control = self.events = self.frames = "tcp://127.0.0.1:0"

    def __enter__(self) -> Node:
        with contextlib.ExitStack() as stack:
            self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self._log = stack.enter_context(open(self.folder / "log", "w+"))
            self.start()
            stack.callback(self._leave)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _leave(self) -> None:
        if not self._has_ended:
            self.stop()

    def start(self) -> None:
        self._has_ended = False
        # The machine may be busy with other tests. Where they run under nohup, the node would ignore SIGHUP too.
        arguments = ["env", "--default-signal=HUP", str(program("camerad"))]
        arguments += ["--library", str(self.folder / "library"), *self._options]
        # The machine may be hot.
        arguments += [] if "--pressure" in self._options else ["--pressure", "off"]
        for camera in self._cameras:
            arguments += ["--camera", camera]
        arguments += ["--control", self.control, "--events", self.events, "--frames", self.frames]
        self._process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=self._log, text=True, start_new_session=not self._has_terminal)
        line = present(self._process.stdout).readline()
        ready = re.search(r"ready control=(\S+) events=(\S+) frames=(\S+)", line)
        if not ready:
            self._process.kill()
            self._reap()
            raise AssertionError(f"camerad said {line!r} and {self.errors()!r}")
        self.control, self.events, self.frames = ready.groups()

    def stop(self) -> None:
        """Ends the node with SIGTERM, as an operator would, and checks that it ends well."""
        self._process.terminate()
        status = self._reap()
        assert status == 0, f"camerad ended with {status}: {self.errors()!r}"

    def kill(self) -> None:
        """Kills the node with SIGKILL."""
        self._process.kill()
        assert self._reap() == -signal.SIGKILL

    def kill_for_good(self) -> None:
        """Kills the node, so that the end of the `with` statement has nothing to stop."""
        self.end(signal.SIGKILL)

    def end(self, number: int) -> None:
        """Ends the node with a signal. The end of the `with` statement then does nothing."""
        self._process.send_signal(number)
        self._reap()
        self._has_ended = True

    def wait(self) -> int:
        """Waits until the node ends by itself. Returns its status."""
        status = self._reap()
        self._has_ended = True
        return status

    @property
    def pid(self) -> int:
        return self._process.pid

    def pause(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def errors(self) -> str:
        self._log.seek(0)
        return self._log.read()

    def _reap(self) -> int:
        status = self._process.wait(PATIENCE)
        present(self._process.stdout).close()
        return status
