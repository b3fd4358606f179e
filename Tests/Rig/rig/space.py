"""Namespaces of Linux, by which one machine plays several.

The harness itself enters namespaces for the network and for mounts that have no names, so that all interfaces and files
which it makes are gone with its processes, however they end.
"""

import ctypes
import os
import subprocess
from pathlib import Path

NEW_MOUNTS, NEW_TIME, NEW_USER, NEW_NETWORK = 0x20000, 0x80, 0x10000000, 0x40000000  # unshare(2)
# The filesystem of the harness, which only its own processes see; /mnt is there for such a purpose (hier(7)).
FILES = Path("/mnt")
_C = ctypes.CDLL(None, use_errno=True)


class Forbidden(Exception):
    """This machine does not let us make the namespaces; the text says why and what to do."""


def unshare(flags):
    """Enters new namespaces. Fails with an OSError."""
    if _C.unshare(flags):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def isolate():
    """Moves this process, which must have one thread, into a network and a filesystem of its own."""
    user, group = os.getuid(), os.getgid()
    try:
        unshare(NEW_NETWORK | NEW_MOUNTS | (NEW_USER if user else 0))
        if user:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"0 {user} 1")
            Path("/proc/self/gid_map").write_text(f"0 {group} 1")
        run("mount", "--make-rprivate", "/")
        run("mount", "-t", "tmpfs", "camerabus-rig", FILES)
        run("ip", "link", "set", "lo", "up")
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stderr", "") or "").strip() or error
        raise Forbidden(
            f"no namespaces for the network here ({said}): run it as root, or allow namespaces of users "
            "(sysctl kernel.unprivileged_userns_clone=1; in a container --privileged)") from error


def run(*command, text=None):
    """Runs a command that must succeed, with a text on its input."""
    subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True, check=True, timeout=90)
