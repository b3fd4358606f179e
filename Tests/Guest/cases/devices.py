"""Tests the list of the machine's cameras, and the events of those that come and go, on vivid."""

import os
import re
import subprocess
import unittest

import vivid
from monitor import Follower
from programs import Node

FIRST, SECOND, LOOPBACK = "platform:vivid-000", "platform:vivid-001", "platform:v4l2loopback-000"


class Devices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(vivid.replug)
        cls.node = cls.enterClassContext(
            Node(f"cam=v4l2:{FIRST},320x180@10,format=YUYV", "test=synthetic:320x240@5"))

    def devices(self):
        return {device["device"]["identity"]: device for device in self.node.json("devices")}

    def test_all_are_listed(self):
        """All cameras of the machine are listed, with those that use them and their formats"""
        devices = self.devices()
        self.assertEqual([*devices][:3], [FIRST, SECOND, LOOPBACK])
        self.assertEqual([device.get("camera") for device in devices.values()], ["cam", None, None, "test"])
        for device in devices.values():
            self.assertEqual(device["authorization"], "authorized")
        formats = self.node.json("formats", "--camera", "cam")
        self.assertEqual(devices[FIRST]["formats"], formats)
        # As another program lists them, whether the node can use them or not.
        words = subprocess.run(
            ["v4l2-ctl", "-d", "/dev/video0", "--list-formats"], capture_output=True, text=True, check=True).stdout
        self.assertEqual({item["pixelFormat"] for item in formats},
                         {code.replace(" ", "") for code in re.findall(r"'(.{4}(?:-BE)?)'", words)})
        usable = ["problem" not in item for item in formats]
        self.assertEqual(usable, sorted(usable, reverse=True), "those that cannot be used come last")
        self.assertIn("libv4lconvert", formats[-1]["problem"])
        self.assertIn("not usable here", self.node.camctl("formats", "--camera", "cam"))
        self.assertEqual(self.node.camctl("devices").splitlines()[1].split()[:3], ["/dev/video0", "vivid", "cam"])

    def test_holders(self):
        """The program that has a camera open is named"""
        with vivid.opened(self.devices()[SECOND]["device"]["location"]):
            self.assertIn(f"(process {os.getpid()})", " ".join(self.devices()[SECOND]["holders"]))
        self.assertEqual(self.devices()[SECOND]["holders"], [])

    def test_come_and_go(self):
        """Events tell which cameras go and come"""
        with Follower(self.node, "events", "--kind", "devices", "--kind", "state") as monitor:
            def wait(mark, field):
                missing = {FIRST, SECOND}

                def choose(event):
                    if event["type"] == "devices":
                        missing.difference_update(
                            device["device"]["identity"] for device in event["devices"][field] if "error" not in device)
                    return not missing
                monitor.wait(mark, choose)
            mark = monitor.mark()
            vivid.unbind()
            wait(mark, "disappeared")
            self.assertNotIn(FIRST, self.devices())
            mark = monitor.mark()
            vivid.bind()
            wait(mark, "appeared")
        self.assertIn(FIRST, self.devices())

    def test_denied(self):
        """A node without permission says so, and which group to join"""
        with Node("test=synthetic:320x240@5", user=65534) as node:
            (device, *_) = node.json("devices")
            self.assertEqual(device["authorization"], "denied")
            self.assertEqual(device["error"]["code"], "permissionDenied")
            self.assertIn(device["device"]["location"], device["error"]["message"])
            self.assertEqual(device["formats"], [])
