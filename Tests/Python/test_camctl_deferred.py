"""What `camctl` says while photos are still to be made, with a fake node."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from camerabus import messages
from fake import FakeNode, Replies
from node import PATIENCE, program
from test_camctl import camctl

REQUEST = os.urandom(16)
FINAL = b"final photo"


class Deferred(unittest.TestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.proxies = [self.asset(b"proxy", number, "image/jpeg", messages.DEFERRAL_PENDING) for number in range(2)]
        self.final = self.asset(FINAL, 2, "image/png", messages.DEFERRAL_UNSPECIFIED)
        self.final.replaces = self.proxies[0].id
        self.node.answers.update(assets=self.listed, download=self.send)

    def asset(self, data: bytes, number: int, media_type: str, deferral: messages.Deferral.ValueType) -> messages.Asset:
        return messages.Asset(
            id=bytes([number]) * 16, camera="cam", request_id=REQUEST, media_type=media_type, byte_count=len(data),
            sha256=hashlib.sha256(data).digest(), created_wall_ns=1_800_000_000_000_000_000, deferral=deferral,
            path=f"cam/cam-{number}.{media_type[6:]}")

    @property
    def library(self) -> list[messages.Asset]:
        done = self.proxies[0].deferral == messages.DEFERRAL_DONE
        return ([self.final] if done else []) + self.proxies

    def listed(self, request: messages.Request) -> Replies:
        asked = request.assets
        return [{"assets": messages.AssetsReply(assets=[
            asset for asset in self.library
            if asset.id.startswith(asked.id) and asked.deferral in (messages.DEFERRAL_UNSPECIFIED, asset.deferral)])}]

    def send(self, request: messages.Request) -> Replies:
        [asset] = [asset for asset in self.library if asset.id == request.download.asset]
        data = FINAL if asset == self.final else b"proxy"
        return [{"chunk": messages.DownloadChunk(offset=0, total=len(data)), "attachment": data},
                {"download": messages.DownloadResult(asset=asset)}]

    def download(self, *options: str) -> tuple[int, str, list[str]]:
        done = camctl(self.node, "download", "--request", REQUEST.hex(), "-o", self.folder, *options)
        return done.returncode, done.stderr.decode(), sorted(path.name for path in self.folder.iterdir())

    def test_photos_that_are_still_to_be_made_are_told_and_proxies_do_not_stand_in_for_them(self) -> None:
        status, errors, files = self.download()
        self.assertEqual((status, files), (75, []))
        self.assertIn("2 final photos of this request are still to be made", errors)
        self.assertIn("the proxies: camctl assets --deferral pending", errors)
        self.proxies[0].deferral = messages.DEFERRAL_DONE
        status, errors, files = self.download()
        self.assertEqual((status, files), (75, ["cam-2.png"]))
        self.assertIn("1 final photo of this request is still to be made", errors)
        self.assertIn("the proxy: camctl download ", errors)

    def test_a_proxy_whose_final_photo_failed_or_was_deleted_is_fetched(self) -> None:
        self.proxies[0].deferral = self.proxies[1].deferral = messages.DEFERRAL_FAILED
        status, errors, files = self.download()
        self.assertEqual((status, files), (1, ["cam-0.jpeg", "cam-1.jpeg"]))
        self.assertIn("2 final photos of this request cannot be made", errors)
        self.proxies[0].deferral = messages.DEFERRAL_DONE
        self.final.replaces = bytes(16)
        del self.proxies[1]
        self.assertEqual(self.download("--overwrite")[2], ["cam-0.jpeg", "cam-1.jpeg", "cam-2.png"])

    def test_waiting_ends_with_the_time_that_is_given(self) -> None:
        status, errors, files = self.download("--wait", "--timeout", "1s")
        self.assertEqual((status, files), (75, []))
        self.assertIn("was not made within", errors)

    def test_a_capture_that_is_interrupted_while_it_waits_says_where_the_final_photo_will_be(self) -> None:
        def capture(request: messages.Request) -> Replies:
            self.proxies[0].request_id = request.id
            progress = messages.CaptureProgress(step=messages.CaptureProgress.STEP_DID_PROCESS, proxy=True)
            result = messages.CaptureResult(asset=self.proxies[0], sha256=self.proxies[0].sha256, byte_count=5)
            return [{"capture_progress": progress, "attachment": b"proxy"}, {"capture": result}]

        self.node.answers["capture"] = capture
        command = [str(program("camctl")), "--node", self.node.control, "--camera", "cam", "capture", "--deferred", "--wait",
                   "--format", "png", "-o", str(self.folder / "a.png")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as waiting:
            self.node.await_requests("assets", 1)
            waiting.send_signal(signal.SIGINT)
            _, errors = waiting.communicate(timeout=PATIENCE)
        self.assertEqual(waiting.returncode, 130)
        self.assertIn(f"interrupted; later: camctl download --request {self.proxies[0].request_id.hex()}", errors)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["a-proxy.jpg"])

    def test_a_capture_that_is_interrupted_says_where_its_photo_may_be(self) -> None:
        ids: list[bytes] = []

        def capture(request: messages.Request) -> Replies:
            ids.append(request.id)
            return [{"capture_progress": messages.CaptureProgress(step=messages.CaptureProgress.STEP_WILL_BEGIN)}]

        self.node.answers["capture"] = capture
        for options, is_kept in (["--deferred"], True), (["--format", "png"], True), (["--transient"], False):
            command = [str(program("camctl")), "--node", self.node.control, "--camera", "cam", "capture", *options,
                       "-o", str(self.folder / "b.{ext}")]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as waiting:
                self.node.await_requests("capture", len(ids) + 1)
                waiting.send_signal(signal.SIGINT)
                _, errors = waiting.communicate(timeout=PATIENCE)
            self.assertEqual(waiting.returncode, 130)
            hint = f"interrupted; what was kept, if anything: camctl download --request {ids[-1].hex()}"
            self.assertEqual(hint in errors, is_kept, errors)

    def test_lists_say_what_has_become_of_proxies(self) -> None:
        table = camctl(self.node, "assets").stdout.decode()
        self.assertEqual(table.count("proxy, final to come"), 2)
        self.proxies[0].deferral = messages.DEFERRAL_DONE
        self.proxies[1].deferral = messages.DEFERRAL_FAILED
        table = camctl(self.node, "assets").stdout.decode()
        for words in ("proxy, replaced", "proxy, final failed", "replaces 00000000"):
            self.assertIn(words, table)

    def test_the_status_tells_the_photos_that_are_still_to_be_made(self) -> None:
        def status(request: messages.Request) -> Replies:
            status = self.node.status()
            status.library.deferred_photos, status.library.deferred_bytes = 3, 3 << 20
            return [{"status": status}]

        self.assertNotIn(b"to be finished", camctl(self.node, "status").stdout)
        self.node.answers["status"] = status
        self.assertIn(b"3 photos to be finished, which take 3 MiB", camctl(self.node, "status").stdout)
        library = json.loads(camctl(self.node, "status", "--json").stdout)["library"]
        self.assertEqual((library["deferredPhotos"], library["deferredBytes"]), (3, 3 << 20))


if __name__ == "__main__":
    unittest.main()
