"""Tests that nothing is done twice or lost silently when a node is killed or paused, or when the
network fails.
"""

import tempfile
import unittest
from pathlib import Path
from typing import Callable, Union

from camerabus import (
    NOW, CameraBus, CameraBusError, Code, Disconnected, PhotoSettings, Published, Reconnected, Restarted, Snapshot,
    at_monotonic, messages,
)
from expecting import is_a, present
from node import Node
from proxy import Proxy


class Restarting(unittest.TestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(Node("cam=synthetic:320x240@30"))
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=30, patience=0.5))

    def assert_fails(self, code: Code, function: Callable[..., object], *arguments: object,
                     **options: object) -> CameraBusError:
        with self.assertRaises(CameraBusError) as caught:
            function(*arguments, **options)
        self.assertEqual(caught.exception.code, code, caught.exception)
        return caught.exception

    def start_anew(self) -> None:
        self.node.kill()
        self.node.start()

    def test_a_monitor_sees_another_epoch_and_what_came_before_it_was_there(self) -> None:
        with self.bus.events() as monitor:
            first = is_a(Snapshot, monitor.next(30))
            self.start_anew()
            told = [monitor.next(30)]
            while not (isinstance(told[-1], Snapshot) or told[-1] is None):
                told.append(monitor.next(30))
        told = [notice for notice in told if not isinstance(notice, (Disconnected, Reconnected))]
        snapshot = is_a(Snapshot, told[-1])
        [restarted] = [notice for notice in told if isinstance(notice, Restarted)]
        self.assertEqual((restarted.previous, restarted.epoch), (first.epoch, snapshot.epoch))
        self.assertNotEqual(restarted.previous, restarted.epoch)
        after = [is_a(Published, notice) for notice in told[told.index(restarted) + 1:-1]]
        states = [notice.sequence for notice in after if notice.topic == "event/cam/state/"]
        last = {topic.topic: topic.last_sequence for topic in snapshot.status.topics}["event/cam/state/"]
        self.assertEqual(states, list(range(1, last + 1)))

    def test_a_photo_that_a_killed_node_had_under_way_is_not_taken_by_the_next(self) -> None:
        later = at_monotonic(self.bus.status().now.monotonic_ns + 15_000_000_000)
        capture = self.bus.begin_capture(later)
        self.bus.status()  # after this reply the node has read the capture request too
        self.start_anew()
        self.assert_fails(Code.OUTCOME_UNKNOWN, capture.photo)
        self.assertEqual(self.bus.assets(request_id=capture.id), [])

    def test_a_photo_taken_before_the_kill_is_found_by_its_request_and_not_taken_again(self) -> None:
        epoch = self.bus.status() and self.bus.epoch
        photo = self.bus.capture(NOW)
        self.start_anew()
        error = self.assert_fails(Code.OUTCOME_UNKNOWN, self.bus.capture, NOW, id=photo.request_id, epoch=epoch)
        self.assertEqual((error.request_id, error.epoch), (photo.request_id, epoch))
        self.assertEqual(self.bus.assets(request_id=photo.request_id), [photo.asset])
        self.assertEqual(self.bus.read(present(photo.asset)), photo.data)
        self.assertEqual(len(self.bus.assets()), 1)

    def test_a_download_goes_on_with_the_next_start(self) -> None:
        photo = self.bus.capture(NOW)
        content, asset = present(photo.data), present(photo.asset)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "photo.jpg"
            Path(f"{path}.camerabus.part").write_bytes(content[:1000])
            self.start_anew()
            self.bus.download(asset, path)
            self.assertEqual(path.read_bytes(), content)

    def test_a_node_that_is_held_still_is_told_lost_and_found(self) -> None:
        with self.bus.events() as monitor:
            self.assertIsInstance(monitor.next(30), Snapshot)
            self.node.pause()
            try:
                while not isinstance(notice := monitor.next(30), Disconnected):
                    self.assertIsInstance(notice, Published)
            finally:
                self.node.resume()
            self.assertEqual(monitor.next(30), Reconnected())

    def test_a_photo_asked_of_a_node_that_is_held_still_is_taken_once(self) -> None:
        self.bus.status()
        self.node.pause()
        try:
            error = self.assert_fails(Code.UNREACHABLE, self.bus.capture, NOW, timeout=1)
        finally:
            self.node.resume()
        # The node now reads every copy that was sent in the meantime. The photo may fail, because
        # the camera stood still too, but it has only one outcome.
        outcomes: list[Union[messages.Asset, Code]] = []
        for _ in range(2):
            try:
                outcomes.append(present(self.bus.capture(NOW, id=error.request_id, epoch=error.epoch).asset))
            except CameraBusError as failure:
                outcomes.append(failure.code)
        self.assertEqual(outcomes[0], outcomes[1])
        self.assertEqual(self.bus.assets(), [outcomes[0]] if not isinstance(outcomes[0], Code) else [])


class LyingNetwork(unittest.TestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(Node("cam=synthetic:320x240@30"))
        self.proxy = Proxy(self.node.control)
        self.addCleanup(self.proxy.close)
        self.bus = self.enterContext(CameraBus(self.proxy.endpoint, timeout=30, patience=0.5))

    def test_a_photo_whose_answer_is_swallowed_comes_over_a_new_connection_and_is_one(self) -> None:
        self.bus.status()
        self.proxy.freeze()
        photo = self.bus.capture(NOW)
        self.assertGreaterEqual(self.proxy.connections, 2)
        self.assertEqual(self.bus.assets(), [photo.asset])

    def test_a_photo_whose_answer_is_cut_off_is_one(self) -> None:
        self.bus.status()
        for transient in (False, True):
            with self.subTest(transient=transient):
                self.proxy.cut_after(300)  # between its first reply and its last
                photo = self.bus.capture(NOW, settings=PhotoSettings(keep=not transient))
                self.assertEqual(len(self.bus.assets(request_id=photo.request_id)), 0 if transient else 1)
        self.assertEqual(len(self.bus.assets()), 1)
        self.assertGreaterEqual(self.proxy.connections, 3)

    def test_a_photo_that_waits_survives_the_loss_of_its_connection(self) -> None:
        capture = self.bus.begin_capture(at_monotonic(self.bus.status().now.monotonic_ns + 2_000_000_000))
        self.bus.status()
        self.proxy.cut()
        self.proxy.restore()
        photo = capture.photo()
        self.assertEqual(self.bus.assets(request_id=photo.request_id), [photo.asset])

    def test_a_movie_is_started_and_ended_once_over_a_connection_that_swallows_answers(self) -> None:
        self.bus.status()
        self.proxy.freeze()
        started = self.bus.start_recording()
        self.proxy.freeze()
        result = self.bus.stop_recording()
        self.assertEqual(result.recording, started.recording)
        self.assertLessEqual(len(self.bus.assets()), 1)


if __name__ == "__main__":
    unittest.main()
