"""A small CameraBus client in Python, written from the protocol's specification alone."""

from . import messages
from .async_bus import AsyncCameraBus, AsyncFrameStream
from .bracket import BracketShot, Exposure
from .bus import CameraBus, Capture, FrameStream, Monitor, PreparedShot
from .clocks import Bounds, ClockEstimate, ClockOffset, ClockReading, EstimatedTime, WallClock, clock_id
from .controls import PointOfInterest, Value
from .controls import from_wire as value_of
from .controls import point_of_interest
from .credentials import Credentials
from .depth import Depth
from .discovery import NodeCandidate, Trust, discover
from .errors import CameraBusError, Code
from .frame import Frame
from .frame_count import FrameCount
from .live_photos import LivePhotos
from .monitor import AsyncMonitor
from .movie import MovieFrame, movie_frames
from .movie_settings import Clips, Segments
from .photo import AsyncCapture, DepthPicture, Photo, PhotoFile
from .photo_settings import Output, PhotoSettings
from .position import EventPosition
from .prepared_shot import AsyncPreparedShot
from .readiness import Readiness
from .recorder import AsyncRunningRigRecording
from .rig import RigCamera, RigDescription, RigNode
from .rig_alignment import CameraPhase, RigAlignment, RigAlignmentPart
from .rig_client import AsyncRigCapture, RigClock, RigNodeStatus, RigObstacle, RigReadiness
from .rig_monitor import AsyncRigMonitor, Awaited, ClockChanged, RigEvent, RigMonitor, RigNotice
from .rig_recording import RigMovie, RigMovieFrame, RigRecording, RigRecordingPart
from .rig_shot import ALL, ANY, RigFile, RigOutcome, RigPart, RigPicture, RigPolicy, RigShot, RigStep, at_least
from .rigs import AsyncRig, Rig, RigCapture, RunningRigRecording
from .shot_folder import ShotFolder
from .time_lapse import Shot
from .tracker import Disconnected, Lost, Notice, Published, Range, Reconnected, Restarted, Snapshot
from .wall_clock import OwnWallClock
from .when import NEXT, NOW, When, at_monotonic, at_wall, no_older_than, past

__version__ = "0.1.0"

__all__ = [
    "ALL", "ANY", "AsyncCameraBus", "AsyncCapture", "AsyncFrameStream", "AsyncMonitor", "AsyncPreparedShot",
    "AsyncRig", "AsyncRigCapture", "AsyncRigMonitor", "AsyncRunningRigRecording", "at_least", "at_monotonic",
    "at_wall", "Awaited", "Bounds", "BracketShot", "CameraBus", "CameraBusError", "CameraPhase", "Capture",
    "Clips", "clock_id", "ClockChanged", "ClockEstimate", "ClockOffset", "ClockReading", "Code", "Credentials",
    "Depth", "DepthPicture", "Disconnected", "discover", "EstimatedTime", "EventPosition", "Exposure", "Frame",
    "FrameCount", "FrameStream", "LivePhotos", "Lost", "messages", "Monitor", "movie_frames", "MovieFrame", "NEXT",
    "no_older_than", "NodeCandidate", "Notice", "NOW", "Output", "OwnWallClock", "past", "Photo", "PhotoFile",
    "PhotoSettings", "point_of_interest", "PointOfInterest", "PreparedShot", "Published", "Range", "Readiness",
    "Reconnected", "Restarted", "Rig", "RigAlignment", "RigAlignmentPart", "RigCamera", "RigCapture",
    "RigClock", "RigDescription", "RigEvent", "RigFile", "RigMonitor", "RigMovie", "RigMovieFrame", "RigNode",
    "RigNodeStatus", "RigNotice", "RigObstacle", "RigOutcome", "RigPart", "RigPicture", "RigPolicy",
    "RigReadiness", "RigRecording", "RigRecordingPart", "RigShot", "RigStep", "RunningRigRecording",
    "Segments", "Shot", "ShotFolder", "Snapshot", "Trust", "Value", "value_of", "WallClock", "When",
]
