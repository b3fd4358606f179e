"""Tests the event tracker alone: which events it delivers, asks for, and reports as lost."""

import random
import unittest
from typing import Sequence

from camerabus import CameraBusError, Code, Disconnected, EventPosition, Lost, Notice, Published, Range, Reconnected, Restarted, Snapshot, messages
from camerabus.framing import Publication, Topic, write_publication
from camerabus.tracker import KEPT, KEPT_BYTES, REPLAYED_BYTES, TOPICS, EventTracker
from expecting import is_a, present

A, B, C = b"A" * 16, b"B" * 16, b"C" * 16
STATE, CONTROL = "event/cam/state/", "event/cam/control/"


def event(number: int, topic: str = STATE, epoch: bytes = A) -> Publication:
    header = messages.Header(epoch=epoch, sequence=number)
    state = messages.CameraStatus(name="cam")
    return Publication(present(Topic.parse(topic)), header, event=messages.Event(camera="cam", state=state))


def heartbeat(epoch: bytes = A, **numbers: int) -> Publication:
    topics = [messages.Heartbeat.Topic(topic=f"event/cam/{kind}/", last_sequence=last)
              for kind, last in numbers.items()]
    header = messages.Header(epoch=epoch, sequence=1)
    return Publication(present(Topic.parse("heartbeat/")), header, heartbeat=messages.Heartbeat(topics=topics))


def status(**numbers: int) -> messages.StatusReply:
    return messages.StatusReply(topics=[
        messages.StatusReply.Topic(topic=f"event/cam/{kind}/", last_sequence=last) for kind, last in numbers.items()])


def replay(*numbers: int, topic: str = STATE, epoch: bytes = A, more: bool = False) -> messages.ReplayReply:
    reply = messages.ReplayReply(more=more)
    for number in numbers:
        publication = event(number, topic, epoch)
        text, header, payload = write_publication(topic, publication.header, present(publication.event))
        reply.events.add(topic=text.decode(), header=header, payload=payload)
    return reply


def said(notices: Sequence[Notice]) -> list[object]:
    """A short form of notices: the numbers of events, negative if replayed; the names of other
    notices.
    """
    words: list[object] = []
    for notice in notices:
        if isinstance(notice, Published):
            words.append(-notice.sequence if notice.replayed else notice.sequence)
        elif isinstance(notice, Lost):
            words.append((notice.first, notice.last))
        else:
            words.append(type(notice).__name__)
    return words


class GoingOn(unittest.TestCase):
    def test_a_reader_with_a_position_goes_on_behind_it(self) -> None:
        tracker = EventTracker(after=EventPosition(A, {STATE: 3}))
        self.assertEqual(said(tracker.take(event(7))), [])
        # What the position does not name was not read at all.
        self.assertEqual(said(tracker.take_snapshot(status(state=5, control=2), A)), [])
        missing = tracker.missing()
        self.assertEqual(missing, [Range(STATE, 4, 6), Range(CONTROL, 1, 2)])
        reply = replay(4, 5)
        reply.events.extend(replay(2, topic=CONTROL).events)
        # One that the node does not keep any more is lost.
        self.assertEqual(said(tracker.take_replay(missing, reply, A)), [
            -4, -5, (1, 1), -2, "Snapshot", (6, 6), 7])

    def test_a_position_of_an_earlier_start_is_followed_by_all_that_the_present_one_has(self) -> None:
        tracker = EventTracker(after=EventPosition(A, {STATE: 3}))
        self.assertEqual(said(tracker.take_snapshot(status(state=2), B)), ["Restarted"])
        missing = tracker.missing()
        self.assertEqual(missing, [Range(STATE, 1, 2)])
        self.assertEqual(said(tracker.take_replay(missing, replay(1, 2, epoch=B), B)), [-1, -2, "Snapshot"])

    def test_a_position_that_the_node_has_not_reached_is_another_nodes(self) -> None:
        tracker = EventTracker(after=EventPosition(A, {STATE: 3}))
        with self.assertRaises(CameraBusError) as caught:
            tracker.take_snapshot(status(state=2), A)
        self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, "after"))

    def test_a_position_is_read_as_it_is_written(self) -> None:
        text = f"{A.hex()}:front/capture=12,front/subject_area=1"
        position = EventPosition.parse(text)
        self.assertEqual(position, EventPosition(A, {"event/front/capture/": 12, "event/front/subject_area/": 1}))
        self.assertEqual(str(position), text)
        self.assertEqual(EventPosition.parse(f"{A.hex()}:front/subjectArea=1,front/capture=12"), position)
        self.assertEqual(str(EventPosition.parse(A.hex())), A.hex())
        self.assertEqual(EventPosition.of(A, status(state=4)), EventPosition(A, {STATE: 4}))
        for wrong in (None, "", "0", ":front/state=1", "E:front/state", "E:front/state=-1", "E:front/state=1,",
                      "E:front/state=1,front/state=2", "E:front/nonsense=1", "E:a b/state=1", f"E:front/state={2 ** 64}"):
            with self.subTest(wrong), self.assertRaises(CameraBusError):
                EventPosition.parse(wrong and wrong.replace("E", A.hex()))


class Joining(unittest.TestCase):
    def test_nothing_is_told_before_the_snapshot(self) -> None:
        tracker = EventTracker()
        self.assertTrue(tracker.needs_snapshot)
        self.assertEqual(tracker.take(event(3)), [])
        self.assertEqual(tracker.missing(), [])

    def test_events_that_the_snapshot_includes_are_dropped_and_those_after_it_follow(self) -> None:
        tracker = EventTracker()
        for number in (3, 4, 5, 6):
            tracker.take(event(number))
        self.assertEqual(said(tracker.take_snapshot(status(state=4), A)), ["Snapshot", 5, 6])
        self.assertEqual(said(tracker.take(event(7))), [7])

    def test_what_came_between_snapshot_and_subscription_is_missing(self) -> None:
        tracker = EventTracker()
        tracker.take(event(6))
        self.assertEqual(said(tracker.take_snapshot(status(state=4), A)), ["Snapshot"])
        self.assertEqual(tracker.missing(), [Range(STATE, 5, 5)])
        self.assertEqual(said(tracker.take_replay(tracker.missing(), replay(5), A)), [-5, 6])

    def test_a_topic_that_the_snapshot_does_not_name_begins_at_1(self) -> None:
        tracker = EventTracker()
        tracker.take_snapshot(status(), A)
        self.assertEqual(said(tracker.take(event(1))), [1])
        self.assertEqual(tracker.take(event(2, CONTROL)), [])
        self.assertEqual(tracker.missing(), [Range(CONTROL, 1, 1)])

    def test_with_history_what_led_to_the_snapshot_comes_before_it(self) -> None:
        tracker = EventTracker(history=True)
        tracker.take(event(4))
        self.assertEqual(tracker.take_snapshot(status(state=3, control=1), A), [])
        self.assertEqual(tracker.missing(), [Range(STATE, 1, 3), Range(CONTROL, 1, 1)])
        self.assertEqual(said(tracker.take_replay([Range(STATE, 1, 3)], replay(1, 2, 3), A)), [-1, -2, -3])
        self.assertEqual(
            said(tracker.take_replay([Range(CONTROL, 1, 1)], replay(1, topic=CONTROL), A)), [-1, "Snapshot", 4])

    def test_events_of_another_start_before_the_snapshot_are_dropped(self) -> None:
        tracker = EventTracker()
        tracker.take(event(9, epoch=B))
        self.assertEqual(said(tracker.take_snapshot(status(state=1), A)), ["Snapshot"])
        self.assertEqual(said(tracker.take(event(2))), [2])

    def test_only_so_much_is_kept_while_the_node_does_not_answer_and_the_rest_is_asked_for(self) -> None:
        tracker = EventTracker()
        for number in range(1, KEPT + 11):
            tracker.take(event(number))
        self.assertEqual(said(tracker.take_snapshot(status(state=3), A)), ["Snapshot"])
        self.assertEqual(tracker.missing(), [Range(STATE, 4, 10)])


class Gaps(unittest.TestCase):
    def setUp(self) -> None:
        self.tracker = EventTracker()
        self.tracker.take_snapshot(status(state=0), A)

    def test_a_jump_holds_back_what_follows_until_the_replay(self) -> None:
        self.assertEqual(said(self.tracker.take(event(1))), [1])
        self.assertEqual(self.tracker.take(event(4)), [])
        self.assertEqual(self.tracker.take(event(5)), [])
        self.assertEqual(self.tracker.missing(), [Range(STATE, 2, 3)])
        self.assertEqual(said(self.tracker.take_replay(self.tracker.missing(), replay(2, 3), A)), [-2, -3, 4, 5])
        self.assertEqual(self.tracker.missing(), [])

    def test_other_topics_are_not_held_back(self) -> None:
        self.tracker.take(event(4))
        self.assertEqual(said(self.tracker.take(event(1, CONTROL))), [1])

    def test_a_heartbeat_shows_the_loss_of_the_last(self) -> None:
        self.tracker.take(event(1))
        self.assertEqual(self.tracker.take(heartbeat(state=3)), [])
        self.assertEqual(self.tracker.missing(), [Range(STATE, 2, 3)])

    def test_a_heartbeat_that_knows_no_more_changes_nothing(self) -> None:
        self.tracker.take(event(1))
        self.assertEqual(self.tracker.take(heartbeat(state=1)), [])
        self.assertEqual(self.tracker.missing(), [])

    def test_a_heartbeat_shows_the_loss_of_a_whole_topic(self) -> None:
        self.tracker.take(heartbeat(control=2))
        self.assertEqual(self.tracker.missing(), [Range(CONTROL, 1, 2)])

    def test_topics_that_are_not_followed_are_not_missed(self) -> None:
        tracker = EventTracker("event/cam/control/")
        tracker.take_snapshot(status(state=3, control=1), A)
        tracker.take(heartbeat(state=5, control=1))
        tracker.take(heartbeat(thermal=7))  # a kind of a future version
        self.assertEqual(tracker.missing(), [])

    def test_twice_the_same_is_once(self) -> None:
        self.assertEqual(said(self.tracker.take(event(1))), [1])
        self.assertEqual(self.tracker.take(event(1)), [])
        self.tracker.take(event(3))
        self.tracker.take(event(3))
        self.assertEqual(said(self.tracker.take_replay(self.tracker.missing(), replay(1, 2, 3), A)), [-2, 3])

    def test_where_more_is_set_the_rest_is_asked_for_again(self) -> None:
        self.tracker.take(event(6))
        asked = self.tracker.missing()
        self.assertEqual(said(self.tracker.take_replay(asked, replay(1, 2, more=True), A)), [-1, -2])
        self.assertEqual(self.tracker.missing(), [Range(STATE, 3, 5)])
        self.assertEqual(said(self.tracker.take_replay(self.tracker.missing(), replay(3, 4, 5), A)), [-3, -4, -5, 6])

    def test_more_without_anything_new_does_not_ask_for_ever(self) -> None:
        self.tracker.take(event(3))
        self.assertEqual(said(self.tracker.take_replay(self.tracker.missing(), replay(more=True), A)), [(1, 2), 3])
        self.assertEqual(self.tracker.missing(), [])

    def test_what_a_replay_leaves_out_is_gone(self) -> None:
        self.tracker.take(event(8))
        self.assertEqual(
            said(self.tracker.take_replay(self.tracker.missing(), replay(3, 6), A)),
            [(1, 2), -3, (4, 5), -6, (7, 7), 8])

    def test_a_gap_of_millions_is_one_notice(self) -> None:
        self.tracker.take(event(10 ** 12))
        self.assertEqual(
            said(self.tracker.take_replay(self.tracker.missing(), replay(10 ** 12 - 1), A)),
            [(1, 10 ** 12 - 2), -(10 ** 12 - 1), 10 ** 12])

    def test_what_was_not_asked_for_is_not_given_up(self) -> None:
        self.tracker.take(event(3))
        self.tracker.take(event(3, CONTROL))
        self.assertEqual(said(self.tracker.take_replay([Range(STATE, 1, 2)], replay(), A)), [(1, 2), 3])
        self.assertEqual(self.tracker.missing(), [Range(CONTROL, 1, 2)])

    def test_an_event_of_the_future_counts_and_is_passed_over(self) -> None:
        header = messages.Header(epoch=A, sequence=1)
        future = Publication(present(Topic.parse(STATE)), header, event=messages.Event(camera="cam"))
        self.assertEqual(self.tracker.take(future), [])
        self.assertEqual(said(self.tracker.take(event(2))), [2])

    def test_a_replayed_event_that_cannot_be_read_is_gone(self) -> None:
        self.tracker.take(event(3))
        reply = replay(1, 2)
        reply.events[0].payload = b"\x0a\xff"
        self.assertEqual(said(self.tracker.take_replay(self.tracker.missing(), reply, A)), [(1, 1), -2, 3])

    def test_every_event_comes_once_and_in_order_whatever_the_bus_drops(self) -> None:
        seed = random.randrange(2 ** 32)
        chance = random.Random(seed)
        for _ in range(200):
            tracker = EventTracker()
            first = chance.randrange(5)
            told = tracker.take_snapshot(status(state=first), A)
            last = first + chance.randrange(1, 40)
            held_by_node = chance.randrange(1, last + 1)  # the oldest event that the node still has
            for number in range(first + 1, last + 1):
                if chance.random() < 0.6:
                    told += tracker.take(event(number))
                if chance.random() < 0.2:
                    told += tracker.take(heartbeat(state=number))
                if chance.random() < 0.3 and (asked := tracker.missing()):
                    numbers = [number for gap in asked for number in range(gap.first, gap.last + 1)
                               if number >= held_by_node]
                    some = numbers[:chance.randrange(1, 5)]
                    told += tracker.take_replay(asked, replay(*some, more=len(some) < len(numbers)), A)
            told += tracker.take(heartbeat(state=last))
            while asked := tracker.missing():
                numbers = [number for gap in asked for number in range(gap.first, gap.last + 1)
                           if number >= held_by_node]
                told += tracker.take_replay(asked, replay(*numbers), A)
            accounted: list[int] = []
            for notice in told[1:]:
                if isinstance(notice, Lost):
                    self.assertLess(notice.last, held_by_node, f"seed {seed}")
                    accounted += range(notice.first, notice.last + 1)
                else:
                    accounted.append(is_a(Published, notice).sequence)
            self.assertEqual(accounted, list(range(first + 1, last + 1)), f"seed {seed}")


class Restarts(unittest.TestCase):
    def setUp(self) -> None:
        self.tracker = EventTracker()
        self.tracker.take_snapshot(status(state=0), A)
        self.tracker.take(event(1))

    def test_another_epoch_asks_for_the_snapshot_and_tells_what_the_new_start_did_before_it(self) -> None:
        self.assertEqual(self.tracker.take(event(3, epoch=B)), [])
        self.assertTrue(self.tracker.needs_snapshot)
        notices = self.tracker.take_snapshot(status(state=2), B)
        self.assertEqual(notices, [Restarted(A, B)])
        self.assertEqual(self.tracker.missing(), [Range(STATE, 1, 2)])
        notices = self.tracker.take_replay(self.tracker.missing(), replay(1, 2, epoch=B), B)
        self.assertEqual(said(notices), [-1, -2, "Snapshot", 3])
        for notice in notices:
            assert not isinstance(notice, (Disconnected, Reconnected))
            self.assertEqual(notice.epoch, B)

    def test_a_heartbeat_is_enough_to_see_it(self) -> None:
        self.tracker.take(heartbeat(epoch=B))
        self.assertEqual(said(self.tracker.take_snapshot(status(), B)), ["Restarted", "Snapshot"])

    def test_what_the_old_start_still_owed_is_gone(self) -> None:
        self.tracker.take(event(4))
        self.tracker.take(event(1, epoch=B))
        self.assertEqual(said(self.tracker.take_snapshot(status(state=0), B)),
                         [(2, 3), 4, "Restarted", "Snapshot", 1])

    def test_a_replay_that_another_start_answers_brings_nothing(self) -> None:
        self.tracker.take(event(3))
        notices = self.tracker.take_replay(self.tracker.missing(), replay(2, epoch=B), B)
        self.assertEqual(said(notices), [(2, 2), 3])
        self.assertEqual(self.tracker.epoch, A)

    def test_two_restarts_at_once_end_at_the_last(self) -> None:
        self.tracker.take(event(1, epoch=B))
        self.tracker.take(event(1, epoch=C))
        self.assertEqual(said(self.tracker.take_snapshot(status(state=0), C)), ["Restarted", "Snapshot", 1])
        self.assertEqual(self.tracker.epoch, C)

    def test_a_late_word_of_an_earlier_start_is_no_restart(self) -> None:
        self.tracker.take(event(1, epoch=B))
        self.assertEqual(self.tracker.take_snapshot(status(state=1), A), [])
        self.assertEqual(said(self.tracker.take(event(2))), [2])

    def test_a_second_restart_before_the_history_of_the_first_is_complete(self) -> None:
        self.tracker.take(event(2, epoch=B))
        self.tracker.take_snapshot(status(state=1), B)
        self.tracker.take(event(1, epoch=C))
        notices = self.tracker.take_snapshot(status(state=0), C)
        self.assertEqual(said(notices), [(1, 1), "Snapshot", 2, "Restarted", "Snapshot", 1])
        self.assertIsInstance(notices[1], Snapshot)


class LyingNode(unittest.TestCase):
    """A node that would fill the memory."""

    def big_event(self, number: int) -> Publication:
        publication = event(number)
        present(publication.event).state.error.message = "x" * 100_000
        return publication

    def held(self, tracker: EventTracker) -> int:
        return tracker._budget.held

    def test_ever_new_topics_are_ignored_when_there_are_many(self) -> None:
        tracker = EventTracker()
        tracker.take_snapshot(status(state=0), A)
        for number in range(3):
            topics = [messages.Heartbeat.Topic(topic=f"event/c{number}-{index}/state/", last_sequence=1)
                      for index in range(TOPICS)]
            header = messages.Header(epoch=A, sequence=1)
            tracker.take(Publication(
                present(Topic.parse("heartbeat/")), header, heartbeat=messages.Heartbeat(topics=topics)))
        self.assertEqual(len(tracker.missing()), TOPICS - 1)
        self.assertEqual(said(tracker.take(event(1))), [1])

    def test_events_behind_a_gap_are_held_up_to_a_number_of_bytes(self) -> None:
        tracker = EventTracker()
        tracker.take_snapshot(status(state=0), A)
        for number in range(2, 1000, 2):
            tracker.take(self.big_event(number))
        self.assertLessEqual(self.held(tracker), KEPT_BYTES)
        self.assertEqual(tracker.missing()[-1].last, 998)
        asked = tracker.missing()
        self.assertEqual(said(tracker.take_replay(asked[:1], replay(1), A))[:2], [-1, 2])

    def test_replays_that_never_bring_the_next_event_end(self) -> None:
        tracker = EventTracker()
        tracker.take_snapshot(status(state=0), A)
        tracker.take(heartbeat(state=1 << 40))
        number = 2
        while tracker.missing()[0].first == 1:
            far = messages.ReplayReply(more=True)
            for _ in range(3):
                text, header, payload = write_publication(
                    STATE, event(number).header, present(self.big_event(number).event))
                far.events.add(topic=text.decode(), header=header, payload=payload)
                number += 2
            tracker.take_replay(tracker.missing()[:64], far, A)
            self.assertLessEqual(self.held(tracker), KEPT_BYTES + REPLAYED_BYTES)
            self.assertLess(number, 10_000)

    def test_what_comes_before_a_snapshot_is_kept_up_to_a_number_of_bytes(self) -> None:
        tracker = EventTracker()
        for number in range(1, 1000):
            tracker.take(self.big_event(number))
        self.assertLessEqual(tracker._kept_bytes, KEPT_BYTES)
        self.assertEqual(said(tracker.take_snapshot(status(state=998), A)), ["Snapshot", 999])


if __name__ == "__main__":
    unittest.main()
