"""Tests what the client does when replies do not arrive or are unknown to it."""

import hashlib
import re
import socket
import time
import traceback
import unittest
from pathlib import Path
from typing import Any, Callable

from camerabus import (
    NOW, AsyncPreparedShot, CameraBus, CameraBusError, Code, Photo, PhotoSettings, PreparedShot, at_monotonic, messages)
from camerabus.blocking import run
from camerabus.calls import GRACE, KEPT
from camerabus.connection import SLACK
from expecting import present
from fake import A, B, FakeNode, Replies, in_turn

PICTURE = b"\xff\xd8 a picture"
PHOTO = messages.CaptureResult(sha256=hashlib.sha256(PICTURE).digest(), byte_count=len(PICTURE))
PROCESSED = {"capture_progress": messages.CaptureProgress(step=messages.CaptureProgress.STEP_DID_PROCESS),
             "attachment": PICTURE}


class Requests(unittest.TestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.bus = self.enterContext(CameraBus(self.node.control, patience=0.2))

    def failure(self, **options: Any) -> CameraBusError:
        with self.assertRaises(CameraBusError) as caught:
            self.bus.capture(NOW, settings=PhotoSettings(keep=False), **options)
        return caught.exception

    def test_a_photo_without_an_answer_is_asked_for_again_by_the_same_id_over_a_new_connection(self) -> None:
        self.node.answers["capture"] = in_turn(None, None, [PROCESSED, {"capture": PHOTO}])
        self.assertEqual(self.bus.capture(NOW, settings=PhotoSettings(keep=False), timeout=20).data, PICTURE)
        (first, _), (second, _), (third, _) = sent = self.node.of("capture")[:3]
        self.assertEqual(len({request.id for request, _ in sent}), 1)
        self.assertEqual(len({sender for _, sender in sent}), 3)
        self.assertEqual([request.epoch for request, _ in sent], [b"", A, A])
        self.assertGreater(first.remaining_ns, second.remaining_ns)
        self.assertGreater(second.remaining_ns, third.remaining_ns)
        self.assertEqual({request.capture.SerializeToString() for request, _ in sent},
                         {first.capture.SerializeToString()})

    def test_the_epoch_is_known_before_a_photo_is_asked_for_the_first_time(self) -> None:
        self.node.answers["capture"] = lambda request: [PROCESSED, {"capture": PHOTO}]
        self.bus.capture(NOW, settings=PhotoSettings(keep=False))
        self.bus.capture(NOW, settings=PhotoSettings(keep=False))
        self.assertEqual([request.WhichOneof("body") for request, _ in self.node.requests],
                         ["status", "capture", "capture"])

    def test_a_connection_that_was_heard_meanwhile_is_kept(self) -> None:
        self.node.answers["formats"] = in_turn(None, [{"formats": messages.FormatsReply()}])
        with CameraBus(self.node.control, patience=20) as bus:
            bus.status()
            connection = bus._client.connection
            request = messages.Request(formats=messages.FormatsRequest())
            run(connection.result("formats", run(connection.call(request, 20, pause=0.1))))
        self.assertGreaterEqual(len(self.node.of("formats")), 2)
        self.assertEqual(len({sender for _, sender in self.node.of("formats")}), 1)

    def test_a_node_that_never_answers_is_unreachable(self) -> None:
        self.node.answers["capture"] = lambda request: None
        error = self.failure(timeout=0.5)
        self.assertEqual(error.code, Code.UNREACHABLE)
        self.assertEqual((error.request_id, error.epoch), (self.node.of("capture")[0][0].id, A))
        self.assertFalse(error.retryable, "a new id might take a second photo")

    def test_an_endpoint_that_is_no_control_endpoint_is_called_so(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            for endpoint, is_foreign in [
                    (self.node.events, True), (self.node.control, False),
                    (f"tcp://127.0.0.1:{silent.getsockname()[1]}", False)]:
                with self.subTest(endpoint), CameraBus(endpoint, timeout=0.5) as bus:
                    with self.assertRaises(CameraBusError) as caught:
                        bus.formats()
                    self.assertEqual(caught.exception.code, Code.UNREACHABLE)
                    self.assertEqual("is no camera node's control endpoint" in caught.exception.message, is_foreign)

    def test_ctrl_c_cancels_the_photo_that_is_waited_for(self) -> None:
        def ctrl_c(progress: messages.CaptureProgress) -> None:
            raise KeyboardInterrupt

        self.node.answers["capture"] = lambda request: [PROCESSED]
        with self.assertRaises(KeyboardInterrupt):
            self.bus.capture(NOW, settings=PhotoSettings(keep=False), on_progress=ctrl_c)
        self.node.await_requests("cancel", 1)
        [(cancelled, _)] = self.node.of("cancel")
        self.assertEqual(cancelled.cancel.request, self.node.of("capture")[0][0].id)

    def test_an_answer_that_came_while_the_program_did_something_else_counts_after_the_time(self) -> None:
        self.node.answers["capture"] = lambda request: [PROCESSED, {"capture": PHOTO}]
        self.bus.status()
        capture = self.bus.begin_capture(NOW, settings=PhotoSettings(keep=False), timeout=0.1)
        self.node.await_requests("capture", 1)
        time.sleep(GRACE + SLACK + 0.2)
        self.assertEqual(capture.photo().data, PICTURE)

    def test_the_same_request_can_be_taken_up_later(self) -> None:
        self.node.answers["capture"] = lambda request: None
        error = self.failure(timeout=0.5)
        self.node.answers["capture"] = lambda request: [PROCESSED, {"capture": PHOTO}]
        photo = self.bus.capture(NOW, settings=PhotoSettings(keep=False), id=error.request_id, epoch=error.epoch)
        self.assertEqual(photo.request_id, error.request_id)
        last = self.node.of("capture")[-1][0]
        self.assertEqual((last.id, last.epoch), (error.request_id, A))

    def test_a_new_start_that_knows_nothing_does_not_take_over_the_request(self) -> None:
        """A repetition with the new epoch would take a second photo."""
        unknown = {"error": messages.Error(code=messages.ERROR_CODE_OUTCOME_UNKNOWN, message="look into assets")}

        def answer(request: messages.Request) -> Replies:
            if self.node.epoch == A:
                self.node.epoch = B
                return None
            return [unknown]

        self.node.answers["capture"] = answer
        error = self.failure()
        self.assertEqual((error.code, error.epoch), (Code.OUTCOME_UNKNOWN, A))
        self.assertEqual(self.bus.epoch, B)

    def test_a_picture_that_was_lost_comes_again_with_its_answer(self) -> None:
        self.node.answers["capture"] = in_turn([{"capture": PHOTO}], [PROCESSED, {"capture": PHOTO}])
        self.assertEqual(self.bus.capture(NOW, settings=PhotoSettings(keep=False)).data, PICTURE)
        self.assertEqual(len({request.id for request, _ in self.node.of("capture")}), 1)

    def test_a_picture_that_is_another_is_found_out(self) -> None:
        other = messages.CaptureResult(sha256=bytes(32), byte_count=len(PICTURE))
        self.node.answers["capture"] = lambda request: [PROCESSED, {"capture": other}]
        self.assertEqual(self.failure().code, Code.CORRUPT)

    def test_an_error_has_all_that_the_node_says(self) -> None:
        said = messages.Error(code=messages.ERROR_CODE_BUSY, message="wait", field="capture.quality", retryable=True)
        self.node.answers["capture"] = lambda request: [{"error": said}]
        error = self.failure()
        self.assertEqual((error.code, error.message, error.field, error.retryable),
                         (Code.BUSY, "wait", "capture.quality", True))
        self.assertEqual(str(error), "BUSY (capture.quality): wait")

    def test_none_is_sent_as_an_empty_value_and_a_refusal_of_it_is_passed_on(self) -> None:
        said = messages.Error(code=messages.ERROR_CODE_INVALID_ARGUMENT, message="give a value", field="brightness")
        pressed = messages.ControlsReply(controls=[messages.Control(id="shutter")])
        self.node.answers["controls_set"] = in_turn([{"controls": pressed}], [{"error": said}])
        self.assertEqual(self.bus.set_controls({"shutter": None}), pressed)
        with self.assertRaises(CameraBusError) as caught:
            self.bus.set_controls({"brightness": None})
        self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, "brightness"))
        [setting] = self.node.of("controls_set")[0][0].controls_set.settings
        self.assertTrue(setting.HasField("value"))
        self.assertIsNone(setting.value.WhichOneof("value"))

    def test_answers_of_a_newer_node_are_said_to_be_that(self) -> None:
        self.node.answers["capture"] = lambda request: [{}]
        self.assertEqual(self.failure().code, Code.NODE_IS_NEWER)
        self.node.answers["capture"] = lambda request: [{"error": messages.Error.FromString(b"\x08\xe8\x07")}]
        self.assertEqual(self.failure().code, Code.INTERNAL)

    def test_what_a_node_says_cannot_control_the_terminal(self) -> None:
        said = "\x1b[31mred\x1b]0;title\x07\r\nSecond line\x00\x7f\u009b1m \u202eturned\u2028"
        self.node.answers["capture"] = lambda request: [
            {"error": messages.Error(code=messages.ERROR_CODE_BUSY, message=said + "é日 \\", field="\x1b[2J")}]
        error = self.failure()
        self.assertEqual((error.message, error.field), (said + "é日 \\", "\x1b[2J"))
        self.assertEqual(
            str(error), r"BUSY (\x1b[2J): \x1b[31mred\x1b]0;title\x07\r\nSecond line\x00\x7f\x9b1m "
                        r"\u202eturned\u2028é日 " "\\")
        shown = "".join(traceback.format_exception(error))
        self.assertEqual([letter for letter in shown if not letter.isprintable() and letter != "\n"], [])

    def test_nobody_there(self) -> None:
        with CameraBus("ipc:///nowhere/at-all", timeout=0.1, patience=0.1) as bus:
            with self.assertRaises(CameraBusError) as caught:
                bus.status()
        self.assertEqual(caught.exception.code, Code.UNREACHABLE)
        self.assertTrue(caught.exception.retryable)


def commit(bus: CameraBus) -> Photo:
    """Commits a shot that a node has prepared."""
    request = messages.ShotPrepareRequest(shot=bytes(16))
    prepared = messages.ShotPrepared(camera="cam", lease=bytes(16), now=messages.Timestamp(monotonic_ns=1))
    client = bus._client
    shot = PreparedShot(AsyncPreparedShot(client.connection, request, prepared, client._seconds), bus._runner)
    return shot.begin_commit(at_monotonic(1)).photo()


class KeptKinds(unittest.TestCase):
    """Requests that must not be carried out twice."""

    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.requests: dict[str, Callable[[CameraBus], object]] = {
            "capture": lambda bus: bus.capture(NOW), "record_start": lambda bus: bus.start_recording(),
            "record_stop": lambda bus: bus.stop_recording(), "record_pause": lambda bus: bus.pause_recording(),
            "record_resume": lambda bus: bus.resume_recording(), "record_trigger": lambda bus: bus.trigger_clip(),
            "delete": lambda bus: bus.delete([A]),
            "protect": lambda bus: bus.protect([A], False), "shot_prepare": lambda bus: bus.prepare_shot(),
            "tag": lambda bus: bus.tag([A], add=["a"]), "shot_commit": commit,
            "library_repair": lambda bus: bus.repair(timeout=bus._client._timeout)}

    def failure(self, kind: str, timeout: float) -> CameraBusError:
        with CameraBus(self.node.control, timeout=timeout, patience=0.2) as bus:
            with self.assertRaises(CameraBusError) as caught:
                self.requests[kind](bus)
        return caught.exception

    def test_they_are_those_of_the_specification(self) -> None:
        page = (Path(__file__).resolve().parents[2] / "Protocol" / "README.md").read_text()
        table = page.split("| body | progress replies | final reply | kept |", 1)[1].split("\n\n", 1)[0]
        rows = [(re.findall("`([a-z_]+)`", cells[1]), cells[4].strip())
                for cells in (line.split("|") for line in table.splitlines()[2:])]
        bodies = [field.name for field in messages.Request.DESCRIPTOR.oneofs_by_name["body"].fields]
        self.assertEqual(sorted(body for row, _ in rows for body in row), sorted(bodies))
        self.assertEqual({body for row, kept in rows if kept == "yes" for body in row}, KEPT)
        self.assertEqual(set(self.requests), KEPT, "this test leaves out a kept kind")

    def test_after_silence_it_is_not_known_what_became_of_them(self) -> None:
        for kind in self.requests:
            with self.subTest(kind):
                error = self.failure(kind, timeout=0.3)
                self.assertIn("what became of the request is not known", error.message)
                self.assertFalse(error.retryable)
                self.assertEqual((error.request_id, error.epoch), (self.node.of(kind)[0][0].id, A))

    def test_a_commit_that_is_lost_is_sent_again_while_the_node_has_the_frame(self) -> None:
        self.node.answers["shot_commit"] = in_turn(None, [PROCESSED, {"capture": PHOTO}])
        with CameraBus(self.node.control, patience=3600) as bus:
            self.assertEqual(present(commit(bus).data), PICTURE)
        (first, connection), (second, same) = self.node.of("shot_commit")
        self.assertEqual((first.id, connection), (second.id, same))

    def test_a_node_that_has_restarted_is_not_asked_to_do_them_again(self) -> None:
        for kind in self.requests:
            def answer(request: messages.Request) -> Replies:
                if self.node.epoch == A:
                    self.node.epoch = B
                    return None  # the node was killed before it answered
                unknown = messages.Error(code=messages.ERROR_CODE_OUTCOME_UNKNOWN, message="look into assets")
                return [{"error": unknown}]

            with self.subTest(kind):
                self.node.epoch = A
                self.node.answers[kind] = answer
                error = self.failure(kind, timeout=20)
                self.assertEqual((error.code, error.epoch), (Code.OUTCOME_UNKNOWN, A))
                self.assertEqual({request.epoch for request, _ in self.node.of(kind)[1:]}, {A})


if __name__ == "__main__":
    unittest.main()
