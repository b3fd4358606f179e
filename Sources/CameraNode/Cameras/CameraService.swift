import OperatingSystem
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop

/// One camera of the node: its parts, and what the control loop knows of it.
// @unchecked: the parts are constant and safe to share; the variables belong to the control loop.
final class CameraService: @unchecked Sendable {
  let name: String
  let session: CaptureSession
  let pipeline: FramePipeline
  let streams: CameraStreams
  /// The thread that movies are written on.
  let recordingLoop: EventLoop

  // On the control loop.
  private(set) var sessionStatus: SessionStatus
  var hasFrames = false
  var load = PhotoLoad()
  var recording: ActiveRecording?
  /// Its file is being made.
  var isRecordingStarting = false

  init(
    name: String,
    session: CaptureSession,
    streams: CameraStreams,
    recordingLoop: EventLoop,
    sessionStatus: SessionStatus
  ) {
    self.name = name
    self.session = session
    self.pipeline = session.pipeline
    self.streams = streams
    self.recordingLoop = recordingLoop
    self.sessionStatus = sessionStatus
  }

  var isRecording: Bool { recording != nil || isRecordingStarting }

  var readiness: Readiness {
    Readiness(state: sessionStatus.state, hasFrames: hasFrames, load: load)
  }

  func take(_ status: SessionStatus) {
    sessionStatus = status
    if status.state != .running { hasFrames = false }
  }

  /// On the control loop: how the camera is now, told by this clock.
  func status(_ wallClock: WallClockSample) -> WireCameraStatus {
    WireCameraStatus.with { status in
      status.name = name
      status.readiness = WireReadiness(readiness)
      status.describe(sessionStatus, wallClock)
      if let recording { status.recording = recording.status }
      status.frames = WireFrameCounters(pipeline.counters)
      status.streams = streams.status.map(WireStreamStatus.init)
      status.ringDurationNs = pipeline.ringReach
    }
  }
}
