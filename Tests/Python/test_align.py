"""Tests how a rig brings cameras whose frames begin with their streams to a common phase: blocking and in asyncio."""

import json
import subprocess
import time
import unittest
from typing import Any

from both_rigs import WithBothRigs
from camerabus import (
    Bounds, CameraBus, CameraBusError, CameraPhase, Code, NEXT, RigAlignment, RigAlignmentPart, RigNodeStatus, messages)
from expecting import is_a, present
from node import PATIENCE, Node, program
from test_firing import SECOND, ShotNode, WithFakes
from test_rig_client import keys


class WithFreeCameras(WithBothRigs):
    def setUp(self) -> None:
        # One device takes longer from the beginning of its stream to its first frame.
        self.nodes = [self.enterContext(Node(f"cam=synthetic:160x120@25,free=on,phase={lag}ms")) for lag in (0, 9, 0)]
        self.rig: list[object] = [{"node": node.control, "name": f"n{number}"} for number, node in enumerate(self.nodes)]

    def camctl(self, *words: str, status: int = 0) -> list[Any]:
        words = *words, *(word for node in self.nodes for word in ("--node", node.control)), "--json"
        done = subprocess.run([program("camctl"), "rig", *words], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def phases(self) -> list[float]:
        """Of the cameras, by the timestamps of their frames, which have this machine's clock: milliseconds."""
        moments = []
        for node in self.nodes:
            with CameraBus(node.control) as bus:
                moments.append(bus.capture(NEXT).resolved.timestamp.monotonic_ns)
        apart = [(moment - moments[0]) % 40_000_000 / 1e6 for moment in moments]
        return [phase - 40 if phase > 20 else phase for phase in apart]

    def align(self, *arguments: Any, **options: Any) -> RigAlignment:
        return is_a(RigAlignment, self.side.call("align", *arguments, **options))


class Alignments(WithFreeCameras):
    def test_free_cameras_get_a_common_phase(self) -> None:
        def test() -> None:
            with CameraBus(self.nodes[1].control) as bus:  # which has another phase then
                bus.stop_session()
                bus.start_session()
            self.side.open(self.rig)
            # A busy machine begins streams late.
            alignment = self.align(tolerance=0.004, tries=20)
            self.assertTrue(alignment.is_complete, alignment)
            self.assertEqual((alignment.reference, alignment.parts[0].restarts), ("n0-cam", 0))
            for seen, part in zip(self.phases(), alignment.parts):
                self.assertLessEqual(abs(seen), 4.2)
                self.assertLess(abs(present(part.after).least / 1e6 - seen), 0.2)
                self.assertIsNotNone(part.before)
            theirs = self.camctl("align", "--tolerance", "4ms", "--tries", "20")[0]
            self.assertEqual(keys(alignment.json()) | {"parts": None}, keys(theirs) | {"parts": None})
            for ours, other in zip(alignment.json()["parts"], theirs["parts"]):
                self.assertEqual(keys(ours), keys(other))
            # A second time there is nothing to do.
            self.assertEqual([part.restarts for part in self.align(tolerance=0.004).parts], [0, 0, 0])
            # The state says the phases, as that of camctl does.
            states = self.side.call("status")
            for state, other in zip(states, self.camctl("status")):
                [phase] = is_a(RigNodeStatus, state).phases
                self.assertLessEqual(abs(phase.phase.middle), 4_200_000)
                self.assertEqual(keys(phase.json()), keys(other["phases"][0]))
            self.assertEqual(states[0].phases, (CameraPhase("cam", Bounds(0, 0), 0.0),))

        self.both(test)

    def test_a_camera_that_records_is_left_alone_and_one_of_another_rate_is_named(self) -> None:
        other = self.enterContext(Node("cam=synthetic:160x120@20,free=on"))

        def test() -> None:
            with CameraBus(self.nodes[1].control) as bus:
                bus.start_recording()
                self.side.open([*self.rig, {"node": other.control, "name": "slow"}])
                alignment = self.align(1e-6, 1)
                self.assertFalse(alignment.is_complete)
                recording, slow = (present(alignment.parts[index].problem) for index in (1, 3))
                self.assertEqual((recording.code, slow.code), (Code.CONFLICT, Code.CONFLICT))
                self.assertIn("records", recording.message)
                self.assertIn("give both the same rate", slow.message)
                self.assertEqual(bus.stop_recording().reason, messages.RecordResult.END_REASON_STOPPED)
                # One of another rate has no phase beside the others.
                self.assertEqual([len(state.phases) for state in self.side.call("status")], [1, 1, 1, 0])

        self.both(test)

    def test_what_cannot_be_reached_has_its_reason(self) -> None:
        def test() -> None:
            # Half an interval away, whenever the other one began.
            with CameraBus(self.nodes[0].control) as bus:
                moment = bus.capture(NEXT).resolved.timestamp.monotonic_ns
            phase = (moment + 20_000_000) % 40_000_000
            with Node(f"cam=synthetic:160x120@25,phase={phase}ns") as fixed, Node("cam=synthetic:160x120@25") as gone:
                self.side.open([gone.control, self.nodes[0].control, fixed.control], presence=0.5)
                gone.kill_for_good()
                alignment = self.align(tries=1)
                self.assertEqual([part.is_aligned for part in alignment.parts], [False, True, False])
                self.assertEqual(present(alignment.parts[0].problem).code, Code.UNREACHABLE)
                self.assertIn("does not begin its frames at the same time", present(alignment.parts[2].problem).message)
                self.assertEqual((alignment.parts[2].restarts, alignment.reference), (1, alignment.parts[1].camera))

        self.both(test)


class Values(WithFakes):
    def test_wrong_values_are_told_before_anything_is_sent(self) -> None:
        def test() -> None:
            with self.nodes(("a",)) as nodes:
                self.open(nodes)
                for field, options in (("tolerance", {"tolerance": 0}), ("tolerance", {"tolerance": "1ms"}),
                                       ("tries", {"tries": -1}), ("tries", {"tries": 101}), ("tries", {"tries": 0.5})):
                    with self.assertRaises(CameraBusError) as caught:
                        self.side.call("align", **options)
                    self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, field))
                self.assertEqual(nodes[0].requests, [])

        self.both(test)

    def test_the_phases_of_cameras_are_those_of_their_nodes_clocks(self) -> None:
        class Paced(ShotNode):
            """A node whose camera takes a frame at a moment, and says of its line what the test says."""

            moment, interval_ns = 0, SECOND / 25

            def status(self) -> messages.StatusReply:
                status = super().status()
                status.cameras[0].pace.newest.monotonic_ns = self.moment + self.ahead
                status.cameras[0].pace.interval_ns = self.interval_ns
                status.cameras[0].pace.frames = 100
                return status

        def test() -> None:
            with Paced(("a",), 7 * SECOND) as first, Paced(("b",), -3 * SECOND) as second, Paced(("c",)) as third:
                nodes = [is_a(Paced, node) for node in (first, second, third)]
                now = time.monotonic_ns()
                for node, late in zip(nodes, (0, 9_000_000, 0)):
                    node.moment = now + late
                nodes[1].interval_ns *= 1 + 20e-6
                self.open(list(nodes))
                for interval in (0, -1, float("nan"), float("inf"), SECOND / 30):
                    nodes[2].interval_ns = interval
                    states = self.side.call("status")
                    [[reference], [phase], none] = [state.phases for state in states]
                    self.assertEqual((reference.phase, reference.drift, none), (Bounds(0, 0), 0, ()))
                    self.assertTrue(phase.phase.least <= 9_000_000 <= phase.phase.most)
                    self.assertAlmostEqual(phase.drift, 20, 3)
                # Where the first one's line is of no use, the second one is the reference.
                nodes[0].interval_ns = 0
                self.assertEqual([len(state.phases) for state in self.side.call("status")], [0, 1, 0])

        self.both(test)

    def test_an_alignment_says_only_what_is_known(self) -> None:
        problem = CameraBusError(Code.UNREACHABLE, "gone")
        self.assertEqual(RigAlignment("studio", 1000, None, (RigAlignmentPart("a", "n", None, problem=problem),)).json(), {
            "rig": "studio", "toleranceNanoseconds": 1000, "parts": [{
                "camera": "a", "node": "n", "restarts": 0, "isAligned": False,
                "problem": {"code": "unreachable", "message": "gone"}}]})
        self.assertFalse(RigAlignment(None, 1000, None, ()).is_complete)


if __name__ == "__main__":
    unittest.main()
