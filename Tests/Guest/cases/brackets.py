"""Tests brackets of a real driver's controls: proof by pictures, and what is put back."""

import signal
import unittest

import readers
import vivid
from camerabus import CameraBus, CameraBusError, Code, messages
from monitor import Monitor
from photo_files import write
from programs import PATIENCE, Node, v4l2

VIVID = "platform:vivid-000"
CAMERA = f"cam=v4l2:{VIVID},320x180@10,format=YUYV"
SHOTS = [{"brightness": 60}, {"brightness": 128}, {"brightness": 200}]


def present_brightness():
    return int(v4l2("/dev/video0", "--get-ctrl", "brightness").split()[-1])


class Brackets(unittest.TestCase):
    def setUp(self):
        self.addCleanup(v4l2, "/dev/video0", "--set-ctrl", "brightness=128,contrast=128")
        v4l2("/dev/video0", "--set-ctrl", "osd_text_mode=2,brightness=97,contrast=128,saturation=128,hue=0")

    def test_pictures(self):
        """Each picture of a bracket has its brightness, and the driver's old value comes back"""
        with Node(CAMERA) as node, CameraBus(node.control, timeout=PATIENCE) as bus:
            photos = list(bus.bracket(SHOTS, camera="cam"))
            means = []
            for number, photo in enumerate(photos):
                shot = photo.resolved.shot
                self.assertEqual(shot.evidence, messages.ControlEffect.BASIS_PICTURE)
                self.assertEqual(shot.settings[0].value.integer, SHOTS[number]["brightness"])
                means.append(readers.read(write(photo, node.folder, f"{number}")["jpg"]).mean())
            self.assertGreater(means[1] - means[0], 30, means)
            self.assertGreater(means[2] - means[1], 30, means)
            self.assertEqual(present_brightness(), 97)

    def test_wrong(self):
        """A shot that the driver does not take changes nothing"""
        with Node(CAMERA) as node, CameraBus(node.control, timeout=PATIENCE) as bus:
            for shots in ([{"brightness": 60}, {"brightness": 999}], [{"brightness": 60}, -2]):
                with self.assertRaises(CameraBusError):
                    list(bus.bracket(shots, camera="cam"))
            self.assertEqual(present_brightness(), 97)

    def test_unplugged(self):
        """A camera that is unplugged in a bracket has its values when it is back"""
        self.addCleanup(vivid.replug)
        with Node(CAMERA) as node, Monitor(node) as monitor, CameraBus(node.control, timeout=PATIENCE) as bus:
            mark = monitor.mark()

            def unplug(progress):
                if progress.step == messages.CaptureProgress.STEP_DID_CAPTURE and progress.picture == 1:
                    vivid.unbind()

            with self.assertRaises(CameraBusError) as failed:
                list(bus.bracket(SHOTS, camera="cam", on_progress=unplug))
            self.assertIn(failed.exception.code, (Code.INTERRUPTED, Code.DEVICE_NOT_FOUND, Code.DEVICE_FAILED))
            trouble = monitor.trouble("cam", mark)
            vivid.bind()
            monitor.ready("cam", trouble)
            self.assertEqual(present_brightness(), 97)

    def test_killed(self):
        """A node that is killed in a bracket puts the values back at its next start"""
        with Node(CAMERA) as node:
            with CameraBus(node.control, timeout=PATIENCE) as bus:
                capture = bus.begin_capture(camera="cam", shots=SHOTS)

                def kill(progress):
                    if progress.step == messages.CaptureProgress.STEP_DID_CAPTURE:
                        node.process.send_signal(signal.SIGKILL)
                        raise Killed

                with self.assertRaises(Killed):
                    list(capture.photos(kill))
                node.process.wait(PATIENCE)
            self.assertEqual(present_brightness(), 60)
            with Node(CAMERA, options=["--library", node.folder / "library"]):
                self.assertEqual(present_brightness(), 97)
            # The first node's end is as it should be.
            node.process.returncode = 0


class Killed(Exception):
    pass


if __name__ == "__main__":
    unittest.main()
