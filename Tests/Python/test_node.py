"""Every request against a running node."""

import hashlib
import io
import json
import os
import tempfile
import time
import unittest
from pathlib import Path

import zmq

from camerabus import (
    NEXT, NOW, CameraBus, CameraBusError, Code, Lost, Range, at_monotonic, at_wall, messages, no_older_than, past,
    value_of)
from camerabus.download import Assembly, fetch
from camerabus.framing import read_reply
from node import Node
from proxy import Proxy

VECTORS = Path(__file__).resolve().parents[2] / "Protocol" / "vectors"
INTERVAL = 1_000_000_000 // 30


class WithNode(unittest.TestCase):
    """A node with two cameras, for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.node = cls.enterClassContext(Node("front=synthetic:640x480@30,format=YUYV", "back=synthetic:320x240@30,format=MJPG"))
        with CameraBus(cls.node.control) as bus, bus.events() as monitor:
            while any(camera.ring_duration_ns < 5e8 for camera in bus.status().cameras):
                monitor.next(0.2)  # until there is a past to take photos of

    def setUp(self):
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=30))

    def assert_fails(self, code, function, *arguments, field=None, **options):
        with self.assertRaises(CameraBusError) as caught:
            function(*arguments, **options)
        self.assertEqual(caught.exception.code, code, caught.exception)
        if field is not None:
            self.assertEqual(caught.exception.field, field)
        return caught.exception


class Asking(WithNode):
    def test_status_tells_of_all_cameras_or_of_one(self):
        status = self.bus.status()
        self.assertEqual([camera.name for camera in status.cameras], ["front", "back"])
        self.assertEqual({camera.state for camera in status.cameras}, {messages.SESSION_STATE_RUNNING})
        self.assertEqual(status.library, str(self.node.folder / "library"))
        self.assertEqual((status.events_endpoint, status.frames_endpoint), (self.node.events, self.node.frames))
        self.assertEqual([camera.name for camera in self.bus.status("back").cameras], ["back"])
        self.assertEqual(len(self.bus.epoch), 16)

    def test_a_camera_that_is_not_there(self):
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.status, "side", field="camera")
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.capture, NOW)  # which of the two?
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.frames)

    def test_the_clock_of_a_node_on_this_machine_is_this_machines(self):
        offset, error = self.bus.clock()
        self.assertLessEqual(abs(offset), error)

    def test_formats_and_a_session_in_another_of_them(self):
        sizes = {(format.pixel_format, format.size.width, format.size.height) for format in self.bus.formats("back")}
        self.assertIn(("YUYV", 640, 480), sizes)
        status = self.bus.start_session("back", pixel_format="YUYV", size=(640, 480), frame_rate=15)
        try:
            self.assertEqual(status.state, messages.SESSION_STATE_RUNNING)
            self.assertEqual((status.format.size.width, status.format.frame_rate), (640, 15))
        finally:
            self.bus.start_session("back", pixel_format="MJPG", size=(320, 240), frame_rate=30)
        self.assert_fails(Code.UNSUPPORTED_FORMAT, self.bus.start_session, "back", pixel_format="ABCD")

    def test_a_stopped_session_takes_no_photos(self):
        self.assertEqual(self.bus.stop_session("back").state, messages.SESSION_STATE_STOPPED)
        try:
            self.assertTrue(self.assert_fails(Code.NOT_RUNNING, self.bus.capture, NOW, "back").retryable)
        finally:
            self.assertEqual(self.bus.start_session("back").state, messages.SESSION_STATE_RUNNING)

    def test_controls_are_listed_got_and_set(self):
        ids = [control.id for control in self.bus.controls("front")]
        self.assertIn("brightness", ids)
        set_to = self.bus.set_controls({"brightness": 100, "horizontal_flip": True}, "front")
        self.assertEqual({control.id: value_of(control.value) for control in set_to},
                         {"brightness": 100, "horizontal_flip": True})
        got = self.bus.controls("front", ["horizontal_flip", "brightness"])
        self.assertEqual([value_of(control.value) for control in got], [True, 100])
        self.bus.set_controls({"horizontal_flip": False}, "front")

    def test_controls_are_set_all_or_none(self):
        [before] = self.bus.controls("front", ["contrast"])
        self.assert_fails(
            Code.NO_SUCH_CONTROL, self.bus.set_controls, {"contrast": value_of(before.value) + 1, "nothing": 1},
            "front", field="nothing")
        self.assertEqual(self.bus.controls("front", ["contrast"]), [before])

    def test_every_request_that_is_to_be_refused_is_refused_as_the_vectors_say(self):
        dealer = self.enterContext(zmq.Context.instance().socket(zmq.DEALER))
        dealer.setsockopt(zmq.LINGER, 0)
        dealer.connect(self.node.control)
        for vector in json.loads((VECTORS / "refused.json").read_text()):
            parts = [bytes.fromhex(part) for part in vector["parts"]]
            if not 0 < len(parts) <= 8:
                continue  # nothing to send; dropped without an answer
            with self.subTest(vector["name"]):
                dealer.send_multipart(parts)
                self.assertTrue(dealer.poll(30_000), "no answer")
                reply, _ = read_reply(dealer.recv_multipart())
                self.assertTrue(reply.final)
                self.assertEqual(messages.ErrorCode.Name(reply.error.code), vector["error"]["code"])
                self.assertEqual(reply.error.field, vector["error"].get("field", ""))
                self.assertNotEqual(reply.error.message, "")


class Photos(WithNode):
    def test_each_form_of_the_time_contract(self):
        now = self.bus.status().now
        for when, least, most in (
                (NOW, -INTERVAL, INTERVAL), (NEXT, 0, 3 * INTERVAL), (past(0.3), -INTERVAL, INTERVAL),
                (no_older_than(10), 0, 0), (at_monotonic(now.monotonic_ns - 200_000_000), -INTERVAL, INTERVAL),
                (at_monotonic(self.bus.status().now.monotonic_ns + 500_000_000), -INTERVAL, INTERVAL),
                (at_wall(self.bus.status().now.wall_ns - 100_000_000), -INTERVAL, INTERVAL)):
            with self.subTest(when.field):
                photo = self.bus.capture(when, "front")
                self.assertLessEqual(least, photo.resolved.offset_ns)
                self.assertLessEqual(photo.resolved.offset_ns, most)
                self.assertEqual((photo.data[:2], photo.data[-2:]), (b"\xff\xd8", b"\xff\xd9"))
                self.assertEqual(photo.byte_count, len(photo.data))
        self.assert_fails(Code.FRAME_UNAVAILABLE, self.bus.capture, past(600), "front")

    def test_the_steps_are_told_in_order_and_the_photo_is_in_the_library(self):
        steps = []
        photo = self.bus.capture(NOW, "front", on_progress=lambda progress: steps.append(progress.step))
        self.assertEqual(steps, [1, 2, 3, 4])
        kept = self.node.folder / "library" / photo.asset.path
        self.assertEqual(kept.read_bytes(), photo.data)
        self.assertEqual(list(self.bus.assets(request_id=photo.request_id)), [photo.asset])
        self.assertEqual(list(self.bus.assets(id=photo.asset.id)), [photo.asset])
        self.assertEqual(self.bus.assets("front", limit=1), [photo.asset])

    def test_a_picture_that_is_too_large_to_come_along_is_fetched(self):
        photo = self.bus.capture(NOW, "front", inline_limit=10)
        self.assertEqual(hashlib.sha256(photo.data).digest(), photo.asset.sha256)

    def test_no_picture_where_none_is_wanted(self):
        photo = self.bus.capture(NOW, "front", picture=False)
        self.assertIsNone(photo.data)
        self.assertEqual(len(self.bus.read(photo.asset)), photo.byte_count)

    def test_a_transient_photo_is_not_kept(self):
        photo = self.bus.capture(NOW, "back", keep=False)
        self.assertIsNone(photo.asset)
        self.assertEqual(self.bus.assets(request_id=photo.request_id), [])
        self.assertEqual(hashlib.sha256(photo.data).digest(), photo.sha256)

    def test_the_same_id_is_the_same_photo(self):
        photo = self.bus.capture(NOW, "front")
        with CameraBus(self.node.control) as another:
            again = another.capture(NOW, "front", id=photo.request_id, epoch=self.bus.epoch)
        self.assertEqual(again, photo)
        self.assertEqual(len(self.bus.assets(request_id=photo.request_id)), 1)

    def test_a_transient_photo_comes_again_with_its_picture(self):
        photo = self.bus.capture(NOW, "front", keep=False)
        self.assertEqual(self.bus.capture(NOW, "front", keep=False, id=photo.request_id), photo)

    def test_the_same_id_with_other_settings_is_refused(self):
        photo = self.bus.capture(NOW, "front")
        self.assert_fails(Code.ID_REUSED, self.bus.capture, NEXT, "front", id=photo.request_id)
        self.assert_fails(Code.ID_REUSED, self.bus.capture, NOW, "front", quality=50, id=photo.request_id)
        self.assertEqual(len(self.bus.assets(request_id=photo.request_id)), 1)

    def test_another_epoch_is_another_node(self):
        error = self.assert_fails(Code.OUTCOME_UNKNOWN, self.bus.capture, NOW, "front", epoch=bytes(16))
        self.assertEqual(self.bus.assets(request_id=error.request_id), [])

    def test_photos_overlap(self):
        start = self.bus.status().now.monotonic_ns + 300_000_000
        under_way = [self.bus.begin_capture(at_monotonic(start + number * 100_000_000), camera)
                     for number in range(5) for camera in ("front", "back")]
        photos = [capture.photo() for capture in reversed(under_way)]
        self.assertEqual(len({photo.asset.id for photo in photos}), 10)

    def test_a_photo_that_waits_can_be_cancelled_and_one_that_is_taken_cannot(self):
        later = at_monotonic(self.bus.status().now.monotonic_ns + 20_000_000_000)
        capture = self.bus.begin_capture(later, "front")
        self.assertEqual(self.bus.cancel(capture.id), messages.CancelReply.OUTCOME_CANCELLED)
        self.assert_fails(Code.CANCELLED, capture.photo)
        photo = self.bus.capture(NOW, "front")
        self.assertEqual(self.bus.cancel(photo.request_id), messages.CancelReply.OUTCOME_TOO_LATE)
        self.assertEqual(self.bus.cancel(os.urandom(16)), messages.CancelReply.OUTCOME_UNKNOWN)

    def test_too_many_photos_at_once_are_refused_early(self):
        later = at_monotonic(self.bus.status().now.monotonic_ns + 20_000_000_000)
        under_way = [self.bus.begin_capture(later, "front") for _ in range(17)]
        self.assertTrue(self.assert_fails(Code.BUSY, under_way[16].photo).retryable)
        for capture in under_way[:16]:
            self.assertEqual(self.bus.cancel(capture.id), messages.CancelReply.OUTCOME_CANCELLED)
            self.assert_fails(Code.CANCELLED, capture.photo)

    def test_a_moment_beyond_the_time_there_is(self):
        later = at_monotonic(self.bus.status().now.monotonic_ns + 20_000_000_000)
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.capture, later, "front", timeout=1)


class Movies(WithNode):
    def see_frames(self, camera, count):
        with self.bus.frames(camera) as frames:
            for _ in range(count):
                self.assertIsNotNone(frames.next(30))

    def test_a_movie_from_start_to_file(self):
        started = self.bus.start_recording("front")
        self.see_frames("front", 10)
        self.assert_fails(Code.CONFLICT, self.bus.start_recording, "front")
        result = self.bus.stop_recording("front")
        self.assertEqual(result.recording, started.recording)
        self.assertEqual(result.reason, messages.RecordResult.END_REASON_STOPPED)
        self.assertGreaterEqual(result.frames, 5)
        self.assertEqual(self.bus.assets(request_id=started.recording), [result.asset])
        self.assert_fails(Code.CONFLICT, self.bus.stop_recording, "front")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "movie.mkv"
            self.assertEqual(self.bus.download(result.asset, path), result.asset)
            kept = self.node.folder / "library" / result.asset.path
            self.assertEqual(path.read_bytes(), kept.read_bytes())

    def test_a_movie_ends_at_its_limit_and_tells_so(self):
        with self.bus.events("back") as monitor:
            started = self.bus.start_recording("back", maximum_duration=0.5)
            while notice := monitor.next(30):
                event = getattr(notice, "event", None)
                if event and event.WhichOneof("body") == "recording" and event.recording.HasField("finished"):
                    break
        self.assertEqual(event.recording.request_id, started.recording)
        self.assertEqual(event.recording.finished.reason, messages.RecordResult.END_REASON_LIMIT_REACHED)

    def test_the_same_start_and_stop_again_are_the_same(self):
        id, end = os.urandom(16), os.urandom(16)
        started = self.bus.start_recording("back", id=id)
        self.see_frames("back", 10)
        self.assertEqual(self.bus.start_recording("back", id=id, epoch=self.bus.epoch), started)
        result = self.bus.stop_recording("back", id=end)
        self.assertEqual(self.bus.stop_recording("back", id=end, epoch=self.bus.epoch), result)
        self.assertEqual(self.bus.start_recording("back", id=id, epoch=self.bus.epoch), started)
        self.assert_fails(Code.CONFLICT, self.bus.stop_recording, "back")


class Downloads(WithNode):
    """Of a movie of more chunks than go without further credit."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with CameraBus(cls.node.control, timeout=60) as bus:
            bus.start_session("front", pixel_format="MJPG", size=(1920, 1080))
            bus.start_recording("front", quality=100, maximum_bytes=8_000_000)
            with bus.events("front", history=True) as monitor:
                while notice := monitor.next(60):
                    event = getattr(notice, "event", None)
                    if event and event.recording.HasField("finished"):
                        break
        cls.asset = event.recording.finished.asset
        cls.content = (cls.node.folder / "library" / cls.asset.path).read_bytes()
        assert len(cls.content) > 6_000_000, len(cls.content)

    def setUp(self):
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "movie.mkv"

    def test_a_connection_that_breaks_again_and_again_brings_the_whole_file(self):
        proxy = Proxy(self.node.control)
        self.addCleanup(proxy.close)
        proxy.cut_after(1_000_000)
        cuts = []

        def break_off(received, total):
            if len(cuts) < 2 and received > 1_500_000 * (len(cuts) + 1):
                cuts.append(received)
                proxy.cut_after(100_000)

        with CameraBus(proxy.endpoint, patience=0.5) as bus:
            bus.download(self.asset, self.path, break_off)
        self.assertEqual(self.path.read_bytes(), self.content)
        self.assertGreaterEqual(proxy.connections, 3)

    def test_a_connection_that_dies_without_a_word_is_replaced(self):
        proxy = Proxy(self.node.control)
        self.addCleanup(proxy.close)

        def freeze(received, total):
            if proxy.connections == 1 and received > 1_000_000:
                proxy.freeze()

        with CameraBus(proxy.endpoint, patience=0.5) as bus:
            bus.download(self.asset, self.path, freeze)
        self.assertEqual(self.path.read_bytes(), self.content)
        self.assertEqual(proxy.connections, 2)

    def test_another_client_goes_on_where_one_left_off(self):
        class Enough(Exception):
            pass

        def stop(received, total):
            if received > total // 2:
                raise Enough

        with CameraBus(self.node.control) as bus, self.assertRaises(Enough):
            bus.download(self.asset, self.path, stop)
        [part] = self.folder.iterdir()
        self.assertEqual(part.read_bytes(), self.content[:part.stat().st_size])
        seen = []
        self.bus.download(self.asset, self.path, lambda received, total: seen.append(received))
        self.assertGreater(seen[0], len(self.content) // 2)
        self.assertEqual(self.path.read_bytes(), self.content)

    def test_a_download_can_be_cancelled(self):
        call = self.bus.connection.call(
            60, repeat=False, download=messages.DownloadRequest(asset=self.asset.id, credit=1))
        replies = call.replies()
        self.assertEqual(next(replies).message.chunk.offset, 0)
        self.assertEqual(self.bus.cancel(call.id), messages.CancelReply.OUTCOME_CANCELLED)
        self.assert_fails(Code.CANCELLED, next, replies)

    def test_no_more_chunks_than_there_is_credit(self):
        request = messages.DownloadRequest(asset=self.asset.id, credit=3)
        call = self.bus.connection.call(60, repeat=False, download=request)
        replies = call.replies()
        for _ in range(3):
            next(replies)
        self.bus.status()  # whatever was sent before it would be here
        self.assertFalse(call._inbox)
        self.bus.connection.tell(download_credit=messages.DownloadCredit(download=call.id, chunks=2))
        next(replies), next(replies)
        self.bus.status()
        self.assertFalse(call._inbox)
        self.bus.cancel(call.id)

    def test_from_the_end_there_is_nothing_and_beyond_it_an_error(self):
        assembly = Assembly(io.BytesIO(self.content))
        self.assertEqual(fetch(self.bus.connection, self.asset.id, assembly), self.asset)
        beyond = Assembly(io.BytesIO(self.content + b"x"))
        self.assert_fails(Code.INVALID_ARGUMENT, fetch, self.bus.connection, self.asset.id, beyond)
        self.assert_fails(Code.NO_SUCH_ASSET, self.bus.read, os.urandom(16))


class Frames(WithNode):
    def test_frames_come_in_order_with_what_is_known_of_them(self):
        for stream, side in (("preview", 640), ("full", 640), ("160x120", 160)):
            with self.subTest(stream), self.bus.frames("front", stream) as frames:
                numbers = []
                for _ in range(5):
                    frame = frames.next(30)
                    numbers.append(frame.info.frame_sequence)
                    self.assertEqual(frame.info.size.width, side)
                    self.assertEqual(frame.data[:2], b"\xff\xd8")
                self.assertEqual(numbers, sorted(set(numbers)))
                self.assertTrue(frames.connected)
                self.assertEqual(frames.count.received, frames.count.passed_over + 5 + (frames._newest is not None))

    def test_a_raw_frame_is_as_the_node_holds_it(self):
        with self.bus.frames("front", "raw") as frames:
            frame = frames.next(30)
        self.assertEqual(frame.info.pixel_format, "YUYV")
        self.assertEqual(len(frame.data), frame.info.bytes_per_line * 480)

    def test_who_looks_seldom_gets_the_newest(self):
        with self.bus.frames("front") as frames:
            first = frames.next(30)
            with self.bus.frames("front") as others:
                for _ in range(20):
                    others.next(30)
            newest = frames.next(30)
            age = self.bus.status().now.monotonic_ns - newest.info.timestamp.monotonic_ns
            self.assertGreater(newest.info.frame_sequence, first.info.frame_sequence + 15)
            self.assertLess(age, 1_000_000_000)
            self.assertGreater(frames.count.passed_over, 10)



class Events(WithNode):
    def test_a_gap_that_the_network_made_is_replayed(self):
        proxy = Proxy(self.node.events)
        self.addCleanup(proxy.close)
        with CameraBus(self.node.control, events=proxy.endpoint) as bus, bus.events("front") as monitor:
            captures = []

            def follow(photo):
                """Until the photo's last event."""
                while not (captures and captures[-1].event.capture.request_id == photo.request_id
                           and captures[-1].event.capture.HasField("completed")):
                    notice = monitor.next(30)
                    self.assertIsNotNone(notice)
                    self.assertNotIsInstance(notice, Lost)
                    if getattr(notice, "topic", "") == "event/front/capture/":
                        captures.append(notice)

            monitor.next(30)
            follow(self.bus.capture(NOW, "front"))
            proxy.cut()
            photos = [self.bus.capture(NOW, "front") for _ in range(3)]
            proxy.restore()
            follow(photos[-1])
        numbers = [notice.sequence for notice in captures]
        # Four steps and the end of each photo.
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 5 * 4)))
        self.assertTrue(all(notice.replayed for notice in captures[5:]))
        done = [notice.event.capture.request_id for notice in captures if notice.event.capture.HasField("completed")]
        self.assertEqual(done[-3:], [photo.request_id for photo in photos])

    def test_events_by_their_numbers(self):
        photo = self.bus.capture(NOW, "back")
        [topic] = [topic for topic in self.bus.status().topics if topic.topic == "event/back/capture/"]
        last = topic.last_sequence
        reply = self.bus.replay([Range(topic.topic, last - 4, last)])
        self.assertFalse(reply.more)
        events = [messages.Event.FromString(event.payload) for event in reply.events]
        self.assertEqual({event.capture.request_id for event in events}, {photo.request_id})
        self.assertEqual([messages.Header.FromString(event.header).sequence for event in reply.events],
                         list(range(last - 4, last + 1)))
        self.assertEqual(len(self.bus.replay([Range(topic.topic, last + 1, last + 100)]).events), 0)

    def test_a_change_of_a_control_is_told_to_all(self):
        with self.bus.events("front") as monitor:
            monitor.next(30)
            self.bus.set_controls({"contrast": 137}, "front")
            while (notice := monitor.next(30)).topic != "event/front/control/":
                pass
            self.assertEqual((notice.event.control.id, value_of(notice.event.control.value)), ("contrast", 137))

    def test_history_tells_a_late_joiner_what_happened(self):
        photo = self.bus.capture(NOW, "back")
        with self.bus.events("back", history=True) as monitor:
            seen = set()
            while hasattr(notice := monitor.next(30), "event"):
                seen.add(notice.event.capture.request_id)
        self.assertIn(photo.request_id, seen)
        self.assertTrue(hasattr(notice, "status"))


class OverIPC(unittest.TestCase):
    def test_all_three_sockets(self):
        with tempfile.TemporaryDirectory() as folder, Node(
                "front=synthetic:320x240@30", options=["--ipc", folder]), CameraBus(f"ipc://{folder}/control") as bus:
            self.assertEqual(bus.capture(NOW).data[:2], b"\xff\xd8")
            with bus.frames() as frames, bus.events() as monitor:
                self.assertIsNotNone(frames.next(30))
                self.assertIsNotNone(monitor.next(30))
            self.assertTrue(bus.status().events_ipc_endpoint.startswith("ipc://"))


if __name__ == "__main__":
    unittest.main()
