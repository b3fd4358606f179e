"""Boots systemd in the guest, in namespaces of its own, to run a unit as on a machine."""

import contextlib
import os
import socket
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from programs import PATIENCE, output_of

# What the guest has already, or has no use for.
MASKED = ["systemd-remount-fs", "systemd-udevd", "systemd-udev-trigger", "systemd-networkd", "systemd-tmpfiles-setup",
          "systemd-journal-flush"]


# What systemctl says when the manager has dropped its connection, and how often a command is tried then.
DROPPED = "Transport endpoint is not connected"
TRIES = 3


def drain(ready, booted):
    """Reads what the manager tells its own supervisor, all the time: it waits where ten messages wait."""
    with contextlib.suppress(OSError):
        while True:
            if b"READY=1" in ready.recv(4096):
                booted.set()


class Systemd:
    """A manager for a `with` statement."""

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            ready = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            ready.bind(str(folder / "ready"))
            for unit in MASKED:
                link = Path("/etc/systemd/system") / f"{unit}.service"
                link.unlink(missing_ok=True)
                link.symlink_to("/dev/null")
            self.log = stack.enter_context(open(folder / "log", "w+"))
            variables = f"PATH={os.environ['PATH']} container=guest NOTIFY_SOCKET={folder}/ready"
            self.process = subprocess.Popen(
                ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
                 # The manager's helpers mount the credentials of services for all.
                 f"mount --make-rshared / && exec env -i {variables} /lib/systemd/systemd --unit=sysinit.target"],
                stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
            stack.callback(self.stop)
            # Why nobody need ask the manager again.
            self.gone = None
            booted = threading.Event()
            threading.Thread(target=drain, args=(ready, booted), daemon=True).start()
            if not booted.wait(2 * PATIENCE):
                raise AssertionError(f"systemd has not booted: {self.told()[-2000:]}")
            (self.number,) = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def stop(self):
        self.process.kill()
        self.process.wait(PATIENCE)

    def told(self):
        self.log.seek(0)
        return self.log.read()

    def command(self, *words):
        """The words of a command that runs beside the manager."""
        return ["nsenter", "--target", self.number, "--mount", "--pid", "--root", "--wd", *words]

    def run(self, *words):
        """The output of a command beside the manager. It may be done twice: on a slow machine the manager sometimes drops a
        connection of systemctl before it has answered.

        - Raises: `SkipTest` when it answers nobody any more.
        """
        if self.gone:
            raise unittest.SkipTest(self.gone)
        for _ in range(TRIES):
            try:
                return output_of(*self.command(*words))
            except subprocess.TimeoutExpired as error:
                # The one that it hung at has failed, and the next ones need not wait for it.
                self.gone = f"systemd hung: {error}"
                print(f"# systemd said: {self.told()[-1500:]}", flush=True)
                for line in output_of("ps", "-eo", "pid,ppid,stat,wchan:24,args").splitlines():
                    if " [" not in line:
                        print(f"# {line[:160]}", flush=True)
                raise
            except AssertionError as error:
                if DROPPED not in str(error):
                    raise
                print(f"# {' '.join(words)}: {DROPPED}; the manager said: {self.told()[-1000:]}", flush=True)
        # The emulated machine's manager is gone, and nothing can be said of the unit.
        self.gone = f"systemd itself does not answer any more: {' '.join(words)}: {DROPPED}"
        raise unittest.SkipTest(self.gone)

    def facts(self, unit, *names):
        """Properties of a unit, by their names."""
        told = self.run("systemctl", "show", unit, *(f"--property={name}" for name in names))
        return dict(line.split("=", 1) for line in told.splitlines())
