"""Tests that a rig on one machine says the truth of its clocks and pictures: the short form of `Tests/Rig/run`."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from node import program

REPOSITORY = Path(__file__).resolve().parents[2]
RIG = REPOSITORY / "Tests" / "Rig" / "run"
PATIENCE = 600  # for all of a scenario, seconds


class Rig(unittest.TestCase):
    def check(self, *scenario: str) -> str:
        """Runs a scenario, which must pass. Returns what it prints."""
        done = subprocess.run(
            [sys.executable, str(RIG), "--short", *scenario], capture_output=True, text=True, timeout=PATIENCE, check=False,
            env={**os.environ, "CAMERABUS_PROGRAMS": str(program("camerad").parent)})
        if "\nskipped: " in done.stdout:
            self.skipTest(done.stdout.rpartition("skipped: ")[2].strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 scenarios passed, 0 failed", done.stdout)
        return done.stdout

    def test_a_link_does_what_it_is_told(self) -> None:
        self.check("delays")

    def test_a_killed_rig_leaves_nothing(self) -> None:
        self.check("remains")

    def test_estimates_of_clocks_are_true_and_precise(self) -> None:
        self.check("clocks")

    def test_a_shot_is_all_or_none_whoever_is_killed(self) -> None:
        self.check("kills")

    def test_movies_line_up(self) -> None:
        self.check("movies")

    def test_free_cameras_get_a_common_phase(self) -> None:
        self.check("phase")

    def test_shots_say_when_they_were_taken(self) -> None:
        self.assertIn("noticed: node1", self.check("shots"))

    def test_a_machine_that_forbids_namespaces_is_skipped_with_the_reason(self) -> None:
        if os.geteuid():
            self.skipTest("only root can take its own rights")
        done = subprocess.run(
            ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", sys.executable, str(RIG), "--short", "delays"],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped: no namespaces for the network here (", done.stdout)
        self.assertIn("--privileged", done.stdout)

    def test_the_demonstration_takes_a_photo_with_all_and_ends_with_its_nodes(self) -> None:
        process = subprocess.Popen(
            [REPOSITORY / "Deploy" / "rig-demo"], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "CAMERABUS_PROGRAMS": str(program("camerad").parent)})
        with process:
            assert process.stdout
            printed = []
            for line in process.stdout:
                printed.append(line)
                if "until Ctrl-C" in line:
                    break
            try:
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                ends = [os.pidfd_open(int(child)) for child in children]
                self.assertEqual(len(ends), 8, "".join(printed))
            finally:
                process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(PATIENCE), 0)
        poll = select.poll()
        for end in ends:
            poll.register(end, select.POLLIN)
            # The demonstration waits for its nodes.
            self.assertEqual(len(poll.poll(0)), 1)
            poll.unregister(end)
            os.close(end)
        self.assertIn("complete: 8 of 8 pictures", "".join(printed))
        folder = REPOSITORY / ".build" / "rig-demo" / "shot"
        shot = json.loads((folder / "shot.json").read_text())
        for part in shot["parts"]:
            offset = part["picture"]["offset"]["mostNanoseconds"]
            self.assertLess(abs(offset), 200_000_000, "of frames 66.7 ms apart; a busy machine may lose some")
        # With the contact sheet.
        self.assertEqual(len([file for file in folder.glob("*.jpg") if file.read_bytes().startswith(b"\xff\xd8")]), 9)


if __name__ == "__main__":
    unittest.main()
