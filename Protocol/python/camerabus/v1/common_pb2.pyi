from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
ERROR_CODE_BUSY: ErrorCode
ERROR_CODE_CANCELLED: ErrorCode
ERROR_CODE_CONFLICT: ErrorCode
ERROR_CODE_CONTROL_NOT_WRITABLE: ErrorCode
ERROR_CODE_DEADLINE_EXCEEDED: ErrorCode
ERROR_CODE_DEVICE_BUSY: ErrorCode
ERROR_CODE_DEVICE_FAILED: ErrorCode
ERROR_CODE_DEVICE_NOT_FOUND: ErrorCode
ERROR_CODE_ENCODING_FAILED: ErrorCode
ERROR_CODE_FRAME_UNAVAILABLE: ErrorCode
ERROR_CODE_ID_REUSED: ErrorCode
ERROR_CODE_INTERNAL: ErrorCode
ERROR_CODE_INTERRUPTED: ErrorCode
ERROR_CODE_INVALID_ARGUMENT: ErrorCode
ERROR_CODE_MALFORMED: ErrorCode
ERROR_CODE_NOT_RUNNING: ErrorCode
ERROR_CODE_NO_BANDWIDTH: ErrorCode
ERROR_CODE_NO_SUCH_ASSET: ErrorCode
ERROR_CODE_NO_SUCH_CAMERA: ErrorCode
ERROR_CODE_NO_SUCH_CONTROL: ErrorCode
ERROR_CODE_OUTCOME_UNKNOWN: ErrorCode
ERROR_CODE_PERMISSION_DENIED: ErrorCode
ERROR_CODE_STORAGE_FAILED: ErrorCode
ERROR_CODE_STORAGE_FULL: ErrorCode
ERROR_CODE_UNSPECIFIED: ErrorCode
ERROR_CODE_UNSUITABLE_DEVICE: ErrorCode
ERROR_CODE_UNSUPPORTED: ErrorCode
ERROR_CODE_UNSUPPORTED_FORMAT: ErrorCode

class Error(_message.Message):
    __slots__ = ["code", "field", "message", "retryable"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RETRYABLE_FIELD_NUMBER: _ClassVar[int]
    code: ErrorCode
    field: str
    message: str
    retryable: bool
    def __init__(self, code: _Optional[_Union[ErrorCode, str]] = ..., message: _Optional[str] = ..., field: _Optional[str] = ..., retryable: bool = ...) -> None: ...

class Size(_message.Message):
    __slots__ = ["height", "width"]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    height: int
    width: int
    def __init__(self, width: _Optional[int] = ..., height: _Optional[int] = ...) -> None: ...

class Timestamp(_message.Message):
    __slots__ = ["monotonic_ns", "wall_error_ns", "wall_ns"]
    MONOTONIC_NS_FIELD_NUMBER: _ClassVar[int]
    WALL_ERROR_NS_FIELD_NUMBER: _ClassVar[int]
    WALL_NS_FIELD_NUMBER: _ClassVar[int]
    monotonic_ns: int
    wall_error_ns: int
    wall_ns: int
    def __init__(self, monotonic_ns: _Optional[int] = ..., wall_ns: _Optional[int] = ..., wall_error_ns: _Optional[int] = ...) -> None: ...

class ErrorCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
