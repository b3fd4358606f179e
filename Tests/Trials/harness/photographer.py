"""A client that takes photos all the time and remembers the acknowledged ones."""

import collections
import hashlib
import threading

from camerabus import CameraBus, CameraBusError, Code

from .record import Record


class Photographer(Record):
    """Takes one photo after another inside a `with` statement. `seen` has the acknowledged assets.

    `pause` is the time between photos; it is needed because a node keeps a limited number of
    answers and events. `patience` is how long the client waits in silence before it repeats a
    request.
    """

    def __init__(self, control, camera=None, pause=0.0, patience=0.5):
        super().__init__("photographer")
        self.failures = []
        self._control, self._camera, self._pause, self._patience = control, camera, pause, patience
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        try:
            with CameraBus(self._control, patience=self._patience) as bus:
                while not self._is_over.wait(self._pause):
                    try:
                        self.add(bus.capture(camera=self._camera, picture=False).asset)
                    except CameraBusError as error:
                        self.failures.append(error)
        except Exception as error:  # noqa: BLE001 - reported to the thread that waits
            self.end(f"{type(error).__name__}: {error}")

    def check_library(self, node):
        """Checks that each acknowledged photo is in the library, and that each failed one has at
        most one asset.
        """
        with CameraBus(node.control) as bus:
            for _, asset in list(self.seen):
                found = bus.assets(request_id=asset.request_id)
                assert list(found) == [asset], f"acknowledged: {asset}; in the library: {found}"
                content = (node.library / asset.path).read_bytes()
                assert hashlib.sha256(content).digest() == asset.sha256, f"{asset.path} is not what was acknowledged"
            for error in list(self.failures):
                found = bus.assets(request_id=error.request_id)
                assert len(found) <= 1, f"{len(found)} assets for one request"

    def account(self):
        codes = collections.Counter(Code(error.code).name for error in self.failures)
        failed = ", ".join(f"{count} {name}" for name, count in sorted(codes.items()))
        return f"{len(self.seen)} photos acknowledged, all in the library with their hashes; others ended as {failed or 'none'}"

    def stop(self):
        self._is_over.set()
        self._thread.join()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.stop()
