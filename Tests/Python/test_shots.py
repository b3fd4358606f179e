"""Tests shots: photos of a moment that is chosen when all cameras are ready."""

import unittest

from camerabus import CameraBus, Code, PhotoSettings, at_monotonic, at_wall, messages
from expecting import present
from live import WithNode
from node import Node


class Shots(WithNode):
    def test_two_cameras_take_one_moment(self) -> None:
        shots = [self.bus.prepare_shot(camera, shot=bytes(range(16)), holder="rig") for camera in ("front", "back")]
        self.assertEqual([shot.prepared.camera for shot in shots], ["front", "back"])
        moment = shots[1].prepared.now.monotonic_ns + 100_000_000
        captures = [shot.begin_commit(at_monotonic(moment)) for shot in shots]
        for capture, camera in zip(captures, ("front", "back")):
            photo = capture.photo()
            asset = present(photo.asset)
            self.assertEqual((asset.camera, asset.request_id), (camera, capture.id))
            self.assertLess(abs(photo.resolved.offset_ns), 500_000_000)
            self.assertTrue(present(photo.data).startswith(b"\xff\xd8"))
        self.assertFalse(any(camera.HasField("lease") for camera in self.bus.status().cameras))

    def test_what_is_given_up_is_free(self) -> None:
        shot = self.bus.prepare_shot("front")
        with CameraBus(self.node.control) as other:
            error = self.assert_fails(Code.CONFLICT, other.prepare_shot, "front")
            self.assertEqual(error.reason, messages.ERROR_REASON_LEASED)
        self.assertTrue(shot.abort())
        self.assertFalse(shot.abort())
        error = self.assert_fails(Code.CONFLICT, shot.begin_commit(at_monotonic(1)).photo)
        self.assertEqual(error.reason, messages.ERROR_REASON_NO_SUCH_SHOT)

    def test_it_works_under_a_lease_of_its_own(self) -> None:
        lease = self.bus.acquire_lease("front")
        self.addCleanup(self.bus.release_lease, "front")
        shots = [self.bus.prepare_shot("front") for _ in range(2)]
        self.assertEqual([shot.prepared.lease for shot in shots], [lease.id, lease.id])
        for shot in shots:
            self.assertTrue(shot.abort())
        self.assertTrue(self.bus.status("front").cameras[0].HasField("lease"))

    def test_a_moment_of_the_wall_clock(self) -> None:
        error = self.assert_fails(Code.CONFLICT, self.bus.prepare_shot, "front", wall_error=1e-9)
        self.assertEqual(error.reason, messages.ERROR_REASON_NO_REFERENCE_CLOCK)
        with Node("cam=synthetic:160x120@30", options=["--clock-error", "5ms"]) as node, CameraBus(node.control) as bus:
            bus.capture()
            shot = bus.prepare_shot(wall_error=0.006, settings=PhotoSettings(outputs="png"))
            photo = shot.begin_commit(at_wall(shot.prepared.newest.wall_ns)).photo()
            self.assertEqual(photo.files[0].media_type, "image/png")
            self.assertLess(abs(photo.resolved.offset_ns), 100_000_000)
            self.assert_fails(Code.CONFLICT, bus.prepare_shot, wall_error=0.004)

    def test_only_a_moment_is_committed(self) -> None:
        shot = self.bus.prepare_shot("back")
        self.addCleanup(shot.abort)
        self.assert_fails(Code.INVALID_ARGUMENT, shot.begin_commit, "now")
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.prepare_shot, "back", settings=PhotoSettings(size="max"))


if __name__ == "__main__":
    unittest.main()
