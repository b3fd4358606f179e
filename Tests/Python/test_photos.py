"""Tests photos and movies with a running node."""

import hashlib
import os
import tempfile
import unittest
from pathlib import Path
from typing import Callable, Sequence, Union

from camerabus import (
    NEXT, NOW, CameraBus, Code, PhotoSettings, Published, When, at_monotonic, at_wall, messages, movie_frames,
    no_older_than, past,
)
from expecting import present
from live import WithNode
from node import Node

# The time of five frames, because a busy machine skips some.
NEAR = 5 * 1_000_000_000 // 30


class Photos(WithNode):
    def test_each_form_of_the_time_contract(self) -> None:
        forms: Sequence[tuple[Callable[[messages.Timestamp], When], int, int]] = (
            (lambda now: NOW, -NEAR, NEAR), (lambda now: NEXT, 0, NEAR), (lambda now: past(0.3), -NEAR, NEAR),
            (lambda now: no_older_than(10), 0, 0),
            (lambda now: at_monotonic(now.monotonic_ns - 300_000_000), -NEAR, NEAR),
            (lambda now: at_monotonic(now.monotonic_ns + 500_000_000), -NEAR, NEAR),
            (lambda now: at_wall(now.wall_ns - 300_000_000), -NEAR, NEAR))
        for form, least, most in forms:
            when = form(self.bus.status().now)
            with self.subTest(when):
                photo = self.bus.capture(when, "front")
                self.assertLessEqual(least, photo.resolved.offset_ns)
                self.assertLessEqual(photo.resolved.offset_ns, most)
                data = present(photo.data)
                self.assertEqual((data[:2], data[-2:]), (b"\xff\xd8", b"\xff\xd9"))
                self.assertEqual(photo.byte_count, len(data))
        self.assert_fails(Code.FRAME_UNAVAILABLE, self.bus.capture, past(600), "front")

    def test_a_photo_and_a_frame_have_the_bounds_of_their_exposure(self) -> None:
        self.bus.set_controls({"auto_exposure": 1, "exposure_time_absolute": 50}, "front")
        asked = self.bus.status().now.monotonic_ns
        photo = self.bus.capture(NEXT, "front").resolved
        with self.bus.frames("front") as frames:
            frame = present(frames.next(30)).info
        both: list[Union[messages.ResolvedCapture, messages.FrameHeader]] = [photo, frame]
        for it in both:
            with self.subTest(type(it).__name__):
                self.assertEqual(it.timestamp_mark, messages.TimestampMark.TIMESTAMP_MARK_EXPOSURE_START)
                self.assertEqual(it.earliest_start_ns, it.timestamp.monotonic_ns)
                self.assertLess(it.earliest_start_ns, it.latest_end_ns)
                self.assertLess(asked, it.earliest_start_ns)
                self.assertEqual(it.exposure_ns, 5_000_000)
        # The synthetic camera paints a picture at once, so the exposure may end after that.
        self.assertLessEqual(frame.latest_end_ns, max(frame.dequeued_ns, frame.earliest_start_ns + 5_000_000))
        self.assertGreaterEqual(frame.latest_end_ns, frame.earliest_start_ns + 5_000_000)
        self.bus.set_controls({"auto_exposure": 0}, "front")
        self.assertEqual(self.bus.capture(NEXT, "front").resolved.exposure_ns, 0)

    def test_an_idle_camera_starts_for_a_photo_and_for_frames(self) -> None:
        with Node("door=synthetic:320x240@30,format=MJPG,idle=100ms") as node, CameraBus(node.control, timeout=30) as bus:
            with bus.events() as monitor:
                self.assert_snapshot(monitor)

                def idle(after: int) -> messages.CameraStatus:
                    while True:
                        notice = present(monitor.next(30))
                        if isinstance(notice, Published) and notice.event.HasField("state"):
                            status = notice.event.state
                            if status.state == messages.SESSION_STATE_IDLE and status.since.monotonic_ns > after:
                                return status

                begun = bus.capture(NEXT).resolved.timestamp.monotonic_ns
                status = idle(begun)
                self.assertEqual((status.readiness, status.idle_after_ns), (messages.READINESS_READY, 100_000_000))
                photo = bus.capture(NOW).resolved
                self.assertGreater(photo.start_ns, 0)
                self.assertGreater(photo.offset_ns, 0)
                idle(photo.timestamp.monotonic_ns)
                with bus.frames() as frames:
                    self.assertTrue(frames.next(30))

    def test_a_photo_outside_the_tolerance_fails_and_is_not_kept(self) -> None:
        count = len(self.bus.assets("front"))
        # Ahead, so that a busy machine still has its frames when it reads the request.
        moment = self.bus.status().now.monotonic_ns + 2_000_000_000
        self.assert_fails(
            Code.FRAME_UNAVAILABLE, self.bus.capture, at_monotonic(moment), "front", settings=PhotoSettings(tolerance=1e-9),
            field="capture.tolerance_ns")
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.capture, NEXT, "front", settings=PhotoSettings(tolerance=0.02), field="capture.tolerance_ns")
        self.assertEqual(len(self.bus.assets("front")), count)
        photo = self.bus.capture(NOW, "front", settings=PhotoSettings(tolerance=3600))
        self.assertLessEqual(abs(photo.resolved.offset_ns), 3600 * 10 ** 9)

    def test_the_steps_are_told_in_order_and_the_photo_is_in_the_library(self) -> None:
        steps = []
        photo = self.bus.capture(NOW, "front", on_progress=lambda progress: steps.append(progress.step))
        self.assertEqual(steps, [1, 2, 3, 4])
        kept = self.node.folder / "library" / present(photo.asset).path
        self.assertEqual(kept.read_bytes(), photo.data)
        self.assertEqual(list(self.bus.assets(request_id=photo.request_id)), [photo.asset])
        self.assertEqual(list(self.bus.assets(id=present(photo.asset).id)), [photo.asset])
        self.assertEqual(self.bus.assets("front", limit=1), [photo.asset])

    def test_assets_come_page_by_page_and_are_selected(self) -> None:
        photos = [present(self.bus.capture(NEXT, "back", picture=False).asset) for _ in range(5)]
        listed = list(self.bus.all_assets("back", limit=2))
        self.assertEqual(listed[:5], photos[::-1])
        self.assertEqual(len({asset.id for asset in listed}), len(listed))
        first, last = photos[0].created_wall_ns, photos[-1].created_wall_ns
        self.assertEqual(self.bus.assets("back", since_ns=first, until_ns=last), photos[-2::-1])
        self.assertEqual(self.bus.assets("back", since_ns=last), [photos[-1]])
        self.assertEqual(self.bus.assets("back", since_ns=first, kind=messages.ASSET_KIND_MOVIE), [])
        self.assertEqual(self.bus.assets(id=photos[2].id[:6]), [photos[2]])
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.assets, "none", field="assets.camera")
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.assets, id=bytes(17), field="id")

    def test_assets_are_protected_and_deleted(self) -> None:
        gone, kept = (present(self.bus.capture(NEXT, "back", picture=False).asset) for _ in range(2))
        [protection] = self.bus.protect([kept])
        self.assertTrue(protection.asset.protected)
        self.assertEqual([asset.id for asset in self.bus.assets(protected=True)], [kept.id])
        results = self.bus.delete([gone, kept.id])
        self.assertEqual([result.id for result in results], [gone.id, kept.id])
        self.assertEqual(results[0].asset, gone)
        self.assertEqual(results[1].error.code, Code.CONFLICT)
        self.assertEqual(self.bus.assets(id=gone.id), [])
        self.assertFalse((self.node.folder / "library" / gone.path).exists())
        self.bus.protect([kept], False)
        self.assertEqual(self.bus.delete([kept])[0].asset.id, kept.id)
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.delete, [], field="delete.assets")

    def test_a_file_that_was_removed_by_hand_is_told_and_not_tried_again(self) -> None:
        asset = present(self.bus.capture(NEXT, "back", picture=False).asset)
        (self.node.folder / "library" / asset.path).unlink()
        self.assertEqual(self.bus.assets(id=asset.id)[0].condition, messages.ASSET_CONDITION_MISSING)
        self.assertFalse(self.assert_fails(Code.ASSET_DAMAGED, self.bus.read, asset).retryable)
        self.bus.delete([asset])

    def test_a_picture_that_is_too_large_to_come_along_is_fetched(self) -> None:
        photo = self.bus.capture(NOW, "front", inline_limit=10)
        self.assertEqual(hashlib.sha256(present(photo.data)).digest(), present(photo.asset).sha256)

    def test_no_picture_where_none_is_wanted(self) -> None:
        photo = self.bus.capture(NOW, "front", picture=False)
        self.assertIsNone(photo.data)
        self.assertEqual(len(self.bus.read(present(photo.asset))), photo.byte_count)

    def test_a_transient_photo_is_not_kept(self) -> None:
        photo = self.bus.capture(NOW, "back", settings=PhotoSettings(keep=False))
        self.assertIsNone(photo.asset)
        self.assertEqual(self.bus.assets(request_id=photo.request_id), [])
        self.assertEqual(hashlib.sha256(present(photo.data)).digest(), photo.sha256)

    def test_the_same_id_is_the_same_photo(self) -> None:
        photo = self.bus.capture(NOW, "front")
        with CameraBus(self.node.control) as another:
            again = another.capture(NOW, "front", id=photo.request_id, epoch=self.bus.epoch)
        self.assertEqual(again, photo)
        self.assertEqual(len(self.bus.assets(request_id=photo.request_id)), 1)

    def test_a_transient_photo_comes_again_with_its_picture(self) -> None:
        photo = self.bus.capture(NOW, "front", settings=PhotoSettings(keep=False))
        self.assertEqual(self.bus.capture(NOW, "front", settings=PhotoSettings(keep=False), id=photo.request_id), photo)

    def test_the_same_id_with_other_settings_is_refused(self) -> None:
        photo = self.bus.capture(NOW, "front")
        self.assert_fails(Code.ID_REUSED, self.bus.capture, NEXT, "front", id=photo.request_id)
        self.assert_fails(Code.ID_REUSED, self.bus.capture, NOW, "front", settings=PhotoSettings(quality=50), id=photo.request_id)
        self.assertEqual(len(self.bus.assets(request_id=photo.request_id)), 1)

    def test_another_epoch_is_another_node(self) -> None:
        error = self.assert_fails(Code.OUTCOME_UNKNOWN, self.bus.capture, NOW, "front", epoch=bytes(16))
        self.assertEqual(self.bus.assets(request_id=error.request_id), [])

    def test_photos_overlap(self) -> None:
        start = self.bus.status().now.monotonic_ns + 300_000_000
        under_way = [self.bus.begin_capture(at_monotonic(start + number * 100_000_000), camera)
                     for number in range(5) for camera in ("front", "back")]
        photos = [capture.photo() for capture in reversed(under_way)]
        self.assertEqual(len({present(photo.asset).id for photo in photos}), 10)

    def test_a_photo_that_waits_can_be_cancelled_and_one_that_is_taken_cannot(self) -> None:
        later = at_monotonic(self.bus.status().now.monotonic_ns + 20_000_000_000)
        capture = self.bus.begin_capture(later, "front")
        self.assertEqual(self.bus.cancel(capture.id), messages.CancelReply.OUTCOME_CANCELLED)
        self.assert_fails(Code.CANCELLED, capture.photo)
        photo = self.bus.capture(NOW, "front")
        self.assertEqual(self.bus.cancel(photo.request_id), messages.CancelReply.OUTCOME_TOO_LATE)
        self.assertEqual(self.bus.cancel(os.urandom(16)), messages.CancelReply.OUTCOME_UNKNOWN)

    def test_too_many_photos_at_once_are_refused_early(self) -> None:
        # Photos of more than ten seconds ahead have fewer places.
        later = at_monotonic(self.bus.status().now.monotonic_ns + 9_000_000_000)
        under_way = [self.bus.begin_capture(later, "front") for _ in range(13)]
        self.assertTrue(self.assert_fails(Code.BUSY, under_way[12].photo).retryable)
        for capture in under_way[:12]:
            self.assertEqual(self.bus.cancel(capture.id), messages.CancelReply.OUTCOME_CANCELLED)
            self.assert_fails(Code.CANCELLED, capture.photo)

    def test_a_moment_beyond_the_time_there_is(self) -> None:
        later = at_monotonic(self.bus.status().now.monotonic_ns + 20_000_000_000)
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.capture, later, "front", timeout=1)


class Movies(WithNode):
    def test_a_movie_from_start_to_file(self) -> None:
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

    def test_the_frames_of_a_movie_are_those_of_the_bus(self) -> None:
        asked = self.bus.status().now
        seen = {}
        with self.bus.frames("back", "full") as frames:
            self.bus.start_recording("back")
            for _ in range(10):
                info = present(frames.next(30)).info
                seen[info.frame_sequence] = info.timestamp
            asset = self.bus.stop_recording("back").asset
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "movie.mkv"
            self.bus.download(asset, path)
            movie = list(movie_frames(path))
            # A movie that is cut off has its first frames.
            data = path.read_bytes()
            path.write_bytes(data[:len(data) // 2])
            cut = list(movie_frames(path))
        self.assertEqual(len(movie), asset.frames)
        self.assertTrue(0 < len(cut) < len(movie))
        self.assertEqual(cut, movie[:len(cut)])
        self.assertEqual(asset.created_wall_ns, movie[0].wall_ns)
        self.assertLess(asked.monotonic_ns, movie[0].monotonic_ns)
        self.assertEqual(asset.duration_ns, movie[-1].monotonic_ns - movie[0].monotonic_ns)
        both = [frame for frame in movie if frame.sequence in seen]
        self.assertGreater(len(both), 4)
        for frame in both:
            self.assertEqual(frame.monotonic_ns, seen[frame.sequence].monotonic_ns)
            self.assertEqual(frame.wall_ns, seen[frame.sequence].wall_ns)
        for frame in movie:
            since = (frame.monotonic_ns - movie[0].monotonic_ns) / 1e6
            self.assertLess(abs(since - frame.milliseconds), 1)

    def test_a_movie_ends_at_its_limit_and_tells_so(self) -> None:
        with self.bus.events("back") as monitor:
            self.assert_snapshot(monitor)
            started = self.bus.start_recording("back", maximum_duration=0.5)
            finished = None
            while not finished:
                notice = monitor.next(30)
                self.assertIsNotNone(notice, "no event says that the movie ended")
                recording = notice.event.recording if isinstance(notice, Published) else None
                if recording and recording.HasField("finished"):
                    finished = recording
        self.assertEqual(finished.request_id, started.recording)
        self.assertEqual(finished.finished.reason, messages.RecordResult.END_REASON_LIMIT_REACHED)

    def test_the_same_start_and_stop_again_are_the_same(self) -> None:
        id, end = os.urandom(16), os.urandom(16)
        started = self.bus.start_recording("back", id=id)
        self.see_frames("back", 10)
        self.assertEqual(self.bus.start_recording("back", id=id, epoch=self.bus.epoch), started)
        result = self.bus.stop_recording("back", id=end)
        self.assertEqual(self.bus.stop_recording("back", id=end, epoch=self.bus.epoch), result)
        self.assertEqual(self.bus.start_recording("back", id=id, epoch=self.bus.epoch), started)
        self.assert_fails(Code.CONFLICT, self.bus.stop_recording, "back")


if __name__ == "__main__":
    unittest.main()
