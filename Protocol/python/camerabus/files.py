"""Writes files as the other clients do: whole or not at all, and never over another file unasked."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from typing import BinaryIO, Optional


class NoReader(Exception):
    """A pipe has no reader yet."""


class FileWriter:
    """Writes a file as `PATH.part`, which gets its name when it is complete.

    Links are followed. A file that is replaced keeps its mode and owner. A device or a pipe is
    written into. Errors are those of the system.
    """

    def __init__(self, path: str, overwrite: bool, *, resume: bool = False, wait: bool = True):
        """With `resume` the bytes of a part stay. Without `wait` a pipe without a reader is
        `NoReader`.
        """
        self._overwrite = overwrite
        self._is_committed = False
        self._replaced = _status(path)
        mode = self._replaced.st_mode if self._replaced else stat.S_IFREG
        if stat.S_ISDIR(mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
        self._is_stream = not stat.S_ISREG(mode)
        if self._is_stream:
            self.file: BinaryIO = _open_stream(path, stat.S_ISFIFO(mode), wait)
            return
        if self._replaced and not overwrite:
            raise _exists()
        if self._replaced and not os.access(path, os.W_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        self._target = os.path.realpath(path)
        self._part = f"{self._target}.part"
        self.file = _open_part(self._part, resume)

    def commit(self) -> None:
        """Puts the file in its place."""
        if self._is_stream:
            return
        self.file.flush()
        if self._replaced:
            own, other = os.fstat(self.file.fileno()), self._replaced
            if (own.st_uid, own.st_gid) != (other.st_uid, other.st_gid):
                os.fchown(self.file.fileno(), other.st_uid, other.st_gid)
            os.fchmod(self.file.fileno(), stat.S_IMODE(other.st_mode))
        os.fsync(self.file.fileno())
        if self._overwrite:
            os.replace(self._part, self._target)
        else:
            _move_new(self._part, self._target)
        self._is_committed = True

    def close(self, keep: bool = False) -> None:
        """Ends the writing. With `keep` the part of a file that is not complete stays."""
        # The part goes before its lock does, so that no other writer continues it.
        if not (self._is_committed or self._is_stream or keep):
            os.unlink(self._part)
        self.file.close()


def write_all(file: BinaryIO, data: bytes) -> None:
    """Writes all bytes. A signal may interrupt a write to a pipe."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest):]


def _status(path: str) -> Optional[os.stat_result]:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _open_stream(path: str, is_pipe: bool, wait: bool) -> BinaryIO:
    flags = os.O_WRONLY | os.O_NOCTTY | (0 if wait else os.O_NONBLOCK)
    try:
        file = open(path, "wb", buffering=0, opener=lambda name, _: os.open(name, flags))
    except OSError as error:
        if is_pipe and error.errno == errno.ENXIO:
            raise NoReader from None
        raise
    os.set_blocking(file.fileno(), True)
    return file


def _open_part(path: str, resume: bool) -> BinaryIO:
    """Opens and locks the part."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    while True:
        file = open(path, "r+b", opener=lambda name, _: os.open(name, flags, 0o644))
        try:
            own = os.fstat(file.fileno())
            if not stat.S_ISREG(own.st_mode):
                raise _exists()
            _lock(file)
            named = _status(path)
            # The writer that had the lock before may have renamed or removed the part.
            if named and os.path.samestat(own, named):
                if not resume:
                    file.truncate(0)
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _lock(file: BinaryIO) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP):  # a file system without locks
            raise


def _move_new(part: str, target: str) -> None:
    """Renames the part unless the name is taken."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            raise _exists() from None
        os.rename(part, target)
    else:
        os.unlink(part)


def _exists() -> OSError:
    return OSError(errno.EEXIST, os.strerror(errno.EEXIST))
