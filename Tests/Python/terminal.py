"""`camctl` on a terminal of a given width, and what that terminal shows."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import selectors
import signal
import struct
import termios
import time
import unicodedata
from typing import Mapping

from node import PATIENCE, Node, program

ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")


def columns(character: str) -> int:
    """How many columns the character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Screen:
    """The lines that a terminal shows. It does not wrap: a line that is too wide stays so."""

    def __init__(self, text: str):
        self.lines = [""]
        self.drawn: list[str] = []  # the text of the last line at each time before it was erased
        position = 0
        while position < len(text):
            escape = ESCAPE.match(text, position)
            if escape:
                if escape[2] == "K":
                    self.drawn.append(self.lines[-1])
                    self.lines[-1] = ""
                elif escape[2] == "J":
                    self.lines = [""]
                elif escape[2] not in "mH":
                    raise AssertionError(f"the terminal of this test does not know {escape[0]!r}")
                position = escape.end()
                continue
            character = text[position]
            if character == "\n":
                self.lines.append("")
            elif character != "\r":
                self.lines[-1] += character
            position += 1

    @staticmethod
    def width(line: str) -> int:
        return sum(map(columns, line))


class Terminal:
    """Runs camctl on a terminal, in a `with` statement."""

    def __init__(self, node: Node | str, *arguments: object, columns: int = 80,
                 environment: Mapping[str, str] | None = None):
        self._arguments = [str(program("camctl")), *map(str, arguments)]
        endpoint = node if isinstance(node, str) else node.control
        self._environment = {
            **os.environ, "CAMERABUS_NODE": endpoint, "TERM": "xterm", "LC_ALL": "C.UTF-8", **(environment or {})}
        self._columns = columns
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.text = ""

    def __enter__(self) -> Terminal:
        self._master, terminal = pty.openpty()
        self.resize(self._columns)
        self._pid = os.fork()
        if self._pid == 0:
            os.login_tty(terminal)
            # Where the tests run under nohup, camctl would ignore the end of its terminal too.
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            os.execve(self._arguments[0], self._arguments, self._environment)
        os.close(terminal)
        self._status: int | None = None
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._master, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is None:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        self._selector.close()
        os.close(self._master)

    def resize(self, columns: int) -> None:
        """Makes the terminal this wide, of which it tells the program."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def interrupt(self) -> None:
        """Types Ctrl-C."""
        self.type(b"\x03")

    def terminate(self) -> None:
        os.kill(self._pid, signal.SIGTERM)

    def hang_up(self) -> None:
        os.kill(self._pid, signal.SIGHUP)

    def disconnect(self) -> int:
        """Closes the terminal, as when an ssh session drops. Returns the program's status."""
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), self._master)
        self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self._status

    def wait(self, wanted: str, start: int = 0) -> int:
        """Reads until the text behind `start` matches, and returns where the match ends."""
        while True:
            match = re.compile(wanted).search(self.text, start)
            if match:
                return match.end()
            if not self._read():
                raise AssertionError(f"camctl ended without {wanted!r}: {self.text!r}")

    def finish(self) -> int:
        """Reads to the program's end and returns its status."""
        while self._read():
            pass
        self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self._status

    @property
    def screen(self) -> Screen:
        return Screen(self.text)

    def _read(self) -> bool:
        limit = time.monotonic() + PATIENCE
        if not self._selector.select(limit - time.monotonic()):
            raise AssertionError(f"camctl is silent: {self.text!r}")
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False  # the program has closed the terminal
        self.text += self._decoder.decode(data)
        return bool(data)
