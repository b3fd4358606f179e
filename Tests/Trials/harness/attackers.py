"""Hostile clients that speak ZMTP 3.0 by themselves: attackers.py SEED SECONDS CONTROL EVENTS FRAMES IPC ASSET.

IPC is the folder of the node's ipc sockets. They run in a process of their own, with the lowest priority, so that they do not take the processor
from the honest ones. The names of the attacks are printed with what each has done.
"""

import os
import random
import socket
import sys
import threading
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[3] / "Protocol" / "python")]

from camerabus import messages  # noqa: E402
from camerabus.framing import write_request  # noqa: E402

DAY = 86_400 * 10 ** 9
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48)


class Peer:
    """A connection to a node that sends what it likes."""

    def __init__(self, endpoint, kind=None, identity=b""):
        if endpoint.startswith("/"):
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.settimeout(5)
            self._socket.connect(endpoint)
        else:
            host, port = endpoint.removeprefix("tcp://").rsplit(":", 1)
            self._socket = socket.create_connection((host, int(port)), 5)
        self._socket.settimeout(5)
        if kind:
            ready = b"\x05READY" + self._property(b"Socket-Type", kind.encode()) + self._property(b"Identity", identity)
            self.send(GREETING + bytes([4, len(ready)]) + ready)
            self._socket.recv(64, socket.MSG_WAITALL)

    @staticmethod
    def _property(name, value):
        return bytes([len(name)]) + name + len(value).to_bytes(4, "big") + value

    def send(self, content):
        self._socket.sendall(content)

    def part(self, content, more=False):
        if len(content) > 255:
            self.send(bytes([2 | more]) + len(content).to_bytes(8, "big") + content)
        else:
            self.send(bytes([more, len(content)]) + content)

    def request(self, **fields):
        parts = write_request(messages.Request(id=os.urandom(16), **fields))
        for part in parts[:-1]:
            self.part(part, more=True)
        self.part(parts[-1])

    def drain(self):
        """Throws away what the node has sent."""
        self._socket.setblocking(False)
        try:
            while self._socket.recv(1 << 20):
                pass
        except BlockingIOError:
            pass
        finally:
            self._socket.settimeout(5)

    def close(self):
        self._socket.close()


class Attackers:
    def __init__(self, seed, seconds, control, events, frames, ipc, asset):
        self.random = random.Random(seed)
        self.until = time.monotonic() + seconds
        self._endpoints = {
            "control": (control, f"{ipc}/control"), "events": (events, f"{ipc}/events"),
            "frames": (frames, f"{ipc}/frames")}
        self.asset = bytes.fromhex(asset)
        self.done = {}

    def run(self):
        attacks = [
            self.ids, self.forged_ends, self.odd_sizes, self.endless_message, self.empty_parts, self.many_subscriptions,
            self.unread_replies, self.silence, self.downloads, self.noise, self.unread_frames, self.taken_identities,
            self.returns, self.repeated_fields, self.empty_elements, self.lists, self.pings, self.distant_photos,
            *[self.photos] * 8]
        threads = [threading.Thread(target=self._repeat, args=(attack,)) for attack in attacks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(", ".join(f"{name} {count}" for name, count in sorted(self.done.items())))

    def _repeat(self, attack):
        """Begins again whenever the node has ended the connection."""
        while time.monotonic() < self.until:
            try:
                attack()
            except OSError:
                time.sleep(0.02)

    def _goes_on(self, name):
        self.done[name] = self.done.get(name, 0) + 1
        return time.monotonic() < self.until

    def peer(self, name, kind=None, identity=b""):
        """Connects to an endpoint over tcp or ipc."""
        return Peer(self.random.choice(self._endpoints[name]), kind, identity)

    def any_peer(self, is_greeting=True):
        name = self.random.choice(list(self._endpoints))
        return self.peer(name, ("DEALER" if name == "control" else "SUB") if is_greeting else None)

    def ids(self):
        """Photos whose ids a node must remember for a day."""
        peer = self.peer("control", "DEALER")
        capture = messages.CaptureRequest(camera="cam", no_older_than_ns=10 ** 12, transient=True)
        while self._goes_on("ids"):
            peer.request(remaining_ns=DAY, capture=capture)
            peer.drain()

    def forged_ends(self):
        """Ends of subscriptions that others have, and the same subscription again and again."""
        peers = [self.peer("events", "SUB"), self.peer("frames", "SUB")]
        while self._goes_on("forged ends"):
            for peer in peers:
                for prefix in (b"frame/cam/preview/", b"event/", b"heartbeat/"):
                    peer.part(b"\x00" + prefix)
                    if self.random.random() < 0.3:
                        peer.part(b"\x01" + prefix)
                peer.drain()

    def odd_sizes(self):
        peer = self.peer("frames", "SUB")
        while self._goes_on("odd sizes"):
            peer.part(b"\x01frame/cam/%dx%d/" % (self.random.randint(16, 640), self.random.randint(16, 480)))
            peer.drain()
            time.sleep(0.01)

    def endless_message(self):
        peer = self.any_peer()
        part = bytes(self.random.choice([100, 1000, 100_000]))
        while self._goes_on("endless messages"):
            peer.part(part, more=True)

    def empty_parts(self):
        peer = self.peer("control", "DEALER")
        while self._goes_on("empty parts"):
            peer.send(b"\x01\x00" * 1000)

    def many_subscriptions(self):
        peer = self.peer("events", "SUB")
        while self._goes_on("subscriptions"):
            peer.part(b"\x01" + self.random.randbytes(100))

    def unread_replies(self):
        peer = self.peer("control", "DEALER")
        while self._goes_on("unread replies"):
            peer.request(download=messages.DownloadRequest(asset=self.asset, credit=64))
            peer.request(status=messages.StatusRequest())

    def silence(self):
        peers = []
        try:
            while self._goes_on("silent connections"):
                peers.append(self.any_peer(is_greeting=False))
                if len(peers) > 500:
                    return
        finally:
            for peer in peers:
                peer.close()

    def downloads(self):
        peer = self.peer("control", "DEALER")
        while self._goes_on("downloads"):
            peer.request(remaining_ns=DAY, download=messages.DownloadRequest(asset=self.asset, credit=1))
            peer.drain()
            time.sleep(0.005)

    def noise(self):
        """Bytes that are no ZMTP, after a greeting or without one."""
        peer = self.any_peer(is_greeting=self.random.random() < 0.5)
        while self._goes_on("noise"):
            peer.send(self.random.randbytes(self.random.randint(1, 1000)))

    def unread_frames(self):
        peer = self.peer("frames", "SUB")
        peer.part(b"\x01frame/cam/full/")
        while self._goes_on("unread frames"):
            time.sleep(0.1)

    def taken_identities(self):
        """Connections that say they are another one that still talks."""
        identity = self.random.randbytes(8)
        peers = [self.peer("control", "DEALER", identity)]
        while self._goes_on("taken identities"):
            peers = [*peers[-4:], self.peer("control", "DEALER", identity)]
            for peer in peers:
                peer.request(status=messages.StatusRequest())
                peer.drain()

    def returns(self):
        """Subscribers that come back again and again."""
        while self._goes_on("returns"):
            peer = self.peer("frames", "SUB")
            for _ in range(100):
                peer.part(b"\x01frame/cam/%dx%d/" % (self.random.randint(16, 640), self.random.randint(16, 480)))
            peer.close()

    def repeated_fields(self):
        """Requests of a megabyte that set the same field again and again."""
        body = messages.Request(capture=messages.CaptureRequest(camera="cam")).SerializeToString()
        peer = self.peer("control", "DEALER")
        while self._goes_on("repeated fields"):
            peer.part(b"CB1", more=True)
            peer.part(body * ((1 << 20) // len(body)))
            peer.drain()
            time.sleep(0.1)

    def empty_elements(self):
        """Requests of a megabyte of elements without content, a second one before the first is answered."""
        kinds = (messages.Request(controls_set=messages.ControlsSetRequest(camera="cam")), b"\x7a", b"\x12\x00"), (
            messages.Request(), b"\xc2\x01", b"\x0a\x00")
        peer = self.peer("control", "DEALER")
        while self._goes_on("empty elements"):
            request, tag, element = self.random.choice(kinds)
            elements = element * 500_000
            peer.part(b"CB1", more=True)
            peer.part(request.SerializeToString() + tag + self._varint(len(elements)) + elements)
            peer.drain()
            time.sleep(0.05)

    @staticmethod
    def _varint(number):
        content = bytearray()
        while number > 127:
            content.append(number & 127 | 128)
            number >>= 7
        return bytes(content) + bytes([number])

    def lists(self):
        """Lists of all assets, from clients that leave before they are answered."""
        while self._goes_on("lists"):
            peer = self.peer("control", "DEALER")
            for _ in range(64):
                peer.request(assets=messages.AssetsRequest(limit=1000))
            peer.close()
            time.sleep(0.05)

    def pings(self):
        """Pings, which libzmq answers by itself."""
        peer = self.any_peer()
        while self._goes_on("pings"):
            peer.send(b"\x04\x07\x04PING\x00\x0a" * 1000)
            peer.drain()
            time.sleep(0.05)

    def distant_photos(self):
        """Photos of a moment that is hours away, which keep a place until then."""
        peer = self.peer("control", "DEALER")
        moment = time.clock_gettime_ns(time.CLOCK_MONOTONIC) + DAY // 24
        while self._goes_on("distant photos"):
            peer.request(remaining_ns=DAY, capture=messages.CaptureRequest(camera="cam", at_monotonic_ns=moment))
            peer.drain()
            time.sleep(0.01)

    def photos(self):
        """More photos than the camera can take."""
        peer = self.peer("control", "DEALER")
        capture = messages.CaptureRequest(
            camera="cam", next=messages.CaptureRequest.Next(), transient=True, inline_limit=1 << 20)
        while self._goes_on("photos"):
            peer.request(capture=capture)
            peer.drain()
            time.sleep(0.002)


if __name__ == "__main__":
    os.nice(19)
    Attackers(int(sys.argv[1]), float(sys.argv[2]), *sys.argv[3:]).run()
