"""A disk whose power can be cut: an ext4 image in a file, mounted through a loop device. It takes root."""

import contextlib
import filecmp
import os
import subprocess
import tempfile
import time
from pathlib import Path

CAN_BE_MADE = os.geteuid() == 0
ATTEMPTS = 100  # to find a moment at which nothing is being written


class Disk:
    """A mounted disk for a `with` statement, as `path`.

    A copy of its file has what the kernel has written, and lacks what it keeps in memory, as a disk does whose power is cut.
    """

    def __init__(self, megabytes):
        self.megabytes = megabytes

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="camerabus-disk-")))
            self.path, self._survivor = folder / "disk", folder / "survivor"
            self._image, self._copy, self._proof = folder / "disk.image", folder / "survivor.image", folder / "proof.image"
            run("truncate", "-s", f"{self.megabytes}M", self._image)
            run("mkfs.ext4", "-q", self._image)
            stack.enter_context(mounted(self._image, self.path))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def cut_power(self):
        """Keeps what is on the disk at a moment, and nothing that is yet to be written; the moment, by time.time().

        Two copies that are the same say that nothing was written while the first was made.
        """
        for _ in range(ATTEMPTS):
            moment = time.time()
            for copy in (self._copy, self._proof):
                run("cp", "--sparse=always", self._image, copy)
            if filecmp.cmp(self._copy, self._proof, shallow=False):
                return moment
        raise AssertionError(f"the disk was written to in each of {ATTEMPTS} moments")

    def survivor(self):
        """A context in which what the power cut has left is mounted; its folder."""
        return mounted(self._copy, self._survivor)


@contextlib.contextmanager
def mounted(image, path):
    path.mkdir(exist_ok=True)
    run("mount", "-o", "loop", image, path)
    try:
        yield path
    finally:
        run("umount", path)


def run(*command):
    subprocess.run([str(word) for word in command], check=True, timeout=90)
