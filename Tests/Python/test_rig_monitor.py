"""Tests the monitor of many nodes, blocking and in asyncio, with fake nodes and with real ones."""

import asyncio
import contextlib
import gc
import threading
import time
import unittest
from typing import Callable, Iterator, Optional

from camerabus import (
    AsyncRigMonitor, Awaited, CameraBus, CameraBusError, Code, Disconnected, EstimatedTime, EventPosition, Lost, Published, Reconnected,
    Restarted, RigEvent, RigMonitor, Snapshot, clock_id, messages)
from camerabus.blocking import run
from camerabus.merge import EventMerge
from camerabus.rig_monitor import _BlockingOutlet, _Entry, _in_order
from expecting import is_a
from fake import A, B, FakeNode, Replies
from node import Node

STATE = "event/cam/state/"
SECOND = 10 ** 9


class Both(unittest.TestCase):
    """Each test runs with both monitors: `next` waits for the next event of the one that `watch` has opened."""

    def each(self, test: Callable[["Both"], None]) -> None:
        for kind in (BlockingSide, AsyncSide):
            with self.subTest(kind.__name__), kind() as self.side:
                test(self)

    side: "Side"

    def watch(self, rig: object, **options: object) -> None:
        self.side.open(rig, **options)

    def next(self) -> RigEvent:
        return self.side.next()

    def until(self, kind: type, node: Optional[str] = None) -> list[RigEvent]:
        """All events up to the first of a kind."""
        events = [self.next()]
        while not isinstance(events[-1].notice, kind) or node not in (None, events[-1].node):
            events.append(self.next())
        return events


class Side(contextlib.AbstractContextManager["Side"]):
    def open(self, rig: object, **options: object) -> None:
        raise NotImplementedError

    def next(self) -> RigEvent:
        raise NotImplementedError


class BlockingSide(Side):
    def __enter__(self) -> "BlockingSide":
        self.stack = contextlib.ExitStack()
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def open(self, rig: object, **options: object) -> None:
        self.monitor = self.stack.enter_context(RigMonitor(rig, **options))  # type: ignore[arg-type]

    def next(self) -> RigEvent:
        return is_a(RigEvent, self.monitor.next(30))


class AsyncSide(Side):
    def __enter__(self) -> "AsyncSide":
        self.stack = contextlib.ExitStack()
        self.runner = self.stack.enter_context(asyncio.Runner())
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def open(self, rig: object, **options: object) -> None:
        async def open() -> AsyncRigMonitor:
            return await AsyncRigMonitor(rig, **options).__aenter__()  # type: ignore[arg-type]

        self.monitor = self.runner.run(open())
        self.stack.callback(lambda: self.runner.run(self.monitor.close()))

    def next(self) -> RigEvent:
        return is_a(RigEvent, self.runner.run(self.monitor.next(30)))


class TimedNode(FakeNode):
    """A fake node with a clock, and events that happen when the test says."""

    def __init__(self) -> None:
        super().__init__()
        self.answers["clock"] = self.clock
        self.answers["replay"] = self.replay
        self.oldest = 1

    def clock(self, request: messages.Request) -> Replies:
        now = messages.Timestamp(monotonic_ns=time.monotonic_ns(), wall_ns=time.time_ns())
        return [{"clock": messages.ClockReply(read_monotonic_ns=now.monotonic_ns, answered=now, clock_id=clock_id())}]

    def status(self) -> messages.StatusReply:
        status = super().status()
        status.now.monotonic_ns = time.monotonic_ns()
        return status

    def replay(self, request: messages.Request) -> Replies:
        events = [event for asked in request.replay.ranges
                  for event in self.replayed(asked.topic, range(max(asked.first, self.oldest), asked.last + 1))]
        return [{"replay": messages.ReplayReply(events=events)}]

    def happen(self, ago: float = 0.0, camera: str = "cam") -> int:
        """Publishes a state that was so long ago. Returns its moment."""
        moment = time.monotonic_ns() - round(ago * SECOND)
        state = messages.CameraStatus(name=camera, attempts=len(self.published[STATE]) + 1)
        self.publish(event=messages.Event(
            camera=camera, time=messages.Timestamp(monotonic_ns=moment, wall_ns=time.time_ns()), state=state))
        return moment


class WithFakeNodes(Both):
    @contextlib.contextmanager
    def nodes(self, count: int) -> Iterator[list[TimedNode]]:
        with contextlib.ExitStack() as stack:
            yield [is_a(TimedNode, stack.enter_context(TimedNode())) for _ in range(count)]

    def rig(self, nodes: list[TimedNode]) -> list[dict[str, str]]:
        return [{"node": node.control, "name": f"n{number}"} for number, node in enumerate(nodes)]

    def join(self, nodes: list[TimedNode], **options: object) -> None:
        self.watch(self.rig(nodes), **options)
        for _ in nodes:
            self.assertIsInstance(self.next().notice, Snapshot)
        for node in nodes:
            node.await_subscribers(2)

    def test_events_come_in_the_order_of_their_times_and_late_ones_say_so(self) -> None:
        def test(_: Both) -> None:
            with self.nodes(2) as nodes:
                self.join(nodes, window=1.0)
                last = nodes[0].happen()
                first = nodes[1].happen(0.1)
                events = [self.next(), self.next()]
                self.assertEqual([event.node for event in events], ["n1", "n0"])
                self.assertEqual([event.time.moment for event in events], [first, last])
                self.assertEqual([event.time.error for event in events], [0, 0])
                self.assertEqual([event.is_late for event in events], [False, False])
                # It comes later than the window, so it waits for nobody.
                nodes[1].happen(5)
                event = self.next()
                self.assertEqual((event.node, event.is_late), ("n1", True))

        self.each(test)

    def test_a_gap_names_its_node_and_the_others_go_on(self) -> None:
        def test(_: Both) -> None:
            with self.nodes(2) as nodes:
                self.join(nodes, window=0.0)
                nodes[0].oldest = 3
                nodes[0].publish(lose=True)
                nodes[0].publish(lose=True)
                nodes[0].happen()
                lost = self.next()
                self.assertEqual((lost.node, is_a(Lost, lost.notice).last), ("n0", 2))
                self.assertEqual(is_a(Published, self.next().notice).sequence, 3)
                nodes[1].happen()
                self.assertEqual(self.next().node, "n1")

        self.each(test)

    def test_only_the_cameras_of_the_rig_are_followed(self) -> None:
        def test(_: Both) -> None:
            with self.nodes(1) as nodes:
                self.watch([{"node": nodes[0].control, "cameras": ["other"]}])
                self.assertIsInstance(self.next().notice, Snapshot)
                nodes[0].await_subscribers(2)
                nodes[0].happen()
                nodes[0].happen(camera="other")
                self.assertEqual(is_a(Published, self.next().notice).sequence, 2)

        self.each(test)

    def test_the_past_of_all_nodes_comes_in_one_order_and_positions_go_on(self) -> None:
        def test(_: Both) -> None:
            with self.nodes(2) as nodes:
                for ago in (9, 7, 5):
                    nodes[0].happen(ago)
                    nodes[1].happen(ago - 1)
                self.watch(self.rig(nodes), history=True)
                events = [self.next() for _ in range(8)]
                told = [(event.node, event.notice.sequence) for event in events if isinstance(event.notice, Published)]
                self.assertEqual(told, [("n0", 1), ("n1", 1), ("n0", 2), ("n1", 2), ("n0", 3), ("n1", 3)])
                self.assertFalse(any(event.is_late for event in events[:6]))

        def resume(_: Both) -> None:
            with self.nodes(2) as nodes:
                for _number in range(3):
                    nodes[0].happen(5)
                self.watch(self.rig(nodes), after={"n0": str(EventPosition(A, {STATE: 1}))})
                events = [self.next() for _ in range(4)]
                told = [(event.node, event.notice.sequence) for event in events if isinstance(event.notice, Published)]
                self.assertEqual(told, [("n0", 2), ("n0", 3)])

        self.each(test)
        self.each(resume)

    def test_a_position_that_is_not_its_nodes_ends_the_monitor(self) -> None:
        def test(_: Both) -> None:
            with self.nodes(1) as nodes:
                self.watch(self.rig(nodes), after={"n0": EventPosition(A, {STATE: 9})})
                with self.assertRaises(CameraBusError) as caught:
                    while True:
                        self.next()
                self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, "after"))

        self.each(test)

    def test_a_node_that_restarts_goes_on_in_its_new_start(self) -> None:
        def test(_: Both) -> None:
            with self.nodes(2) as nodes:
                self.join(nodes, window=0.0)
                nodes[0].happen()
                self.next()
                nodes[0].start_anew(B)
                nodes[0].happen()
                self.assertIsInstance(self.next().notice, Restarted)
                self.assertEqual(is_a(Published, self.until(Published)[-1].notice).epoch, B)

        self.each(test)

    def test_a_reader_that_stops_holds_no_more_than_its_share_and_misses_none(self) -> None:
        def test(_: Both) -> None:
            with self.nodes(1) as nodes:
                self.join(nodes, window=0.0)
                for _number in range(3000):
                    nodes[0].happen()
                nodes[0].beat()
                numbers = [is_a(Published, self.next().notice).sequence for _ in range(3000)]
                self.assertEqual(numbers, list(range(1, 3001)))

        self.each(test)

    def test_a_node_waits_while_its_share_is_full(self) -> None:
        def entry(number: int) -> _Entry:
            return _Entry("n0", Disconnected(), EstimatedTime(number, 0), number)

        async def fill() -> None:
            monitor = AsyncRigMonitor(["a"])
            monitor._begin = lambda: None  # type: ignore[method-assign]
            limit = monitor._outlet.merge.limit
            for number in range(limit):
                await monitor._outlet.put(entry(number), 0)
            more = asyncio.create_task(monitor._outlet.put(entry(limit), 0))
            for _ in range(10):
                await asyncio.sleep(0)
            self.assertFalse(more.done())
            await monitor.next(30)
            await asyncio.wait_for(more, 30)

        asyncio.run(fill())
        outlet = _BlockingOutlet(EventMerge(1, 0))
        limit = outlet._merge.limit
        for number in range(limit):
            run(outlet.put(entry(number), 0))
        more = threading.Thread(target=lambda: run(outlet.put(entry(limit), 0)))
        more.start()
        self.assertTrue(more.is_alive())
        with outlet.changed:
            outlet.next(time.monotonic() + 30)
        more.join(30)
        self.assertFalse(more.is_alive())
        self.assertTrue(outlet._merge.is_full(0))

    def test_mistakes_are_told_at_once(self) -> None:
        for rig, options in (
                ([], {}), (["http://a"], {}), (["a"], {"window": -1}), (["a"], {"window": 61}), (["a"], {"after": {"b": A.hex()}}),
                (["a"], {"after": "x"}), (["a"], {"after": {"a": "x"}}), (["a"], {"history": True, "after": {"a": A.hex()}}),
                (["a"], {"history": 1})):
            for make in (RigMonitor, AsyncRigMonitor):
                with self.subTest(rig=rig, **options), self.assertRaises(CameraBusError):
                    make(rig, **options)

    def test_a_close_ends_a_wait(self) -> None:
        with self.nodes(1) as nodes:
            monitor = RigMonitor(self.rig(nodes))
            self.assertIsInstance(is_a(RigEvent, monitor.next(30)).notice, Snapshot)
            failures: list[CameraBusError] = []

            def read() -> None:
                try:
                    monitor.next(60)
                except CameraBusError as error:
                    failures.append(error)

            reader = threading.Thread(target=read)
            reader.start()
            monitor.close()
            reader.join(30)
            self.assertEqual([error.code for error in failures], [Code.CLOSED])
            with self.assertRaises(CameraBusError):
                monitor.next(1)

    def test_a_monitor_that_nothing_refers_to_ends(self) -> None:
        with self.nodes(1) as nodes:
            monitor = RigMonitor(self.rig(nodes))
            self.assertIsInstance(is_a(RigEvent, monitor.next(30)).notice, Snapshot)
            threads = monitor._threads
            del monitor
            gc.collect()
            for thread in threads:
                thread.join(30)
                self.assertFalse(thread.is_alive())

            async def drop() -> None:
                monitor = AsyncRigMonitor(self.rig(nodes))
                self.assertIsInstance(is_a(RigEvent, await monitor.next(30)).notice, Snapshot)
                tasks = monitor._tasks
                del monitor
                gc.collect()
                await asyncio.wait_for(asyncio.wait(tasks), 30)

            asyncio.run(drop())

    def test_events_that_come_together_are_in_order_and_those_of_a_topic_in_their_own(self) -> None:
        def event(topic: str, number: int, moment: int) -> Published:
            time = messages.Timestamp(monotonic_ns=moment)
            return Published(A, topic, number, messages.Event(camera="cam", time=time), False)

        a, b, c = event("a", 1, 30), event("a", 2, 20), event("b", 1, 25)
        gone = Disconnected()
        self.assertEqual(_in_order([a, b, c, gone, c]), [c, a, b, gone, c])


class WithNodes(Both):
    def test_a_node_that_is_not_there_is_waited_for_and_one_that_is_killed_comes_back(self) -> None:
        def test(_: Both) -> None:
            with Node("cam=synthetic:320x240@10") as first, Node("cam=synthetic:320x240@10") as second:
                second.kill()
                self.watch([
                    {"node": first.control, "name": "first"}, {"node": second.control, "name": "second"}])
                events = self.until(Awaited)
                self.assertEqual(events[-1].node, "second")
                # The other node is followed meanwhile.
                with CameraBus(first.control, timeout=30) as bus:
                    bus.set_controls({"brightness": 10})
                events += self.until(Published, "first")
                second.start()
                events += self.until(Snapshot, "second")
                first.kill()
                gone = self.until(Disconnected, "first")[-1]
                self.assertEqual(gone.time.error, 0)
                first.start()
                back = self.until(Snapshot, "first")
                self.assertIn(Reconnected, [type(event.notice) for event in back if event.node == "first"])
                self.assertIn(Restarted, [type(event.notice) for event in back if event.node == "first"])

        self.each(test)
