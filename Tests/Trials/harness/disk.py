"""A disk whose power can be cut: an ext4 image in a file, mounted through a loop device.

It needs root.
"""

import contextlib
import filecmp
import os
import subprocess
import tempfile
import time
from pathlib import Path

CAN_BE_MADE = os.geteuid() == 0
ATTEMPTS = 100  # tries to find a moment at which nothing is written


class Disk:
    """A disk, mounted at `path` inside a `with` statement.

    A copy of the image has the data that the kernel has written, but not the data that is still in
    memory. So it looks like a disk whose power was cut.
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
        """Copies the disk as it is at one moment and returns that moment, by time.time().

        It makes two copies. If they are equal, nothing was written while the first was made.
        """
        for _ in range(ATTEMPTS):
            moment = time.time()
            for copy in (self._copy, self._proof):
                run("cp", "--sparse=always", self._image, copy)
            if filecmp.cmp(self._copy, self._proof, shallow=False):
                return moment
        raise AssertionError(f"the disk was written to in each of {ATTEMPTS} moments")

    def survivor(self):
        """A context that mounts the copy made by `cut_power`; it yields the folder."""
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
