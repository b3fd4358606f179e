"""Tests status, sessions, formats, controls and refused requests with a running node."""

import itertools
import unittest

import zmq

from camerabus import (
    NOW, CameraBus, CameraBusError, Clips, ClockEstimate, ClockOffset, Code, Monitor, Published, Segments, clock_id, messages,
    value_of)
from camerabus.framing import read_reply, read_request
from expecting import present
from golden import parts_of, vectors
from live import WithNode
from node import Node


class Asking(WithNode):
    def test_status_tells_of_all_cameras_or_of_one(self) -> None:
        status = self.bus.status()
        self.assertEqual([camera.name for camera in status.cameras], ["front", "back"])
        self.assertEqual({camera.state for camera in status.cameras}, {messages.SESSION_STATE_RUNNING})
        self.assertEqual(status.library.folder, str(self.node.folder / "library"))
        self.assertEqual((status.events_endpoint, status.frames_endpoint), (self.node.events, self.node.frames))
        self.assertEqual([camera.name for camera in self.bus.status("back").cameras], ["back"])
        self.assertEqual(len(self.bus.epoch), 16)

    def test_a_camera_that_is_not_there(self) -> None:
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.status, "side", field="status.camera")
        # The request does not name one of the two cameras.
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.capture, NOW)
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.frames)

    def test_the_clock_of_a_node_on_this_machine_is_this_machines(self) -> None:
        self.assertEqual(self.bus.clock(), ClockOffset(0, 0))
        reading = self.bus.read_clock()
        self.assertEqual(reading.clock_id, clock_id())
        moments = [reading.sent, reading.read, reading.answered, reading.received]
        self.assertEqual(moments, sorted(moments))
        # Without its name, the readings still prove how near it is.
        estimate = ClockEstimate(own_clock_id="another")
        for _ in range(8):
            self.assertTrue(estimate.add(reading := self.bus.read_clock()))
        offset = present(estimate.at(reading.received))
        self.assertLessEqual(offset.least, 0)
        self.assertGreaterEqual(offset.most, 0)
        self.assertLess(offset.error, 10**9)

    def test_formats_and_a_session_in_another_of_them(self) -> None:
        sizes = {(format.pixel_format, format.size.width, format.size.height) for format in self.bus.formats("back")}
        self.assertIn(("YUYV", 640, 480), sizes)
        status = self.bus.configure("back", pixel_format="YUYV", size=(640, 480), rates=(15, 15)).camera
        try:
            self.assertEqual(status.state, messages.SESSION_STATE_RUNNING)
            self.assertEqual((status.format.size.width, status.format.frame_rate), (640, 15))
        finally:
            self.bus.configure("back", pixel_format="MJPG", size=(320, 240), rates=(30, 30))
        self.assert_fails(Code.UNSUPPORTED_FORMAT, self.bus.configure, "back", pixel_format="ABCD")

    def test_a_configuration_holds_as_a_whole_or_not_at_all(self) -> None:
        before, (brightness,) = self.bus.status("back").cameras[0].format, self.bus.controls("back", ["brightness"])
        self.assert_fails(
            Code.NO_SUCH_CONTROL, self.bus.configure, "back", preset="low", controls={"brightness": 3, "nonsense": 1})
        self.assert_fails(
            Code.UNSUPPORTED_FORMAT, self.bus.configure, "back", preset="photo", size=(15, 15), controls={"brightness": 3},
            field="configure.preset")
        self.assertEqual(self.bus.status("back").cameras[0].format, before)
        self.assertEqual(self.bus.controls("back", ["brightness"]), [brightness])
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.configure, "back", preset="huge", field="preset")
        done = self.bus.configure("back", preset="hd1280x720", rates=(10, 30), controls={"brightness": 3})
        try:
            self.assertEqual((done.camera.format.size.width, done.camera.format.frame_rate), (1280, 30))
            self.assertEqual([value_of(control.value) for control in done.controls], [3])
        finally:
            self.bus.configure("back", pixel_format="MJPG", size=(320, 240), rates=(30, 30),
                               controls={"brightness": value_of(brightness.value)})

    def test_a_lower_rate_thins_out_the_frames_of_the_same_stream(self) -> None:
        before = self.bus.status("back").cameras[0]
        try:
            done = self.bus.configure("back", rates=(1, 10)).camera
            self.assertEqual((done.format.frame_rate, done.format.device_frame_rate), (10, 30))
            self.assertEqual(done.since.monotonic_ns, before.since.monotonic_ns)
            self.assertEqual((done.configuration.minimum_rate, done.configuration.maximum_rate), (1, 10))
            with self.bus.frames("back", "full") as frames:
                infos = [present(frames.next(30)).info for _ in range(8)][2:]
            for one, next in zip(infos, infos[1:]):
                self.assertGreaterEqual(next.timestamp.monotonic_ns - one.timestamp.monotonic_ns, 66_000_000)
                self.assertGreaterEqual(next.frame_sequence - one.frame_sequence, 2)
            counted = self.bus.status("back").cameras[0].frames
            self.assertGreaterEqual(counted.thinned - before.frames.thinned, 8)
        finally:
            done = self.bus.configure("back", rates=(30, 30)).camera
        self.assertEqual((done.format.frame_rate, done.since.monotonic_ns), (30, before.since.monotonic_ns))

    def test_a_mode_brings_its_preset(self) -> None:
        try:
            status = self.bus.configure("back", mode="video").camera.configuration
            self.assertEqual((status.mode, status.preset), (messages.MODE_VIDEO, messages.PRESET_HIGH))
            status = self.bus.configure("back", mode="photo", pixel_format="MJPG", size=(320, 240)).camera.configuration
            self.assertEqual((status.mode, status.preset), (messages.MODE_PHOTO, messages.PRESET_INPUT_PRIORITY))
        finally:
            self.bus.configure("back", pixel_format="MJPG", size=(320, 240), rates=(30, 30))
    def test_a_change_of_the_scene_is_an_event(self) -> None:
        for part in (-1, 2, "much"):
            self.assert_fails(Code.INVALID_ARGUMENT, self.bus.configure, "back", subject_area=part)
        with self.bus.events("back") as monitor:
            self.assert_snapshot(monitor)
            self.assertEqual(self.bus.configure("back", subject_area=0.5).camera.subject_area_threshold, 0.5)
            # The first scenes may pass before the node has looked twice at one.
            black_and_white = itertools.cycle((2, 3))
            while "event/back/subject_area/" not in {topic.topic for topic in self.bus.status("back").topics}:
                self.bus.set_controls({"test_pattern": next(black_and_white)}, "back")
                self.see_frames("back", 30)
            while True:
                notice = present(monitor.next(30))
                if isinstance(notice, Published) and notice.event.HasField("subject_area"):
                    break
            change = notice.event.subject_area
            self.assertEqual(change.threshold, 0.5)
            self.assertGreaterEqual(change.change, 0.5)
        self.assertEqual(self.bus.configure("back", subject_area=0).camera.subject_area_threshold, 0)
        self.bus.set_controls({"test_pattern": 0}, "back")

    def test_an_input_is_a_device_that_is_listed(self) -> None:
        before = self.bus.status("back").cameras[0]
        for name in ("/etc/passwd", "synthetic:640x480@30", "/dev/video99"):
            self.assert_fails(Code.DEVICE_NOT_FOUND, self.bus.configure, "back", input=name, field="configure.input")
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.configure, "back", input="a\nb", field="configure.input")
        done = self.bus.configure("back", input=before.device.identity)
        self.assertEqual((done.camera.device, done.camera.configured_input), (before.device, ""))
        self.assertEqual(done.camera.since.monotonic_ns, before.since.monotonic_ns)

    def test_a_lease_keeps_others_from_the_cameras_configuration(self) -> None:
        with CameraBus(self.node.control, timeout=20) as other:
            held = self.bus.acquire_lease("back", holder="calibration", term=600)
            try:
                self.assertEqual(self.bus.status("back").cameras[0].lease.holder, "calibration")
                for call in (lambda: other.set_controls({"brightness": 3}, "back"), lambda: other.stop_session("back"),
                             lambda: other.acquire_lease("back"), lambda: other.release_lease("back")):
                    with self.assertRaises(CameraBusError) as caught:
                        call()
                    self.assertEqual((caught.exception.code, caught.exception.field), (Code.CONFLICT, "lease"))
                    self.assertIn("back is leased to 'calibration'", caught.exception.message)
                other.capture(NOW, "back")
                self.bus.set_controls({"brightness": 3}, "back")
                other.use_lease("back", held.id)
                other.set_controls({"brightness": 4}, "back")
                other.use_lease("back", None)
            finally:
                self.bus.release_lease("back")
            other.set_controls({"brightness": 5}, "back")
            other.acquire_lease("back")
            other.release_lease("back", force=True)
        self.assertFalse(self.bus.status("back").cameras[0].HasField("lease"))

    def test_a_lease_is_one_cameras(self) -> None:
        """However its name is spelled, and no other's."""
        with CameraBus(self.node.control, timeout=20) as other:
            held = self.bus.acquire_lease("back", term=600)
            try:
                self.assertEqual((held.camera, self.bus.renew_lease("back").camera), ("back", "back"))
                other.use_lease("front", held.id)
                for call in (lambda: other.set_controls({"brightness": 3}, "front"), lambda: other.renew_lease("front"),
                             lambda: other.release_lease("front")):
                    with self.assertRaises(CameraBusError) as caught:
                        call()
                    self.assertEqual((caught.exception.code, caught.exception.field), (Code.CONFLICT, "lease"))
                    self.assertIn("the lease is that of back", caught.exception.message)
            finally:
                self.bus.release_lease("back")

    def test_a_camera_without_a_name_has_the_same_lease(self) -> None:
        with Node("cam=synthetic:320x240@30,format=MJPG") as node, CameraBus(node.control, timeout=20) as bus:
            for acquired, asked in ((None, "cam"), ("cam", None)):
                self.assertEqual(bus.acquire_lease(acquired).camera, "cam")
                bus.set_controls({"brightness": 3}, asked)
                with CameraBus(node.control, timeout=20) as other:
                    other.release_lease(force=True)
                with self.assertRaises(CameraBusError) as caught:
                    bus.set_controls({"brightness": 4}, asked)
                self.assertIn("the lease of cam has ended", caught.exception.message)
                bus.use_lease("cam", None)

    def test_the_machines_devices_have_the_simulated_cameras(self) -> None:
        devices = {device.camera: device for device in self.bus.devices()}
        self.assertEqual(devices["back"].authorization, messages.AUTHORIZATION_AUTHORIZED)
        self.assertEqual(list(devices["back"].formats), self.bus.formats("back"))

    def test_a_stopped_session_takes_no_photos(self) -> None:
        self.assertEqual(self.bus.stop_session("back").state, messages.SESSION_STATE_STOPPED)
        try:
            self.assertFalse(self.assert_fails(Code.NOT_RUNNING, self.bus.capture, NOW, "back").retryable)
        finally:
            self.assertEqual(self.bus.start_session("back").state, messages.SESSION_STATE_RUNNING)

    def test_a_suspended_session_takes_no_photos_until_it_is_resumed(self) -> None:
        status = self.bus.suspend_session("back", reason="the lens is being cleaned")
        try:
            self.assertEqual(status.interruption, messages.INTERRUPTION_REASON_SUSPENDED_BY_OPERATOR)
            self.assertIn("the lens is being cleaned", self.assert_fails(Code.INTERRUPTED, self.bus.capture, NOW, "back").message)
            self.assert_fails(Code.CONFLICT, self.bus.start_session, "back")
        finally:
            self.assertEqual(self.bus.resume_session("back").state, messages.SESSION_STATE_RUNNING)
        self.assert_fails(
            Code.INVALID_ARGUMENT, lambda: self.bus.suspend_session("back", reason="two\nlines"), field="session_suspend.reason")

    def test_a_new_format_ends_a_movie_only_if_it_may(self) -> None:
        started = self.bus.start_recording("back")
        self.see_frames("back", 5)
        self.assert_fails(
            Code.CONFLICT, self.bus.configure, "back", pixel_format="YUYV", field="configure.end_recording")
        self.assert_fails(
            Code.UNSUPPORTED_FORMAT, self.bus.configure, "back", pixel_format="H264", end_recording=True)
        self.assertEqual(self.bus.status("back").cameras[0].recording.request_id, started.recording)
        status = self.bus.configure("back", pixel_format="YUYV", end_recording=True).camera
        try:
            self.assertEqual(status.format.pixel_format, "YUYV")
            self.assertFalse(status.HasField("recording"))
            self.assertEqual(len(self.bus.assets(request_id=started.recording)), 1)
        finally:
            self.bus.configure("back", pixel_format="MJPG")

    def test_a_stop_ends_only_the_recording_that_it_names(self) -> None:
        started = self.bus.start_recording("back")
        self.see_frames("back", 5)
        self.assert_fails(Code.CONFLICT, self.bus.stop_recording, "back", recording=bytes(16))
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.stop_recording, "back", recording=b"short")
        self.assertEqual(self.bus.stop_recording("back", recording=started.recording).recording, started.recording)
        self.assert_fails(Code.CONFLICT, self.bus.stop_recording, "back", recording=started.recording)

    def test_a_recording_in_segments_leaves_them_all_in_order(self) -> None:
        with self.bus.events("back") as monitor:
            started = self.bus.start_recording("back", segments=Segments(duration=1), progress_interval=0.5)
            files: list[messages.RecordSegment] = []
            progress = 0
            while len(files) < 3:
                event = self.recording(monitor, started.recording)
                progress += event.HasField("progress")
                if event.HasField("segment"):
                    files.append(event.segment)
        result = self.bus.stop_recording("back", recording=started.recording)
        self.assertGreaterEqual(progress, 2)
        self.assertEqual([file.number for file in files], [1, 2, 3])
        self.assertTrue(all(file.reason == messages.RecordResult.END_REASON_CUT for file in files))
        self.assertGreaterEqual(result.segments, 3)
        assets = self.bus.assets(request_id=started.recording)
        self.assertEqual(len(assets), result.segments)
        self.assertEqual(sum(asset.frames for asset in assets), result.frames)
        for one, other in zip(files, files[1:]):
            self.assertGreater(other.first.timestamp.monotonic_ns, one.last.timestamp.monotonic_ns)

    def test_a_clip_is_around_its_trigger(self) -> None:
        self.assert_fails(Code.CONFLICT, self.bus.trigger_clip, "back")
        with self.bus.events("back") as monitor:
            started = self.bus.start_recording("back", clips=Clips(before=1, after=0.2))
            while self.bus.status("back").cameras[0].recording.reach_ns < 500_000_000:
                self.see_frames("back", 3)
            status = self.bus.trigger_clip("back", recording=started.recording)
            self.assertEqual(status.request_id, started.recording)
            moment = self.bus.status().now.monotonic_ns
            while not (event := self.recording(monitor, started.recording)).HasField("segment"):
                pass
        self.assertLess(event.segment.first.timestamp.monotonic_ns, moment - 300_000_000)
        result = self.bus.stop_recording("back", recording=started.recording)
        self.assertEqual((result.segments, result.asset.id), (1, event.segment.asset.id))

    def test_a_paused_movie_gets_no_frames(self) -> None:
        started = self.bus.start_recording("back")
        self.see_frames("back", 5)
        self.assertEqual(
            self.bus.pause_recording("back", recording=started.recording).pause, messages.RECORDING_PAUSE_REQUESTED)
        before, still = -1, 0
        while before != still:  # what was taken before is written
            self.see_frames("back", 5)
            before, still = still, self.bus.status("back").cameras[0].recording.frames
        self.assertEqual(self.bus.resume_recording("back").pause, messages.RECORDING_PAUSE_UNSPECIFIED)
        self.see_frames("back", 5)
        self.assertGreater(self.bus.stop_recording("back").frames, before)

    def recording(self, monitor: Monitor, recording: bytes) -> messages.RecordEvent:
        """The next event of a recording."""
        while True:
            notice = monitor.next(60)
            if isinstance(notice, Published) and notice.event.recording.request_id == recording:
                return notice.event.recording

    def test_a_stream_that_cannot_be_encoded_is_refused_with_the_reason(self) -> None:
        self.bus.configure("back", pixel_format="RGBP")
        try:
            with self.bus.frames("back") as frames, self.bus.frames("back", "raw") as raw:
                self.assertIn("RGBP", self.assert_fails(Code.UNSUPPORTED_FORMAT, frames.next, 30).message)
                self.assertIsNotNone(raw.next(30))
            self.assert_fails(Code.UNSUPPORTED_FORMAT, self.bus.capture, NOW, "back")
            self.assertEqual(
                self.bus.status("back").cameras[0].readiness, messages.READINESS_NOT_READY_UNSUPPORTED_FORMAT)
        finally:
            self.bus.configure("back", pixel_format="MJPG")

    def test_controls_are_listed_got_and_set(self) -> None:
        ids = [control.id for control in self.bus.controls("front")]
        self.assertIn("brightness", ids)
        set_to = self.bus.set_controls({"brightness": 100, "horizontal_flip": True}, "front").controls
        self.assertEqual({control.id: value_of(control.value) for control in set_to},
                         {"brightness": 100, "horizontal_flip": True})
        got = self.bus.controls("front", ["horizontal_flip", "brightness"])
        self.assertEqual([value_of(control.value) for control in got], [True, 100])
        self.bus.set_controls({"horizontal_flip": False}, "front")

    def test_none_presses_a_button_and_sets_no_other_control(self) -> None:
        with Node("cam=synthetic:320x240@30") as node, CameraBus(node.control, timeout=30) as bus:
            before = bus.controls(ids=["contrast"])
            self.assert_fails(Code.INVALID_ARGUMENT, bus.set_controls, {"contrast": None}, field="contrast")
            self.assertEqual(bus.controls(ids=["contrast"]), before)
            [pressed] = bus.set_controls({"inject_streamon_error": None}).controls
            self.assertEqual((pressed.kind, value_of(pressed.value)), (messages.CONTROL_KIND_BUTTON, None))

    def test_controls_are_set_all_or_none(self) -> None:
        [before] = self.bus.controls("front", ["contrast"])
        self.assert_fails(
            Code.NO_SUCH_CONTROL, self.bus.set_controls, {"contrast": before.value.integer + 1, "nothing": 1},
            "front", field="nothing")
        self.assertEqual(self.bus.controls("front", ["contrast"]), [before])

    def test_every_request_that_is_to_be_refused_is_refused_as_the_vectors_say(self) -> None:
        dealer: zmq.Socket[bytes] = self.enterContext(zmq.Context.instance().socket(zmq.DEALER))
        dealer.setsockopt(zmq.LINGER, 0)
        dealer.connect(self.node.control)
        before = self.bus.status().malformed_requests
        sent = 0
        for vector in vectors("refused"):
            parts = parts_of(vector)
            if not parts:
                continue  # there is nothing to send
            with self.subTest(vector["name"]):
                dealer.send_multipart(parts)
                sent += 1
                if vector.get("dropped"):
                    continue  # if there were an answer, the next vector would get it
                self.assertTrue(dealer.poll(30_000), "no answer")
                reply, _ = read_reply(dealer.recv_multipart())
                self.assertTrue(reply.final)
                self.assertEqual(messages.ErrorCode.Name(reply.error.code), vector["error"]["code"])
                self.assertEqual(reply.error.field, vector["error"].get("field", ""))
                self.assertNotEqual(reply.error.message, "")
                if "reply_id" in vector:
                    self.assertEqual(reply.id, bytes.fromhex(vector["reply_id"]))
                elif vector["error"]["code"] == "ERROR_CODE_MALFORMED":
                    self.assertEqual(reply.id, b"")
                else:
                    self.assertEqual(reply.id, read_request(parts).id)
        self.assertEqual(self.bus.status().malformed_requests, before + sent)


if __name__ == "__main__":
    unittest.main()
