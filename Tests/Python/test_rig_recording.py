"""Tests movies that the cameras of a rig record together: blocking and in asyncio, with nodes that run and with fakes."""

import asyncio
import contextlib
import hashlib
import json
import os
import signal
import subprocess
import time
import unittest
from typing import Any, Iterator

from camerabus import (
    ANY, AsyncRig, Bounds, CameraBus, CameraBusError, ClockOffset, Code, Rig, RigMovie, RigMovieFrame, RigOutcome, RigRecording,
    RigRecordingPart, RigStep, at_least, messages, movie_frames)
from expecting import is_a, present
from fake import Replies
from node import PATIENCE, Node, program
from test_firing import SECOND, ShotNode, WithFakes, refuses
from test_rig_client import ShotAt, WithNodes, keys

STOPPED, LIMIT, KILLED = (
    messages.RecordResult.END_REASON_STOPPED, messages.RecordResult.END_REASON_LIMIT_REACHED,
    messages.RecordResult.END_REASON_NODE_KILLED)
MARK = messages.TIMESTAMP_MARK_EXPOSURE_START


class WithRecordings(WithNodes):
    def record(self, *arguments: Any, **options: Any) -> RigRecording:
        return is_a(RigRecording, self.side.call("record", *arguments, **options))

    def assert_nobody_records(self) -> None:
        for node in (self.left, self.right):
            with CameraBus(node.control) as bus:
                self.assertEqual([camera.name for camera in bus.status().cameras if camera.HasField("recording")], [])


class Movies(WithRecordings):
    def camctl_recording(self, *words: object, status: int = 0) -> dict[str, Any]:
        output = self.folder / f"camctl{len(list(self.folder.iterdir()))}"
        done = subprocess.run(
            [program("camctl"), "rig", "record", *map(str, words), "--output", output], capture_output=True, text=True,
            timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        recording: dict[str, Any] = json.loads((output / "recording.json").read_text())
        return recording

    def test_the_folder_of_a_recording_is_that_of_camctl(self) -> None:
        theirs = self.camctl_recording("--rig", self.file, "--duration", "0.5s")

        def test() -> None:
            self.side.open(self.file)
            output = self.folder / type(self.side).__name__
            recording = self.record(0.5, folder=output)
            ours = json.loads((output / "recording.json").read_text())
            self.assertEqual(keys(ours), keys(theirs))
            self.assertEqual(ours, recording.json())
            self.assertEqual((ours["outcome"], ours["rig"]), ("complete", "studio"))
            begin, end = ours["fromMonotonicNanoseconds"], ours["untilMonotonicNanoseconds"]
            self.assertEqual(end - begin, SECOND // 2)
            self.assertLess(abs(ours["fromWallNanoseconds"] - time.time_ns() + time.monotonic_ns() - begin), SECOND)
            starts = []
            for part, other in zip(ours["parts"], theirs["parts"]):
                for name in ("camera", "node", "nodeCamera", "position"):
                    self.assertEqual(part.get(name), other.get(name))
                movie = part["movie"]
                self.assertEqual((movie["reason"], movie["dropped"]), ("limitReached", 0))
                [file], [other_file] = movie["files"], other["movie"]["files"]
                self.assertEqual((file["name"], file["mediaType"]), (other_file["name"], other_file["mediaType"]))
                data = (output / file["name"]).read_bytes()
                self.assertEqual((hashlib.sha256(data).hexdigest(), len(data)), (file["sha256"], file["byteCount"]))
                frames = list(movie_frames(output / file["name"]))
                self.assertEqual(len(frames), movie["frames"])
                # The nodes have this machine's clock, so the times are those of the nodes.
                for frame, said, moment in ((frames[0], movie["first"], begin), (frames[-1], movie["last"], end)):
                    self.assertEqual(said["time"]["timestamp"]["monotonicNanoseconds"], frame.monotonic_ns)
                    self.assertEqual(said["earliestStartNanoseconds"], frame.monotonic_ns)
                    apart = frame.monotonic_ns - moment
                    self.assertEqual(said["offset"], {"leastNanoseconds": apart, "mostNanoseconds": apart})
                    self.assertLess(abs(apart), SECOND // 50)
                starts.append(frames[0].monotonic_ns)
            self.assertEqual([part["movie"]["delay"]["leastNanoseconds"] for part in ours["parts"]],
                             [start - min(starts) for start in starts])
            self.assertEqual(ours["skew"]["mostNanoseconds"], max(starts) - min(starts))
            self.assertEqual(len(list(output.iterdir())), 4)

        self.both(test)

    def test_a_recording_that_is_abandoned_leaves_nothing_and_is_told_as_camctl_tells_it(self) -> None:
        with CameraBus(self.right.control) as bus:
            bus.start_recording()
            self.addCleanup(self.assert_nobody_records)
            theirs = self.camctl_recording("--rig", self.file, "--duration", "0.5s", status=75)
            before = self.movies()

            def test() -> None:
                self.side.open(self.file)
                output = self.folder / type(self.side).__name__
                recording = self.record(0.5, folder=output)
                ours = json.loads((output / "recording.json").read_text())
                self.assertEqual(recording.outcome, RigOutcome.ABANDONED)
                self.assertEqual(keys(ours), keys(theirs))
                self.assertEqual(ours["parts"][2]["failedStep"], "prepare")
                self.assertEqual(ours["parts"][2]["problem"]["code"], theirs["parts"][2]["problem"]["code"])
                self.assertEqual([path.name for path in output.iterdir()], ["recording.json"])
                with CameraBus(self.left.control) as left:
                    self.assertEqual([camera.HasField("recording") for camera in left.status().cameras], [False, False])
                self.assertEqual(self.movies(), before)

            self.both(test)
            bus.stop_recording()

    def movies(self) -> int:
        with CameraBus(self.left.control) as bus:
            return len(bus.assets(kind=messages.ASSET_KIND_MOVIE))

    def test_movies_end_together_at_a_moment_that_is_chosen_later(self) -> None:
        def test() -> None:
            self.side.open(self.rig)
            running = self.side.call("start_recording", quality=60, container="mp4")
            state = running.state
            self.assertEqual((state.outcome, state.end, len(state.missing)), (RigOutcome.INCOMPLETE, None, 3))
            end = state.begin + SECOND // 2
            self.side.call_of(running, "stop", end)
            recording = is_a(RigRecording, self.side.call_of(running, "finish"))
            self.assertEqual((recording.outcome, recording.end), (RigOutcome.COMPLETE, end))
            for part in recording.parts:
                movie = present(part.movie)
                self.assertEqual(movie.reason, STOPPED)
                self.assertLess(abs(present(present(movie.last).offset).middle), SECOND // 50)
                # It was not fetched, and is in the library of its node.
                [file] = movie.files
                self.assertEqual((file.name, file.sha256), (None, movie.asset.sha256))
            # The result of a recording that ended long ago is the same.
            self.assertEqual(self.side.call_of(running, "finish", self.folder / type(self.side).__name__).outcome,
                             RigOutcome.COMPLETE)

        self.both(test)

    def test_a_stop_without_a_moment_is_as_soon_as_can_be(self) -> None:
        def test() -> None:
            self.side.open(self.rig)
            running = self.side.call("start_recording", duration=30)
            time.sleep(max(0, running.state.begin - time.monotonic_ns()) / 1e9)  # for the movies to begin
            before = time.monotonic_ns()
            self.side.call_of(running, "stop")
            recording = self.side.call_of(running, "finish")
            self.assertTrue(before < present(recording.end) < before + 3 * SECOND)
            self.assertEqual(recording.outcome, RigOutcome.COMPLETE)

        self.both(test)

    def test_a_node_that_is_killed_ends_its_own_part(self) -> None:
        def test() -> None:
            with Node("front=synthetic:160x120@50") as other:
                self.side.open([{"node": self.left.control, "name": "left"}, {"node": other.control, "name": "other"}],
                               timeout=1)
                running = self.side.call("start_recording", duration=0.5)
                other.kill_for_good()
                recording = self.side.call_of(running, "finish")
                self.assertEqual(recording.outcome, RigOutcome.INCOMPLETE)
                [missing] = recording.missing
                self.assertEqual((missing.node, missing.failed_step), ("other", RigStep.TAKE))
                self.assertEqual(present(missing.problem).code, Code.UNREACHABLE)
                self.assertEqual([present(part.movie).reason for part in recording.parts[:2]], [LIMIT, LIMIT])
                self.assertIsNotNone(recording.skew)

        self.both(test)

    def test_of_a_node_that_is_killed_and_comes_back_there_is_what_it_had(self) -> None:
        def test() -> None:
            with Node("front=synthetic:160x120@50") as other:
                self.side.open([{"node": self.left.control, "name": "left"}, {"node": other.control, "name": "other"}])
                with CameraBus(other.control) as bus, bus.events() as monitor, bus.frames() as frames:
                    running = self.side.call("start_recording", duration=60)
                    for _ in range(200):  # a killed node loses the last second
                        self.assertTrue(frames.next(PATIENCE))
                    del monitor
                other.kill()
                other.start()
                self.side.call_of(running, "stop")
                output = self.folder / f"killed {type(self.side).__name__}"
                recording = self.side.call_of(running, "finish", output)
                self.assertEqual([present(part.movie).reason for part in recording.parts], [STOPPED, STOPPED, KILLED])
                killed = recording.parts[2]
                self.assertEqual(killed.failed_step, RigStep.TAKE)
                self.assertIn("the node was killed", present(killed.problem).message)
                self.assertEqual((present(killed.movie).first, present(killed.movie).delay), (None, None))
                [file] = present(killed.movie).files
                self.assertEqual(hashlib.sha256((output / present(file.name)).read_bytes()).digest(), file.sha256)

        self.both(test)

    def test_a_movie_that_cannot_be_kept_says_so(self) -> None:
        def test() -> None:
            self.side.open(self.rig)
            output = self.folder / type(self.side).__name__
            running = self.side.call("start_recording", duration=0.2)
            with ShotAt(output, "back.mkv"):
                recording = self.side.call_of(running, "finish", output)
            part = recording.parts[1]
            self.assertEqual((part.failed_step, present(part.problem).code), (RigStep.KEEP, Code.FILE_EXISTS))
            self.assertIsNone(present(part.movie).files[0].name)
            self.assertEqual(recording.outcome, RigOutcome.INCOMPLETE)
            self.assertEqual((output / "back.mkv").read_text(), "taken")
            # Another folder gets it.
            self.assertEqual(self.side.call_of(running, "finish", output / "again").outcome, RigOutcome.COMPLETE)

        self.both(test)

    def test_wrong_values_are_told_before_anything_is_sent(self) -> None:
        (self.folder / "file").write_text("")
        before = self.movies()

        def test() -> None:
            self.side.open(self.rig)
            for field, words, options in (
                    ("at", "time.monotonic_ns()", {"at": 0.5}), ("at", "at most a minute", {"at": 2 ** 62}),
                    ("policy", "give ALL", {"policy": 2}), ("quality", "from 1 to 100", {"quality": 0}),
                    ("codec", "'mjpeg' or 'h264'", {"codec": "av1"}), ("bit_rate", "from 10000", {"bit_rate": 5}),
                    ("duration", "above 0", {"duration": 0}), ("duration", "number of seconds", {"duration": "1s"})):
                for method in ("start_recording", "record"):
                    with self.subTest(f"{method} {options}"), self.assertRaises(CameraBusError) as caught:
                        self.side.call(method, **{"duration": 1, **options})
                    self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, field))
                    self.assertIn(words, caught.exception.message)
            with self.assertRaises(CameraBusError) as caught:
                self.record(1, folder=self.folder)
            self.assertEqual(caught.exception.code, Code.FILE_EXISTS)
            running = self.side.call("start_recording", duration=0.1)
            with self.assertRaises(CameraBusError) as caught:
                self.side.call_of(running, "stop", 0.5)
            self.assertEqual(caught.exception.field, "at")
            with self.assertRaises(CameraBusError) as caught:
                self.side.call_of(running, "finish", self.folder)
            self.assertEqual(caught.exception.code, Code.FILE_EXISTS)
            self.side.call_of(running, "finish")

        self.both(test)
        self.assertEqual(self.movies(), before + 4)

    def test_in_asyncio_cameras_take_shots_while_they_record_and_are_told_to_stop_while_their_end_is_awaited(self) -> None:
        async def use() -> None:
            async with AsyncRig(self.rig) as rig:
                running = await rig.start_recording()
                end = asyncio.create_task(running.finish())
                shot = await rig.capture(at=running.state.begin + SECOND // 5)
                self.assertEqual(shot.outcome, RigOutcome.COMPLETE)
                await running.stop()
                self.assertEqual((await end).outcome, RigOutcome.COMPLETE)

        asyncio.run(use())

    def test_a_wait_that_is_cancelled_leaves_the_cameras_recording(self) -> None:
        async def use() -> None:
            async with AsyncRig(self.rig) as rig:
                running = await rig.start_recording(duration=1)
                end = asyncio.create_task(running.finish())
                await rig.status()
                end.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await end
                self.assertEqual((await running.finish()).outcome, RigOutcome.COMPLETE)

        asyncio.run(use())


class RecordingNode(ShotNode):
    """A fake node whose cameras record as the test says."""

    def __init__(self, cameras: tuple[str, ...] = ("cam",), ahead: int = 0) -> None:
        super().__init__(cameras, ahead)
        # The movies that run, by their recordings; and the answer to a question for those in the library.
        self.running: dict[bytes, str] = {}
        self.library: list[messages.Asset] = []
        self.answers.update(
            record_start=self.start, record_stop=self.stop, assets=lambda request: [{"assets": messages.AssetsReply(
                assets=[asset for asset in self.library if asset.request_id == request.assets.request_id])}])

    def status(self) -> messages.StatusReply:
        status = super().status()
        status.events_endpoint = self.events
        status.topics.extend(messages.StatusReply.Topic(topic=topic, last_sequence=len(events))
                             for topic, events in self.published.items())
        for camera in status.cameras:
            camera.format.frame_rate = 30
            for recording, name in self.running.items():
                if name == camera.name:
                    camera.recording.request_id = recording
        return status

    def start(self, request: messages.Request) -> Replies:
        camera = request.record_start.camera
        self.running[request.id] = camera
        return [{"record_started": messages.RecordStarted(camera=camera, recording=request.id)}]

    def stop(self, request: messages.Request) -> Replies:
        if self.running.pop(request.record_stop.recording, None) is None:
            return refuses("it records no more")(request)
        return [{"record": self.result(request.record_stop.recording, request.record_stop.camera)}]

    def result(self, recording: bytes, camera: str, **fields: Any) -> messages.RecordResult:
        return messages.RecordResult(**{
            "asset": messages.Asset(id=recording, camera=camera, request_id=recording, media_type="video/x-matroska"),
            "frames": 3, "reason": STOPPED, "recording": recording, "first": self.frame(1000), "last": self.frame(2000),
            **fields})

    def frame(self, moment: int) -> messages.MovieFrameTime:
        return messages.MovieFrameTime(
            timestamp=messages.Timestamp(monotonic_ns=self.now().monotonic_ns + moment), timestamp_mark=MARK)

    def tell(self, recording: bytes, **body: Any) -> None:
        """Publishes the end of a recording."""
        self.running.pop(recording, None)
        self.publish("recording", event=messages.Event(
            camera="cam", recording=messages.RecordEvent(request_id=recording, **body)))


class WithRecordingFakes(WithFakes):
    @contextlib.contextmanager
    def recording_nodes(self, *kinds: tuple[str, ...], ahead: int = 0) -> Iterator[list[RecordingNode]]:
        with contextlib.ExitStack() as stack:
            yield [is_a(RecordingNode, stack.enter_context(RecordingNode(cameras, ahead))) for cameras in kinds]

    def begin(self, nodes: list[RecordingNode], **options: Any) -> Any:
        self.side.open(self.rig(list(nodes)), timeout=2)
        return self.side.call("start_recording", **options)

    def recording_of(self, node: RecordingNode) -> bytes:
        [(request, _)] = node.of("record_start")
        return request.id


class Steps(WithRecordingFakes):
    def test_all_cameras_get_the_same_moments_by_the_clocks_of_their_nodes(self) -> None:
        def test() -> None:
            with self.recording_nodes(("a", "b"), ("c",), ahead=5 * SECOND) as nodes:
                nodes[1].ahead = -5 * SECOND
                moment = time.monotonic_ns() + SECOND // 10
                running = self.begin(nodes, at=moment, duration=2, quality=55, codec="h264", container="matroska", key_interval=2, name="Take", tags=["a"], sound="desk")
                self.assertEqual((running.state.begin, running.state.end), (moment, moment + 2 * SECOND))
                for node in nodes:
                    for request, _ in node.of("record_start"):
                        told = request.record_start
                        self.assertLess(abs(told.from_monotonic_ns - node.ahead - moment), SECOND // 20)
                        self.assertEqual((told.until_monotonic_ns - told.from_monotonic_ns, told.quality), (2 * SECOND, 55))
                        self.assertEqual(
                            (told.codec, told.container, told.key_interval_ns, told.name, list(told.tags), told.sound.microphone),
                            (messages.VIDEO_CODEC_H264, messages.MOVIE_CONTAINER_MATROSKA, 2 * SECOND, "Take", ["a"], "desk"))
                self.side.call_of(running, "stop", moment + SECOND)
                for node in nodes:
                    node.await_requests("record_stop", len(node.cameras))
                    for request, _ in node.of("record_stop"):
                        self.assertLess(
                            abs(request.record_stop.at_monotonic_ns - node.ahead - moment - SECOND), SECOND // 20)
                recording = self.side.call_of(running, "finish")
                self.assertEqual((recording.outcome, recording.end), (RigOutcome.COMPLETE, moment + SECOND))
                for part, node in zip(recording.parts, (nodes[0], nodes[0], nodes[1])):
                    clock = present(present(present(part.movie).first).clock)
                    self.assertTrue(clock.least <= node.ahead <= clock.most)

        self.both(test)

    def test_a_moment_that_nobody_has_chosen_leaves_the_cameras_time_to_get_ready(self) -> None:
        def test() -> None:
            with self.recording_nodes(("a",)) as nodes:
                before = time.monotonic_ns()
                running = self.begin(nodes)
                self.assertGreater(running.state.begin, before + 2 * SECOND // 30 + SECOND // 2 + SECOND // 20)

        self.both(test)

    def test_too_few_that_are_ready_record_nothing(self) -> None:
        def test() -> None:
            with self.recording_nodes(("a",), ("b",), ("c",)) as nodes:
                nodes[2].answers["record_start"] = refuses("it records already")
                self.side.open(self.rig(list(nodes)))
                running = self.side.call("start_recording")
                state = running.state
                self.assertEqual(state.outcome, RigOutcome.ABANDONED)
                self.assertEqual([part.failed_step for part in state.parts], [None, None, RigStep.PREPARE])
                for node in nodes[:2]:
                    self.assertEqual(node.running, {})
                    [(request, _)] = node.of("record_stop")
                    self.assertEqual((request.record_stop.recording, request.record_stop.at_monotonic_ns),
                                     (self.recording_of(node), 0))
                # Nothing is awaited, and nothing is to be stopped.
                self.side.call_of(running, "stop")
                self.assertEqual(self.side.call_of(running, "finish").outcome, RigOutcome.ABANDONED)
                for policy in (at_least(2), ANY):
                    self.assertEqual(self.side.call("start_recording", policy=policy).state.outcome, RigOutcome.INCOMPLETE)

        self.both(test)

    def test_ctrl_c_while_cameras_get_ready_leaves_nothing(self) -> None:
        with self.recording_nodes(("a",), ("b",)) as nodes, Rig(self.rig(list(nodes))) as rig:
            def answer(request: messages.Request) -> Replies:
                nodes[0].await_requests("record_start", 1)
                nodes[1].running[request.id] = "b"
                os.kill(os.getpid(), signal.SIGINT)
                return None

            nodes[1].answers["record_start"] = answer
            with self.assertRaises(KeyboardInterrupt):
                rig.record(1)
            self.assert_stopped(nodes)

    def assert_stopped(self, nodes: list[RecordingNode]) -> None:
        for node in nodes:
            node.await_requests("record_stop", 1)
            self.assertEqual(node.of("record_stop")[0][0].record_stop.recording, self.recording_of(node))

    def test_a_task_that_is_cancelled_while_cameras_get_ready_leaves_nothing(self) -> None:
        with self.recording_nodes(("a",), ("b",)) as nodes:
            nodes[1].answers.pop("record_start")

            async def use() -> None:
                async with AsyncRig(self.rig(list(nodes))) as rig:
                    task = asyncio.create_task(rig.record(1))
                    for node in nodes:
                        await asyncio.to_thread(node.await_requests, "record_start", 1)
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                    await asyncio.to_thread(self.assert_stopped, nodes)

            asyncio.run(use())

    def test_a_rig_that_is_closed_while_cameras_get_ready_leaves_nothing(self) -> None:
        with self.recording_nodes(("a",), ("b",)) as nodes:
            nodes[1].answers.pop("record_start")

            async def use() -> None:
                rig = AsyncRig(self.rig(list(nodes)))
                task = asyncio.create_task(rig.record(1))
                for node in nodes:
                    await asyncio.to_thread(node.await_requests, "record_start", 1)
                await rig.close()
                with self.assertRaises(CameraBusError) as caught:
                    await task
                self.assertEqual(caught.exception.code, Code.CLOSED)
                await asyncio.to_thread(self.assert_stopped, nodes)

            asyncio.run(use())

    def test_what_may_have_begun_on_a_node_that_does_not_answer_is_stopped(self) -> None:
        def test() -> None:
            with self.recording_nodes(("a",), ("b",)) as nodes:
                nodes[1].answers.pop("record_start")
                self.side.open(self.rig(list(nodes)), timeout=0.3)
                running = self.side.call("start_recording", policy=ANY)
                self.assertEqual(present(running.state.parts[1].problem).code, Code.UNREACHABLE)
                nodes[1].await_requests("record_stop", 1)
                self.assertEqual(nodes[0].of("record_stop"), [])

        self.both(test)

    def test_a_shot_whose_parts_are_not_taken_keeps_a_blocking_rig_from_recording(self) -> None:
        with self.recording_nodes(("a",), ("b",)) as nodes, Rig(self.rig(list(nodes))) as rig:
            parts = rig.shoot()
            next(parts)
            with self.assertRaises(CameraBusError) as caught:
                rig.start_recording()
            self.assertEqual(caught.exception.code, Code.CONFLICT)
            list(parts)
            self.assertEqual(rig.start_recording().state.outcome, RigOutcome.INCOMPLETE)


class Ends(WithRecordingFakes):
    def test_events_tell_the_end_of_a_movie(self) -> None:
        def test() -> None:
            with self.recording_nodes(("cam",)) as nodes:
                running = self.begin(nodes, duration=0.1)
                recording = self.recording_of(nodes[0])
                # Those of other recordings do not count, and the events that came before are read too.
                nodes[0].tell(b"another movie 16", finished=nodes[0].result(b"another movie 16", "cam", frames=9))
                nodes[0].answers["replay"] = self.replay(nodes[0])
                nodes[0].tell(recording, finished=nodes[0].result(recording, "cam", reason=LIMIT, dropped=2))
                movie = present(self.side.call_of(running, "finish").parts[0].movie)
                self.assertEqual((movie.frames, movie.dropped, movie.reason, movie.recording), (3, 2, LIMIT, recording))

        self.both(test)

    def replay(self, node: RecordingNode) -> Any:
        def answer(request: messages.Request) -> Replies:
            events = [event for gap in request.replay.ranges
                      for event in node.replayed(gap.topic, range(gap.first, gap.last + 1))]
            return [{"replay": messages.ReplayReply(events=events)}]

        return answer

    def test_a_movie_that_ended_before_its_time_says_why(self) -> None:
        def test() -> None:
            for reason, words in ((messages.RecordResult.END_REASON_STORAGE_FULL, "the node's disk is full"),
                                  (messages.RecordResult.END_REASON_CAMERA_LOST, "the camera was lost"), (99, "update it")):
                with self.recording_nodes(("cam",)) as nodes:
                    running = self.begin(nodes, duration=0.1)
                    recording = self.recording_of(nodes[0])
                    nodes[0].answers["record_stop"] = lambda request: [
                        {"record": nodes[0].result(recording, "cam", reason=reason)}]
                    self.side.call_of(running, "stop")
                    found = self.side.call_of(running, "finish")
                    self.assertEqual(found.outcome, RigOutcome.INCOMPLETE)
                    [part] = found.parts
                    self.assertEqual((part.failed_step, present(part.problem).code), (RigStep.TAKE, Code.INTERRUPTED))
                    self.assertIn(words, present(part.problem).message)
                    self.assertEqual(present(part.movie).frames, 3)
                    self.side.close()

        self.both(test)

    def test_a_recording_without_a_frame_has_no_movie(self) -> None:
        def test() -> None:
            with self.recording_nodes(("cam",), ("cam",)) as nodes:
                running = self.begin(nodes, duration=0.1)
                for node in nodes:
                    node.answers["replay"] = self.replay(node)
                nodes[0].tell(self.recording_of(nodes[0]), failed=messages.Error(
                    code=messages.ERROR_CODE_STORAGE_FAILED, message="the disk is broken"))
                nodes[1].tell(self.recording_of(nodes[1]), finished=messages.RecordResult(
                    recording=self.recording_of(nodes[1])))
                found = self.side.call_of(running, "finish")
                self.assertEqual([present(part.problem).code for part in found.parts],
                                 [Code.STORAGE_FAILED, Code.FRAME_UNAVAILABLE])
                self.assertEqual([part.failed_step for part in found.parts], [RigStep.TAKE] * 2)

        self.both(test)

    def test_where_events_are_forgotten_the_library_knows_what_is_left(self) -> None:
        def test() -> None:
            with self.recording_nodes(("cam",), ("cam",)) as nodes:
                running = self.begin(nodes, duration=0.1)
                for node in nodes:
                    recording = self.recording_of(node)
                    node.running.clear()
                    node.library = [messages.Asset(id=recording, camera="cam", request_id=recording, frames=7, recovered=True)]
                # The second one's forgets it.
                nodes[1].library = []
                found = self.side.call_of(running, "finish")
                movie = present(found.parts[0].movie)
                self.assertEqual((movie.frames, movie.dropped, movie.reason, movie.first), (7, None, KILLED, None))
                self.assertEqual(movie.json().keys(), {"recordingID", "frames", "reason", "files"})
                self.assertEqual(present(found.parts[1].problem).code, Code.OUTCOME_UNKNOWN)
                # It may be published after the status was written, so it is asked twice.
                self.assertEqual(len(nodes[1].of("assets")), 2)

        self.both(test)

    def test_a_recording_that_ended_by_itself_is_not_lost_by_a_stop(self) -> None:
        def test() -> None:
            with self.recording_nodes(("cam",)) as nodes:
                running = self.begin(nodes)
                recording = self.recording_of(nodes[0])
                nodes[0].answers["replay"] = self.replay(nodes[0])
                nodes[0].tell(recording, finished=nodes[0].result(recording, "cam", frames=8))
                self.side.call_of(running, "stop")
                self.assertEqual(present(self.side.call_of(running, "finish").parts[0].movie).frames, 8)

        self.both(test)

    def test_a_clock_that_is_changed_meanwhile_leaves_the_times_open(self) -> None:
        def test() -> None:
            with self.recording_nodes(("cam",), ("cam",)) as nodes:
                running = self.begin(nodes, duration=0.1)
                nodes[1].ahead = 3 * SECOND
                self.side.call_of(running, "stop")
                found = self.side.call_of(running, "finish")
                known, unknown = (present(present(part.movie).first) for part in found.parts)
                self.assertIsNotNone(known.offset)
                self.assertEqual((unknown.clock, unknown.offset, unknown.earliest_start), (None, None, None))
                self.assertIsNone(found.skew)
                self.assertEqual(present(found.parts[0].movie).delay, Bounds(0, 0))
                self.assertIsNone(present(found.parts[1].movie).delay)

        self.both(test)


class Values(unittest.TestCase):
    def recording(self, *starts: tuple[int, int]) -> RigRecording:
        """With movies of which the first frame began between these moments."""
        def part(start: tuple[int, int]) -> RigRecordingPart:
            first = RigMovieFrame.judged(
                messages.MovieFrameTime(timestamp=messages.Timestamp(monotonic_ns=1000), timestamp_mark=MARK), 100,
                ClockOffset(1000 - start[1], 1000 - start[0]))
            movie = RigMovie(b"m" * 16, messages.Asset(), 1, 0, LIMIT, first, first, ())
            return RigRecordingPart("a", "n", "a", None, movie, None, None)

        return RigRecording(None, 100, None, 0, RigOutcome.COMPLETE, tuple(map(part, starts))).lined_up()

    def test_movies_are_lined_up_by_the_one_that_begins_first(self) -> None:
        recording = self.recording((200, 220), (100, 260), (150, 160))
        delays = [present(part.movie).delay for part in recording.parts]
        self.assertEqual(delays, [Bounds(40, 70), Bounds(-60, 110), Bounds(0, 0)])
        self.assertEqual(present(recording.parts[0].movie).first, RigMovieFrame(
            present(present(recording.parts[0].movie).first).time, 200, 220, Bounds(100, 120), ClockOffset(780, 800)))
        self.assertEqual(recording.skew, Bounds(40, 120))
        self.assertIsNone(self.recording((1, 2)).skew)
        self.assertEqual(RigRecording(None, 1, None, 2, RigOutcome.ABANDONED, ()).lined_up().json(), {
            "fromMonotonicNanoseconds": 1, "fromWallNanoseconds": 2, "outcome": "abandoned", "parts": []})


if __name__ == "__main__":
    unittest.main()
