"""Tests downloads: assembling chunks, refusing wrong ones, and resuming when no more chunks come.
"""

import hashlib
import io
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

from camerabus import CameraBus, CameraBusError, Code, messages
from camerabus.blocking import run
from camerabus.download import Assembly, fetch
from fake import FakeNode, in_turn

ID = bytes(range(16))
CONTENT = os.urandom(10_000)


def asset(content: bytes = CONTENT) -> messages.Asset:
    return messages.Asset(id=ID, byte_count=len(content), sha256=hashlib.sha256(content).digest())


class Assembling(unittest.TestCase):
    def test_chunks_in_order_make_the_file(self) -> None:
        file = io.BytesIO()
        assembly = Assembly(file)
        for start in range(0, len(CONTENT), 3000):
            assembly.add(start, len(CONTENT), CONTENT[start:start + 3000])
        assembly.finish(asset())
        self.assertEqual(file.getvalue(), CONTENT)

    def test_what_is_at_hand_counts(self) -> None:
        file = io.BytesIO(CONTENT[:4321])
        assembly = Assembly(file)
        self.assertEqual(assembly.offset, 4321)
        assembly.add(4321, len(CONTENT), CONTENT[4321:])
        assembly.finish(asset())
        self.assertEqual(file.getvalue(), CONTENT)

    def test_a_chunk_out_of_place_or_beyond_the_end_is_refused(self) -> None:
        for offset, total, data in ((101, 10_000, b"x"), (99, 10_000, b"x"), (100, 100, b"x")):
            assembly = Assembly(io.BytesIO(CONTENT[:100]))
            with self.subTest(offset=offset, total=total), self.assertRaises(CameraBusError) as caught:
                assembly.add(offset, total, data)
            self.assertEqual(caught.exception.code, Code.CORRUPT)
            self.assertEqual(assembly.offset, 100)

    def test_an_asset_does_not_grow_while_it_comes(self) -> None:
        assembly = Assembly(io.BytesIO())
        assembly.add(0, 10, b"12345")
        with self.assertRaises(CameraBusError) as caught:
            assembly.add(5, 2 ** 40, b"12345")
        self.assertEqual(caught.exception.code, Code.CORRUPT)

    def test_a_chunk_without_bytes_is_refused(self) -> None:
        with self.assertRaises(CameraBusError) as caught:
            Assembly(io.BytesIO(CONTENT[:100])).add(100, 10_000, b"")
        self.assertEqual((caught.exception.code, caught.exception.retryable), (Code.CORRUPT, False))

    def test_other_bytes_of_the_same_number_are_found_out(self) -> None:
        with self.assertRaises(CameraBusError) as caught:
            Assembly(io.BytesIO(b"x" + CONTENT[1:])).finish(asset())
        self.assertEqual(caught.exception.code, Code.CORRUPT)

    def test_a_file_cut_short_is_found_out(self) -> None:
        with self.assertRaises(CameraBusError):
            Assembly(io.BytesIO(CONTENT[:-1])).finish(asset())


class Fetching(unittest.TestCase):
    """Downloads from a fake node."""

    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.bus = self.enterContext(CameraBus(self.node.control, patience=0.2))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "file"

    def send(self, start: int, count: int = 1, size: int = 1000, final: bool = False) -> list[dict[str, Any]]:
        """Replies with chunks of the content from an offset, and with the final reply if `final` is
        set.
        """
        replies: list[dict[str, Any]] = []
        for offset in range(start, min(start + count * size, len(CONTENT)), size):
            replies.append({"chunk": messages.DownloadChunk(offset=offset, total=len(CONTENT)),
                            "attachment": CONTENT[offset:offset + size]})
        return replies + ([{"download": messages.DownloadResult(asset=asset())}] if final else [])

    def test_a_file_appears_when_it_is_whole_and_nothing_is_left_beside_it(self) -> None:
        seen = []
        self.node.answers["download"] = lambda request: self.send(request.download.offset, 10, final=True)

        def watch(received: int, total: int) -> None:
            seen.append((received, total, self.path.exists()))

        self.assertEqual(self.bus.download(asset(), self.path, watch), asset())
        self.assertEqual(self.path.read_bytes(), CONTENT)
        self.assertEqual(os.listdir(self.folder), ["file"])
        self.assertEqual(seen, [(count * 1000, 10_000, False) for count in range(1, 11)])

    def test_an_empty_asset_is_a_file_too(self) -> None:
        self.node.answers["download"] = lambda request: [{"download": messages.DownloadResult(asset=asset(b""))}]
        self.assertEqual(self.bus.read(ID), b"")

    def test_no_more_is_read_into_memory_than_the_asset_has(self) -> None:
        self.node.answers["download"] = lambda request: [
            {"chunk": messages.DownloadChunk(offset=0, total=2 ** 40), "attachment": CONTENT}]
        with self.assertRaises(CameraBusError) as caught:
            self.bus.read(asset())
        self.assertEqual(caught.exception.code, Code.CORRUPT)
        self.assertIn(f"which has {len(CONTENT)}", caught.exception.message)

    def test_no_more_is_written_to_a_file_than_the_asset_has(self) -> None:
        self.node.answers["download"] = lambda request: [
            {"chunk": messages.DownloadChunk(offset=0, total=2 ** 40), "attachment": CONTENT}]
        for path in (self.path, self.resumed()):
            with self.assertRaises(CameraBusError) as caught:
                self.bus.download(asset(), path)
            self.assertEqual(caught.exception.code, Code.CORRUPT)
            self.assertIn(f"which has {len(CONTENT)}", caught.exception.message)
            self.assertEqual(os.listdir(self.folder), [])

    def resumed(self) -> Path:
        """The path of a file whose beginning is there."""
        (self.folder / "file.camerabus.part").write_bytes(CONTENT[:100])
        return self.path

    def test_chunks_without_bytes_end_a_download(self) -> None:
        self.node.answers["download"] = lambda request: [
            {"chunk": messages.DownloadChunk(offset=0, total=len(CONTENT)), "attachment": b""},
            *self.send(0, 10, final=True)]
        for name in (asset(), ID):
            with self.assertRaises(CameraBusError) as caught:
                self.bus.read(name)
            self.assertEqual(caught.exception.code, Code.CORRUPT)
        self.assertEqual(len(self.node.of("download")), 2)

    def test_another_asset_is_found_out(self) -> None:
        other = messages.Asset(id=bytes(16), byte_count=len(CONTENT), sha256=hashlib.sha256(CONTENT).digest())
        self.node.answers["download"] = lambda request: [
            *self.send(0, 10), {"download": messages.DownloadResult(asset=other)}]
        with self.assertRaises(CameraBusError) as caught:
            self.bus.read(asset())
        self.assertEqual(caught.exception.code, Code.CORRUPT)

    def test_silence_is_answered_by_going_on_under_a_new_id(self) -> None:
        self.node.answers["download"] = lambda request: self.send(
            request.download.offset, 4, final=request.download.offset >= 8000)
        self.assertEqual(self.bus.read(asset()), CONTENT)
        requests = [request for request, _ in self.node.of("download")]
        self.assertEqual(sorted({request.download.offset for request in requests}), [0, 4000, 8000])
        self.assertEqual(len({request.id for request in requests}), len(requests))
        self.assertGreaterEqual(len({sender for _, sender in self.node.of("download")}), 3, "not over new connections")
        self.node.await_requests("cancel", len(requests) - 1)
        self.assertEqual([request.cancel.request for request, _ in self.node.of("cancel")],
                         [request.id for request in requests[:-1]])

    def test_a_node_that_stays_silent_is_given_up(self) -> None:
        with self.assertRaises(CameraBusError) as caught:
            run(fetch(self.bus._client.connection, ID, Assembly(io.BytesIO()), patience=1))
        self.assertEqual(caught.exception.code, Code.UNREACHABLE)

    def test_an_error_that_may_pass_is_waited_out_and_another_is_not(self) -> None:
        busy = messages.Error(code=messages.ERROR_CODE_BUSY, message="too many", retryable=True)
        gone = messages.Error(code=messages.ERROR_CODE_NO_SUCH_ASSET, message="gone")
        self.node.answers["download"] = in_turn(
            [*self.send(0, 3), {"error": busy}], [*self.send(3000, 3), {"error": gone}])
        with self.assertRaises(CameraBusError) as caught:
            self.bus.download(asset(), self.path)
        self.assertEqual(caught.exception.code, Code.NO_SUCH_ASSET)
        self.assertFalse(self.path.exists())

    def test_the_next_call_goes_on_with_what_the_last_one_left(self) -> None:
        self.node.answers["download"] = lambda request: self.send(request.download.offset, 3)

        class Enough(Exception):
            pass

        def stop(received: int, total: int) -> None:
            if received == 3000:
                raise Enough

        with self.assertRaises(Enough):
            self.bus.download(asset(), self.path, stop)
        self.node.await_requests("cancel", 1)
        self.node.answers["download"] = lambda request: self.send(request.download.offset, 10, final=True)
        self.bus.download(asset(), self.path)
        self.assertEqual(self.path.read_bytes(), CONTENT)
        self.assertEqual([request.download.offset for request, _ in self.node.of("download")], [0, 3000])

    def test_bytes_that_do_not_add_up_are_thrown_away(self) -> None:
        (self.folder / "file.camerabus.part").write_bytes(b"rubbish")
        self.node.answers["download"] = lambda request: self.send(7, 10, final=True)
        with self.assertRaises(CameraBusError) as caught:
            self.bus.download(asset(), self.path)
        self.assertEqual(caught.exception.code, Code.CORRUPT)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_part_that_does_not_fit_costs_time_and_no_more(self) -> None:
        (self.folder / "file.camerabus.part").write_bytes(b"rubbish")
        self.node.answers["download"] = lambda request: self.send(request.download.offset, 10, final=True)
        self.bus.download(asset(), self.path)
        self.assertEqual(self.path.read_bytes(), CONTENT)
        self.assertEqual([request.download.offset for request, _ in self.node.of("download")], [7, 0])

    def test_a_part_that_is_longer_than_the_asset_costs_time_and_no_more(self) -> None:
        (self.folder / "file.camerabus.part").write_bytes(CONTENT + b"more")
        beyond = messages.Error(code=messages.ERROR_CODE_INVALID_ARGUMENT, message="beyond the end")
        self.node.answers["download"] = in_turn([{"error": beyond}], self.send(0, 10, final=True))
        self.bus.download(asset(), self.path)
        self.assertEqual(self.path.read_bytes(), CONTENT)
        self.assertEqual([request.download.offset for request, _ in self.node.of("download")], [len(CONTENT) + 4, 0])

    def test_a_damaged_asset_is_not_tried_again_and_leaves_nothing(self) -> None:
        damaged = messages.Error(code=messages.ERROR_CODE_ASSET_DAMAGED, message="it is gone")
        self.node.answers["download"] = lambda request: [*self.send(0, 3), {"error": damaged}]
        with self.assertRaises(CameraBusError) as caught:
            self.bus.download(asset(), self.path)
        self.assertEqual((caught.exception.code, caught.exception.retryable), (Code.ASSET_DAMAGED, False))
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(len(self.node.of("download")), 1)

    def test_credit_is_topped_up_while_chunks_come(self) -> None:
        size = 100
        self.node.answers["download"] = lambda request: self.send(0, 100, size, final=True)
        run(fetch(self.bus._client.connection, ID, Assembly(io.BytesIO()), credit=8))
        self.node.await_requests("download_credit", 25)
        [(request, _)] = self.node.of("download")
        credits = [credit.download_credit for credit, _ in self.node.of("download_credit")]
        self.assertEqual(request.download.credit, 8)
        self.assertEqual([credit.chunks for credit in credits], [4] * 25)
        self.assertEqual({credit.download for credit in credits}, {request.id})
        self.assertEqual(len({credit.id for credit, _ in self.node.of("download_credit")}), 25)


if __name__ == "__main__":
    unittest.main()
