"""Tests how a shot of a rig goes, step by step, with nodes that do as the test says."""

import asyncio
import contextlib
import gc
import hashlib
import os
import signal
import threading
import time
import unittest
import unittest.mock
from typing import Any, Callable, Iterator, Optional

from both_rigs import AsyncSide, BlockingSide, WithBothRigs
from camerabus import (
    ALL, ANY, AsyncRig, CameraBusError, Code, OwnWallClock, PhotoSettings, Rig, RigOutcome, RigShot, RigStep, at_least,
    messages)
from camerabus.blocking import BlockingCrew, BlockingShell, Stop, Stopped, run
from camerabus.crew import Job
from camerabus.rig_shot import RigPolicy, skew, start_bounds
from expecting import is_a, present
from fake import FakeNode, Replies

PICTURE = b"\xff\xd8 a picture"
SECOND = 10 ** 9
INTERVAL = SECOND // 30


class ShotNode(FakeNode):
    """A fake node with cameras for shots, and a clock that is `ahead` of this machine's."""

    def __init__(self, cameras: tuple[str, ...] = ("cam",), ahead: int = 0) -> None:
        super().__init__()
        self.cameras = cameras
        self.ahead = ahead
        # From one frame to the next, nanoseconds.
        self.interval = INTERVAL
        # When a frame was taken, by this machine's clock, and how far back frames are kept, nanoseconds; None for none.
        self.newest: Optional[int] = None
        self.ring = 10 * SECOND
        # The cameras that are prepared, and those that were committed, with their moments on the node's clock.
        self.prepared: set[str] = set()
        self.committed: dict[str, int] = {}
        self._aborted = threading.Condition()
        self.answers.update(
            clock=self.clock, shot_prepare=self.prepare, shot_commit=self.commit, shot_abort=self.abort)

    def now(self) -> messages.Timestamp:
        return messages.Timestamp(monotonic_ns=time.monotonic_ns() + self.ahead, wall_ns=time.time_ns())

    def status(self) -> messages.StatusReply:
        return messages.StatusReply(node_name="fake", cameras=[
            messages.CameraStatus(name=name, readiness=messages.READINESS_READY) for name in self.cameras])

    def clock(self, request: messages.Request) -> Replies:
        now = self.now()
        return [{"clock": messages.ClockReply(read_monotonic_ns=now.monotonic_ns, answered=now, clock_id="another")}]

    def prepare(self, request: messages.Request) -> Replies:
        camera = request.shot_prepare.capture.camera
        self.prepared.add(camera)
        prepared = messages.ShotPrepared(camera=camera, lease=request.id, now=self.now(), interval_ns=self.interval)
        if self.newest is not None:
            prepared.newest.monotonic_ns, prepared.ring_ns = self.newest + self.ahead, self.ring
        return [{"shot_prepared": prepared}]

    def commit(self, request: messages.Request) -> Replies:
        camera = request.shot_commit.camera
        self.prepared.discard(camera)
        moment = self.committed[camera] = request.shot_commit.at_monotonic_ns
        resolved = messages.ResolvedCapture(
            timestamp=messages.Timestamp(monotonic_ns=moment + 1000), timestamp_mark=messages.TIMESTAMP_MARK_EXPOSURE_START)
        return [
            {"capture_progress": messages.CaptureProgress(step=messages.CaptureProgress.STEP_DID_PROCESS),
             "attachment": PICTURE},
            {"capture": messages.CaptureResult(
                resolved=resolved, sha256=hashlib.sha256(PICTURE).digest(), byte_count=len(PICTURE))}]

    def abort(self, request: messages.Request) -> Replies:
        camera = request.shot_abort.camera
        was_prepared = camera in self.prepared
        with self._aborted:
            self.prepared.discard(camera)
            self._aborted.notify_all()
        return [{"shot_abort": messages.ShotAbortReply(aborted=was_prepared)}]

    def await_freedom(self) -> None:
        """Waits until all cameras that were prepared are committed or aborted."""
        with self._aborted:
            assert self._aborted.wait_for(lambda: not self.prepared, 20), self.prepared


def refuses(message: str) -> Callable[[messages.Request], Replies]:
    return lambda request: [{"error": messages.Error(code=messages.ERROR_CODE_CONFLICT, message=message)}]


class WithFakes(WithBothRigs):
    @contextlib.contextmanager
    def nodes(self, *kinds: tuple[str, ...], ahead: int = 0) -> Iterator[list[ShotNode]]:
        with contextlib.ExitStack() as stack:
            yield [is_a(ShotNode, stack.enter_context(ShotNode(cameras, ahead))) for cameras in kinds]

    def rig(self, nodes: list[ShotNode]) -> list[dict[str, str]]:
        return [{"node": node.control, "name": f"n{number}"} for number, node in enumerate(nodes)]

    def open(self, nodes: list[ShotNode], **options: Any) -> None:
        self.side.open(self.rig(nodes), **options)

    def capture(self, **options: Any) -> RigShot:
        return is_a(RigShot, self.side.call("capture", **options))

    def late(self, nodes: list[ShotNode]) -> threading.Event:
        """The second node does not take its picture before this event, when it is asked again."""
        go = threading.Event()
        nodes[1].answers["shot_commit"] = lambda request: nodes[1].commit(request) if go.is_set() else None
        return go

    def assert_nothing_is_left(self, nodes: list[ShotNode]) -> None:
        for node in nodes:
            node.await_freedom()


class Phases(WithFakes):
    def test_all_cameras_get_the_same_moment_by_the_clocks_of_their_nodes(self) -> None:
        def test() -> None:
            with self.nodes(("a", "b"), ("c",), ahead=5 * SECOND) as nodes:
                nodes[1].ahead = -5 * SECOND
                self.open(nodes)
                shot = self.capture()
                self.assertEqual(shot.outcome, RigOutcome.COMPLETE)
                self.assertEqual([part.camera for part in shot.parts], ["a", "b", "c"])
                for part, node in zip(shot.parts, (nodes[0], nodes[0], nodes[1])):
                    picture = present(part.picture)
                    self.assertEqual(picture.photo.data, PICTURE)
                    clock = present(picture.clock)
                    self.assertTrue(clock.least <= node.ahead <= clock.most)
                    # The moment by the node's clock lies within what is known of it.
                    committed = node.committed[part.camera] - node.ahead
                    self.assertLess(abs(committed - shot.moment), clock.most - clock.least + SECOND // 1000)
                    start = committed + 1000
                    self.assertTrue(present(picture.earliest_start) <= start <= present(picture.latest_start))
                    self.assertEqual(present(picture.offset).least, present(picture.earliest_start) - shot.moment)
                skew = present(shot.skew)
                self.assertTrue(0 <= skew.least <= skew.most)
                self.assert_nothing_is_left(nodes)
                # All prepare for the same shot, and each camera on its own connection.
                prepared = [entry for node in nodes for entry in node.of("shot_prepare")]
                self.assertEqual({request.shot_prepare.shot for request, _ in prepared}, {shot.shot})
                self.assertEqual(len({sender for _, sender in prepared}), 3)

        self.both(test)

    def test_the_clocks_are_read_before_and_after(self) -> None:
        def test() -> None:
            with self.nodes(("a",)) as nodes:
                self.open(nodes)
                self.capture()
                kinds = [request.WhichOneof("body") for request, _ in nodes[0].requests]
                self.assertEqual([kind for kind in kinds if kind != "status"],
                                 ["clock"] * 8 + ["shot_prepare", "shot_commit"] + ["clock"] * 4)

        self.both(test)

    def test_a_moment_is_taken_as_it_is_told(self) -> None:
        def test() -> None:
            with self.nodes(("a",)) as nodes:
                self.open(nodes)
                moment = time.monotonic_ns() + SECOND
                shot = self.capture(at=moment)
                self.assertEqual(shot.moment, moment)
                self.assertLess(abs(nodes[0].committed["a"] - moment), SECOND // 10)
                self.assertLess(abs(shot.wall - time.time_ns() - (moment - time.monotonic_ns())), SECOND)

        self.both(test)

    def test_a_moment_that_nobody_has_chosen_is_late_enough_for_a_new_frame_of_the_slowest_camera(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                nodes[1].interval = SECOND
                self.open(nodes)
                told: list[int] = []

                def prepare(request: messages.Request) -> Replies:
                    told.append(time.monotonic_ns())
                    return nodes[1].prepare(request)

                nodes[1].answers["shot_prepare"] = prepare
                self.assertGreater(self.capture().moment, told[0] + SECOND + SECOND // 20)

        self.both(test)

    def test_a_moment_that_nobody_has_chosen_is_the_one_of_the_present_that_is_nearest_to_frames_of_all_cameras(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",), ahead=5 * SECOND) as nodes:
                nodes[1].ahead += INTERVAL // 3
                frame = time.monotonic_ns()
                nodes[0].newest, nodes[1].newest = frame, frame + INTERVAL // 4
                self.open(nodes)
                before = time.monotonic_ns()
                shot = self.capture()
                self.assertTrue(before - INTERVAL < shot.moment < time.monotonic_ns())
                middle = (shot.moment - frame - INTERVAL // 8) % INTERVAL
                self.assertLess(min(middle, INTERVAL - middle), SECOND // 500)
                # One of them does not keep its frames until it knows of the moment.
                nodes[1].ring = SECOND // 20
                before = time.monotonic_ns()
                self.assertGreater(self.capture().moment, before + SECOND // 20 + INTERVAL)

        self.both(test)

    def test_a_slow_network_delays_the_moment(self) -> None:
        def test() -> None:
            with self.nodes(("a",)) as nodes:
                def clock(request: messages.Request) -> Replies:
                    time.sleep(0.05)
                    return nodes[0].clock(request)

                nodes[0].answers["clock"] = clock
                told: list[int] = []

                def prepare(request: messages.Request) -> Replies:
                    told.append(time.monotonic_ns())
                    return nodes[0].prepare(request)

                nodes[0].answers["shot_prepare"] = prepare
                self.open(nodes)
                self.assertGreater(self.capture().moment, told[0] + INTERVAL + SECOND // 20 + 2 * SECOND // 20)

        self.both(test)

    def test_all_nodes_are_asked_at_once(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                for kind, node, other in [(kind, nodes[own], nodes[1 - own]) for own in (0, 1)
                                          for kind in ("status", "shot_prepare", "shot_commit")]:
                    self.let_wait(kind, node, other)
                self.open(nodes)
                self.assertEqual(self.capture().outcome, RigOutcome.COMPLETE)

        self.both(test)

    def let_wait(self, kind: str, node: ShotNode, other: ShotNode) -> None:
        """A node answers requests of a kind when the other has got one too."""
        answer = node.answers[kind]

        def wait(request: messages.Request) -> Replies:
            other.await_requests(kind, 1)
            return answer(request)

        node.answers[kind] = wait

    def test_others_know_the_rig_and_the_settings_are_those_of_all(self) -> None:
        def test() -> None:
            with self.nodes(("a", "b")) as nodes:
                self.open(nodes)
                self.capture(settings=PhotoSettings(quality=55))
                for request, _ in nodes[0].of("shot_prepare"):
                    self.assertEqual((request.shot_prepare.holder, request.shot_prepare.capture.quality), ("rig", 55))

        self.both(test)

    def test_wall_clocks_with_bounds_count(self) -> None:
        def test() -> None:
            with self.nodes(("a",)) as nodes:
                wall = time.time_ns() - time.monotonic_ns()

                def clock(request: messages.Request) -> Replies:
                    read = time.monotonic_ns()
                    time.sleep(0.02)  # as a slow network would
                    now = read + nodes[0].ahead
                    return [{"clock": messages.ClockReply(read_monotonic_ns=now, clock_id="another", answered=messages.Timestamp(
                        monotonic_ns=now, wall_ns=read + wall, wall_error_ns=1_000_000))}]

                nodes[0].answers["clock"] = clock
                self.open(nodes, own=OwnWallClock(1_000_000))
                [known] = self.side.call("clocks")
                self.assertLess(present(known.offset).error, 3_000_000)
                self.assertTrue(known.offset.least <= nodes[0].ahead <= known.offset.most)

        self.both(test)

    def test_each_part_comes_once_also_where_nothing_is_taken(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",), ()) as nodes:
                nodes[1].answers["shot_prepare"] = refuses("another has it")
                self.open(nodes)
                for policy, taken in ((ALL, set()), (ANY, {"a"})):
                    parts = list(self.side.parts(policy=policy))
                    # What is known first comes first.
                    self.assertEqual([part.camera for part in parts], ["n2", "b", "a"])
                    self.assertEqual({part.camera for part in parts if part.picture}, taken)
                    self.assertEqual([bool(part.problem) for part in parts], [True, True, False])

        self.both(test)

    def test_too_few_that_are_ready_take_nothing(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",), ("c",)) as nodes:
                nodes[2].answers["shot_prepare"] = refuses("another has it")
                self.open(nodes)
                for policy in (ALL, at_least(3)):
                    shot = self.capture(policy=policy)
                    self.assertEqual(shot.outcome, RigOutcome.ABANDONED)
                    self.assertEqual([part.failed_step for part in shot.parts], [None, None, RigStep.PREPARE])
                    self.assertEqual(present(shot.parts[2].problem).message, "another has it")
                    self.assert_nothing_is_left(nodes)
                    self.assertEqual([len(node.of("shot_abort")) for node in nodes[:2]], [1, 1])
                    for node in nodes:
                        self.assertEqual(node.committed, {})
                        node.requests.clear()
                for policy in (at_least(2), ANY):
                    shot = self.capture(policy=policy)
                    self.assertEqual(shot.outcome, RigOutcome.INCOMPLETE)
                    self.assertEqual([part.camera for part in shot.missing], ["c"])
                    self.assertEqual([len(node.committed) for node in nodes], [1, 1, 0])

        self.both(test)

    def test_parts_come_as_they_are_known(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                go = self.late(nodes)
                self.open(nodes)
                parts = self.side.parts()
                part = next(parts)
                self.assertEqual(part.camera, "a")
                picture = present(part.picture)
                self.assertEqual(picture.photo.data, PICTURE)
                # It is judged when the clocks have been read again.
                self.assertIsNone(picture.clock)
                self.assertIsNone(picture.offset)
                go.set()
                self.assertEqual([part.camera for part in parts], ["b"])

        self.both(test)

    def test_the_result_of_a_shot_is_there_after_its_parts(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes, Rig(self.rig(nodes)) as rig:
            capture = rig.shoot()
            parts = list(capture)
            self.assertEqual(len(parts), 2)
            shot = capture.result()
            self.assertEqual({part.camera for part in parts}, {part.camera for part in shot.parts})
            self.assertIsNotNone(present(shot.parts[0].picture).offset)
            self.assertEqual(rig.shoot().result().outcome, RigOutcome.COMPLETE)

    def test_a_clock_that_is_changed_makes_the_moment_unknown(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                def jump(request: messages.Request) -> Replies:
                    nodes[1].ahead += 30 * SECOND
                    return nodes[1].commit(request)

                nodes[1].answers["shot_commit"] = jump
                self.open(nodes)
                shot = self.capture()
                a, b = (present(part.picture) for part in shot.parts)
                self.assertIsNotNone(a.offset)
                self.assertEqual((b.clock, b.earliest_start, b.latest_start, b.offset), (None, None, None, None))
                self.assertEqual(b.photo.data, PICTURE)
                self.assertIsNone(shot.skew)
                self.assertEqual(shot.outcome, RigOutcome.COMPLETE)

        self.both(test)

    def test_a_change_that_another_reading_has_noticed_counts(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                go = self.late(nodes)
                self.open(nodes)
                rig = self.side.rig
                capture = rig.shoot()
                part = self.finish(capture.__next__ if isinstance(self.side, BlockingSide) else capture.__anext__)
                self.assertEqual(part.camera, "a")
                nodes[0].ahead += 30 * SECOND
                self.assertEqual([clock.is_changed for clock in self.finish(rig.clocks)], [True, False])
                go.set()
                shot = self.finish(capture.result)
                self.assertIsNone(present(shot.parts[0].picture).clock)
                self.assertIsNotNone(present(shot.parts[1].picture).clock)

        self.both(test)

    def finish(self, function: Callable[[], Any]) -> Any:
        if isinstance(self.side, BlockingSide):
            return function()

        async def wait() -> Any:
            return await function()

        return is_a(AsyncSide, self.side).runner.run(wait())


class Deaths(WithFakes):
    """A node that falls silent at any step ends its own part, and is named."""

    def check(self, step: RigStep, body: str) -> RigShot:
        """The shot of a rig whose second node does not answer requests of a kind."""
        with self.nodes(("a",), ("b",)) as nodes:
            del nodes[1].answers[body]
            self.open(nodes, timeout=0.3, presence=0.3)
            shot = self.capture(policy=ANY)
            self.assertEqual(shot.outcome, RigOutcome.INCOMPLETE)
            good, bad = shot.parts
            self.assertIsNotNone(present(good.picture).offset)
            self.assertEqual((bad.node, bad.picture, bad.failed_step), ("n1", None, step))
            self.assertEqual(present(bad.problem).code, Code.UNREACHABLE)
            self.assertEqual(nodes[0].prepared, set())
            return shot

    def test_before_it_begins(self) -> None:
        def test() -> None:
            bad = self.check(RigStep.CONNECT, "status").parts[1]
            # Its cameras are not known.
            self.assertEqual((bad.camera, bad.node_camera), ("n1", None))

        self.both(test)

    def test_when_its_clock_is_read(self) -> None:
        self.both(lambda: self.check(RigStep.CONNECT, "clock"))

    def test_when_it_prepares(self) -> None:
        self.both(lambda: self.check(RigStep.PREPARE, "shot_prepare"))

    def test_when_it_gets_the_moment(self) -> None:
        self.both(lambda: self.check(RigStep.TAKE, "shot_commit"))

    def test_after_it_has_taken_its_picture(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                def last(request: messages.Request) -> Replies:
                    nodes[1].answers.pop("clock")
                    return nodes[1].commit(request)

                nodes[1].answers["shot_commit"] = last
                self.open(nodes, presence=0.3)
                shot = self.capture()
                # The readings from before bound its clock.
                self.assertEqual(shot.outcome, RigOutcome.COMPLETE)
                self.assertIsNotNone(present(shot.parts[1].picture).offset)

        self.both(test)

    def test_a_node_without_a_camera_is_named(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ()) as nodes:
                self.open(nodes)
                shot = self.capture(policy=ANY)
                bad = shot.parts[1]
                self.assertEqual((bad.camera, bad.failed_step), ("n1", RigStep.CONNECT))
                self.assertIn("has no camera now: plug one in", present(bad.problem).message)

        self.both(test)


class GivenUp(WithFakes):
    """A shot that ends early leaves nothing prepared."""

    def test_ctrl_c_while_a_camera_prepares_aborts_the_others(self) -> None:
        with self.nodes(("a",), ("b", "c")) as nodes, Rig(self.rig(nodes)) as rig:
            def answer(request: messages.Request) -> Replies:
                if request.shot_prepare.capture.camera == "b":
                    return nodes[1].prepare(request)
                nodes[0].await_requests("shot_prepare", 1)
                os.kill(os.getpid(), signal.SIGINT)
                return None

            nodes[1].answers["shot_prepare"] = answer
            with self.assertRaises(KeyboardInterrupt):
                rig.capture()
            nodes[0].await_requests("shot_abort", 1)
            nodes[1].await_requests("shot_abort", 2)
            self.assert_nothing_is_left(nodes)
            [silent] = [request for request, _ in nodes[1].of("shot_prepare") if request.shot_prepare.capture.camera == "c"]
            self.assertIn(silent.id, [request.lease for request, _ in nodes[1].of("shot_abort")])
            # The rig is of use all the same.
            nodes[1].answers["shot_prepare"] = nodes[1].prepare
            self.assertEqual(rig.capture().outcome, RigOutcome.COMPLETE)

    def test_ctrl_c_while_a_shot_is_abandoned_aborts_all_the_same(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes, Rig(self.rig(nodes)) as rig:
            nodes[1].answers["shot_prepare"] = refuses("another has it")

            def answer(request: messages.Request) -> Replies:
                nodes[0].answers["shot_abort"] = nodes[0].abort
                os.kill(os.getpid(), signal.SIGINT)
                return None

            nodes[0].answers["shot_abort"] = answer
            with self.assertRaises(KeyboardInterrupt):
                rig.capture()
            nodes[0].await_freedom()

    def test_a_cancellation_while_a_shot_is_abandoned_aborts_all_the_same(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes:
            nodes[1].answers["shot_prepare"] = refuses("another has it")

            async def use() -> None:
                loop = asyncio.get_running_loop()

                def answer(request: messages.Request) -> Replies:
                    nodes[0].answers["shot_abort"] = nodes[0].abort
                    loop.call_soon_threadsafe(task.cancel)
                    return None

                nodes[0].answers["shot_abort"] = answer
                async with AsyncRig(self.rig(nodes)) as rig:
                    task = asyncio.create_task(rig.capture())
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                    await asyncio.to_thread(nodes[0].await_freedom)

            asyncio.run(use())

    def test_a_thread_that_comes_after_the_end_does_nothing(self) -> None:
        go, threads, done = threading.Event(), list[threading.Thread](), []

        class Late(threading.Thread):
            """Is late, and its start is interrupted."""

            def start(self) -> None:
                threads.append(self)
                super().start()
                raise KeyboardInterrupt

            def run(self) -> None:
                go.wait()
                super().run()

        crew = BlockingCrew(BlockingShell(Stop()))

        async def work() -> None:
            done.append(True)

        async def carry_out() -> None:
            async for _ in crew.each([Job(crew.lane(), work)]):
                pass

        with unittest.mock.patch("threading.Thread", Late), self.assertRaises(KeyboardInterrupt):
            run(carry_out())
        go.set()
        threads[0].join()
        self.assertEqual(done, [])

    def test_ctrl_c_after_the_moment_was_told_cancels_what_waits_for_its_frame(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes, Rig(self.rig(nodes)) as rig:
            def answer(request: messages.Request) -> Replies:
                os.kill(os.getpid(), signal.SIGINT)
                return None

            nodes[1].answers["shot_commit"] = answer
            with self.assertRaises(KeyboardInterrupt):
                rig.capture()
            nodes[1].await_requests("cancel", 1)
            [(committed, _)], [(cancelled, _)] = nodes[1].of("shot_commit"), nodes[1].of("cancel")
            self.assertEqual(cancelled.cancel.request, committed.id)
            self.assertEqual(nodes[1].of("shot_abort"), [])

    def test_a_task_that_is_cancelled_aborts_what_is_not_committed(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes:
            nodes[1].answers.pop("shot_prepare")

            async def use() -> None:
                async with AsyncRig(self.rig(nodes)) as rig:
                    task = asyncio.create_task(rig.capture())
                    for node in nodes:
                        await asyncio.to_thread(node.await_requests, "shot_prepare", 1)
                    await self.await_answers(rig)
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                    # The node has answered this.
                    self.assertEqual(len(nodes[0].of("shot_abort")), 1)
                    await asyncio.to_thread(nodes[1].await_requests, "shot_abort", 1)
                    self.assert_nothing_is_left(nodes)
                    nodes[1].answers["shot_prepare"] = nodes[1].prepare
                    self.assertEqual((await rig.capture()).outcome, RigOutcome.COMPLETE)

            asyncio.run(use())

    async def await_answers(self, rig: AsyncRig) -> None:
        """Waits until the answer of the first camera has been read, by asking something else behind it."""
        await rig._links[0].camera("a")[1].status()

    def test_a_shot_that_nobody_looks_at_any_more_ends(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                go = self.late(nodes)
                self.open(nodes)
                parts = self.side.parts()
                next(parts)
                nodes[1].await_requests("shot_commit", 1)
                parts.close()  # type: ignore[attr-defined]
                go.set()
                nodes[1].await_requests("cancel", 1)
                nodes[1].answers["shot_commit"] = nodes[1].commit
                self.assertEqual(self.capture().outcome, RigOutcome.COMPLETE)

        self.both(test)

    def test_a_dropped_shot_ends(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes, Rig(self.rig(nodes)) as rig:
            go = self.late(nodes)
            for part in rig.shoot():
                self.assertEqual(part.camera, "a")
                nodes[1].await_requests("shot_commit", 1)
                break
            gc.collect()
            go.set()
            nodes[1].await_requests("cancel", 1)

    def test_a_dropped_shot_ends_in_asyncio(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes:
            self.late(nodes)

            async def use() -> None:
                async with AsyncRig(self.rig(nodes)) as rig:
                    async for _ in rig.shoot():
                        await asyncio.to_thread(nodes[1].await_requests, "shot_commit", 1)
                        break
                    nodes[1].answers["shot_commit"] = nodes[1].commit
                    # The next one waits for its end.
                    self.assertEqual((await rig.capture()).outcome, RigOutcome.COMPLETE)
                    self.assertEqual(len(nodes[1].of("cancel")), 1)

            asyncio.run(use())

    def test_what_is_carried_out_to_the_end_does_not_end_with_a_stop(self) -> None:
        crew = BlockingCrew(BlockingShell(Stop()))
        crew.shell.stop.set()
        lane, done = crew.lane(), []

        async def work() -> None:
            await lane.sleep(0.05)
            done.append(True)

        async def carry_out(to_the_end: bool) -> None:
            async for _ in crew.each([Job(lane, work)], to_the_end):
                pass

        run(carry_out(True))
        self.assertEqual(done, [True])
        with self.assertRaises(Stopped):
            run(carry_out(False))
        self.assertEqual(done, [True])

    def test_a_dropped_shot_ends_at_once_in_a_thread_with_a_running_loop(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes, Rig(self.rig(nodes)) as rig:
            self.late(nodes)

            async def use() -> None:  # as in a notebook
                for _ in rig.shoot():
                    nodes[1].await_requests("shot_commit", 1)
                    break
                nodes[1].await_requests("cancel", 1)

            asyncio.run(use())

    def test_a_rig_takes_one_shot_at_a_time(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                go = self.late(nodes)
                self.open(nodes)
                parts = self.side.parts()
                next(parts)
                with self.assertRaises(CameraBusError) as caught:
                    self.capture()
                self.assertEqual(caught.exception.code, Code.CONFLICT)
                self.assertIn("take all of its parts first", caught.exception.message)
                # Its nodes may be asked meanwhile.
                self.assertEqual(len(self.side.call("status")), 2)
                go.set()
                self.assertEqual(len(list(parts)), 1)
                self.assertEqual(self.capture().outcome, RigOutcome.COMPLETE)

        self.both(test)

    def test_a_rig_that_is_closed_ends_its_shot(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                go = self.late(nodes)
                self.open(nodes)
                parts = self.side.parts()
                next(parts)
                nodes[1].await_requests("shot_commit", 1)
                self.side.close()
                go.set()
                nodes[1].await_requests("cancel", 1)
                for use in (lambda: next(parts), self.capture, lambda: self.side.call("status"),
                            lambda: self.side.call("clocks"), lambda: self.side.call("readiness")):
                    with self.assertRaises(CameraBusError) as caught:
                        use()
                    self.assertEqual(caught.exception.code, Code.CLOSED)

        self.both(test)

    def test_a_rig_that_is_closed_while_a_camera_prepares_aborts_the_others(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes:
            rig = Rig(self.rig(nodes))
            nodes[1].answers.pop("shot_prepare")

            def close() -> None:
                for node in nodes:
                    node.await_requests("shot_prepare", 1)
                rig.close()

            closer = threading.Thread(target=close)
            closer.start()
            with self.assertRaises(CameraBusError) as caught:
                rig.capture()
            closer.join()
            self.assertEqual(caught.exception.code, Code.CLOSED)
            nodes[0].await_requests("shot_abort", 1)
            nodes[1].await_requests("shot_abort", 1)

    def test_an_async_rig_that_is_closed_while_a_camera_prepares_aborts_the_others(self) -> None:
        with self.nodes(("a",), ("b",)) as nodes:
            nodes[1].answers.pop("shot_prepare")

            async def use() -> None:
                rig = AsyncRig(self.rig(nodes))
                task = asyncio.create_task(rig.capture())
                for node in nodes:
                    await asyncio.to_thread(node.await_requests, "shot_prepare", 1)
                await self.await_answers(rig)
                await rig.close()
                self.assertEqual(len(nodes[0].of("shot_abort")), 1)
                with self.assertRaises(CameraBusError) as caught:
                    await task
                self.assertEqual(caught.exception.code, Code.CLOSED)

            asyncio.run(use())


class Series(WithFakes):
    def test_the_shots_of_a_series_are_equally_far_apart(self) -> None:
        def test() -> None:
            with self.nodes(("a",), ("b",)) as nodes:
                nodes[0].newest = nodes[1].newest = time.monotonic_ns()  # so the first one shows the present
                self.open(nodes)
                shots = list(self.side.each("series", every=0.5, count=3))
                first, second, third = [shot.moment for shot in shots]
                self.assertEqual((second - first, third - second), (SECOND // 2, SECOND // 2))
                self.assertEqual({shot.outcome for shot in shots}, {RigOutcome.COMPLETE})

        self.both(test)

    def test_a_shot_that_comes_late_is_taken_as_soon_as_it_can_be_and_one_that_fails_ends_nothing(self) -> None:
        def test() -> None:
            with self.nodes(("a",)) as nodes:
                good = nodes[0].prepare
                self.open(nodes)
                shots = self.side.each("series", every=0.001, count=3)
                first = next(shots)
                time.sleep(max(0, first.moment + SECOND // 100 - time.monotonic_ns()) / 1e9)  # for the moments to pass
                nodes[0].answers["shot_prepare"] = refuses("not now")
                before = time.monotonic_ns()
                shot = next(shots)
                self.assertEqual(shot.outcome, RigOutcome.ABANDONED)
                nodes[0].answers["shot_prepare"] = good
                shot = next(shots)
                self.assertEqual(shot.outcome, RigOutcome.COMPLETE)
                self.assertGreater(shot.moment, before)

        self.both(test)

    def test_closing_the_rig_ends_a_series_that_waits(self) -> None:
        with self.nodes(("a",)) as nodes:
            rig = Rig(self.rig(nodes))
            shots = rig.series(every=3600, count=2)
            next(shots)
            closer = threading.Timer(0.05, rig.close)
            closer.start()
            with self.assertRaises(CameraBusError) as caught:
                next(shots)
            closer.join()
            self.assertEqual(caught.exception.code, Code.CLOSED)

            async def use() -> None:
                rig = AsyncRig(self.rig(nodes))
                shots = rig.series(every=3600, count=2)
                await shots.__anext__()
                asyncio.get_running_loop().call_later(0.05, lambda: asyncio.create_task(rig.close()))
                with self.assertRaises(CameraBusError) as caught:
                    await shots.__anext__()
                self.assertEqual(caught.exception.code, Code.CLOSED)

            asyncio.run(use())


class Values(unittest.TestCase):
    def test_the_skew_of_moments_that_are_known_is_known_and_that_of_one_is_none(self) -> None:
        self.assertIsNone(skew([]))
        self.assertIsNone(skew([(1, 2)]))
        known = present(skew([(10, 10), (40, 40), (25, 25)]))
        self.assertEqual((known.least, known.most), (30, 30))

    def test_the_bounds_of_the_skew_hold_for_all_moments_within_theirs(self) -> None:
        starts = [(0, 3), (1, 2), (2, 6)]
        found = set()
        for a in range(0, 4):
            for b in range(1, 3):
                for c in range(2, 7):
                    found.add(max(a, b, c) - min(a, b, c))
        bounds = present(skew(starts))
        self.assertEqual((bounds.least, bounds.most), (min(found), max(found)))
        # Of one picture alone whose bounds are wide nothing follows for the others.
        bounds = present(skew([(0, 100), (50, 50)]))
        self.assertEqual((bounds.least, bounds.most), (0, 50))

    def test_a_stamp_proves_when_an_exposure_began(self) -> None:
        resolved = messages.ResolvedCapture(
            timestamp=messages.Timestamp(monotonic_ns=100), timestamp_mark=messages.TIMESTAMP_MARK_FRAME_END,
            earliest_start_ns=20, latest_end_ns=90)
        self.assertEqual(start_bounds(resolved), (20, 90))
        resolved.exposure_ns = 30
        self.assertEqual(start_bounds(resolved), (20, 60))
        resolved.exposure_ns = 80
        self.assertEqual(start_bounds(resolved), (20, 20))
        resolved.timestamp_mark = messages.TIMESTAMP_MARK_EXPOSURE_START
        self.assertEqual(start_bounds(resolved), (100, 100))
        self.assertIsNone(start_bounds(messages.ResolvedCapture()))

    def test_a_policy_says_how_many_have_to_be_ready(self) -> None:
        for policy, ready, total, allows in (
                (ALL, 3, 3, True), (ALL, 2, 3, False), (ALL, 0, 0, False), (ANY, 1, 3, True), (ANY, 0, 3, False),
                (at_least(2), 2, 3, True), (at_least(2), 1, 3, False), (at_least(4), 3, 3, False)):
            self.assertIs(policy.allows(ready, total), allows, (policy, ready, total))
        self.assertIsInstance(ALL, RigPolicy)


if __name__ == "__main__":
    unittest.main()
