"""A node that takes its cameras from devices, on a machine that has none of them."""

from __future__ import annotations

import unittest

from camerabus import CameraBus, CameraBusError, Code
from node import Node


class WithoutDevices(unittest.TestCase):
    def test_a_node_may_have_no_camera_yet(self) -> None:
        with Node(options=("--adopt", "usb-*=driver=nonesuch")) as node, CameraBus(node.control, timeout=20) as bus:
            self.assertEqual(list(bus.status().cameras), [])
            for camera in (None, "usb-3fa9c1d2"):
                with self.assertRaises(CameraBusError) as caught:
                    bus.capture(camera=camera)
                self.assertEqual(caught.exception.code, Code.NO_SUCH_CAMERA)

    def test_it_has_those_of_its_configuration_besides(self) -> None:
        with Node("cam=synthetic:160x120@30", options=("--adopt", "usb-*=driver=nonesuch")) as node, \
                CameraBus(node.control, timeout=20) as bus:
            (camera,) = bus.status().cameras
            self.assertEqual((camera.name, camera.adoption), ("cam", 0))
