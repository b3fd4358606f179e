"""Follows Deploy/SERVICE.md to the letter, as an ordinary user with sudo on a machine with systemd."""

import contextlib
import json
import os
import pwd
import re
import shlex
import shutil
import socket
import subprocess
import unittest
from pathlib import Path

import service
from programs import PATIENCE, PROGRAMS, output_of, run
from systemd import Systemd

CLONE = Path(__file__).resolve().parents[3]
CONFIGURATION = Path("/etc/camerabus/camerad.yaml")
LIBRARY = Path("/var/lib/camerabus")
CAMERA = "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0"
# The guest has neither a network nor a firewall. Deploy/stages/install checks the packages.
NOT_RUN = ["What the machine needs", "Firewall"]
# What is left of an installation, of this case or another one.
REMAINS = ["/etc/camerabus", "/etc/systemd/system/camerad.service", "/etc/systemd/system/camerad.service.d",
           *(f"/var/lib/{folder}{name}" for folder in ("", "private/")
             for name in ("camerabus", "camerabus-keys", "camerabus-state", "camerabus-before"))]


def page():
    """Gives the blocks of the page as (heading, language, text)."""
    text = (CLONE / "Deploy" / "SERVICE.md").read_text()
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
            yield section.splitlines()[0], language, block


def clear():
    for path in map(Path, REMAINS):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    # The driver keeps what the page's configuration gives it.
    run("v4l2-ctl", "--device", "/dev/video0", "--set-ctrl", "brightness=128,contrast=128")


def configure(block):
    """Writes the settings of a block into the configuration, in place of those of the same name."""
    text = CONFIGURATION.read_text()
    for name in re.findall(r"^(\w+):", block, re.MULTILINE):
        text = re.sub(rf"^{name}:.*\n([ #].*\n)*", "", text, flags=re.MULTILINE)
    CONFIGURATION.write_text(text + block)


def make_machine():
    """Makes the devices, the addresses and the user that the page speaks of."""
    service.own_devices()
    Path(CAMERA).parent.mkdir(parents=True, exist_ok=True)
    Path(CAMERA).unlink(missing_ok=True)
    Path(CAMERA).symlink_to("/dev/video0")
    for address in ("192.168.1.10", "203.0.113.7"):
        subprocess.run(["ip", "address", "replace", f"{address}/32", "dev", "lo"], check=True)
    with contextlib.suppress(KeyError):
        pwd.getpwnam("ann")
        output_of("userdel", "--remove", "ann")
    output_of("useradd", "--create-home", "--shell", "/bin/bash", "ann")
    Path("/etc/sudoers.d/ann").write_text("ann ALL=(ALL) NOPASSWD: ALL\n")


class ServicePage(unittest.TestCase):
    def test_page(self):
        """The commands of SERVICE.md do what it says"""
        clear()
        make_machine()
        self.addCleanup(clear)
        self.invitation = ""
        self.systemd = self.enterContext(Systemd())
        headings = dict.fromkeys(heading for heading, _, _ in page())
        checks = {heading: getattr(self, "check_" + heading.lower().replace(" ", "_"), None) for heading in headings}
        self.assertIn("Start", headings)
        for heading in headings:
            if heading in NOT_RUN:
                continue
            with self.subTest(section=heading):
                if heading == "Addresses beyond private networks":
                    self.assertFalse(self.reaches("203.0.113.7"))
                for _, language, block in (block for block in page() if block[0] == heading):
                    if language == "yaml":
                        configure(block)
                    else:
                        self.follow(block)
                if checks[heading]:
                    checks[heading]()

    def follow(self, block):
        """Runs a block as Ann, who has just logged in, and returns what it prints."""
        if block.startswith("Deploy/release\n"):
            return self.build(block)
        result = subprocess.run(
            self.systemd.command("runuser", "--login", "ann", "--command", f"bash -euc {shlex.quote(block)}"),
            input=self.invitation, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=2 * PATIENCE)
        self.assertEqual(result.returncode, 0, f"{block}: {result.stdout[-2000:]} {result.stderr[-2000:]}")
        self.invitation = "".join(re.findall(r"^camerabus://.*\n", result.stdout, re.MULTILINE)) or self.invitation
        return result.stdout

    def build(self, block):
        """Runs the rest of the block in the clone, where Deploy/stages/guest has run Deploy/release."""
        built = CLONE / ".build" / "programs" / "camerad.1"
        self.assertTrue(built.exists(), "run Deploy/release first")
        self.assertGreater(built.stat().st_mtime, (PROGRAMS / "camerad").stat().st_mtime, "run Deploy/release again")
        output_of("sh", "-euc", f"cd {shlex.quote(str(CLONE))}\n{block.removeprefix('Deploy/release')}")
        shutil.move(CLONE / "camerabus.tar", "/home/ann")

    def reaches(self, source):
        """Whether the node answers a connection from an address."""
        with contextlib.suppress(TimeoutError):
            with socket.create_connection(("192.168.1.10", 5570), timeout=3, source_address=(source, 0)) as client:
                return client.recv(1) == b"\xff"
        return False

    def state(self, *words):
        (camera,) = json.loads(self.follow(f"sudo camctl status --json {' '.join(words)}"))["cameras"]
        return camera["state"]

    def photos(self):
        """The photos that Ann can read, and all."""
        found = "find /var/lib/camerabus/ -name '*.jpg'"
        return self.follow(f"{found} -readable").split(), self.follow(f"sudo {found}").split()

    def check_start(self):
        self.assertEqual(self.state(), "running")
        self.assertEqual(self.follow("sudo systemctl is-enabled camerad"), "enabled\n")
        # A photo that only the service may read.
        self.follow("sudo camctl capture --output first.jpg")

    def check_other_machines(self):
        self.assertTrue(self.reaches("192.168.1.10"))
        self.assertEqual(json.loads(self.follow("camctl status --json --node desk"))["access"]["role"], "viewer")

    def check_addresses_beyond_private_networks(self):
        self.assertTrue(self.reaches("203.0.113.7"))

    def check_a_group_of_users(self):
        """A member of the group may use the node and read all photos, before and after a restart."""
        for _ in range(2):
            self.follow("camctl capture --node ipc:///run/camerabus/control --overwrite --output photo.jpg")
            readable, photos = self.photos()
            self.assertEqual(readable, photos)
            self.follow("sudo systemctl restart camerad")
        readable, after = self.photos()
        self.assertEqual(readable, photos, "a restart takes photos from the group")
        self.assertEqual(after, photos)

    def check_upgrade(self):
        facts = self.systemd.facts("camerad", "MainPID")
        program = self.systemd.run("readlink", f"/proc/{facts['MainPID']}/exe")
        self.assertTrue(program.endswith("/usr/local/bin/camerad\n"), f"the node runs {program}")
        self.assertEqual(self.state("--node tcp://192.168.1.10:5570"), "running")
        self.assertTrue(list(Path("/var/lib/camerabus-before").rglob("*.jpg")), "the copy has the photos")

    def check_remove(self):
        self.assertFalse(list(Path("/usr/local").rglob("cam[ec]*")))
        self.assertTrue(list(LIBRARY.rglob("*.jpg")))
