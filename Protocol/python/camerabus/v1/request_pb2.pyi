from camerabus.v1 import camera_pb2 as _camera_pb2
from camerabus.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Asset(_message.Message):
    __slots__ = ["byte_count", "camera", "created_wall_ns", "duration_ns", "frames", "id", "media_type", "path", "recovered", "request_id", "sha256", "size"]
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    CREATED_WALL_NS_FIELD_NUMBER: _ClassVar[int]
    DURATION_NS_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    RECOVERED_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    byte_count: int
    camera: str
    created_wall_ns: int
    duration_ns: int
    frames: int
    id: bytes
    media_type: str
    path: str
    recovered: bool
    request_id: bytes
    sha256: bytes
    size: _common_pb2.Size
    def __init__(self, id: _Optional[bytes] = ..., camera: _Optional[str] = ..., media_type: _Optional[str] = ..., path: _Optional[str] = ..., byte_count: _Optional[int] = ..., sha256: _Optional[bytes] = ..., size: _Optional[_Union[_common_pb2.Size, _Mapping]] = ..., created_wall_ns: _Optional[int] = ..., duration_ns: _Optional[int] = ..., frames: _Optional[int] = ..., request_id: _Optional[bytes] = ..., recovered: bool = ...) -> None: ...

class AssetsReply(_message.Message):
    __slots__ = ["assets"]
    ASSETS_FIELD_NUMBER: _ClassVar[int]
    assets: _containers.RepeatedCompositeFieldContainer[Asset]
    def __init__(self, assets: _Optional[_Iterable[_Union[Asset, _Mapping]]] = ...) -> None: ...

class AssetsRequest(_message.Message):
    __slots__ = ["camera", "id", "limit", "request_id"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    camera: str
    id: bytes
    limit: int
    request_id: bytes
    def __init__(self, camera: _Optional[str] = ..., limit: _Optional[int] = ..., id: _Optional[bytes] = ..., request_id: _Optional[bytes] = ...) -> None: ...

class CancelReply(_message.Message):
    __slots__ = ["outcome"]
    class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    OUTCOME_CANCELLED: CancelReply.Outcome
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_TOO_LATE: CancelReply.Outcome
    OUTCOME_UNKNOWN: CancelReply.Outcome
    OUTCOME_UNSPECIFIED: CancelReply.Outcome
    outcome: CancelReply.Outcome
    def __init__(self, outcome: _Optional[_Union[CancelReply.Outcome, str]] = ...) -> None: ...

class CancelRequest(_message.Message):
    __slots__ = ["request"]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    request: bytes
    def __init__(self, request: _Optional[bytes] = ...) -> None: ...

class CaptureProgress(_message.Message):
    __slots__ = ["byte_count", "resolved", "step"]
    class Step(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_FIELD_NUMBER: _ClassVar[int]
    STEP_DID_CAPTURE: CaptureProgress.Step
    STEP_DID_PROCESS: CaptureProgress.Step
    STEP_FIELD_NUMBER: _ClassVar[int]
    STEP_UNSPECIFIED: CaptureProgress.Step
    STEP_WILL_BEGIN: CaptureProgress.Step
    STEP_WILL_CAPTURE: CaptureProgress.Step
    byte_count: int
    resolved: ResolvedCapture
    step: CaptureProgress.Step
    def __init__(self, step: _Optional[_Union[CaptureProgress.Step, str]] = ..., resolved: _Optional[_Union[ResolvedCapture, _Mapping]] = ..., byte_count: _Optional[int] = ...) -> None: ...

class CaptureRequest(_message.Message):
    __slots__ = ["at_monotonic_ns", "at_wall_ns", "camera", "inline_limit", "next", "no_older_than_ns", "now", "past_ns", "quality", "transient"]
    class Next(_message.Message):
        __slots__ = []
        def __init__(self) -> None: ...
    class Now(_message.Message):
        __slots__ = []
        def __init__(self) -> None: ...
    AT_MONOTONIC_NS_FIELD_NUMBER: _ClassVar[int]
    AT_WALL_NS_FIELD_NUMBER: _ClassVar[int]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    INLINE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    NOW_FIELD_NUMBER: _ClassVar[int]
    NO_OLDER_THAN_NS_FIELD_NUMBER: _ClassVar[int]
    PAST_NS_FIELD_NUMBER: _ClassVar[int]
    QUALITY_FIELD_NUMBER: _ClassVar[int]
    TRANSIENT_FIELD_NUMBER: _ClassVar[int]
    at_monotonic_ns: int
    at_wall_ns: int
    camera: str
    inline_limit: int
    next: CaptureRequest.Next
    no_older_than_ns: int
    now: CaptureRequest.Now
    past_ns: int
    quality: int
    transient: bool
    def __init__(self, now: _Optional[_Union[CaptureRequest.Now, _Mapping]] = ..., next: _Optional[_Union[CaptureRequest.Next, _Mapping]] = ..., at_monotonic_ns: _Optional[int] = ..., at_wall_ns: _Optional[int] = ..., no_older_than_ns: _Optional[int] = ..., past_ns: _Optional[int] = ..., camera: _Optional[str] = ..., quality: _Optional[int] = ..., inline_limit: _Optional[int] = ..., transient: bool = ...) -> None: ...

class CaptureResult(_message.Message):
    __slots__ = ["asset", "byte_count", "resolved", "sha256"]
    ASSET_FIELD_NUMBER: _ClassVar[int]
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    asset: Asset
    byte_count: int
    resolved: ResolvedCapture
    sha256: bytes
    def __init__(self, resolved: _Optional[_Union[ResolvedCapture, _Mapping]] = ..., asset: _Optional[_Union[Asset, _Mapping]] = ..., sha256: _Optional[bytes] = ..., byte_count: _Optional[int] = ...) -> None: ...

class ControlsGetRequest(_message.Message):
    __slots__ = ["camera", "ids"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    camera: str
    ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, camera: _Optional[str] = ..., ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ControlsListRequest(_message.Message):
    __slots__ = ["camera"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    camera: str
    def __init__(self, camera: _Optional[str] = ...) -> None: ...

class ControlsReply(_message.Message):
    __slots__ = ["controls"]
    CONTROLS_FIELD_NUMBER: _ClassVar[int]
    controls: _containers.RepeatedCompositeFieldContainer[_camera_pb2.Control]
    def __init__(self, controls: _Optional[_Iterable[_Union[_camera_pb2.Control, _Mapping]]] = ...) -> None: ...

class ControlsSetRequest(_message.Message):
    __slots__ = ["camera", "settings"]
    class Setting(_message.Message):
        __slots__ = ["id", "value"]
        ID_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        id: str
        value: _camera_pb2.ControlValue
        def __init__(self, id: _Optional[str] = ..., value: _Optional[_Union[_camera_pb2.ControlValue, _Mapping]] = ...) -> None: ...
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    camera: str
    settings: _containers.RepeatedCompositeFieldContainer[ControlsSetRequest.Setting]
    def __init__(self, camera: _Optional[str] = ..., settings: _Optional[_Iterable[_Union[ControlsSetRequest.Setting, _Mapping]]] = ...) -> None: ...

class DownloadChunk(_message.Message):
    __slots__ = ["offset", "total"]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    offset: int
    total: int
    def __init__(self, offset: _Optional[int] = ..., total: _Optional[int] = ...) -> None: ...

class DownloadCredit(_message.Message):
    __slots__ = ["chunks", "download"]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    DOWNLOAD_FIELD_NUMBER: _ClassVar[int]
    chunks: int
    download: bytes
    def __init__(self, download: _Optional[bytes] = ..., chunks: _Optional[int] = ...) -> None: ...

class DownloadRequest(_message.Message):
    __slots__ = ["asset", "credit", "offset"]
    ASSET_FIELD_NUMBER: _ClassVar[int]
    CREDIT_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    asset: bytes
    credit: int
    offset: int
    def __init__(self, asset: _Optional[bytes] = ..., offset: _Optional[int] = ..., credit: _Optional[int] = ...) -> None: ...

class DownloadResult(_message.Message):
    __slots__ = ["asset"]
    ASSET_FIELD_NUMBER: _ClassVar[int]
    asset: Asset
    def __init__(self, asset: _Optional[_Union[Asset, _Mapping]] = ...) -> None: ...

class FormatsReply(_message.Message):
    __slots__ = ["formats"]
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    formats: _containers.RepeatedCompositeFieldContainer[_camera_pb2.Format]
    def __init__(self, formats: _Optional[_Iterable[_Union[_camera_pb2.Format, _Mapping]]] = ...) -> None: ...

class FormatsRequest(_message.Message):
    __slots__ = ["camera"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    camera: str
    def __init__(self, camera: _Optional[str] = ...) -> None: ...

class RecordResult(_message.Message):
    __slots__ = ["asset", "dropped", "frames", "reason", "recording"]
    class EndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    ASSET_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    END_REASON_CAMERA_LOST: RecordResult.EndReason
    END_REASON_LIMIT_REACHED: RecordResult.EndReason
    END_REASON_NODE_KILLED: RecordResult.EndReason
    END_REASON_NODE_STOPPED: RecordResult.EndReason
    END_REASON_STOPPED: RecordResult.EndReason
    END_REASON_STORAGE_FAILED: RecordResult.EndReason
    END_REASON_STORAGE_FULL: RecordResult.EndReason
    END_REASON_UNSPECIFIED: RecordResult.EndReason
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORDING_FIELD_NUMBER: _ClassVar[int]
    asset: Asset
    dropped: int
    frames: int
    reason: RecordResult.EndReason
    recording: bytes
    def __init__(self, asset: _Optional[_Union[Asset, _Mapping]] = ..., frames: _Optional[int] = ..., dropped: _Optional[int] = ..., reason: _Optional[_Union[RecordResult.EndReason, str]] = ..., recording: _Optional[bytes] = ...) -> None: ...

class RecordStartRequest(_message.Message):
    __slots__ = ["camera", "maximum_bytes", "maximum_duration_ns", "quality"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_DURATION_NS_FIELD_NUMBER: _ClassVar[int]
    QUALITY_FIELD_NUMBER: _ClassVar[int]
    camera: str
    maximum_bytes: int
    maximum_duration_ns: int
    quality: int
    def __init__(self, camera: _Optional[str] = ..., quality: _Optional[int] = ..., maximum_duration_ns: _Optional[int] = ..., maximum_bytes: _Optional[int] = ...) -> None: ...

class RecordStarted(_message.Message):
    __slots__ = ["camera", "recording", "started"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    RECORDING_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    camera: str
    recording: bytes
    started: _common_pb2.Timestamp
    def __init__(self, camera: _Optional[str] = ..., recording: _Optional[bytes] = ..., started: _Optional[_Union[_common_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RecordStopRequest(_message.Message):
    __slots__ = ["camera"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    camera: str
    def __init__(self, camera: _Optional[str] = ...) -> None: ...

class ReplayReply(_message.Message):
    __slots__ = ["events", "more"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[Replayed]
    more: bool
    def __init__(self, events: _Optional[_Iterable[_Union[Replayed, _Mapping]]] = ..., more: bool = ...) -> None: ...

class ReplayRequest(_message.Message):
    __slots__ = ["ranges"]
    class Range(_message.Message):
        __slots__ = ["first", "last", "topic"]
        FIRST_FIELD_NUMBER: _ClassVar[int]
        LAST_FIELD_NUMBER: _ClassVar[int]
        TOPIC_FIELD_NUMBER: _ClassVar[int]
        first: int
        last: int
        topic: str
        def __init__(self, topic: _Optional[str] = ..., first: _Optional[int] = ..., last: _Optional[int] = ...) -> None: ...
    RANGES_FIELD_NUMBER: _ClassVar[int]
    ranges: _containers.RepeatedCompositeFieldContainer[ReplayRequest.Range]
    def __init__(self, ranges: _Optional[_Iterable[_Union[ReplayRequest.Range, _Mapping]]] = ...) -> None: ...

class Replayed(_message.Message):
    __slots__ = ["header", "payload", "topic"]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    header: bytes
    payload: bytes
    topic: str
    def __init__(self, topic: _Optional[str] = ..., header: _Optional[bytes] = ..., payload: _Optional[bytes] = ...) -> None: ...

class Reply(_message.Message):
    __slots__ = ["assets", "cancel", "capture", "capture_progress", "chunk", "controls", "download", "epoch", "error", "final", "formats", "id", "index", "record", "record_started", "replay", "session", "status"]
    ASSETS_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_PROGRESS_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    CONTROLS_FIELD_NUMBER: _ClassVar[int]
    DOWNLOAD_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    RECORD_STARTED_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    assets: AssetsReply
    cancel: CancelReply
    capture: CaptureResult
    capture_progress: CaptureProgress
    chunk: DownloadChunk
    controls: ControlsReply
    download: DownloadResult
    epoch: bytes
    error: _common_pb2.Error
    final: bool
    formats: FormatsReply
    id: bytes
    index: int
    record: RecordResult
    record_started: RecordStarted
    replay: ReplayReply
    session: _camera_pb2.CameraStatus
    status: StatusReply
    def __init__(self, id: _Optional[bytes] = ..., epoch: _Optional[bytes] = ..., index: _Optional[int] = ..., final: bool = ..., error: _Optional[_Union[_common_pb2.Error, _Mapping]] = ..., status: _Optional[_Union[StatusReply, _Mapping]] = ..., session: _Optional[_Union[_camera_pb2.CameraStatus, _Mapping]] = ..., controls: _Optional[_Union[ControlsReply, _Mapping]] = ..., capture_progress: _Optional[_Union[CaptureProgress, _Mapping]] = ..., capture: _Optional[_Union[CaptureResult, _Mapping]] = ..., record_started: _Optional[_Union[RecordStarted, _Mapping]] = ..., record: _Optional[_Union[RecordResult, _Mapping]] = ..., chunk: _Optional[_Union[DownloadChunk, _Mapping]] = ..., download: _Optional[_Union[DownloadResult, _Mapping]] = ..., cancel: _Optional[_Union[CancelReply, _Mapping]] = ..., formats: _Optional[_Union[FormatsReply, _Mapping]] = ..., assets: _Optional[_Union[AssetsReply, _Mapping]] = ..., replay: _Optional[_Union[ReplayReply, _Mapping]] = ...) -> None: ...

class Request(_message.Message):
    __slots__ = ["assets", "cancel", "capture", "controls_get", "controls_list", "controls_set", "download", "download_credit", "epoch", "formats", "id", "record_start", "record_stop", "remaining_ns", "replay", "session_start", "session_stop", "status"]
    ASSETS_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    CONTROLS_GET_FIELD_NUMBER: _ClassVar[int]
    CONTROLS_LIST_FIELD_NUMBER: _ClassVar[int]
    CONTROLS_SET_FIELD_NUMBER: _ClassVar[int]
    DOWNLOAD_CREDIT_FIELD_NUMBER: _ClassVar[int]
    DOWNLOAD_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    RECORD_START_FIELD_NUMBER: _ClassVar[int]
    RECORD_STOP_FIELD_NUMBER: _ClassVar[int]
    REMAINING_NS_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    SESSION_START_FIELD_NUMBER: _ClassVar[int]
    SESSION_STOP_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    assets: AssetsRequest
    cancel: CancelRequest
    capture: CaptureRequest
    controls_get: ControlsGetRequest
    controls_list: ControlsListRequest
    controls_set: ControlsSetRequest
    download: DownloadRequest
    download_credit: DownloadCredit
    epoch: bytes
    formats: FormatsRequest
    id: bytes
    record_start: RecordStartRequest
    record_stop: RecordStopRequest
    remaining_ns: int
    replay: ReplayRequest
    session_start: SessionStartRequest
    session_stop: SessionStopRequest
    status: StatusRequest
    def __init__(self, id: _Optional[bytes] = ..., remaining_ns: _Optional[int] = ..., epoch: _Optional[bytes] = ..., status: _Optional[_Union[StatusRequest, _Mapping]] = ..., session_start: _Optional[_Union[SessionStartRequest, _Mapping]] = ..., session_stop: _Optional[_Union[SessionStopRequest, _Mapping]] = ..., controls_list: _Optional[_Union[ControlsListRequest, _Mapping]] = ..., controls_get: _Optional[_Union[ControlsGetRequest, _Mapping]] = ..., controls_set: _Optional[_Union[ControlsSetRequest, _Mapping]] = ..., capture: _Optional[_Union[CaptureRequest, _Mapping]] = ..., record_start: _Optional[_Union[RecordStartRequest, _Mapping]] = ..., record_stop: _Optional[_Union[RecordStopRequest, _Mapping]] = ..., download: _Optional[_Union[DownloadRequest, _Mapping]] = ..., download_credit: _Optional[_Union[DownloadCredit, _Mapping]] = ..., cancel: _Optional[_Union[CancelRequest, _Mapping]] = ..., formats: _Optional[_Union[FormatsRequest, _Mapping]] = ..., assets: _Optional[_Union[AssetsRequest, _Mapping]] = ..., replay: _Optional[_Union[ReplayRequest, _Mapping]] = ...) -> None: ...

class ResolvedCapture(_message.Message):
    __slots__ = ["frame_sequence", "offset_ns", "passthrough", "quality", "size", "start_of_exposure", "timestamp", "uncertainty_ns"]
    FRAME_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    OFFSET_NS_FIELD_NUMBER: _ClassVar[int]
    PASSTHROUGH_FIELD_NUMBER: _ClassVar[int]
    QUALITY_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    START_OF_EXPOSURE_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    UNCERTAINTY_NS_FIELD_NUMBER: _ClassVar[int]
    frame_sequence: int
    offset_ns: int
    passthrough: bool
    quality: int
    size: _common_pb2.Size
    start_of_exposure: bool
    timestamp: _common_pb2.Timestamp
    uncertainty_ns: int
    def __init__(self, frame_sequence: _Optional[int] = ..., timestamp: _Optional[_Union[_common_pb2.Timestamp, _Mapping]] = ..., start_of_exposure: bool = ..., offset_ns: _Optional[int] = ..., uncertainty_ns: _Optional[int] = ..., size: _Optional[_Union[_common_pb2.Size, _Mapping]] = ..., passthrough: bool = ..., quality: _Optional[int] = ...) -> None: ...

class SessionStartRequest(_message.Message):
    __slots__ = ["camera", "frame_rate", "pixel_format", "size"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    FRAME_RATE_FIELD_NUMBER: _ClassVar[int]
    PIXEL_FORMAT_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    camera: str
    frame_rate: float
    pixel_format: str
    size: _common_pb2.Size
    def __init__(self, camera: _Optional[str] = ..., pixel_format: _Optional[str] = ..., size: _Optional[_Union[_common_pb2.Size, _Mapping]] = ..., frame_rate: _Optional[float] = ...) -> None: ...

class SessionStopRequest(_message.Message):
    __slots__ = ["camera"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    camera: str
    def __init__(self, camera: _Optional[str] = ...) -> None: ...

class StatusReply(_message.Message):
    __slots__ = ["busy_replies", "cameras", "events_dropped", "events_endpoint", "events_ipc_endpoint", "frames_endpoint", "frames_ipc_endpoint", "library", "malformed_requests", "node_name", "now", "started_monotonic_ns", "topics", "undeliverable_replies", "version"]
    class Topic(_message.Message):
        __slots__ = ["last_sequence", "topic"]
        LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
        TOPIC_FIELD_NUMBER: _ClassVar[int]
        last_sequence: int
        topic: str
        def __init__(self, topic: _Optional[str] = ..., last_sequence: _Optional[int] = ...) -> None: ...
    BUSY_REPLIES_FIELD_NUMBER: _ClassVar[int]
    CAMERAS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_DROPPED_FIELD_NUMBER: _ClassVar[int]
    EVENTS_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_IPC_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    FRAMES_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    FRAMES_IPC_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    LIBRARY_FIELD_NUMBER: _ClassVar[int]
    MALFORMED_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    NODE_NAME_FIELD_NUMBER: _ClassVar[int]
    NOW_FIELD_NUMBER: _ClassVar[int]
    STARTED_MONOTONIC_NS_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    UNDELIVERABLE_REPLIES_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    busy_replies: int
    cameras: _containers.RepeatedCompositeFieldContainer[_camera_pb2.CameraStatus]
    events_dropped: int
    events_endpoint: str
    events_ipc_endpoint: str
    frames_endpoint: str
    frames_ipc_endpoint: str
    library: str
    malformed_requests: int
    node_name: str
    now: _common_pb2.Timestamp
    started_monotonic_ns: int
    topics: _containers.RepeatedCompositeFieldContainer[StatusReply.Topic]
    undeliverable_replies: int
    version: str
    def __init__(self, node_name: _Optional[str] = ..., version: _Optional[str] = ..., now: _Optional[_Union[_common_pb2.Timestamp, _Mapping]] = ..., started_monotonic_ns: _Optional[int] = ..., events_endpoint: _Optional[str] = ..., frames_endpoint: _Optional[str] = ..., cameras: _Optional[_Iterable[_Union[_camera_pb2.CameraStatus, _Mapping]]] = ..., topics: _Optional[_Iterable[_Union[StatusReply.Topic, _Mapping]]] = ..., malformed_requests: _Optional[int] = ..., busy_replies: _Optional[int] = ..., library: _Optional[str] = ..., undeliverable_replies: _Optional[int] = ..., events_dropped: _Optional[int] = ..., events_ipc_endpoint: _Optional[str] = ..., frames_ipc_endpoint: _Optional[str] = ...) -> None: ...

class StatusRequest(_message.Message):
    __slots__ = ["camera"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    camera: str
    def __init__(self, camera: _Optional[str] = ...) -> None: ...
