"""Tests what a client says of the next photo: the node's state, its own photos under way, and its lease."""

import asyncio
import tempfile
import time
import unittest
from pathlib import Path
from typing import Optional

from camerabus import (
    AsyncCameraBus, CameraBus, CameraBusError, Code, PhotoSettings, Published, Readiness, Snapshot, at_monotonic, messages
)
from camerabus.calls import Call, Reply
from camerabus.readiness import OwnLease, combined
from expecting import present
from fake import FakeNode
from live import WithNode
from node import Node
from test_odd_jpegs import picture, saved

BUSY = messages.READINESS_NOT_READY_WAITING_FOR_PROCESSING
STEP = messages.CaptureProgress


def state(readiness: messages.Readiness.ValueType = messages.READINESS_READY, lease: bool = False) -> messages.CameraStatus:
    camera = messages.CameraStatus(name="cam", readiness=readiness)
    if lease:
        camera.lease.SetInParent()
    return camera


def photo(*steps: STEP.Step.ValueType, **request: object) -> Call:
    """A photo under way, after these steps."""
    capture = messages.CaptureRequest(camera="cam", **request)  # type: ignore[arg-type]
    call = Call(messages.Request(id=bytes(16), capture=capture), 10, True, 3, b"", 0)
    for step in steps:
        call.deliver(Reply(messages.Reply(capture_progress=STEP(step=step)), None), 0)
    return call


class Rules(unittest.TestCase):
    def readiness(self, camera: messages.CameraStatus, *calls: Call, lease: Optional[OwnLease] = None,
                  changes: bool = False) -> Readiness:
        return combined(camera, calls, lease, changes)

    def test_every_value_of_the_protocol_has_the_same_name_and_number(self) -> None:
        values = {name.removeprefix("READINESS_"): number for name, number in messages.Readiness.items()}
        values["UNKNOWN"] = values.pop("UNSPECIFIED")
        self.assertEqual({each.name: each.value for each in Readiness if each >= 0}, values)

    def test_a_value_of_a_newer_node_is_unknown(self) -> None:
        camera = messages.CameraStatus.FromString(b"\x38\x63" + state(messages.READINESS_UNSPECIFIED).SerializeToString())
        self.assertEqual((camera.readiness, self.readiness(camera)), (99, Readiness.UNKNOWN))

    def test_a_photo_that_the_node_has_not_answered_makes_the_camera_momentarily_not_ready(self) -> None:
        self.assertEqual(self.readiness(state()), Readiness.READY)
        self.assertEqual(self.readiness(state(), photo()), Readiness.NOT_READY_MOMENTARILY)
        self.assertEqual(self.readiness(state(), photo(STEP.STEP_WILL_BEGIN)), Readiness.READY)

    def test_the_nodes_reason_counts_before_the_clients_own(self) -> None:
        self.assertEqual(self.readiness(state(BUSY, lease=True), photo(), changes=True), BUSY)

    def test_photos_that_wait_have_twelve_places(self) -> None:
        outputs = [messages.CaptureRequest.Output(format=messages.PHOTO_FORMAT_PNG)] * 2
        for files, request in ((1, {}), (2, {"outputs": outputs}), (3, {"burst": messages.CaptureRequest.Burst(pictures=3)}),
                               (3, {"depth": messages.CaptureRequest.Depth(matte=messages.CaptureRequest.Matte())}),
                               (1, {"outputs": outputs, "deferred": True})):
            with self.subTest(request):
                made = [STEP.STEP_DID_CAPTURE] + [STEP.STEP_DID_PROCESS] * (files - 1)
                calls = [photo(*made, **request) for _ in range(12)]
                self.assertEqual(self.readiness(state(), *calls), Readiness.NOT_READY_WAITING_FOR_CAPTURE)
                calls[0] = photo(*made, STEP.STEP_DID_PROCESS, **request)
                self.assertEqual(self.readiness(state(), *calls), Readiness.READY)

    def test_photos_under_way_have_twenty_four_places(self) -> None:
        calls = [photo(STEP.STEP_DID_PROCESS) for _ in range(24)]
        self.assertEqual(self.readiness(state(), *calls), Readiness.NOT_READY_WAITING_FOR_PROCESSING)
        self.assertEqual(self.readiness(state(), *calls[1:]), Readiness.READY)

    def test_photos_of_another_camera_do_not_count(self) -> None:
        other = photo()
        other.request.capture.camera = "other"
        self.assertEqual(self.readiness(state(), other), Readiness.READY)
        other.request.capture.camera = ""  # the node's only one
        self.assertEqual(self.readiness(state(), other), Readiness.NOT_READY_MOMENTARILY)

    def test_the_lease_of_another_counts_only_for_a_photo_that_changes_the_camera(self) -> None:
        self.assertEqual(self.readiness(state(lease=True)), Readiness.READY)
        self.assertEqual(self.readiness(state(lease=True), changes=True), Readiness.NOT_READY_LEASED)
        self.assertEqual(self.readiness(state(), changes=True), Readiness.READY)
        self.assertEqual(self.readiness(state(lease=True), lease=OwnLease(b"l"), changes=True), Readiness.READY)

    def test_an_own_lease_that_has_ended_counts_until_it_is_used_no_more(self) -> None:
        lease = OwnLease(b"l")
        # The event that tells of the lease has not come yet.
        self.assertEqual(self.readiness(state(), lease=lease, changes=True), Readiness.READY)
        self.assertEqual(self.readiness(state(lease=True), lease=lease, changes=True), Readiness.READY)
        self.assertEqual(self.readiness(state(), lease=lease, changes=True), Readiness.NOT_READY_LEASED)
        self.assertEqual(self.readiness(state(), changes=True), Readiness.READY)


class Clients(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.node.answers["status"] = lambda request: [{"status": messages.StatusReply(cameras=[state()])}]
        self.node.answers["capture"] = lambda request: [{"capture_progress": STEP(step=STEP.STEP_WILL_BEGIN)}]

    def test_a_photo_counts_until_its_time_is_over(self) -> None:
        with CameraBus(self.node.control) as bus:
            bus.status()
            captures = [bus.begin_capture(timeout=1) for _ in range(12)]
            self.assertEqual(bus.readiness(), Readiness.NOT_READY_WAITING_FOR_CAPTURE)
            self.assertEqual(bus.readiness("cam"), Readiness.NOT_READY_WAITING_FOR_CAPTURE)
            self.assertEqual(bus.readiness(messages.CameraStatus(name="other", readiness=BUSY)), BUSY)
            time.sleep(1.4)
            self.assertEqual(bus.readiness(), Readiness.READY)
            del captures

    def test_a_state_asks_the_node_for_nothing_and_counts_what_has_arrived(self) -> None:
        with CameraBus(self.node.control) as bus:
            bus.begin_capture()
            self.node.await_requests("capture", 1)
            asked = len(self.node.requests)
            end = time.monotonic() + 20
            while bus.readiness(state()) is not Readiness.READY:
                self.assertLess(time.monotonic(), end, "the reply was never taken")
            self.assertEqual(len(self.node.requests), asked)

    async def test_a_wait_that_is_cancelled_ends_the_photo(self) -> None:
        self.node.answers["capture"] = lambda request: None
        async with AsyncCameraBus(self.node.control) as bus:
            await bus.status()
            waiting = asyncio.create_task(bus.capture())
            await asyncio.to_thread(self.node.await_requests, "capture", 1)
            self.assertEqual(await bus.readiness(), Readiness.NOT_READY_MOMENTARILY)
            self.assertEqual(await bus.readiness(state()), Readiness.NOT_READY_MOMENTARILY)
            waiting.cancel()
            await asyncio.wait([waiting])
            self.assertEqual(await bus.readiness(), Readiness.READY)

    def test_a_client_without_a_name_for_one_of_several_cameras_is_told_them(self) -> None:
        self.node.answers["status"] = lambda request: [{"status": messages.StatusReply(cameras=[
            messages.CameraStatus(name="front"), messages.CameraStatus(name="back")])}]
        with CameraBus(self.node.control) as bus, self.assertRaises(CameraBusError) as caught:
            bus.readiness()
        self.assertEqual(caught.exception.code, Code.NO_SUCH_CAMERA)
        self.assertIn("front, back", caught.exception.message)


class AtTheNode(WithNode):
    def test_a_client_with_twelve_photos_under_way_is_not_ready_and_others_are(self) -> None:
        self.assertEqual(self.bus.readiness("front"), Readiness.READY)
        # Photos of more than ten seconds ahead have fewer places.
        later = at_monotonic(self.bus.status().now.monotonic_ns + 9_000_000_000)
        captures = [self.bus.begin_capture(later, "front") for _ in range(12)]
        end = time.monotonic() + 5
        while (readiness := self.bus.readiness("front")) is Readiness.NOT_READY_MOMENTARILY and time.monotonic() < end:
            pass
        self.assertEqual(readiness, Readiness.NOT_READY_WAITING_FOR_CAPTURE)
        [camera] = self.bus.status("front").cameras
        self.assertEqual(camera.readiness, messages.READINESS_READY)
        self.assertEqual(self.bus.readiness(camera), Readiness.NOT_READY_WAITING_FOR_CAPTURE)
        self.assert_fails(Code.BUSY, self.bus.capture, camera="front")
        self.assertEqual(self.bus.readiness("back"), Readiness.READY)
        with CameraBus(self.node.control, timeout=30) as other:
            self.assertEqual(other.readiness("front"), Readiness.READY)
            other.capture(camera="front")
        for capture in captures:
            self.bus.cancel(capture.id)
            self.assert_fails(Code.CANCELLED, capture.photo)
        self.assertEqual(self.bus.readiness("front"), Readiness.READY)

    def test_a_lease_of_another_client_and_an_own_one_that_has_ended_are_in_the_way_of_a_bracket(self) -> None:
        bracket = [{"contrast": 100}]
        with CameraBus(self.node.control, timeout=30) as other:
            held = other.acquire_lease("front", term=600)
            self.assertEqual(self.bus.readiness("front", changes_camera=True), Readiness.NOT_READY_LEASED)
            self.assertEqual(self.bus.readiness("front"), Readiness.READY)
            self.assert_fails(Code.CONFLICT, lambda: list(self.bus.bracket(bracket, camera="front")), field="lease")
            self.bus.use_lease("front", held.id)
            self.assertEqual(self.bus.readiness("front", changes_camera=True), Readiness.READY)
            self.assertEqual(len(list(self.bus.bracket(bracket, camera="front"))), 1)
            other.release_lease("front")
        self.assertEqual(self.bus.readiness("front", changes_camera=True), Readiness.NOT_READY_LEASED)
        self.assert_fails(Code.CONFLICT, lambda: list(self.bus.bracket(bracket, camera="front")), field="lease")
        self.bus.use_lease("front", None)
        self.assertEqual(self.bus.readiness("front", changes_camera=True), Readiness.READY)


class DamagedFrames(unittest.TestCase):
    """A camera whose JPEGs have their end, and lack a part of their picture."""

    def test_a_silent_stream_leaves_captures_ready_and_says_which_files_fail(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            whole = saved(picture())
            scan = whole.index(b"\xff\xda")
            (Path(folder) / "1.jpg").write_bytes(whole[:scan + (len(whole) - scan) // 2] + b"\xff\xd9")
            with Node(f"cam=files:{folder},@30") as node, CameraBus(node.control) as bus:
                with bus.frames(stream="160x120"), bus.events("cam") as monitor:
                    while True:
                        notice = present(monitor.next(30))
                        if isinstance(notice, Snapshot):
                            camera = notice.status.cameras[0]
                        elif isinstance(notice, Published) and notice.event.HasField("state"):
                            camera = notice.event.state
                        else:
                            continue
                        if any(stream.error.code == messages.ERROR_CODE_ENCODING_FAILED for stream in camera.streams):
                            break
                    self.assertEqual(camera.readiness, messages.READINESS_READY)
                    photo = bus.capture()
                    self.assertTrue(photo.resolved.passthrough)
                    for settings in (PhotoSettings("png"), PhotoSettings(rotation=90)):
                        with self.subTest(settings), self.assertRaises(CameraBusError) as failure:
                            bus.capture(settings=settings)
                        self.assertEqual(failure.exception.code, Code.ENCODING_FAILED)


if __name__ == "__main__":
    unittest.main()
