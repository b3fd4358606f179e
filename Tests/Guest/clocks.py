"""Programs that keep the guest's wall clock, and what the kernel knows of the clock.

Deploy/packages lists their packages for the guest alone: they are unpacked and not installed,
because they would keep the clock of the machine that runs the tests.
"""

import contextlib
import ctypes
import os
import subprocess
import tempfile
import time
from pathlib import Path

from programs import PATIENCE

PACKAGES = Path(os.environ["CAMERABUS_GUEST_PACKAGES"])
# The address of the server, so that a client may have the same port on another address.
SERVER = "127.0.0.2"
UNSYNCHRONIZED = 16_000_000  # as a bound, in microseconds
# What Debian's packages make when they are installed.
USERS = ["systemd-timesync", "ntpd", "openntpd"]
FOLDERS = ["/var/lib/openntpd/db", "/var/lib/openntpd/run", "/run/systemd/timesync", "/var/lib/systemd/timesync"]
ADJ_MAXERROR, ADJ_STATUS, STA_UNSYNC = 4, 0x10, 0x40
CONFIGURATIONS = {
    "server": f"bindaddress {SERVER}\nport 123\nlocal stratum 1\nallow\ncmdport 0\npidfile /run/server.pid\n",
    "chrony": f"server {SERVER} iburst minpoll 0 maxpoll 0\nport 0\ncmdport 0\npidfile /run/client.pid\n",
    "ntpsec": f"server {SERVER} iburst minpoll 0 maxpoll 3\ninterface ignore wildcard\n"
              "interface listen 127.0.0.1\n",
    "openntpd": f"server {SERVER}\n",
    "systemd-timesyncd": f"[Time]\nNTP={SERVER}\nFallbackNTP=\n",
}
COMMANDS = {
    "server": ["chrony/usr/sbin/chronyd", "-x", "-n", "-u", "root", "-f"],
    "chrony": ["chrony/usr/sbin/chronyd", "-n", "-u", "root", "-f"],
    "ntpsec": ["ntpsec/usr/sbin/ntpd", "-n", "-g", "-c"],
    "openntpd": ["openntpd/usr/sbin/ntpd", "-d", "-f"],
    "systemd-timesyncd": ["systemd-timesyncd/lib/systemd/systemd-timesyncd"],
}


class Timex(ctypes.Structure):
    """The kernel's `struct timex`, whose end is of no interest here."""

    _fields_ = [
        ("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long), ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long), ("status", ctypes.c_int), ("rest", ctypes.c_long * 40)]


def adjtimex(**fields):
    """Changes what the kernel knows of the clock. Returns the bound of its error in microseconds."""
    clock = Timex(**fields)
    assert ctypes.CDLL(None).adjtimex(ctypes.byref(clock)) >= 0
    return clock.maxerror


def install():
    """Does what the packages do when they are installed."""
    with open("/etc/passwd", "a+") as file:
        file.seek(0)
        known = [line.split(":")[0] for line in file]
        for number, user in enumerate(USERS):
            if user not in known:
                file.write(f"{user}:x:{61700 + number}:65534::/var/lib/openntpd:/usr/sbin/nologin\n")
    for folder in FOLDERS:
        os.makedirs(folder, exist_ok=True)
    for folder in FOLDERS[2:]:
        os.chmod(folder, 0o777)


def forget():
    """Makes the kernel take the clock for wrong, as at its start."""
    adjtimex(modes=ADJ_STATUS | ADJ_MAXERROR, status=STA_UNSYNC, maxerror=UNSYNCHRONIZED)


@contextlib.contextmanager
def running(name):
    """Runs one of the programs. All but the server have synchronized the clock when this returns."""
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/log", "w+") as log:
        os.chmod(folder, 0o755)
        configuration = Path(folder, "configuration")
        if name == "systemd-timesyncd":
            configuration = Path("/etc/systemd/timesyncd.conf")
        configuration.parent.mkdir(parents=True, exist_ok=True)
        configuration.write_text(CONFIGURATIONS[name])
        program, *options = COMMANDS[name]
        command = [str(PACKAGES / program), *options]
        if options:
            command.append(str(configuration))
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            if name == "openntpd":
                # It takes minutes to write what is written here.
                await_condition(process, log, lambda: "ntp engine ready" in Path(log.name).read_text())
                adjtimex(modes=ADJ_STATUS | ADJ_MAXERROR, maxerror=500)
            elif name != "server":
                await_condition(process, log, lambda: adjtimex() < UNSYNCHRONIZED)
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)
            forget()


def await_condition(process, log, is_met):
    """Waits until the program has done something."""
    end = time.monotonic() + PATIENCE
    while not is_met():
        if process.poll() is not None or time.monotonic() > end:
            log.seek(0)
            raise AssertionError(f"the clock is not synchronized: {log.read()}")
        time.sleep(0.2)
