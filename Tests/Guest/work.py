"""Work that a camera has to do while it is lost."""

import threading

from camerabus import NEXT, CameraBus, CameraBusError, at_monotonic

from programs import PATIENCE

LONG = 400  # seconds
# The answers to requests that came after the camera was lost, and were not accepted.
REFUSALS = {"DEVICE_NOT_FOUND", "DEVICE_BUSY", "DEVICE_FAILED"}


class Work:
    """A movie, a photo of a moment in the far future, and photos of the next frames."""

    def __init__(self, control, camera):
        self.bus = CameraBus(control, timeout=90)
        self.camera = camera
        self.recording = self.bus.start_recording(camera).recording
        far = self.bus.status().now.monotonic_ns + LONG * 10**9 // 2
        self.photos = [self.bus.begin_capture(at_monotonic(far), camera, timeout=LONG)]
        # After this photo the movie has frames.
        self.bus.capture(NEXT, camera)

    def hurry(self):
        """Asks for photos that should be under way when the camera is lost."""
        for _ in range(4):
            self.photos.append(self.bus.begin_capture(NEXT, self.camera))

    def check(self, test, monitor):
        """Checks that all work has ended correctly, and that events reported each end once.

        Returns the movie.
        """
        outcomes = [outcome(photo) for photo in self.photos]
        test.assertEqual(outcomes[0], "INTERRUPTED")
        test.assertLessEqual(set(outcomes[1:]), {"done", "INTERRUPTED", *REFUSALS})
        for photo, outcome_told in zip(self.photos, outcomes):
            if outcome_told in REFUSALS:
                continue  # no events report a request that was not accepted
            (end,) = monitor.ends(photo.id.hex())
            test.assertEqual(end["step"], "completed" if outcome_told == "done" else "failed")
        (end,) = monitor.ends(self.recording.hex())
        test.assertEqual(end["step"], "finished")
        test.assertEqual(end["movie"]["reason"], "cameraLost")
        test.assertGreater(end["movie"]["frames"], 0)
        self.bus.close()
        return end["movie"]


def outcome(photo):
    try:
        photo.photo()
        return "done"
    except CameraBusError as error:
        return error.code.name


class Download:
    """Downloads a file: it has begun when the `with` statement begins, and is complete when it
    ends.
    """

    def __init__(self, control, asset):
        self.control, self.asset = control, asset
        self.has_begun, self.may_go_on = threading.Event(), threading.Event()
        self.error = None
        self.thread = threading.Thread(target=self.read)

    def __enter__(self):
        self.thread.start()
        assert self.has_begun.wait(PATIENCE), "the download has not begun"

    def __exit__(self, *_):
        self.may_go_on.set()
        self.thread.join(PATIENCE)
        assert self.error is None and not self.thread.is_alive(), f"the download failed: {self.error}"

    def read(self):
        try:
            with CameraBus(self.control) as bus:
                # `read` checks the length and the hash.
                bus.read(self.asset, self.wait)
        except Exception as error:
            self.error = error

    def wait(self, *_):
        """Holds the download after its first bytes, so that the node uses up the credit."""
        self.has_begun.set()
        self.may_go_on.wait(PATIENCE)
