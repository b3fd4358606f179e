"""Tests the counts of frames that were received and that were lost on the bus."""

import unittest

from camerabus import FrameCount, messages
from camerabus.framing import Publication, Topic
from expecting import present

TOPIC = "frame/cam/preview/"
A, B = b"A" * 16, b"B" * 16


def frame(number: int, epoch: bytes = A, topic: str = TOPIC) -> Publication:
    header = messages.Header(epoch=epoch, sequence=number)
    return Publication(present(Topic.parse(topic)), header, frame=b"")


def heartbeat(last: int, epoch: bytes = A, topic: str = TOPIC) -> Publication:
    beat = messages.Heartbeat(topics=[messages.Heartbeat.Topic(topic=topic, last_sequence=last)])
    return Publication(present(Topic.parse("heartbeat/")), messages.Header(epoch=epoch, sequence=1), heartbeat=beat)


class Counting(unittest.TestCase):
    def account(self, *publications: Publication) -> tuple[list[bool], int, int]:
        count = FrameCount()
        frames = [count.take(publication, TOPIC) for publication in publications]
        return frames, count.received, count.lost

    def test_numbers_without_a_gap_are_no_loss_wherever_they_begin(self) -> None:
        self.assertEqual(self.account(frame(7), frame(8)), ([True, True], 2, 0))

    def test_a_gap_is_lost(self) -> None:
        self.assertEqual(self.account(frame(7), frame(10)), ([True, True], 2, 2))

    def test_a_heartbeat_shows_the_loss_of_the_last_once(self) -> None:
        self.assertEqual(self.account(frame(7), heartbeat(9), heartbeat(9), frame(10)),
                         ([True, False, False, True], 2, 2))

    def test_a_heartbeat_before_the_first_frame_says_where_it_begins(self) -> None:
        self.assertEqual(self.account(heartbeat(7), frame(8), frame(10)), ([False, True, True], 2, 1))

    def test_other_topics_do_not_count(self) -> None:
        other = "frame/cam/full/"
        self.assertEqual(self.account(frame(1), frame(9, topic=other), heartbeat(9, topic=other)),
                         ([True, False, False], 1, 0))

    def test_a_new_start_begins_anew(self) -> None:
        count = FrameCount()
        for publication in (frame(7), frame(1000, B), frame(1001, B), frame(1003, B)):
            count.take(publication, TOPIC)
        self.assertEqual((count.received, count.lost, count.restarts), (4, 1, 1))


if __name__ == "__main__":
    unittest.main()
