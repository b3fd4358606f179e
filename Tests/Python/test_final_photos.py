"""Tests photos whose files are made later, with a fake node: the proxy, and the wait for the files."""

import asyncio
import hashlib
import os
import unittest
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable

from camerabus import NOW, AsyncCameraBus, CameraBus, CameraBusError, Code, Photo, PhotoSettings, messages
from fake import B, FakeNode, Replies

FILES = [b"first file", b"second"]
REQUEST = os.urandom(16)


def asset(data: bytes, **fields: Any) -> messages.Asset:
    return messages.Asset(**{
        "id": os.urandom(16), "camera": "cam", "request_id": REQUEST, "media_type": "image/heic",
        "byte_count": len(data), "sha256": hashlib.sha256(data).digest(), **fields})


def proxy_of(request_id: bytes = REQUEST) -> messages.Asset:
    return asset(b"proxy", media_type="image/jpeg", request_id=request_id, deferral=messages.DEFERRAL_PENDING)


class Deferred(unittest.TestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=20))

    def answer(self, asset: Callable[[bytes], messages.Asset]) -> None:
        def capture(request: messages.Request) -> Replies:
            made = asset(request.id)
            progress = messages.CaptureProgress(step=messages.CaptureProgress.STEP_DID_PROCESS, proxy=True)
            return [{"capture_progress": progress, "attachment": b"proxy"},
                    {"capture": messages.CaptureResult(asset=made, sha256=made.sha256, byte_count=made.byte_count)}]

        self.node.answers["capture"] = capture

    def test_a_photo_of_several_files_is_finished_with_its_proxy(self) -> None:
        self.answer(proxy_of)
        photo = self.bus.capture(NOW, "cam", settings=PhotoSettings(["dng", "heic"], deferred=True))
        [(request, _)] = self.node.of("capture")
        self.assertTrue(request.capture.deferred)
        self.assertGreater(request.capture.inline_limit, 0)
        self.assertEqual((photo.is_proxy, len(photo.files), photo.data), (True, 1, b"proxy"))

    def test_a_proxy_where_none_was_asked_for_or_none_where_one_was_is_refused(self) -> None:
        for deferred in (False, True):
            self.answer(lambda id: asset(b"proxy", request_id=id) if deferred else proxy_of(id))
            with self.subTest(deferred), self.assertRaises(CameraBusError) as caught:
                self.bus.capture(NOW, "cam", settings=PhotoSettings(deferred=deferred))
            self.assertEqual(caught.exception.code, Code.CORRUPT)

    def test_each_picture_of_a_burst_has_one_file(self) -> None:
        def capture(request: messages.Request) -> Replies:
            files = [messages.PhotoFile(asset=made, sha256=made.sha256) for made in map(proxy_of, [request.id] * 2)]
            return [{"capture": messages.CaptureResult(pictures=[
                messages.CapturedPicture(files=[file]) for file in files])}]

        self.node.answers["capture"] = capture
        photos = list(self.bus.burst(2, camera="cam", settings=PhotoSettings(["dng", "heic"], deferred=True), picture=False))
        self.assertEqual([(photo.is_proxy, len(photo.files)) for photo in photos], [(True, 1)] * 2)

    def test_proxies_are_listed_by_what_has_become_of_them_and_others_are_refused(self) -> None:
        listed = [proxy_of()]
        self.node.answers["assets"] = lambda request: [{"assets": messages.AssetsReply(assets=listed)}]
        self.assertEqual(self.bus.assets(deferral=messages.DEFERRAL_PENDING), listed)
        self.assertEqual(self.bus.assets(deferral="pending"), listed)
        self.assertEqual(self.node.of("assets")[0][0].assets.deferral, messages.DEFERRAL_PENDING)
        with self.assertRaises(CameraBusError) as caught:
            list(self.bus.all_assets(deferral=messages.DEFERRAL_DONE))
        self.assertEqual(caught.exception.code, Code.CORRUPT)
        for wrong in ("later", True, 9):
            with self.assertRaisesRegex(CameraBusError, "write one of pending, done, failed"):
                self.bus.assets(deferral=wrong)  # type: ignore[arg-type]

    def test_what_is_no_proxy_is_final_or_refused(self) -> None:
        self.answer(lambda id: asset(b"proxy", request_id=id))
        photo = self.bus.capture(NOW, "cam")
        self.assertIs(self.bus.final_photo(photo), photo)
        for wrong in (photo.asset, b"id", None):
            with self.assertRaises(CameraBusError) as caught:
                self.bus.final_photo(wrong)  # type: ignore[arg-type]
            self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, "photo"))
        self.assertEqual(self.node.of("assets"), [])

    def test_a_node_that_is_away_is_told_at_once(self) -> None:
        with CameraBus("tcp://127.0.0.1:9", timeout=0.1) as bus, self.assertRaises(CameraBusError) as caught:
            bus.final_photo(proxy_of())
        self.assertEqual(caught.exception.code, Code.UNREACHABLE)


class Final(unittest.TestCase):
    """Waits for the final photo in another thread."""

    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.proxy = proxy_of()
        self.finals = [asset(data, replaces=self.proxy.id) for data in FILES]
        self.library = [self.proxy]
        self.is_busy = False
        self.node.answers.update(assets=self.listed, download=self.send, replay=self.replay)

    def listed(self, request: messages.Request) -> Replies:
        if self.is_busy:
            self.is_busy = False
            return [{"error": messages.Error(code=messages.ERROR_CODE_BUSY, message="later", retryable=True)}]
        found = [each for each in self.library if each.id.startswith(request.assets.id)]
        return [{"assets": messages.AssetsReply(assets=found)}]

    def send(self, request: messages.Request) -> Replies:
        number = [final.id for final in self.finals].index(request.download.asset)
        data = FILES[number]
        return [{"chunk": messages.DownloadChunk(offset=0, total=len(data)), "attachment": data},
                {"download": messages.DownloadResult(asset=self.finals[number])}]

    def replay(self, request: messages.Request) -> Replies:
        return [{"replay": messages.ReplayReply(events=[
            event for asked in request.replay.ranges
            for event in self.node.replayed(asked.topic, range(asked.first, asked.last + 1))])}]

    def wait(self, timeout: float = 20, pause: float = 20) -> "Future[Photo]":
        def photo() -> Photo:
            with CameraBus(self.node.control, timeout=pause) as bus:
                return bus.final_photo(self.proxy, timeout=timeout)

        return self.enterContext(ThreadPoolExecutor(1)).submit(photo)

    def await_question(self) -> None:
        """Waits until the events are followed and the library was asked."""
        self.node.await_requests("assets", 1)
        self.node.await_subscribers(2)

    def done(self) -> None:
        """The library has the files."""
        self.proxy.deferral = messages.DEFERRAL_DONE
        self.library = [proxy_of(), asset(b"other", replaces=B), *reversed(self.finals), self.proxy]

    def event(self, **fields: Any) -> messages.Event:
        return messages.Event(camera="cam", deferred=messages.DeferredEvent(**{
            "request_id": REQUEST, "proxy": self.proxy.id, **fields}))

    def finished(self, *finals: messages.Asset) -> messages.Event:
        return self.event(finished=messages.CapturedPicture(
            resolved=messages.ResolvedCapture(frame_sequence=8),
            files=[messages.PhotoFile(asset=final, sha256=final.sha256) for final in finals or self.finals]))

    def assert_final(self, photo: Photo, frame: int) -> None:
        self.assertEqual([file.data for file in photo.files], FILES)
        self.assertEqual((photo.request_id, photo.resolved.frame_sequence, photo.is_proxy), (REQUEST, frame, False))

    def assert_fails(self, code: Code, waiting: "Future[Photo]") -> CameraBusError:
        error = waiting.exception(30)
        assert isinstance(error, CameraBusError), error
        self.assertEqual((error.code, error.request_id), (code, REQUEST))
        return error

    def test_the_event_tells_files_that_are_made_after_the_call(self) -> None:
        waiting = self.wait()
        self.await_question()
        other = self.finished(asset(b"other", replaces=B))
        other.deferred.proxy = B
        self.node.publish("deferred", event=other)
        self.node.publish("deferred", event=self.finished())
        self.assert_final(waiting.result(30), 8)

    def test_an_event_from_before_the_call_is_found(self) -> None:
        self.node.publish("deferred", lose=True, event=self.finished())
        self.assert_final(self.wait().result(30), 8)
        self.assertEqual(self.node.of("assets"), [])

    def test_an_event_that_was_lost_is_asked_for_again(self) -> None:
        waiting = self.wait()
        self.await_question()
        self.node.publish("deferred", lose=True, event=self.finished())
        self.node.beat()
        self.assert_final(waiting.result(30), 8)

    def test_an_event_that_is_forgotten_leaves_the_files_in_the_library(self) -> None:
        self.done()
        self.node.answers["replay"] = lambda request: [{"replay": messages.ReplayReply()}]
        self.node.publish("deferred", lose=True, event=self.finished())
        self.assert_final(self.wait().result(30), 0)

    def test_files_that_are_made_while_the_node_restarts_are_found(self) -> None:
        waiting = self.wait()
        self.await_question()
        self.done()
        self.node.start_anew()
        self.node.beat()
        self.assert_final(waiting.result(30), 0)

    def test_an_event_that_is_lost_for_good_while_this_waits_is_made_up_for(self) -> None:
        waiting = self.wait()
        self.await_question()
        self.done()
        self.node.answers["replay"] = lambda request: [{"replay": messages.ReplayReply()}]
        self.node.publish("deferred", lose=True, event=self.finished())
        self.node.beat()
        self.assert_final(waiting.result(30), 0)

    def test_what_no_event_tells_of_is_found_in_the_library(self) -> None:
        waiting = self.wait(pause=1)
        self.node.await_requests("assets", 2)
        self.done()
        self.assert_final(waiting.result(30), 0)
        self.proxy.deferral = messages.DEFERRAL_PENDING
        waiting = self.wait(pause=1)
        self.node.await_requests("assets", 5)
        self.library = []
        self.assert_fails(Code.NO_SUCH_ASSET, waiting)

    def test_a_library_that_is_busy_is_asked_again(self) -> None:
        self.done()
        self.is_busy = True
        self.assert_final(self.wait().result(30), 0)
        self.assertEqual(len(self.node.of("assets")), 3)

    def test_a_photo_that_cannot_be_made_is_told_by_the_event_or_the_library(self) -> None:
        failed = messages.Error(code=messages.ERROR_CODE_UNSUPPORTED_FORMAT, message="too dark")
        self.node.publish("deferred", lose=True, event=self.event(failed=failed))
        self.assertEqual(self.assert_fails(Code.UNSUPPORTED_FORMAT, self.wait()).message, "too dark")
        self.node.start_anew()
        self.proxy.deferral = messages.DEFERRAL_FAILED
        self.assert_fails(Code.ENCODING_FAILED, self.wait())

    def test_a_file_that_is_too_large_to_come_says_where_it_is(self) -> None:
        self.finals[1].byte_count = 300 << 20
        self.done()
        error = self.assert_fails(Code.TOO_LARGE, self.wait())
        self.assertIn(f"download the asset {self.finals[1].id.hex()} to a file", error.message)
        self.assertEqual(error.request_id, REQUEST)

    def test_what_was_deleted_does_not_come(self) -> None:
        self.library = []
        self.assertIn("proxy was deleted", self.assert_fails(Code.NO_SUCH_ASSET, self.wait()).message)
        self.finals = []
        self.done()
        self.assertIn("made and deleted", self.assert_fails(Code.NO_SUCH_ASSET, self.wait()).message)

    def test_files_that_are_not_the_proxys_are_refused(self) -> None:
        for lie in ({"request_id": B}, {"camera": "other"}, {"replaces": B}, {"replaces": b""}, {"id": b""},
                    {"deferral": messages.DEFERRAL_DONE}):
            with self.subTest(str(lie)):
                self.node.start_anew(os.urandom(16))
                final = asset(b"x", **{"replaces": self.proxy.id, **lie})
                self.node.publish("deferred", lose=True, event=self.finished(final))
                self.assert_fails(Code.CORRUPT, self.wait())
        for event in (self.finished(self.finals[0], self.finals[0]), self.event(finished=messages.CapturedPicture()),
                      self.event(request_id=B, finished=self.finished().deferred.finished)):
            with self.subTest(str(event)):
                self.node.start_anew(os.urandom(16))
                self.node.publish("deferred", lose=True, event=event)
                self.assert_fails(Code.CORRUPT, self.wait())

    def test_a_library_that_lies_is_refused(self) -> None:
        self.done()
        self.finals[0].camera = "other"
        self.done()
        self.assert_fails(Code.CORRUPT, self.wait())
        self.proxy.deferral = messages.DEFERRAL_UNSPECIFIED
        self.library = [self.proxy]
        is_proxy = messages.Asset()
        is_proxy.CopyFrom(self.proxy)
        is_proxy.deferral = messages.DEFERRAL_PENDING
        with CameraBus(self.node.control) as bus, self.assertRaises(CameraBusError) as caught:
            bus.final_photo(is_proxy, timeout=20)
        self.assertEqual(caught.exception.code, Code.CORRUPT)

    def test_other_bytes_than_the_final_files_are_refused(self) -> None:
        self.finals[1].sha256 = bytes(32)
        self.done()
        self.assert_fails(Code.CORRUPT, self.wait())

    def test_a_photo_that_is_not_made_in_time_may_be_asked_for_again(self) -> None:
        self.assertTrue(self.assert_fails(Code.DEADLINE_EXCEEDED, self.wait(0.1)).retryable)


class Asyncio(unittest.IsolatedAsyncioTestCase):
    async def test_a_task_that_is_cancelled_waits_for_no_photo_and_the_client_goes_on(self) -> None:
        proxy = proxy_of()
        with FakeNode() as node:
            node.answers["assets"] = lambda request: [{"assets": messages.AssetsReply(assets=[proxy])}]
            async with AsyncCameraBus(node.control, timeout=20) as bus:
                waiting = asyncio.create_task(bus.final_photo(proxy))
                await asyncio.to_thread(node.await_requests, "assets", 1)
                waiting.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await waiting
                self.assertEqual(await bus.assets(id=proxy.id), [proxy])
                await asyncio.to_thread(node.await_unsubscription)


if __name__ == "__main__":
    unittest.main()
