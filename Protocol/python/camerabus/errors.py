"""The one exception of this package, its codes, and the errors that the client itself makes."""

from __future__ import annotations

import contextlib
import enum
import errno
import os
import reprlib
from typing import Iterator, Union

from . import messages


class Code(enum.IntEnum):
    """Why a request failed. Codes below 0 are the client's own; the others are the protocol's.

    PERMISSION_DENIED, STORAGE_FULL and STORAGE_FAILED with the `field` "path" are about a file of
    this program instead of the node's.
    """

    # The node has not answered in time: it does not run, cannot be reached, or hangs.
    UNREACHABLE = -1
    # The bytes that arrived do not match the node's description of them.
    CORRUPT = -2
    # This client does not know the kind of the node's answer, because the node is newer.
    NODE_IS_NEWER = -3
    # The client, the monitor or the stream of frames was closed.
    CLOSED = -4
    # A Python package that this needs is not installed.
    NOT_INSTALLED = -5
    # A file of this name exists, and it was not to be replaced.
    FILE_EXISTS = -6
    # The node requires a key, and the program has none.
    KEY_REQUIRED = -7
    # The node does not know the program's key, or no more.
    NOT_AUTHORIZED = -8
    # What answers does not have the node's key that the program knows.
    WRONG_NODE = -9
    # The photo was taken, and is too large to come with the capture. The library has it, from where
    # `download` copies it to a file.
    TOO_LARGE = -10

    MALFORMED = 1
    UNSUPPORTED = 2
    INVALID_ARGUMENT = 3
    NO_SUCH_CAMERA = 4
    NO_SUCH_CONTROL = 5
    NO_SUCH_ASSET = 6
    CONTROL_NOT_WRITABLE = 7
    UNSUPPORTED_FORMAT = 8
    NOT_RUNNING = 9
    INTERRUPTED = 10
    FRAME_UNAVAILABLE = 11
    BUSY = 12
    DEADLINE_EXCEEDED = 13
    CANCELLED = 14
    ID_REUSED = 15
    OUTCOME_UNKNOWN = 16
    CONFLICT = 17
    DEVICE_NOT_FOUND = 18
    DEVICE_BUSY = 19
    PERMISSION_DENIED = 20
    UNSUITABLE_DEVICE = 21
    NO_BANDWIDTH = 22
    DEVICE_FAILED = 23
    STORAGE_FULL = 24
    STORAGE_FAILED = 25
    ENCODING_FAILED = 26
    INTERNAL = 27
    ASSET_DAMAGED = 28
    FORBIDDEN = 29


class CameraBusError(Exception):
    """A request failed.

    `message` tells a person what to do. `field` names the offending part. Both may come from the
    node as they are; `str()` escapes what is not printable, so that a node cannot control the
    terminal that shows the error. `retryable` says whether the same request may succeed later,
    under a new id. If the outcome is not known, the request can be sent again with the same
    settings and with `request_id` and `epoch`.
    """

    def __init__(self, code: Code, message: str, field: str = "", retryable: bool = False,
                 request_id: bytes = b"", epoch: bytes = b"",
                 needed_role: messages.Role.ValueType = messages.ROLE_UNSPECIFIED,
                 reason: messages.ErrorReason.ValueType = messages.ERROR_REASON_UNSPECIFIED,
                 camera: str = "", kept_files: int = 0):
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.retryable = retryable
        self.request_id = request_id
        self.epoch = epoch
        # With FORBIDDEN: the role that the request needs; 0 where it is the camera that the key is not for.
        self.needed_role = needed_role
        # Which of the code's causes it is, such as ERROR_REASON_LEASE_ENDED; 0 where there is one.
        self.reason = reason
        # With ERROR_REASON_SESSION_STOPPED: the camera that is stopped.
        self.camera = camera
        # How many files of the request's photos are in the library although it failed.
        self.kept_files = kept_files

    @classmethod
    def from_wire(cls, error: messages.Error, request_id: bytes = b"", epoch: bytes = b"") -> CameraBusError:
        try:
            code = Code(error.code) if error.code > 0 else Code.INTERNAL
        except ValueError:
            code = Code.INTERNAL  # a code of a future version
        return cls(code, error.message, error.field, error.retryable, request_id, epoch, error.needed_role,
                   error.reason, error.camera, error.kept_files)

    def __reduce__(self) -> tuple[type[CameraBusError], tuple[Code, str], dict[str, object]]:
        # `args` has the message only.
        return type(self), (self.code, self.message), self.__dict__

    def __str__(self) -> str:
        about = f" ({self.field})" if self.field else ""
        return _printable(f"{self.code.name}{about}: {self.message}")


# The longest value that a message shows, characters.
_LONGEST = 100
_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = _LONGEST


def shown(value: object) -> str:
    """A value for a message: one line of bounded length, whatever a caller has passed."""
    try:
        # An empty message of the protocol is shown as nothing.
        return one_line(_REPR.repr(value)) or f"an empty {type(value).__name__}"
    except Exception:  # Python refuses to print a whole number of thousands of digits
        return f"a value of type {type(value).__name__}"


def one_line(text: str) -> str:
    """A text without its ends of lines, and shortened if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST - 3]}..."


def _printable(text: str) -> str:
    """A text with escapes for ends of lines, controls of a terminal and marks that turn the direction
    of writing.
    """
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def invalid(field: str, message: str) -> CameraBusError:
    """The error for an argument that cannot be right; no request was sent."""
    return CameraBusError(Code.INVALID_ARGUMENT, message, field)


def unfit(request_id: bytes = b"", epoch: bytes = b"") -> CameraBusError:
    """The error for an answer that is well formed and does not fit the request."""
    return CameraBusError(Code.CORRUPT, "the node answered something else than what was asked: update the node",
                          request_id=request_id, epoch=epoch)


def endless() -> CameraBusError:
    """The error for a node whose message never ends, or which sends far more than it was asked for."""
    return CameraBusError(Code.CORRUPT, "the node sends without an end: update or replace the node")


def closed(what: str) -> CameraBusError:
    """The error for using something that was closed."""
    return CameraBusError(Code.CLOSED, f"this {what} was closed: make a new one")


def elsewhere(what: str, place: str) -> CameraBusError:
    """The error for using a client outside of the thread, the loop or the process that it belongs to."""
    return CameraBusError(Code.INVALID_ARGUMENT, f"this {what} belongs to another {place}: make one for each {place}")


def shared(what: str) -> CameraBusError:
    """The error for a second reader of what only one can read."""
    return CameraBusError(Code.CONFLICT, f"this {what} has another reader: make one for each reader")


def no_room(reason: str, thing: str = "socket") -> CameraBusError:
    """The error for a socket or a thread that the system does not give."""
    return CameraBusError(
        Code.BUSY, f"no {thing} could be opened: {reason}: close clients and streams that you no longer use",
        retryable=True)


_FILE_ERRORS = {
    errno.EACCES: (Code.PERMISSION_DENIED, "choose a file that you may write"),
    errno.EPERM: (Code.PERMISSION_DENIED, "choose a file that you may write"),
    errno.EROFS: (Code.PERMISSION_DENIED, "choose a folder on a disk that can be written"),
    errno.ENOENT: (Code.STORAGE_FAILED, "make its folder first"),
    errno.ENOTDIR: (Code.STORAGE_FAILED, "a part of the path is not a folder"),
    errno.EISDIR: (Code.STORAGE_FAILED, "it is a folder, so name a file in it"),
    errno.ENOSPC: (Code.STORAGE_FULL, "make room on the disk"),
    errno.EDQUOT: (Code.STORAGE_FULL, "make room within your quota"),
    errno.EEXIST: (Code.FILE_EXISTS, "choose another name, or pass overwrite=True"),
    errno.EWOULDBLOCK: (Code.CONFLICT, "another writer has it: wait for it, or choose another file"),
    errno.ENXIO: (Code.STORAGE_FAILED, "it is a socket: name a file, a device or a pipe"),
    errno.ELOOP: (Code.STORAGE_FAILED, "remove it, or choose another file"),
    errno.EPIPE: (Code.STORAGE_FAILED, "its reader has gone: start it again"),
}


_READ_ERRORS = {
    errno.EACCES: (Code.PERMISSION_DENIED, "choose a file that you may read"),
    errno.EPERM: (Code.PERMISSION_DENIED, "choose a file that you may read"),
    errno.EISDIR: (Code.STORAGE_FAILED, "it is a folder, so name a file in it"),
}


def writing(path: Union[str, "os.PathLike[str]"]) -> contextlib.AbstractContextManager[None]:
    """Turns the system's errors while it writes this file into `CameraBusError`."""
    return _using("write", path, _FILE_ERRORS)


def reading(path: Union[str, "os.PathLike[str]"]) -> contextlib.AbstractContextManager[None]:
    """Turns the system's errors while it reads this file into `CameraBusError`."""
    return _using("read", path, _READ_ERRORS)


@contextlib.contextmanager
def _using(verb: str, path: Union[str, "os.PathLike[str]"], errors: dict[int, tuple[Code, str]]) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a path with a null character
        number = error.errno if isinstance(error, OSError) else None
        code, remedy = errors.get(number or 0, (Code.STORAGE_FAILED, "choose another file"))
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise CameraBusError(code, f"cannot {verb} {shown(os.fspath(path))}: {reason}: {remedy}", "path") from error
