"""Tests a node with a thread that hangs, and one whose log is not read."""

import contextlib
import ctypes
import fcntl
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from camerabus import CameraBus
from expecting import present
from node import PATIENCE, Node, program

PTRACE_ATTACH = 16
WAIT_FOR_THREADS = 0x40000000  # __WALL


def freeze(process: int, name: str) -> int:
    """Stops one thread of a process for good, as a debugger does. Returns its number."""
    threads = {int(path.name): (path / "comm").read_text().strip() for path in Path(f"/proc/{process}/task").iterdir()}
    [thread] = [number for number, comm in threads.items() if comm == name]
    if ctypes.CDLL(None, use_errno=True).ptrace(PTRACE_ATTACH, thread, None, None) != 0:
        raise OSError(ctypes.get_errno(), f"ptrace of {name}")
    os.waitpid(thread, WAIT_FOR_THREADS)
    return thread


class Hangs(unittest.TestCase):
    def test_a_node_with_a_stuck_thread_names_it_and_ends(self) -> None:
        for name in ("control", "frames"):
            with self.subTest(name), Node("cam=synthetic:320x240@30") as node:
                thread = freeze(node.pid, name)
                os.waitpid(thread, WAIT_FOR_THREADS)
                self.assertEqual(node.wait(), 70)
                self.assertRegex(node.errors(), f"the thread {name} has not turned for 10 s")


class Logs(unittest.TestCase):
    def test_a_log_that_is_not_read_does_not_hold_up_the_node(self) -> None:
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            reader, writer = os.pipe()
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            os.write(writer, b"x" * 4096)
            log = stack.enter_context(open(reader, encoding="utf-8"))
            process = subprocess.Popen(
                [program("camerad"), "--library", folder, "--camera", "cam=synthetic:320x240@30", "--log", "trace",
                 *(f"--{socket}=tcp://127.0.0.1:0" for socket in ("control", "events", "frames"))],
                stdout=subprocess.PIPE, stderr=writer, text=True)
            os.close(writer)
            output = stack.enter_context(present(process.stdout))
            stack.callback(process.wait)
            stack.callback(process.kill)
            control = output.readline().split("control=")[1].split()[0]
            with CameraBus(control) as bus:
                self.assertEqual(bus.status().cameras[0].name, "cam")
                self.assertEqual(log.read(4096), "x" * 4096)
            process.terminate()
            self.assertRegex(log.read(), r"warning camerad: [0-9]+ lines of the log were lost")
            self.assertEqual(process.wait(PATIENCE), 0)


if __name__ == "__main__":
    unittest.main()
