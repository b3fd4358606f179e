"""Clients that stop reading do not disturb others, and the node drops them."""

import contextlib
import hashlib
import os
import struct
import tempfile
import time
from pathlib import Path

import zmq
from camerabus import Published, messages
from camerabus.framing import read_reply, write_request

from harness.control import Control
from harness.link import Link
from harness.movies import CAMERA, record
from harness.node import Node
from harness.photographer import Photographer
from harness.processes import UseSampler
from harness.record import PATIENCE
from harness.trial import longest_pause, megabytes
from harness.watching import EventWatcher, FrameWatcher

CAM = "cam=synthetic:640x360@30"
SIZE = 20_000_000
PICTURE = 1_000_000
DOWNLOADERS = 8
CREDIT = 64
DOWNLOAD_PATIENCE = 60  # seconds without credit after which a download ends
DOWNLOAD = 2 << 20  # bytes that may wait for one downloader, including the chunk that is being read
REPLIES = 32 << 20  # bytes that may wait for one client that does not read
ANSWERS = 16 << 20  # bytes of answers that the node keeps for repetitions
NOISE = 24 << 20  # bytes by which a node's memory varies anyway
LONGEST_PAUSE = 1.0


def run(trial):
    with contextlib.ExitStack() as stack:
        node = stack.enter_context(Node(CAM, CAMERA))
        asset = record(node, SIZE)
        dead_downloaders(trial, node, asset, Others(stack, node))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="camerabus-trial-"))
        make_large_picture(Path(folder) / "large.jpg")
        node = stack.enter_context(Node(f"cam=files:{folder},@30"))
        dead_requester(trial, node, Others(stack, node))


def make_large_picture(path):
    """Makes a JPEG of nearly the largest size that a reply may carry: a photo filled up with
    comments.
    """
    with Node(CAM) as node:
        node.camctl("capture", "--output", path)
    photo = path.read_bytes()
    comment = b"\xff\xfe" + struct.pack(">H", 65_535) + bytes(65_533)
    count = (PICTURE - len(photo)) // len(comment)
    path.write_bytes(photo[:2] + comment * count + photo[2:])


class Others:
    """A photographer and a subscriber that must not notice anything."""

    def __init__(self, stack, node):
        self.photographer = stack.enter_context(Photographer(node.control, "cam"))
        self.previews = stack.enter_context(FrameWatcher(node.control, "cam"))
        self.control = Control(stack, CAM)
        self.photographer.wait_for_count(30)
        self.previews.wait_for_count(30)

    def figure(self, start, end):
        frames = self.previews.between(start, end)
        photos = self.photographer.between(start, end)
        failures = self.photographer.failures
        assert len(failures) <= len(self.control.photographer.failures), f"{len(failures)} captures of others failed, first with {failures[0]}"
        pauses = longest_pause(photos, start, end), longest_pause(frames, start, end)
        seconds = end - start
        text = (f"others meanwhile: {len(photos) / seconds:.1f} photos/s (longest pause {pauses[0]:.2f} s), "
                f"{len(frames) / seconds:.1f} previews/s ({pauses[1]:.2f} s); of another node's clients "
                f"{self.control.longest_pause(start, end):.2f} s")
        assert max(pauses) < self.control.allowed_pause(LONGEST_PAUSE, start, end), text
        return text


def dead_downloaders(trial, node, asset, others):
    """Stops one real client during its download, while other clients ask for downloads and read
    nothing.
    """
    path = node.folder / "stopped.mkv"
    with contextlib.ExitStack() as stack:
        sampler = stack.enter_context(UseSampler(node.pid))
        link = stack.enter_context(Link(4_000_000))
        before, start = node.memory(), time.monotonic()
        stopped = stack.enter_context(node.follow(
            "download", asset.id.hex(), "--output", path, control=link.forward(node.control)))
        link.wait_for_bytes(node.control, SIZE // 4)
        stopped.pause()
        silent = [stack.enter_context(Silent(node.control)) for _ in range(DOWNLOADERS - 1)]
        for client in silent:
            client.send(download=messages.DownloadRequest(asset=asset.id, credit=CREDIT))
        node.wait_for(lambda: node.opened(asset.path) == DOWNLOADERS, "all downloads")
        begun = time.monotonic()
        if trial.is_short:
            others.photographer.wait_for_more(60)
        else:
            node.wait_for(lambda: node.opened(asset.path) == 0, "end of the downloads", DOWNLOAD_PATIENCE + PATIENCE)
            trial.figure(f"{DOWNLOADERS} dead downloads ended after {time.monotonic() - begun:.0f} s without credit")
        end = time.monotonic()
        growth = sampler.memory - before
        trial.figure(f"memory {megabytes(before)}, {megabytes(sampler.memory)} at most; {others.figure(start, end)}")
        assert growth < DOWNLOADERS * DOWNLOAD + NOISE, f"the node took {megabytes(growth)} more memory"
        if not trial.is_short:
            for client in silent:
                final = client.read_to_end()
                assert final.error.code == messages.ERROR_CODE_DEADLINE_EXCEEDED, final
        stopped.resume()
        status = stopped.join()
        assert status == 0, f"camctl ended with {status} after it was resumed: {node.errors()}"
        assert hashlib.sha256(path.read_bytes()).digest() == asset.sha256
        trial.figure("the stopped client resumed its download and has the right hash")


def dead_requester(trial, node, others):
    """Runs a client that asks for photos with their pictures again and again and reads no reply."""
    count = trial.rounds(500, 200)
    with Silent(node.control) as client, EventWatcher(node.control) as monitor:
        monitor.wait_for_snapshot()
        before, start = node.memory(), time.monotonic()
        sizes = []
        with UseSampler(node.pid) as sampler:
            for _ in range(count):
                place = len(monitor.seen)
                id = client.send(capture=messages.CaptureRequest(
                    next=messages.CaptureRequest.Next(), transient=True, inline_limit=1 << 20))
                _, notice = monitor.wait_for(lambda notice: is_end(notice, id), "end of a dead requester's photo", place)
                capture = notice.event.capture
                assert capture.HasField("completed"), f"a dead requester's photo failed: {capture.failed.message}"
                sizes.append(capture.completed.byte_count)
        end = time.monotonic()
        trial.figure(
            f"a dead requester with {len(sizes)} pictures of {megabytes(sum(sizes))} in all: memory {megabytes(before)}, "
            f"{megabytes(sampler.memory)} at most; {others.figure(start, end)}")
        growth = sampler.memory - before
        assert growth < REPLIES + ANSWERS + NOISE, f"the node took {megabytes(growth)} more memory"


def is_end(notice, id):
    """Whether the notice is the end of this request's capture."""
    return (isinstance(notice, Published) and notice.event.capture.WhichOneof("body") in ("completed", "failed")
            and notice.event.capture.request_id == id)


class Silent:
    """A client that sends requests, but reads no reply before `read_to_end`."""

    def __init__(self, control):
        self._socket = zmq.Context.instance().socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.RCVHWM, 1)
        self._socket.setsockopt(zmq.RCVBUF, 64 << 10)
        self._socket.connect(control)

    def send(self, **body):
        request = messages.Request(id=os.urandom(16), **body)
        self._socket.send_multipart(write_request(request))
        return request.id

    def read_to_end(self):
        """Reads all waiting replies up to the final one, and returns it."""
        while self._socket.poll(PATIENCE * 1000):
            reply, _ = read_reply(self._socket.recv_multipart())
            if reply.final:
                return reply
        raise AssertionError("no final reply came")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()
