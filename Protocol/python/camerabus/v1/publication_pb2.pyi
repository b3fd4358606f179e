from camerabus.v1 import camera_pb2 as _camera_pb2
from camerabus.v1 import common_pb2 as _common_pb2
from camerabus.v1 import request_pb2 as _request_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CaptureEvent(_message.Message):
    __slots__ = ["completed", "failed", "progress", "request_id"]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    completed: _request_pb2.CaptureResult
    failed: _common_pb2.Error
    progress: _request_pb2.CaptureProgress
    request_id: bytes
    def __init__(self, request_id: _Optional[bytes] = ..., progress: _Optional[_Union[_request_pb2.CaptureProgress, _Mapping]] = ..., completed: _Optional[_Union[_request_pb2.CaptureResult, _Mapping]] = ..., failed: _Optional[_Union[_common_pb2.Error, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ["camera", "capture", "control", "recording", "state", "time"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    CONTROL_FIELD_NUMBER: _ClassVar[int]
    RECORDING_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    camera: str
    capture: CaptureEvent
    control: _camera_pb2.Control
    recording: RecordEvent
    state: _camera_pb2.CameraStatus
    time: _common_pb2.Timestamp
    def __init__(self, camera: _Optional[str] = ..., time: _Optional[_Union[_common_pb2.Timestamp, _Mapping]] = ..., state: _Optional[_Union[_camera_pb2.CameraStatus, _Mapping]] = ..., control: _Optional[_Union[_camera_pb2.Control, _Mapping]] = ..., capture: _Optional[_Union[CaptureEvent, _Mapping]] = ..., recording: _Optional[_Union[RecordEvent, _Mapping]] = ...) -> None: ...

class FrameHeader(_message.Message):
    __slots__ = ["bytes_per_line", "copied_ns", "dequeued_ns", "encode_finished_ns", "encode_started_ns", "frame_sequence", "pixel_format", "size", "start_of_exposure", "timestamp"]
    BYTES_PER_LINE_FIELD_NUMBER: _ClassVar[int]
    COPIED_NS_FIELD_NUMBER: _ClassVar[int]
    DEQUEUED_NS_FIELD_NUMBER: _ClassVar[int]
    ENCODE_FINISHED_NS_FIELD_NUMBER: _ClassVar[int]
    ENCODE_STARTED_NS_FIELD_NUMBER: _ClassVar[int]
    FRAME_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    PIXEL_FORMAT_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    START_OF_EXPOSURE_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    bytes_per_line: int
    copied_ns: int
    dequeued_ns: int
    encode_finished_ns: int
    encode_started_ns: int
    frame_sequence: int
    pixel_format: str
    size: _common_pb2.Size
    start_of_exposure: bool
    timestamp: _common_pb2.Timestamp
    def __init__(self, frame_sequence: _Optional[int] = ..., timestamp: _Optional[_Union[_common_pb2.Timestamp, _Mapping]] = ..., start_of_exposure: bool = ..., size: _Optional[_Union[_common_pb2.Size, _Mapping]] = ..., pixel_format: _Optional[str] = ..., bytes_per_line: _Optional[int] = ..., dequeued_ns: _Optional[int] = ..., copied_ns: _Optional[int] = ..., encode_started_ns: _Optional[int] = ..., encode_finished_ns: _Optional[int] = ...) -> None: ...

class Header(_message.Message):
    __slots__ = ["epoch", "frame", "sent", "sequence"]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    SENT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    epoch: bytes
    frame: FrameHeader
    sent: _common_pb2.Timestamp
    sequence: int
    def __init__(self, epoch: _Optional[bytes] = ..., sequence: _Optional[int] = ..., sent: _Optional[_Union[_common_pb2.Timestamp, _Mapping]] = ..., frame: _Optional[_Union[FrameHeader, _Mapping]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ["topics"]
    class Topic(_message.Message):
        __slots__ = ["last_sequence", "topic"]
        LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
        TOPIC_FIELD_NUMBER: _ClassVar[int]
        last_sequence: int
        topic: str
        def __init__(self, topic: _Optional[str] = ..., last_sequence: _Optional[int] = ...) -> None: ...
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    topics: _containers.RepeatedCompositeFieldContainer[Heartbeat.Topic]
    def __init__(self, topics: _Optional[_Iterable[_Union[Heartbeat.Topic, _Mapping]]] = ...) -> None: ...

class RecordEvent(_message.Message):
    __slots__ = ["failed", "finished", "request_id", "started"]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    failed: _common_pb2.Error
    finished: _request_pb2.RecordResult
    request_id: bytes
    started: _request_pb2.RecordStarted
    def __init__(self, request_id: _Optional[bytes] = ..., started: _Optional[_Union[_request_pb2.RecordStarted, _Mapping]] = ..., finished: _Optional[_Union[_request_pb2.RecordResult, _Mapping]] = ..., failed: _Optional[_Union[_common_pb2.Error, _Mapping]] = ...) -> None: ...
