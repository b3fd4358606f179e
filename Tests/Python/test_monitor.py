"""Tests the monitor with a fake node that loses events, omits them from replays, falls silent and
restarts.
"""

import unittest
from typing import Optional

from camerabus import (
    CameraBus, Disconnected, Lost, Monitor, Published, Reconnected, Restarted, Snapshot, messages)
from camerabus.client import reachable
from expecting import is_a
from fake import A, B, FakeNode, Replies

STATE = "event/cam/state/"


class Following(unittest.TestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.node.answers["replay"] = self.replay
        self.oldest = 1  # the oldest event that the node still has
        self.most = 1000  # how many events fit into one reply
        self.bus = self.enterContext(CameraBus(self.node.control))

    def replay(self, request: messages.Request) -> Replies:
        events = [event for asked in request.replay.ranges
                  for event in self.node.replayed(asked.topic, range(max(asked.first, self.oldest), asked.last + 1))]
        reply = messages.ReplayReply(events=events[:self.most], more=len(events) > self.most)
        return [{"replay": reply}]

    def join(self, camera: Optional[str] = None, history: bool = False) -> Monitor:
        monitor = self.enterContext(self.bus.events(camera, history=history))
        self.assertIsInstance(monitor.next(10), Snapshot)
        self.node.await_subscribers(2)
        return monitor

    def numbers(self, monitor: Monitor, count: int) -> list[tuple[int, bool]]:
        """The next events, as pairs (number, replayed)."""
        notices = [is_a(Published, monitor.next(10)) for _ in range(count)]
        return [(notice.sequence, notice.replayed) for notice in notices]

    def test_what_the_bus_drops_is_replayed_in_its_place(self) -> None:
        monitor = self.join()
        for lose in (False, True, True, False):
            self.node.publish(lose=lose)
        self.assertEqual(self.numbers(monitor, 4), [(1, False), (2, True), (3, True), (4, False)])
        [(request, _)] = self.node.of("replay")
        self.assertEqual([(asked.topic, asked.first, asked.last) for asked in request.replay.ranges], [(STATE, 2, 3)])

    def test_the_loss_of_the_last_shows_by_the_heartbeat(self) -> None:
        monitor = self.join()
        self.node.publish()
        self.node.publish(lose=True)
        self.node.beat()
        self.assertEqual(self.numbers(monitor, 2), [(1, False), (2, True)])

    def test_a_replay_that_does_not_fit_one_reply_is_gone_on_with(self) -> None:
        self.most = 2
        monitor = self.join()
        for _ in range(5):
            self.node.publish(lose=True)
        self.node.publish()
        self.assertEqual(self.numbers(monitor, 6), [(number, True) for number in range(1, 6)] + [(6, False)])
        self.assertEqual(len(self.node.of("replay")), 3)

    def test_more_gaps_than_fit_one_request_are_asked_for_in_several(self) -> None:
        """The gaps arise between the subscription and the snapshot."""
        def answer(request: messages.Request) -> Replies:
            status = self.node.status()
            if len(self.node.of("status")) == 2:  # the first request asks for the endpoint
                self.node.await_subscribers(2)
                for number in range(1, 201):
                    self.node.publish(lose=number % 2 == 1)
            return [{"status": status}]

        self.node.answers["status"] = answer
        monitor = self.enterContext(self.bus.events())
        self.assertIsInstance(monitor.next(10), Snapshot)
        self.assertEqual(self.numbers(monitor, 200), [(number, number % 2 == 1) for number in range(1, 201)])
        ranges = [len(request.replay.ranges) for request, _ in self.node.of("replay")]
        self.assertEqual(max(ranges), 64)
        self.assertGreaterEqual(sum(ranges), 100)

    def test_what_the_node_no_longer_has_is_said_to_be_lost(self) -> None:
        self.oldest = 3
        monitor = self.join()
        for _ in range(4):
            self.node.publish(lose=True)
        self.node.publish()
        self.assertEqual(monitor.next(10), Lost(A, STATE, 1, 2))
        self.assertEqual(self.numbers(monitor, 3), [(3, True), (4, True), (5, False)])

    def test_an_unanswered_replay_is_asked_for_again(self) -> None:
        monitor = self.join()
        refusal = {"error": messages.Error(code=messages.ERROR_CODE_BUSY, message="later", retryable=True)}
        answers = [[refusal]]
        self.node.answers["replay"] = lambda request: answers.pop() if answers else self.replay(request)
        self.node.publish(lose=True)
        self.node.publish()
        self.assertEqual(self.numbers(monitor, 2), [(1, True), (2, False)])

    def test_history_comes_before_the_snapshot(self) -> None:
        self.node.publish()
        self.node.publish()
        monitor = self.enterContext(self.bus.events(history=True))
        self.assertEqual(self.numbers(monitor, 2), [(1, True), (2, True)])
        self.assertIsInstance(monitor.next(10), Snapshot)

    def test_one_camera_alone_is_followed_without_missing_others(self) -> None:
        monitor = self.enterContext(self.bus.events("cam"))
        self.node.published["event/other/state/"] = [[b""]] * 7
        self.assertIsInstance(monitor.next(10), Snapshot)
        self.node.await_subscribers(2)
        self.node.beat()
        self.node.publish()
        self.assertEqual(self.numbers(monitor, 1), [(1, False)])
        self.assertEqual(self.node.of("replay"), [])

    def test_a_new_start_is_told_with_what_it_did_before_it_was_heard(self) -> None:
        monitor = self.join()
        self.node.publish()
        self.assertEqual(self.numbers(monitor, 1), [(1, False)])
        self.node.start_anew()
        self.node.publish(lose=True)
        self.node.publish(lose=True)
        self.node.beat()
        self.assertEqual(monitor.next(10), Restarted(A, B))
        self.assertEqual(self.numbers(monitor, 2), [(1, True), (2, True)])
        self.assertEqual(is_a(Snapshot, monitor.next(10)).epoch, B)

    def test_three_seconds_of_silence_are_told_and_what_was_missed_follows(self) -> None:
        monitor = self.join()
        self.node.publish()
        self.assertEqual(self.numbers(monitor, 1), [(1, False)])
        self.assertEqual(monitor.next(10), Disconnected())
        self.assertIsNone(monitor.next(0.1))
        self.node.publish(lose=True)
        self.node.await_subscribers(2)  # on a new connection
        self.node.beat()
        self.assertEqual(monitor.next(10), Reconnected())
        self.assertEqual(self.numbers(monitor, 1), [(2, True)])

    def test_rubbish_is_counted_and_passed_over(self) -> None:
        monitor = self.join()
        self.node._publisher.send_multipart([b"event/cam/state/"])
        self.node._publisher.send_multipart([b"event/cam/of-the-future/", b"", b""])
        self.node.publish()
        self.assertEqual(self.numbers(monitor, 1), [(1, False)])
        self.assertEqual(monitor.unreadable, 1)

    def test_a_message_that_is_too_long_costs_the_connection_and_no_more(self) -> None:
        monitor = self.join()
        self.node.send_raw([b"event/cam/state/", b"\xff" * (5 << 20), b""])
        is_a(Disconnected, monitor.next(30))
        self.assertEqual(monitor.unreadable, 0, "it came into memory")
        self.assertIsNone(monitor.next(0.1))
        self.node.await_subscribers(2)  # on a new connection
        self.node.publish()
        self.assertEqual(monitor.next(10), Reconnected())
        self.assertEqual(self.numbers(monitor, 1), [(1, False)])

    def test_a_monitor_may_come_before_its_node(self) -> None:
        bus = self.enterContext(CameraBus("ipc:///nowhere/at-all"))
        monitor = self.enterContext(bus.events())
        self.assertEqual(monitor.next(10), Disconnected())


class Endpoints(unittest.TestCase):
    def test_the_host_is_the_one_that_the_node_was_reached_by(self) -> None:
        for control, expected in (
                ("tcp://127.0.0.1:5570", "tcp://127.0.0.1:7"), ("tcp://camera.local:1", "tcp://camera.local:7"),
                ("tcp://[::1]:5570", "tcp://[::1]:7"), ("ipc:///run/camerabus/control", "ipc:///run/camerabus/events")):
            with self.subTest(control):
                self.assertEqual(reachable("tcp://0.0.0.0:7", "ipc:///run/camerabus/events", control), expected)

    def test_a_node_without_ipc_is_reached_by_what_there_is(self) -> None:
        self.assertEqual(reachable("tcp://127.0.0.1:7", "", "ipc:///tmp/x"), "tcp://127.0.0.1:7")


if __name__ == "__main__":
    unittest.main()
