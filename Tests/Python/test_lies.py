"""Tests the client with a node that sends golden messages with changed bytes.

CAMERABUS_LIES says how many messages each test sends, and CAMERABUS_SEED repeats them.
"""

import os
import random
import resource
import unittest
from typing import Callable

from camerabus import NEXT, NOW, AsyncCameraBus, CameraBus, CameraBusError, Code, messages
from camerabus.framing import SIGNATURE, write_publication
import golden
from fake import A, B, FakeNode

COUNT = int(os.environ.get("CAMERABUS_LIES", "2000"))
PER_CALL = 20
GROWTH = 64 << 10  # kilobytes
ENOUGH = messages.Error(code=messages.ERROR_CODE_CONFLICT, message="enough")


class Liar:
    def __init__(self, test: str) -> None:
        seed = int(os.environ.get("CAMERABUS_SEED", random.SystemRandom().randrange(1 << 64)))
        print(f"{test}: CAMERABUS_SEED={seed}", flush=True)
        self._random = random.Random(seed)
        self._replies = [parts for parts in golden.messages("replies") if len(parts) > 1]
        self._publications = [parts for parts in golden.messages("publications") if len(parts) == 3]

    def replies(self, request: messages.Request, epoch: bytes) -> list[list[bytes]]:
        return [self._reply(request, epoch) for _ in range(PER_CALL)]

    def _reply(self, request: messages.Request, epoch: bytes) -> list[bytes]:
        reply = messages.Reply.FromString(self._random.choice(self._replies)[1])
        reply.id = request.id
        if self._random.random() < 0.5:
            reply.epoch = epoch
        if self._random.random() < 0.5:
            reply.index = self._random.randrange(20)
        parts = [SIGNATURE, self._changed(reply.SerializeToString()), bytes(range(self._random.randrange(40)))]
        return parts[:self._random.randint(1, 3)]

    def publication(self, epoch: bytes) -> list[bytes]:
        parts = list(self._random.choice(self._publications))
        if self._random.random() < 0.5:
            header = messages.Header.FromString(parts[1])
            header.epoch = epoch
            header.sequence = self._random.choice([self._random.randrange(9), (1 << 64) - 1])
            parts[1] = header.SerializeToString()
        place = self._random.randrange(3)
        parts[place] = self._changed(parts[place])
        return parts[:self._random.choice([3, 3, 2, 1])]

    def _changed(self, message: bytes) -> bytes:
        content = bytearray(message)
        for _ in range(self._random.randrange(5)):
            if not content:
                break
            place = self._random.randrange(len(content))
            end = place + self._random.randrange(1, 10)
            change = self._random.randrange(6)
            if change == 0:
                content[place] ^= 1 << self._random.randrange(8)
            elif change == 1:
                content[place] = self._random.choice([0, 0x7f, 0x80, 0xff])
            elif change == 2:
                del content[place:end]
            elif change == 3:
                content[place:place] = content[place:end]
            elif change == 4:
                content.insert(place, self._random.randrange(256))
            else:
                del content[place:]
        return bytes(content)


def peak() -> int:
    """The most memory that this process has had, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Lies(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.memory = peak()

    def tearDown(self) -> None:
        self.assertLess(peak() - self.memory, GROWTH)

    def lie(self) -> None:
        liar = Liar(self.id())
        self.node.lies = lambda request: (
            [] if request.WhichOneof("body") == "status" else liar.replies(request, self.node.epoch))
        for body in messages.Request.DESCRIPTOR.oneofs_by_name["body"].fields:
            self.node.answers.setdefault(body.name, lambda request: [{"error": ENOUGH, "index": 1000}])

    def test_every_call_ends(self) -> None:
        self.lie()
        asset = messages.Asset(id=B, byte_count=3, sha256=b"s" * 32)
        proxy = messages.Asset(id=B, camera="cam", request_id=A, deferral=messages.DEFERRAL_PENDING)
        with CameraBus(self.node.control, timeout=0.3, patience=0.2) as bus:
            calls: list[Callable[[], object]] = [
                bus.formats, bus.devices, bus.read_clock, bus.clock, bus.controls, bus.start_session, bus.stop_session, bus.suspend_session, bus.resume_session,
                bus.configure, bus.capabilities, bus.calibration, bus.acquire_lease, bus.renew_lease, bus.release_lease,
                bus.start_recording, bus.stop_recording, bus.assets, lambda: list(bus.all_assets()), lambda: bus.delete([asset]), lambda: bus.protect([asset]),
                lambda: bus.capture(NOW), lambda: bus.begin_capture(NEXT).photo(), lambda: bus.read(asset),
                lambda: bus.final_photo(proxy, timeout=0.3),
                lambda: bus.controls(ids=["gain"]), lambda: bus.set_controls({"gain": 1})]
            for call in range(COUNT // PER_CALL):
                try:
                    calls[call % len(calls)]()
                except CameraBusError:
                    pass
            self.assertEqual(bus.status().node_name, "fake")

    async def test_every_call_ends_in_asyncio_too(self) -> None:
        self.lie()
        async with AsyncCameraBus(self.node.control, timeout=0.3, patience=0.2) as bus:
            for _ in range(COUNT // PER_CALL // 4):
                for call in (bus.formats, bus.controls, bus.assets, bus.start_recording):
                    try:
                        await call()
                    except CameraBusError:
                        pass
            self.assertEqual((await bus.status()).node_name, "fake")

    def test_a_monitor_outlasts_publications_of_nonsense(self) -> None:
        liar = Liar(self.id())
        self.node.answers["replay"] = lambda request: [{"replay": messages.ReplayReply()}]
        with CameraBus(self.node.control, timeout=0.3, patience=0.2) as bus, bus.events() as events:
            self.assertIsNotNone(events.next(20))
            self.node.await_subscribers(2)
            for number in range(COUNT):
                self.node.send_raw(liar.publication(self.node.epoch))
                if number % 100 == 0:
                    events.next(0)
            self.node.start_anew()
            self.node.publish()
            epoch = None
            while epoch != B:
                epoch = getattr(events.next(20), "epoch", None)


class MisfitAnswers(unittest.TestCase):
    """Answers that are well formed and do not fit the request. None of them counts as done."""

    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=20))

    def assert_refused(self, call: Callable[[], object], body: str, code: Code = Code.CORRUPT,
                       **answer: object) -> CameraBusError:
        self.node.answers[body] = lambda request: [answer]
        with self.assertRaises(CameraBusError) as caught:
            call()
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    def test_other_controls_than_those_asked_for(self) -> None:
        for ids in ([], ["contrast"], ["gain", "contrast"]):
            controls = messages.ControlsReply(controls=[messages.Control(id=id) for id in ids])
            self.assert_refused(lambda: self.bus.controls(ids=["gain"]), "controls_get", controls=controls)
            self.assert_refused(lambda: self.bus.set_controls({"gain": 1}), "controls_set", controls=controls)

    def test_a_session_of_another_camera_or_one_that_did_the_opposite(self) -> None:
        stopped, running = messages.SESSION_STATE_STOPPED, messages.SESSION_STATE_RUNNING
        for camera, started, ended in (("cam", stopped, running), ("other", running, stopped)):
            self.assert_refused(lambda: self.bus.start_session("cam"), "session_start",
                                session=messages.CameraStatus(name=camera, state=started))
            self.assert_refused(lambda: self.bus.stop_session("cam"), "session_stop",
                                session=messages.CameraStatus(name=camera, state=ended))
            self.assert_refused(lambda: self.bus.suspend_session("cam"), "session_suspend",
                                session=messages.CameraStatus(name=camera, state=ended))
            self.assert_refused(lambda: self.bus.resume_session("cam"), "session_resume",
                                session=messages.CameraStatus(name=camera, state=started))

    def test_a_recording_of_another_camera_or_another_request(self) -> None:
        for camera, recording in (("other", A), ("cam", B)):
            self.assert_refused(lambda: self.bus.start_recording("cam", id=A, epoch=self.node.epoch), "record_start",
                                record_started=messages.RecordStarted(camera=camera, recording=recording))

    def test_a_movie_of_another_recording_or_another_camera(self) -> None:
        for camera, recording in (("other", A), ("cam", B)):
            result = messages.RecordResult(recording=recording, asset=messages.Asset(id=B, camera=camera))
            self.assert_refused(lambda: self.bus.stop_recording("cam", recording=A), "record_stop", record=result)

    def test_a_photo_whose_asset_is_another_one(self) -> None:
        for lie in (messages.Asset(request_id=B), messages.Asset(camera="other"), messages.Asset(sha256=b"t" * 32)):
            asset = messages.Asset(id=B, request_id=A, camera="cam", sha256=b"s" * 32)
            asset.MergeFrom(lie)
            result = messages.CaptureResult(sha256=b"s" * 32, asset=asset)
            error = self.assert_refused(
                lambda: self.bus.capture(camera="cam", picture=False, id=A, epoch=self.node.epoch),
                "capture", capture=result)
            self.assertEqual(error.request_id, A)

    def test_a_status_of_another_camera(self) -> None:
        for names in ([], ["other"], ["cam", "other"]):
            status = messages.StatusReply(cameras=[messages.CameraStatus(name=name) for name in names])
            self.assert_refused(lambda: self.bus.status("cam"), "status", status=status)

    def test_assets_of_another_id_or_another_request(self) -> None:
        assets = messages.AssetsReply(assets=[messages.Asset(id=B, request_id=B)])
        self.assert_refused(lambda: self.bus.assets(id=A[:3]), "assets", assets=assets)
        self.assert_refused(lambda: self.bus.assets(request_id=A), "assets", assets=assets)
        self.assert_refused(lambda: list(self.bus.all_assets(request_id=A)), "assets", assets=assets)

    def test_a_photo_that_is_too_large_to_come_with_the_capture_says_where_it_is(self) -> None:
        for size in ((256 << 20) + 1, 1 << 62):
            asset = messages.Asset(id=B, request_id=A, byte_count=size)
            error = self.assert_refused(lambda: self.bus.capture(id=A, epoch=self.node.epoch), "capture", Code.TOO_LARGE,
                                        capture=messages.CaptureResult(asset=asset))
            self.assertIn(f"the photo was taken and has {size} bytes", error.message)
            self.assertIn(f"download the asset {B.hex()} to a file", error.message)
            self.assertEqual((error.request_id, error.epoch, error.retryable), (A, self.node.epoch, False))
        self.assertEqual(self.node.of("download"), [])

    def test_a_photo_whose_download_never_ends(self) -> None:
        asset = messages.Asset(id=B, request_id=A, byte_count=1 << 20)
        self.node.answers["capture"] = lambda request: [{"capture": messages.CaptureResult(asset=asset)}]
        self.node.answers["download"] = lambda request: []
        with CameraBus(self.node.control, timeout=0.3, patience=0.1) as bus:
            with self.assertRaises(CameraBusError) as caught:
                bus.capture(id=A, epoch=self.node.epoch)
        self.assertEqual(caught.exception.code, Code.DEADLINE_EXCEEDED)


if __name__ == "__main__":
    unittest.main()
