"""Tests that a node makes cameras of devices that come, and loses them with their devices, on vivid."""

import unittest

import vivid
from monitor import Monitor
from programs import Node
from usb_camera import USBCamera

FIRST, SECOND = "platform:vivid-000", "platform:vivid-001"
ROUNDS = 3


class Adoption(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(vivid.replug)

    def cameras(self, node):
        """The names of the adopted cameras by the identities of their devices."""
        return {camera["device"]["identity"]: camera["name"] for camera in node.json("cameras") if "adoption" in camera}

    def test_two_devices_come_and_go(self):
        """Both devices become cameras, end with their devices, and return under their names"""
        with Node(options=("--adopt", "usb-*=driver=vivid,320x180@10,format=YUYV")) as node:
            names = self.cameras(node)
            self.assertEqual({*names}, {FIRST, SECOND})
            with Monitor(node) as monitor:
                for _ in range(ROUNDS):
                    for name in names.values():
                        path = node.folder / "photo.jpg"
                        node.camctl("capture", "--camera", name, "--when", "next", "--output", path, "--overwrite")
                        self.assertGreater(path.stat().st_size, 0)
                    listed = {device["device"]["identity"]: device.get("camera") for device in node.json("devices")}
                    self.assertEqual((listed[FIRST], listed[SECOND]), (names[FIRST], names[SECOND]))
                    mark = monitor.mark()
                    vivid.unbind()
                    for name in names.values():
                        trouble = monitor.trouble(name, mark)
                        self.assertEqual(trouble["interruption"], "deviceDisconnected")
                        monitor.state(name, mark, lambda status: status["adoption"] == "ended")
                    self.assertEqual(self.cameras(node), {})
                    failed = node.try_camctl("capture", "--camera", names[FIRST])
                    self.assertIn("this node has no camera now", failed.stderr)
                    mark = monitor.mark()
                    vivid.bind()
                    for name in names.values():
                        monitor.state(name, mark, lambda status: status["adoption"] == "adopted" and status["readiness"] == "ready")
                    self.assertEqual(self.cameras(node), names)
                self.assertEqual(monitor.missed(), [])

    def test_a_device_that_is_back_soon(self):
        """A device that comes back at once keeps its camera"""
        with Node(options=("--adopt", f"cam=identity={FIRST},320x180@10,format=YUYV")) as node, Monitor(node) as monitor:
            mark = monitor.mark()
            vivid.replug()
            trouble = monitor.trouble("cam", mark)
            monitor.ready("cam", trouble)
            self.assertEqual(self.cameras(node), {FIRST: "cam"})
            ends = [item for item in monitor.objects if item["type"] == "state" and item["status"].get("adoption") == "ended"]
            self.assertEqual(ends, [])

    def test_cameras_of_the_configuration_come_first(self):
        """A device that the configuration names is left to it, also while it is gone"""
        with Node(f"front=v4l2:{FIRST},320x180@10,format=YUYV", options=("--adopt", "usb-*=driver=vivid")) as node:
            self.assertEqual({*self.cameras(node)}, {SECOND})
            self.assertIn("conflict", node.try_camctl(
                "configure", "--camera", "front", "--input", SECOND, "--json").stderr)
            with Monitor(node) as monitor:
                mark = monitor.mark()
                vivid.replug()
                trouble = monitor.trouble("front", mark)
                monitor.ready("front", trouble)
            self.assertEqual({*self.cameras(node)}, {SECOND})

    def test_a_usb_camera(self):
        """A USB camera that is plugged in becomes a camera, and goes when it is unplugged while it records"""
        names = set()
        with Node(options=("--adopt", "usb-*=driver=uvcvideo")) as node, Monitor(node) as monitor:
            for _ in range(2):
                mark = monitor.mark()
                with USBCamera():
                    status = monitor.wait(mark, lambda item: item["type"] == "state" and item["status"]["readiness"] == "ready"
                                          and item["status"]["adoption"] == "adopted" and item["status"])
                    name = status["name"]
                    names.add(name)
                    (started,) = node.json("record", "start", "--camera", name)
                    (photo,) = node.json("capture", "--camera", name, "--when", "next")
                    self.assertEqual(photo["camera"], name)
                    mark = monitor.mark()
                monitor.trouble(name, mark)
                monitor.state(name, mark, lambda status: status["adoption"] == "ended")
                (end,) = monitor.ends(started["id"])
                self.assertEqual(end["movie"]["reason"], "cameraLost")
        self.assertEqual(len(names), 1)
