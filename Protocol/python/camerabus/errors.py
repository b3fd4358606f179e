"""The one exception of this package, and its codes."""

from __future__ import annotations

import enum

from . import messages


class Code(enum.IntEnum):
    """Why a request failed. Codes below 0 are the client's own; the others are the protocol's."""

    # The node has not answered in time: it does not run, cannot be reached, or hangs.
    UNREACHABLE = -1
    # The bytes that arrived do not match the node's description of them.
    CORRUPT = -2
    # This client does not know the kind of the node's answer, because the node is newer.
    NODE_IS_NEWER = -3

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


class CameraBusError(Exception):
    """A request failed.

    `message` tells a person what to do. `field` names the offending part. `retryable` says whether
    the same request may succeed later, under a new id. If the outcome is not known, the request can
    be sent again with the same settings and with `request_id` and `epoch`.
    """

    def __init__(self, code: Code, message: str, field: str = "", retryable: bool = False,
                 request_id: bytes = b"", epoch: bytes = b""):
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.retryable = retryable
        self.request_id = request_id
        self.epoch = epoch

    @classmethod
    def from_wire(cls, error: messages.Error, request_id: bytes = b"", epoch: bytes = b"") -> CameraBusError:
        try:
            code = Code(error.code) if error.code > 0 else Code.INTERNAL
        except ValueError:
            code = Code.INTERNAL  # a code of a future version
        return cls(code, error.message, error.field, error.retryable, request_id, epoch)

    def __str__(self) -> str:
        about = f" ({self.field})" if self.field else ""
        return f"{self.code.name}{about}: {self.message}"
