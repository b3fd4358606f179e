"""Tests that a name stays with its device, whatever happens to the links that udev makes, on vivid."""

import shutil
import threading
import time
import unittest
from pathlib import Path

import vivid
from monitor import Monitor
from programs import PATIENCE, Node

LINKS = Path("/dev/v4l")
PORTS = [f"platform-vivid.{number}-video-index0" for number in range(2)]
SHARED = "usb-Acme_Twin-video-index0"
RULE = ("--adopt", "cam-*=driver=vivid,320x180@10,format=YUYV")
# Seconds by which udev's links come after the node.
DELAY = 0.6


def link(name, node):
    place = LINKS / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(f"../../{node}")


def link_ports():
    for number, name in enumerate(PORTS):
        link(f"by-path/{name}", f"video{number}")


def touch_nodes():
    """Makes the node look at its devices."""
    for node in ("video0", "video1"):
        (Path("/dev") / node).chmod(0o660)


class Identity(unittest.TestCase):
    def setUp(self):
        self.addCleanup(vivid.replug)
        self.addCleanup(shutil.rmtree, LINKS, ignore_errors=True)

    def cameras(self, node):
        """The names of the cameras, with the places and identities of their devices."""
        return {camera["name"]: (camera["device"]["location"], camera["device"]["identity"])
                for camera in node.json("cameras")}

    def wait(self, node, expected):
        end = time.monotonic() + PATIENCE
        while (cameras := self.cameras(node)) != expected:
            self.assertLess(time.monotonic(), end, cameras)
            time.sleep(0.2)

    def restart(self, node):
        """Opens each device anew."""
        for name in self.cameras(node):
            node.camctl("session", "stop", "--camera", name)
            node.camctl("session", "start", "--camera", name)

    def assert_free(self, monitor):
        """No camera was called busy, which is what the node says of a device that it has twice."""
        messages = [item["status"]["error"]["message"] for item in monitor.objects
                    if item["type"] == "state" and "error" in item["status"]]
        self.assertEqual([text for text in messages if "in use" in text], [])

    def test_twins(self):
        """Two devices that share a link keep their cameras when it moves"""
        link_ports()
        link(f"by-id/{SHARED}", "video1")
        with Node(options=RULE) as node, Monitor(node) as monitor:
            cameras = self.cameras(node)
            self.assertEqual(sorted(cameras.values()), [(f"/dev/video{number}", PORTS[number]) for number in range(2)])
            for owner in ("video0", "video1"):
                link(f"by-id/{SHARED}", owner)
                touch_nodes()
                time.sleep(1)
                self.restart(node)
                self.assertEqual(self.cameras(node), cameras)
            # Not even a link that names a port takes the name to another device.
            link(f"by-path/{PORTS[0]}", "video1")
            touch_nodes()
            self.restart(node)
            self.assertEqual(self.cameras(node), cameras)
            self.assert_free(monitor)
        # Nor does it depend on the moment of the start.
        link_ports()
        link(f"by-id/{SHARED}", "video0")
        with Node(options=RULE) as node:
            self.assertEqual(self.cameras(node), cameras)

    def test_late_links(self):
        """A device whose links come late has the same camera as ever"""
        link_ports()
        with Node(options=RULE) as node:
            cameras = self.cameras(node)
        vivid.unbind()
        shutil.rmtree(LINKS)
        with Node(options=RULE) as node, Monitor(node) as monitor:
            self.assertEqual(self.cameras(node), {})
            for _ in range(2):
                udev = threading.Timer(DELAY, link_ports)
                mark = monitor.mark()
                vivid.bind()
                udev.start()
                for name in cameras:
                    monitor.state(name, mark, lambda status: status["readiness"] == "ready")
                udev.join()
                touch_nodes()
                time.sleep(1)
                self.assertEqual(self.cameras(node), cameras)
                mark = monitor.mark()
                vivid.unbind()
                shutil.rmtree(LINKS)
                for name in cameras:
                    monitor.state(name, mark, lambda status: status["adoption"] == "ended")
            self.assert_free(monitor)
        vivid.bind()

    def test_a_link_of_the_configuration(self):
        """A camera of the configuration is not adopted under another name, and keeps its device"""
        link_ports()
        link(f"by-id/{SHARED}", "video1")
        with Node(f"front=v4l2:/dev/v4l/by-id/{SHARED},320x180@10,format=YUYV", options=RULE) as node, \
                Monitor(node) as monitor:
            cameras = self.cameras(node)
            self.assertEqual(cameras["front"], ("/dev/video1", PORTS[1]))
            self.assertEqual(sorted(cameras.values()), [("/dev/video0", PORTS[0]), ("/dev/video1", PORTS[1])])
            link(f"by-id/{SHARED}", "video0")
            touch_nodes()
            self.restart(node)
            self.wait(node, cameras)
            self.assert_free(monitor)

    def test_a_link_of_the_configuration_that_comes_late(self):
        """A device that the configuration names by its link is not adopted when the link comes late"""
        vivid.unbind()
        with Node(f"front=v4l2:/dev/v4l/by-id/{SHARED},320x180@10,format=YUYV", options=("--keep-trying", *RULE)) as node, \
                Monitor(node) as monitor:
            mark = monitor.mark()
            vivid.bind()
            time.sleep(DELAY)
            link_ports()
            link(f"by-id/{SHARED}", "video1")
            monitor.state("front", mark, lambda status: status["readiness"] == "ready")
            touch_nodes()
            time.sleep(1)
            cameras = self.cameras(node)
            self.assertEqual(cameras["front"], ("/dev/video1", PORTS[1]))
            self.assertEqual(sorted(cameras.values()), [("/dev/video0", PORTS[0]), ("/dev/video1", PORTS[1])])
            self.assert_free(monitor)
