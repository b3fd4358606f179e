"""Tests photos whose files are made later with a running node."""

import hashlib
import unittest

from camerabus import NOW, CameraBus, Code, Photo, PhotoSettings, Published, messages
from expecting import present
from live import WithNode
from node import Node

CAMERA = "cam=synthetic:1920x1080@30,format=YUYV"
OUTPUTS = ["heic", "png"]


class Deferred(WithNode):
    def assert_final(self, photo: Photo, proxy: Photo) -> None:
        self.assertEqual([file.media_type for file in photo.files], ["image/heic", "image/png"])
        for file in photo.files:
            asset = present(file.asset)
            self.assertEqual(hashlib.sha256(present(file.data)).digest(), asset.sha256)
            self.assertEqual((asset.request_id, asset.replaces), (proxy.request_id, present(proxy.asset).id))
            self.assertFalse(file.is_proxy)

    def test_the_proxy_comes_at_once_and_the_final_files_follow(self) -> None:
        steps: list[messages.CaptureProgress] = []
        with self.bus.events("front") as monitor:
            self.assert_snapshot(monitor)
            proxy = self.bus.capture(
                NOW, "front", settings=PhotoSettings(OUTPUTS, priority="quality", deferred=True), on_progress=steps.append)
            self.assertTrue(proxy.is_proxy)
            self.assertEqual(present(proxy.data)[:2], b"\xff\xd8")
            self.assertEqual(present(proxy.asset).deferral, messages.DEFERRAL_PENDING)
            self.assertTrue(steps[0].settings.deferred and steps[-1].proxy)
            self.assertEqual([file.media_type for file in steps[0].settings.files], ["image/heic", "image/png"])
            photo = self.bus.final_photo(proxy, timeout=60)
            self.assert_final(photo, proxy)
            self.assertEqual(photo.resolved.merged_frames, 4)
            while True:
                notice = present(monitor.next(30))
                if isinstance(notice, Published) and notice.event.HasField("deferred"):
                    break
            self.assertEqual([file.asset.id for file in notice.event.deferred.finished.files],
                             [present(file.asset).id for file in photo.files])
        [kept] = self.bus.assets("front", id=present(proxy.asset).id, deferral=messages.DEFERRAL_DONE)
        self.assertEqual(kept.sha256, proxy.sha256)
        self.assert_final(self.bus.final_photo(kept, timeout=60), proxy)
        self.assertIs(self.bus.final_photo(photo), photo)

    def test_each_picture_of_a_burst_and_a_bracket_has_its_own(self) -> None:
        for photos in (self.bus.burst(3, camera="front", settings=PhotoSettings(OUTPUTS, deferred=True)),
                       self.bus.bracket([-1, 1], camera="front", settings=PhotoSettings(OUTPUTS, deferred=True))):
            proxies = list(photos)
            self.assertTrue(all(proxy.is_proxy and len(proxy.files) == 1 for proxy in proxies))
            for proxy in proxies:
                photo = self.bus.final_photo(proxy, timeout=60)
                self.assert_final(photo, proxy)
                self.assertEqual(photo.resolved.shot, proxy.resolved.shot)
                self.assertEqual(photo.resolved.frame_sequence, proxy.resolved.frame_sequence)

    def test_what_needs_its_files_at_once_is_refused(self) -> None:
        self.assert_fails(
            Code.INVALID_ARGUMENT, self.bus.capture, NOW, "front", settings=PhotoSettings(keep=False, deferred=True), field="capture.deferred")


class Restarted(unittest.TestCase):
    def test_a_node_that_is_killed_makes_the_files_after_its_next_start(self) -> None:
        with Node(CAMERA) as node, CameraBus(node.control, timeout=30) as bus:
            # The last ones are certainly not made yet.
            proxies = list(bus.burst(5, camera="cam", settings=PhotoSettings(OUTPUTS, deferred=True), picture=False))
            node.kill()
            node.start()
            for proxy in proxies:
                photo = bus.final_photo(proxy, timeout=120)
                self.assertEqual([file.media_type for file in photo.files], ["image/heic", "image/png"])
            self.assertEqual(len(bus.assets(request_id=proxies[0].request_id)), 15)
            self.assertEqual(bus.status().library.deferred_photos, 0)

    def test_a_proxy_that_is_deleted_in_time_has_no_final_files(self) -> None:
        with Node(CAMERA) as node, CameraBus(node.control, timeout=2) as bus:
            proxies = list(bus.burst(5, camera="cam", settings=PhotoSettings(OUTPUTS, deferred=True), picture=False))
            last = present(proxies[-1].asset)
            bus.delete([last])
            bus.final_photo(proxies[-2], timeout=120)
            with self.assertRaises(Exception) as caught:
                bus.final_photo(last, timeout=120)
            self.assertEqual(getattr(caught.exception, "code", None), Code.NO_SUCH_ASSET)
            self.assertEqual([asset for asset in bus.assets() if asset.replaces == last.id], [])


if __name__ == "__main__":
    unittest.main()
