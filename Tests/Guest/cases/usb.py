"""Tests a USB camera: what its driver's timestamps mean, and its exposure time."""

import unittest

from camerabus import NEXT, CameraBus, PhotoSettings, messages

from monitor import Monitor
from programs import Node
from usb_camera import HEIGHT, RATE, WIDTH, USBCamera

INTERVAL = 10**9 // RATE
EXPOSURE = 25_000_000
# Photos until the camera has surely adopted a new exposure time. The node waits for ten frames.
SETTLED = 30
# So many that the node knows the camera's own clock for some of them, and that the clock wraps around.
PHOTOS = 100


class USB(unittest.TestCase):
    def setUp(self):
        self.camera = self.enterContext(USBCamera())
        spec = f"cam=v4l2:{self.camera.device()},{WIDTH}x{HEIGHT}@{RATE},format=YUYV"
        self.node = self.enterContext(Node(spec))
        self.bus = self.enterContext(CameraBus(self.node.control))

    def exposure(self, expected):
        """The first of the next photos whose exposure time is as expected, or the last of them."""
        for _ in range(SETTLED):
            resolved = self.bus.capture(NEXT, settings=PhotoSettings(keep=False)).resolved
            if resolved.exposure_ns == expected:
                break
        return resolved

    def test_exposure_time(self):
        """A photo tells the exposure time that was set by hand, and none while it is automatic"""
        resolved = self.exposure(0)
        self.assertEqual(resolved.exposure_ns, 0)
        # uvcvideo says that it stamps the start of the exposure, but it stamps the arrival.
        self.assertEqual(resolved.timestamp_mark, messages.TimestampMark.TIMESTAMP_MARK_ARRIVAL)
        self.node.camctl(
            "controls", "set", "auto_exposure=Manual Mode", f"exposure_time_absolute={EXPOSURE // 100_000}")
        self.assertEqual(int.from_bytes(self.camera.exposure, "little"), EXPOSURE // 100_000)
        resolved = self.exposure(EXPOSURE)
        self.assertEqual(resolved.exposure_ns, EXPOSURE)
        width = resolved.latest_end_ns - resolved.earliest_start_ns
        self.assertGreaterEqual(width, EXPOSURE)
        self.assertLessEqual(width, EXPOSURE + 2 * INTERVAL)
        self.node.camctl("controls", "set", "auto_exposure=Aperture Priority Mode")
        self.assertEqual(self.exposure(0).exposure_ns, 0)


class CamerasOwnTime(unittest.TestCase):
    def test_bound(self):
        """Each photo tells within a bound when the camera captured it, also after another one came"""
        with Node(options=("--adopt", "usb-*=driver=uvcvideo")) as node, Monitor(node) as monitor, CameraBus(node.control) as bus:
            for _ in range(2):
                mark = monitor.mark()
                with USBCamera() as camera:
                    name = monitor.wait(mark, lambda item: item["type"] == "state"
                                        and item["status"]["readiness"] == "ready" and item["status"]["name"])
                    times = [resolved.device_time for resolved in (
                        bus.capture(NEXT, name, settings=PhotoSettings(keep=False)).resolved for _ in range(PHOTOS)) if resolved.HasField("device_time")]
                    self.assertTrue(bus.capabilities(name).device_time)
                    self.show(node, camera)
                    mark = monitor.mark()
                monitor.trouble(name, mark)
                self.assertGreater(len(times), PHOTOS // 4)
                for time in times:
                    self.assertEqual(time.basis, messages.DeviceTime.BASIS_ARRIVAL)  # vhci-hcd counts no USB frames
                    self.assertLessEqual(abs(time.monotonic_ns - camera.captures[time.ticks]), time.error_ns)
                    self.assertLess(time.error_ns, 50_000_000)
                print(f"{len(times)} of {PHOTOS} photos, errors of {times[0].error_ns} to {times[-1].error_ns} ns")

    def show(self, node, camera):
        """The command line shows the same of frames and of a photo."""
        (able,) = node.json("capabilities")
        self.assertTrue(able["saysDeviceTime"])
        self.assertRegex(node.camctl("capabilities"), r"says the camera's own time +yes")
        *frames, _ = node.json("watch", "--stream", "raw", "--count", 20, "--frames")
        (photo,) = node.json("capture", "--when", "next")
        known = [item["deviceTime"] for item in (*frames, photo["resolved"]) if "deviceTime" in item]
        self.assertGreater(len(known), len(frames) // 2)
        for time in known:
            distance = abs(time["monotonicNanoseconds"] - camera.captures[time["ticks"]])
            self.assertLessEqual(distance, time["errorNanoseconds"])
            self.assertEqual(time["basis"], "arrival")
