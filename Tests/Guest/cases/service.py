"""Tests Deploy's unit with systemd itself: the node works in its sandbox, and is watched."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import threading
import unittest
from pathlib import Path

from bars import BARS, check_bars
from programs import PATIENCE, PROGRAMS, v4l2
from systemd import Systemd

UNIT = Path(__file__).resolve().parents[3] / "Deploy" / "systemd" / "camerad.service"
CONFIGURATION = """
library: /var/lib/camerabus
cameras:
  front: v4l2:/dev/video0,640x360@10
"""


def install():
    """Does what Deploy/install, Debian's packages and udev do on a machine."""
    for name in ("camerad", "camctl"):
        # A manager of before may still be ending one.
        shutil.copy(PROGRAMS / name, f"/usr/local/bin/{name}.new")
        os.replace(f"/usr/local/bin/{name}.new", f"/usr/local/bin/{name}")
    shutil.copy(UNIT, "/etc/systemd/system/camerad.service")
    Path("/etc/camerabus").mkdir(exist_ok=True)
    Path("/etc/camerabus/camerad.yaml").write_text(CONFIGURATION)
    own_devices()


def own_devices():
    """Gives the cameras to their group, as udev does."""
    groups = Path("/etc/group").read_text()
    if "\nrender:" not in groups:
        Path("/etc/group").write_text(groups + "render:x:64000:\n")
    for device in Path("/dev").glob("video*"):
        shutil.chown(device, group="video")
        device.chmod(0o660)


class Service(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        install()
        cls.systemd = cls.enterClassContext(Systemd())
        try:
            cls.systemd.run("systemctl", "start", "camerad")
        except AssertionError as error:
            raise AssertionError(f"{error}: {cls.log()[-3000:]}") from None

    @classmethod
    def log(cls):
        return cls.systemd.run("journalctl", "--unit", "camerad", "--output", "cat", "--no-pager")

    @contextlib.contextmanager
    def following(self):
        """Gives a function that returns the next line of the unit's log, beginning with the first."""
        command = ["journalctl", "--unit", "camerad", "--output", "cat", "--follow", "--lines", "all"]
        with subprocess.Popen(self.systemd.command(*command), stdout=subprocess.PIPE, text=True) as log:
            deadline = threading.Timer(2 * PATIENCE, log.kill)
            deadline.start()

            def line():
                text = log.stdout.readline()
                assert text, "the log has ended"
                return text

            try:
                yield line
            finally:
                deadline.cancel()
                log.kill()

    def camctl(self, *words):
        return self.systemd.run("env", "HOME=/root", "camctl", *words)

    def test_photo(self):
        """A photo is taken and kept in the unit's sandbox, by a user that nobody else is"""
        v4l2("/dev/video0", "--set-ctrl", "osd_text_mode=2,brightness=128,contrast=128,saturation=128,hue=0")
        # On the machine, root may do everything, without an invitation.
        self.assertEqual(json.loads(self.camctl("status", "--json"))["access"]["role"], "controller")
        photo = "/run/photo.jpg"
        self.camctl("capture", "--output", photo)
        check_bars(self, Path(photo), 640, 360, BARS)
        (asset,) = Path("/var/lib/private/camerabus").rglob("*.jpg")
        self.assertEqual(asset.read_bytes(), Path(photo).read_bytes())
        self.assertEqual(asset.stat().st_mode & 0o777, 0o600)
        self.assertIn(asset.stat().st_uid, range(61184, 65520), "systemd's dynamic users")

    def test_keys(self):
        """A reload lets the node read its keys again, and ends nothing"""
        before = self.systemd.facts("camerad", "MainPID", "NRestarts")
        self.camctl("keys", "invite", "robot", "--library", "/var/lib/camerabus", "--control", "tcp://127.0.0.1:5570")
        self.systemd.run("systemctl", "reload", "camerad")
        self.assertEqual(self.systemd.facts("camerad", "MainPID", "NRestarts"), before)
        with self.following() as line:
            while "keys: robot may use the node" not in line():
                pass

    def test_credential(self):
        """The service manager may keep the node's key"""
        folder, kept = Path("/var/lib/private/camerabus-keys"), Path("/etc/camerabus/node.key_secret")
        changes = Path("/etc/systemd/system/camerad.service.d/key.conf")
        key = self.camctl("keys", "show", "--library", "/var/lib/camerabus")

        def restart():
            self.systemd.run("systemctl", "daemon-reload")
            self.systemd.run("systemctl", "restart", "camerad")

        def restore():
            changes.unlink()
            restart()

        shutil.move(folder / "node.key_secret", kept)
        (folder / "node.key").unlink()
        changes.parent.mkdir()
        changes.write_text(f"[Service]\nLoadCredential=node.key_secret:{kept}\n")
        self.addCleanup(restore)
        self.addCleanup(self.systemd.run, "cp", "--preserve", kept, folder)
        self.addCleanup(self.systemd.run, "chown", "--reference", folder, kept)
        restart()
        # The node makes the public half known again.
        self.assertEqual(self.camctl("keys", "show", "--library", "/var/lib/camerabus"), key)
        self.assertFalse((folder / "node.key_secret").exists())

    def test_watchdog(self):
        """A node that hangs is started again"""
        with self.following() as line:
            self.systemd.run("systemctl", "kill", f"--signal={signal.SIGSTOP.value}", "camerad")
            while "Watchdog timeout" not in line():
                pass
            while "Started" not in line():
                pass
        self.assertEqual(self.systemd.facts("camerad", "ActiveState"), {"ActiveState": "active"})
        self.assertEqual(json.loads(self.camctl("status", "--json"))["cameras"][0]["state"], "running")
