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
    """Writes a file as `PATH.camerabus.part`, which gets its name when it is complete.

    Links are followed, but never one that has the name of the part. A file that is replaced keeps
    its owner and its permissions, but no special bits: other bytes must not run as its owner. A
    device or a pipe is written into. Errors are those of the system.
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
        self._part = f"{self._target}.camerabus.part"
        self.file = _open_part(self._part, resume)

    def commit(self) -> None:
        """Puts the file in its place."""
        if self._is_stream:
            return
        self.file.flush()
        own = os.fstat(self.file.fileno())
        model = self._replaced or own
        if (own.st_uid, own.st_gid) != (model.st_uid, model.st_gid):
            os.fchown(self.file.fileno(), model.st_uid, model.st_gid)
        permissions = model.st_mode & 0o777
        if stat.S_IMODE(own.st_mode) != permissions:
            os.fchmod(self.file.fileno(), permissions)
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


def write_whole(path: str, data: bytes, overwrite: bool) -> None:
    """Writes a file, which is there whole or not at all."""
    writer = FileWriter(path, overwrite)
    try:
        write_all(writer.file, data)
        writer.commit()
    finally:
        writer.close()


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
    """Opens and locks the part, which somebody else may have made to reach another file."""
    while True:
        file = open(path, "r+b", opener=_open_regular)
        try:
            _lock(file)
            own, named = os.fstat(file.fileno()), _status(path)
            # The writer that had the lock before may have renamed or removed the part.
            if named and os.path.samestat(own, named):
                # The owner of the folder can put anything there anyway. On some network disks every
                # file is his.
                owners = os.geteuid(), os.stat(os.path.dirname(path)).st_uid
                if own.st_nlink != 1 or own.st_uid not in owners:
                    raise _foreign(path)
                if not resume:
                    file.truncate(0)
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _open_regular(path: str, _: int) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
    try:
        descriptor = os.open(path, flags, 0o644)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):  # a link, a folder, a socket
            raise _foreign(path) from None
        raise
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise _foreign(path)


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


def _foreign(part: str) -> OSError:
    return OSError(errno.ELOOP, f"{os.path.basename(part)!r} is no file, has another name too or is another user's")


def _exists() -> OSError:
    return OSError(errno.EEXIST, os.strerror(errno.EEXIST))
