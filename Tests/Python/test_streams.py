"""Tests downloads, frames and events with a running node."""

import io
import os
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from camerabus import NOW, CameraBus, Code, Lost, Photo, Published, Range, Snapshot, messages, value_of
from camerabus.blocking import run
from camerabus.calls import Call, Reply
from camerabus.download import Assembly, fetch
from expecting import is_a, present
from live import WithNode
from node import Node
from proxy import Proxy


class Downloads(WithNode):
    """Downloads a movie that has more chunks than the first credit allows."""

    asset: messages.Asset
    content: bytes

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        with CameraBus(cls.node.control, timeout=60) as bus:
            bus.configure("front", pixel_format="MJPG", size=(1920, 1080))
            bus.start_recording("front", quality=100, maximum_bytes=8_000_000)
            with bus.events("front", history=True) as monitor:
                asset = None
                while asset is None:
                    notice = monitor.next(60)
                    assert notice is not None, "no event says that the movie ended"
                    if isinstance(notice, Published) and notice.event.recording.HasField("finished"):
                        asset = notice.event.recording.finished.asset
        cls.asset = asset
        cls.content = (cls.node.folder / "library" / cls.asset.path).read_bytes()
        assert len(cls.content) > 6_000_000, len(cls.content)

    def setUp(self) -> None:
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "movie.mkv"
        self.connection = self.bus._client.connection

    def start_download(self, credit: int) -> Call:
        request = messages.Request(download=messages.DownloadRequest(asset=self.asset.id, credit=credit))
        return run(self.connection.call(request, 60, repeat=False))

    def next_reply(self, call: Call) -> Reply:
        return run(self.connection.next(call))

    def test_a_connection_that_breaks_again_and_again_brings_the_whole_file(self) -> None:
        proxy = Proxy(self.node.control)
        self.addCleanup(proxy.close)
        proxy.cut_after(1_000_000)
        cuts: list[int] = []

        def break_off(received: int, total: int) -> None:
            if len(cuts) < 2 and received > 1_500_000 * (len(cuts) + 1):
                cuts.append(received)
                proxy.cut_after(100_000)

        with CameraBus(proxy.endpoint, patience=0.5) as bus:
            bus.download(self.asset, self.path, break_off)
        self.assertEqual(self.path.read_bytes(), self.content)
        self.assertGreaterEqual(proxy.connections, 3)

    def test_a_connection_that_dies_without_a_word_is_replaced(self) -> None:
        proxy = Proxy(self.node.control)
        self.addCleanup(proxy.close)

        def freeze(received: int, total: int) -> None:
            if proxy.connections == 1 and received > 1_000_000:
                proxy.freeze()

        with CameraBus(proxy.endpoint, patience=0.5) as bus:
            bus.download(self.asset, self.path, freeze)
        self.assertEqual(self.path.read_bytes(), self.content)
        self.assertGreaterEqual(proxy.connections, 2)

    def test_another_client_goes_on_where_one_left_off(self) -> None:
        class Enough(Exception):
            pass

        def stop(received: int, total: int) -> None:
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

    def test_a_download_can_be_cancelled(self) -> None:
        call = self.start_download(credit=1)
        self.assertEqual(self.next_reply(call).message.chunk.offset, 0)
        self.assertEqual(self.bus.cancel(call.id), messages.CancelReply.OUTCOME_CANCELLED)
        self.assert_fails(Code.CANCELLED, self.next_reply, call)

    def test_no_more_chunks_than_there_is_credit(self) -> None:
        call = self.start_download(credit=3)
        for _ in range(3):
            self.next_reply(call)
        self.bus.status()  # further chunks would arrive before this reply
        self.assertFalse(call.has_news)
        more = messages.Request(download_credit=messages.DownloadCredit(download=call.id, chunks=2))
        run(self.connection.tell(more))
        for _ in range(2):
            self.next_reply(call)
        self.bus.status()
        self.assertFalse(call.has_news)
        self.bus.cancel(call.id)

    def test_from_the_end_there_is_nothing_and_beyond_it_an_error(self) -> None:
        assembly = Assembly(io.BytesIO(self.content))
        self.assertEqual(run(fetch(self.connection, self.asset.id, assembly)), self.asset)
        beyond = Assembly(io.BytesIO(self.content + b"x"))
        self.assert_fails(
            Code.INVALID_ARGUMENT, lambda: run(fetch(self.connection, self.asset.id, beyond)))
        self.assert_fails(Code.NO_SUCH_ASSET, self.bus.read, os.urandom(16))


class Frames(WithNode):
    def test_frames_come_in_order_with_what_is_known_of_them(self) -> None:
        for stream, side in (("preview", 640), ("full", 640), ("160x120", 160)):
            with self.subTest(stream), self.bus.frames("front", stream) as frames:
                numbers = []
                for _ in range(5):
                    frame = present(frames.next(30))
                    numbers.append(frame.info.frame_sequence)
                    self.assertEqual(frame.info.size.width, side)
                    self.assertEqual(frame.data[:2], b"\xff\xd8")
                self.assertEqual(numbers, sorted(set(numbers)))
                self.assertTrue(frames.connected)
                with frames._reader._lock:  # the stream goes on: look at all three at one moment
                    count, waiting = replace(frames._reader._count), len(frames._reader._frames)
                self.assertEqual(count.received, count.passed_over + 5 + waiting)

    def test_a_raw_frame_is_as_the_node_holds_it(self) -> None:
        with self.bus.frames("front", "raw") as frames:
            frame = present(frames.next(30))
        self.assertEqual(frame.info.pixel_format, "YUYV")
        self.assertEqual(len(frame.data), frame.info.bytes_per_line * 480)

    def test_who_looks_seldom_gets_the_newest(self) -> None:
        with self.bus.frames("front") as frames:
            first = present(frames.next(30))
            with self.bus.frames("front") as others:
                for _ in range(20):
                    others.next(30)
            newest = present(frames.next(30))
            self.assertGreater(newest.info.frame_sequence, first.info.frame_sequence + 15)
            self.assertGreater(frames.count.passed_over, 10)


class Settings(WithNode):
    @staticmethod
    def first_table(jpeg: bytes) -> bytes:
        """The quantization table of the luma."""
        start = jpeg.index(b"\xff\xdb")
        return jpeg[start + 5:start + 69]

    def test_the_quality_and_the_rate_of_a_stream(self) -> None:
        """Also of the camera's own JPEGs, and of that stream alone"""
        Settings = messages.StreamSettings
        with CameraBus(self.node.control, timeout=20) as bus, bus.frames("back", "full") as full, bus.frames("back", "raw") as raw:
            own = self.first_table(bytes(present(full.next(20)).data))
            self.assertEqual(own, self.first_table(bytes(present(raw.next(20)).data)))
            done = bus.configure("back", streams=[Settings(stream="full", quality=20, maximum_rate=10)])
            self.assertEqual(list(done.camera.configuration.streams), [Settings(stream="full", quality=20, maximum_rate=10)])
            while sum(table := self.first_table(bytes(present(full.next(20)).data))) <= 2 * sum(own):
                pass
            self.assertEqual(self.first_table(bytes(present(raw.next(20)).data)), own)
            numbers: list[int] = []
            while len(numbers) < 6:
                frame = present(full.next(20))
                self.assertEqual(self.first_table(bytes(frame.data)), table)
                numbers = [*numbers, frame.info.frame_sequence] if not numbers or frame.info.frame_sequence - numbers[-1] == 3 else []
            bus.configure("back", streams=[Settings(stream="full", quality=0, maximum_rate=0)])
            while self.first_table(bytes(present(full.next(20)).data)) != own:
                pass
            self.assertFalse(bus.status("back").cameras[0].configuration.streams)

    def test_a_reader_waits_for_a_stream_that_is_switched_off(self) -> None:
        Settings = messages.StreamSettings
        with CameraBus(self.node.control, timeout=20) as bus, bus.frames("front", "full") as full:
            present(full.next(20))
            done = bus.configure("front", streams=[Settings(stream="full", enabled=False)])
            self.assertEqual(list(done.camera.configuration.streams), [Settings(stream="full", enabled=False)])
            # Longer than the reader takes to ask why nothing comes.
            while full.next(3) is not None:
                pass
            (stream,) = (stream for stream in bus.status("front").cameras[0].streams if stream.name == "full")
            self.assertEqual((stream.subscribers, stream.error.code), (1, messages.ERROR_CODE_CONFLICT))
            done = bus.configure("front", streams=[Settings(stream="full", enabled=True)])
            self.assertFalse(done.camera.configuration.streams)
            present(full.next(20))


class Events(WithNode):
    def test_a_gap_that_the_network_made_is_replayed(self) -> None:
        proxy = Proxy(self.node.events)
        self.addCleanup(proxy.close)
        with CameraBus(self.node.control, events=proxy.endpoint) as bus, bus.events("front") as monitor:
            captures: list[Published] = []

            def follow(photo: Photo) -> None:
                """Takes notices until the photo's last event."""
                while not (captures and captures[-1].event.capture.request_id == photo.request_id
                           and captures[-1].event.capture.HasField("completed")):
                    notice = monitor.next(30)
                    self.assertIsNotNone(notice)
                    self.assertNotIsInstance(notice, Lost)
                    if isinstance(notice, Published) and notice.topic == "event/front/capture/":
                        captures.append(notice)

            self.assert_snapshot(monitor)
            follow(self.bus.capture(NOW, "front"))
            proxy.cut()
            photos = [self.bus.capture(NOW, "front") for _ in range(3)]
            proxy.restore()
            follow(photos[-1])
        numbers = [notice.sequence for notice in captures]
        # Each photo has four steps and an end.
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 5 * 4)))
        self.assertTrue(all(notice.replayed for notice in captures[5:]))
        done = [notice.event.capture.request_id for notice in captures if notice.event.capture.HasField("completed")]
        self.assertEqual(done[-3:], [photo.request_id for photo in photos])

    def test_events_by_their_numbers(self) -> None:
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

    def test_a_change_of_a_control_is_told_to_all(self) -> None:
        with self.bus.events("front") as monitor:
            self.assert_snapshot(monitor)
            self.bus.set_controls({"contrast": 137}, "front")
            while (notice := is_a(Published, monitor.next(30))).topic != "event/front/control/":
                pass
            self.assertEqual((notice.event.control.id, value_of(notice.event.control.value)), ("contrast", 137))

    def test_history_tells_a_late_joiner_what_happened(self) -> None:
        photo = self.bus.capture(NOW, "back")
        with self.bus.events("back", history=True) as monitor:
            seen = set()
            while isinstance(notice := monitor.next(30), Published):
                seen.add(notice.event.capture.request_id)
        self.assertIn(photo.request_id, seen)
        self.assertIsInstance(notice, Snapshot)


class OverIPC(unittest.TestCase):
    def test_all_three_sockets(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Node(
                "front=synthetic:320x240@30", options=["--ipc", folder]), CameraBus(f"ipc://{folder}/control") as bus:
            self.assertEqual(present(bus.capture(NOW).data)[:2], b"\xff\xd8")
            with bus.frames() as frames, bus.events() as monitor:
                self.assertIsNotNone(frames.next(30))
                self.assertIsNotNone(monitor.next(30))
            self.assertTrue(bus.status().events_ipc_endpoint.startswith("ipc://"))


if __name__ == "__main__":
    unittest.main()
