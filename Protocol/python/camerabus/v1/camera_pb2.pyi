from camerabus.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CONTROL_KIND_ARRAY: ControlKind
CONTROL_KIND_BITMASK: ControlKind
CONTROL_KIND_BOOLEAN: ControlKind
CONTROL_KIND_BUTTON: ControlKind
CONTROL_KIND_COMPOUND: ControlKind
CONTROL_KIND_INTEGER: ControlKind
CONTROL_KIND_INTEGER64: ControlKind
CONTROL_KIND_INTEGER_MENU: ControlKind
CONTROL_KIND_MENU: ControlKind
CONTROL_KIND_STRING: ControlKind
CONTROL_KIND_UNSPECIFIED: ControlKind
DESCRIPTOR: _descriptor.FileDescriptor
INTERRUPTION_REASON_AUDIO_DEVICE_IN_USE: InterruptionReason
INTERRUPTION_REASON_DEVICE_DISCONNECTED: InterruptionReason
INTERRUPTION_REASON_DEVICE_IN_USE_BY_ANOTHER_CLIENT: InterruptionReason
INTERRUPTION_REASON_DEVICE_STALLED: InterruptionReason
INTERRUPTION_REASON_STORAGE_FULL: InterruptionReason
INTERRUPTION_REASON_SUSPENDED_BY_OPERATOR: InterruptionReason
INTERRUPTION_REASON_SYSTEM_PRESSURE: InterruptionReason
INTERRUPTION_REASON_UNSPECIFIED: InterruptionReason
READINESS_NOT_READY_MOMENTARILY: Readiness
READINESS_NOT_READY_WAITING_FOR_CAPTURE: Readiness
READINESS_NOT_READY_WAITING_FOR_PROCESSING: Readiness
READINESS_READY: Readiness
READINESS_SESSION_NOT_RUNNING: Readiness
READINESS_UNSPECIFIED: Readiness
SESSION_STATE_FAILED: SessionState
SESSION_STATE_INTERRUPTED: SessionState
SESSION_STATE_RUNNING: SessionState
SESSION_STATE_STARTING: SessionState
SESSION_STATE_STOPPED: SessionState
SESSION_STATE_UNSPECIFIED: SessionState

class CameraStatus(_message.Message):
    __slots__ = ["attempts", "device", "error", "format", "frames", "interruption", "last_attempt", "last_attempt_monotonic_ns", "name", "next_attempt_monotonic_ns", "readiness", "recording", "ring_duration_ns", "since", "state", "streams"]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    INTERRUPTION_FIELD_NUMBER: _ClassVar[int]
    LAST_ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    LAST_ATTEMPT_MONOTONIC_NS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NEXT_ATTEMPT_MONOTONIC_NS_FIELD_NUMBER: _ClassVar[int]
    READINESS_FIELD_NUMBER: _ClassVar[int]
    RECORDING_FIELD_NUMBER: _ClassVar[int]
    RING_DURATION_NS_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STREAMS_FIELD_NUMBER: _ClassVar[int]
    attempts: int
    device: Device
    error: _common_pb2.Error
    format: StreamFormat
    frames: FrameCounters
    interruption: InterruptionReason
    last_attempt: str
    last_attempt_monotonic_ns: int
    name: str
    next_attempt_monotonic_ns: int
    readiness: Readiness
    recording: RecordingStatus
    ring_duration_ns: int
    since: _common_pb2.Timestamp
    state: SessionState
    streams: _containers.RepeatedCompositeFieldContainer[StreamStatus]
    def __init__(self, name: _Optional[str] = ..., device: _Optional[_Union[Device, _Mapping]] = ..., state: _Optional[_Union[SessionState, str]] = ..., since: _Optional[_Union[_common_pb2.Timestamp, _Mapping]] = ..., interruption: _Optional[_Union[InterruptionReason, str]] = ..., error: _Optional[_Union[_common_pb2.Error, _Mapping]] = ..., readiness: _Optional[_Union[Readiness, str]] = ..., format: _Optional[_Union[StreamFormat, _Mapping]] = ..., frames: _Optional[_Union[FrameCounters, _Mapping]] = ..., streams: _Optional[_Iterable[_Union[StreamStatus, _Mapping]]] = ..., recording: _Optional[_Union[RecordingStatus, _Mapping]] = ..., attempts: _Optional[int] = ..., next_attempt_monotonic_ns: _Optional[int] = ..., ring_duration_ns: _Optional[int] = ..., last_attempt: _Optional[str] = ..., last_attempt_monotonic_ns: _Optional[int] = ...) -> None: ...

class Control(_message.Message):
    __slots__ = ["default_value", "dimensions", "grabbed", "id", "inactive", "kind", "maximum", "menu", "minimum", "name", "read_only", "step", "value", "volatile", "write_only"]
    class MenuItem(_message.Message):
        __slots__ = ["index", "name"]
        INDEX_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        index: int
        name: str
        def __init__(self, index: _Optional[int] = ..., name: _Optional[str] = ...) -> None: ...
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    DIMENSIONS_FIELD_NUMBER: _ClassVar[int]
    GRABBED_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INACTIVE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    MENU_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    READ_ONLY_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    VOLATILE_FIELD_NUMBER: _ClassVar[int]
    WRITE_ONLY_FIELD_NUMBER: _ClassVar[int]
    default_value: int
    dimensions: _containers.RepeatedScalarFieldContainer[int]
    grabbed: bool
    id: str
    inactive: bool
    kind: ControlKind
    maximum: int
    menu: _containers.RepeatedCompositeFieldContainer[Control.MenuItem]
    minimum: int
    name: str
    read_only: bool
    step: int
    value: ControlValue
    volatile: bool
    write_only: bool
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., kind: _Optional[_Union[ControlKind, str]] = ..., minimum: _Optional[int] = ..., maximum: _Optional[int] = ..., step: _Optional[int] = ..., default_value: _Optional[int] = ..., menu: _Optional[_Iterable[_Union[Control.MenuItem, _Mapping]]] = ..., dimensions: _Optional[_Iterable[int]] = ..., read_only: bool = ..., write_only: bool = ..., inactive: bool = ..., grabbed: bool = ..., volatile: bool = ..., value: _Optional[_Union[ControlValue, _Mapping]] = ...) -> None: ...

class ControlValue(_message.Message):
    __slots__ = ["array", "boolean", "bytes", "integer", "string"]
    class Array(_message.Message):
        __slots__ = ["elements"]
        ELEMENTS_FIELD_NUMBER: _ClassVar[int]
        elements: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, elements: _Optional[_Iterable[int]] = ...) -> None: ...
    ARRAY_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    INTEGER_FIELD_NUMBER: _ClassVar[int]
    STRING_FIELD_NUMBER: _ClassVar[int]
    array: ControlValue.Array
    boolean: bool
    bytes: bytes
    integer: int
    string: str
    def __init__(self, integer: _Optional[int] = ..., boolean: bool = ..., string: _Optional[str] = ..., array: _Optional[_Union[ControlValue.Array, _Mapping]] = ..., bytes: _Optional[bytes] = ...) -> None: ...

class Device(_message.Message):
    __slots__ = ["driver", "identity", "location", "model"]
    DRIVER_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    driver: str
    identity: str
    location: str
    model: str
    def __init__(self, identity: _Optional[str] = ..., model: _Optional[str] = ..., location: _Optional[str] = ..., driver: _Optional[str] = ...) -> None: ...

class Format(_message.Message):
    __slots__ = ["frame_rates", "pixel_format", "size", "summary"]
    FRAME_RATES_FIELD_NUMBER: _ClassVar[int]
    PIXEL_FORMAT_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    frame_rates: _containers.RepeatedScalarFieldContainer[float]
    pixel_format: str
    size: _common_pb2.Size
    summary: str
    def __init__(self, pixel_format: _Optional[str] = ..., size: _Optional[_Union[_common_pb2.Size, _Mapping]] = ..., frame_rates: _Optional[_Iterable[float]] = ..., summary: _Optional[str] = ...) -> None: ...

class FrameCounters(_message.Message):
    __slots__ = ["corrupted", "delivered", "lost_by_camera", "pool_exhausted", "skipped", "truncated"]
    CORRUPTED_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_FIELD_NUMBER: _ClassVar[int]
    LOST_BY_CAMERA_FIELD_NUMBER: _ClassVar[int]
    POOL_EXHAUSTED_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    corrupted: int
    delivered: int
    lost_by_camera: int
    pool_exhausted: int
    skipped: int
    truncated: int
    def __init__(self, delivered: _Optional[int] = ..., lost_by_camera: _Optional[int] = ..., corrupted: _Optional[int] = ..., truncated: _Optional[int] = ..., skipped: _Optional[int] = ..., pool_exhausted: _Optional[int] = ...) -> None: ...

class RecordingStatus(_message.Message):
    __slots__ = ["bytes", "dropped", "frames", "request_id", "started"]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    bytes: int
    dropped: int
    frames: int
    request_id: bytes
    started: _common_pb2.Timestamp
    def __init__(self, request_id: _Optional[bytes] = ..., started: _Optional[_Union[_common_pb2.Timestamp, _Mapping]] = ..., frames: _Optional[int] = ..., bytes: _Optional[int] = ..., dropped: _Optional[int] = ...) -> None: ...

class StreamFormat(_message.Message):
    __slots__ = ["device_pixel_format", "frame_rate", "pixel_format", "size"]
    DEVICE_PIXEL_FORMAT_FIELD_NUMBER: _ClassVar[int]
    FRAME_RATE_FIELD_NUMBER: _ClassVar[int]
    PIXEL_FORMAT_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    device_pixel_format: str
    frame_rate: float
    pixel_format: str
    size: _common_pb2.Size
    def __init__(self, pixel_format: _Optional[str] = ..., size: _Optional[_Union[_common_pb2.Size, _Mapping]] = ..., frame_rate: _Optional[float] = ..., device_pixel_format: _Optional[str] = ...) -> None: ...

class StreamStatus(_message.Message):
    __slots__ = ["dropped_late", "dropped_slow", "encoded", "encoding_failed", "name", "published", "subscribers"]
    DROPPED_LATE_FIELD_NUMBER: _ClassVar[int]
    DROPPED_SLOW_FIELD_NUMBER: _ClassVar[int]
    ENCODED_FIELD_NUMBER: _ClassVar[int]
    ENCODING_FAILED_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIBERS_FIELD_NUMBER: _ClassVar[int]
    dropped_late: int
    dropped_slow: int
    encoded: int
    encoding_failed: int
    name: str
    published: int
    subscribers: int
    def __init__(self, name: _Optional[str] = ..., subscribers: _Optional[int] = ..., encoded: _Optional[int] = ..., published: _Optional[int] = ..., dropped_late: _Optional[int] = ..., dropped_slow: _Optional[int] = ..., encoding_failed: _Optional[int] = ...) -> None: ...

class SessionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class InterruptionReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Readiness(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ControlKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
