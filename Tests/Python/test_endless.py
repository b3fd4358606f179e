"""Tests the client with a node that sends without an end. libzmq keeps the parts of a message until
the last one has come, and whole messages until they are read.
"""

from __future__ import annotations

import queue
import socket
import threading
import unittest
from unittest import mock

from camerabus import AsyncCameraBus, CameraBus, CameraBusError, Code, messages
from fake import A, B, FakeNode

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
# Far more than may wait, also where the thread that measures has its turn late.
MOST = 4 << 30
PATIENCE = 20


class EndlessNode:
    """A port that speaks ZMTP 3.0 by itself, and sends every peer the same part again and again.

    `cut` gets a value for each connection: whether the peer ended it before it got `most` bytes.
    """

    def __init__(self, kind: str, part: bytes, most: int, more: bool = True):
        self.cut: queue.Queue[bool] = queue.Queue()
        self._kind = kind.encode()
        flags, size = (2, 8) if len(part) > 255 else (0, 1)
        frame = bytes([flags | more]) + len(part).to_bytes(size, "big") + part
        self._block = frame * max(1, 65_536 // len(frame))
        self._most = most
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"tcp://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> EndlessNode:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:
                return
            with peer:
                self.cut.put(self._flood(peer))

    def _flood(self, peer: socket.socket) -> bool:
        ready = b"\x05READY\x0bSocket-Type" + len(self._kind).to_bytes(4, "big") + self._kind
        try:
            peer.sendall(GREETING + b"\x04" + bytes([len(ready)]) + ready)
            # libzmq ends the connection if a message comes before it has sent its properties.
            size = peer.recv(64 + 2, socket.MSG_WAITALL)[-1:]
            peer.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
            for _ in range(self._most // len(self._block)):
                peer.sendall(self._block)
        except OSError:
            return True
        return False


class Endless(unittest.IsolatedAsyncioTestCase):
    def assert_cut(self, node: EndlessNode) -> None:
        for _ in range(2):
            self.assertTrue(node.cut.get(timeout=PATIENCE))

    def endless(self, kind: str, part: bytes, most: int = MOST, more: bool = True) -> EndlessNode:
        return self.enterContext(EndlessNode(kind, part, most, more))

    def test_an_answer_that_never_ends(self) -> None:
        for part in (b"x" * 100_000, b"x" * 1000):
            node = self.endless("ROUTER", part)
            with self.subTest(len(part)), CameraBus(node.endpoint, timeout=2) as bus:
                with self.assertRaises(CameraBusError) as caught:
                    bus.status()
                self.assertEqual(caught.exception.code, Code.CORRUPT)
                self.assert_cut(node)

    def test_parts_without_bytes_that_never_end(self) -> None:
        node = self.endless("ROUTER", b"")
        with CameraBus(node.endpoint, timeout=0.01) as bus:
            with self.assertRaises(CameraBusError):
                bus.status()
            self.assert_cut(node)

    async def test_an_answer_that_never_ends_in_asyncio(self) -> None:
        node = self.endless("ROUTER", b"x" * 100_000)
        async with AsyncCameraBus(node.endpoint, timeout=2) as bus:
            with self.assertRaises(CameraBusError) as caught:
                await bus.status()
        self.assertEqual(caught.exception.code, Code.CORRUPT)
        self.assert_cut(node)

    def test_replies_that_nobody_asked_for_while_the_client_does_nothing(self) -> None:
        # More than the client can read and throw away before it gives up.
        node = self.endless("ROUTER", b"x" * 1_000_000, most=16 << 30, more=False)
        with CameraBus(node.endpoint, timeout=0.01) as bus:
            # libzmq connects again when the client reads again.
            for _ in range(2):
                with self.assertRaises(CameraBusError):
                    bus.status()
                self.assertTrue(node.cut.get(timeout=PATIENCE))

    def test_events_and_frames_that_never_end(self) -> None:
        publisher = self.endless("XPUB", b"x" * 1_000_000)
        with FakeNode() as node, CameraBus(
                node.control, timeout=2, events=publisher.endpoint, frames=publisher.endpoint) as bus:
            with bus.events() as events:
                events.next(1)
                self.assertTrue(publisher.cut.get(timeout=PATIENCE))
            with mock.patch("camerabus.frames.WAITING", 64 << 20), bus.frames("cam"):
                self.assertTrue(publisher.cut.get(timeout=PATIENCE))

    def test_replies_that_were_asked_for_may_wait(self) -> None:
        count = 40
        sent = threading.Semaphore(0)
        with FakeNode() as node, CameraBus(node.control, timeout=PATIENCE, patience=PATIENCE) as bus:
            def answer(request: messages.Request) -> list[dict[str, object]]:
                sent.release()
                asset = messages.Asset(id=B, request_id=request.id, camera="cam")
                return [{"capture_progress": messages.CaptureProgress(step=messages.CaptureProgress.STEP_DID_PROCESS),
                         "attachment": bytes(1 << 20)}, {"capture": messages.CaptureResult(asset=asset)}]

            node.answers["capture"] = answer
            captures = [bus.begin_capture(epoch=A) for _ in range(count)]
            for _ in captures:
                sent.acquire()
            for capture in captures:
                with self.assertRaises(CameraBusError):  # the picture does not fit the asset
                    capture.photo()
            self.assertEqual(len(node.of("capture")), count, "a lost reply is asked for again")


if __name__ == "__main__":
    unittest.main()
