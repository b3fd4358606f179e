import CameraProtocol
import Capture
import EventLoop
import OperatingSystem
import SwiftProtobuf

/// One camera of the node: its parts and its current state.
// Sendable: the constants are safe to share; the variables belong to the control loop, and only one
// service changes each.
final class Camera: @unchecked Sendable {
  let name: String
  let session: CaptureSession
  let pipeline: FramePipeline
  let streams: CameraStreams
  /// The thread that movies are written on.
  let recordingLoop: EventLoop

  /// The session's latest status. `SessionService` updates it.
  private(set) var sessionStatus: SessionStatus
  /// Whether the stream has delivered a frame. `SessionService` updates it.
  var hasFrames = false
  /// `CaptureService` updates it.
  var load = PhotoLoad()
  /// `RecordingService` updates this and `movie`.
  var recording = RecordingMachine<Call>()
  var movie: ActiveRecording?

  init(
    name: String, session: CaptureSession, streams: CameraStreams, recordingLoop: EventLoop,
    sessionStatus: SessionStatus
  ) {
    self.name = name
    self.session = session
    self.pipeline = session.pipeline
    self.streams = streams
    self.recordingLoop = recordingLoop
    self.sessionStatus = sessionStatus
  }

  /// The format of the running stream.
  /// - Throws: `notRunning` while the session does not run.
  var runningFormat: StreamFormat {
    get throws(CaptureError) {
      guard case .running = sessionStatus.state, let format = sessionStatus.format else {
        throw CaptureError(.notRunning, "the camera's session is not running: start it first")
      }
      return format
    }
  }

  var readiness: Readiness {
    Readiness(state: sessionStatus.state, hasFrames: hasFrames, load: load)
  }

  func take(_ status: SessionStatus) {
    sessionStatus = status
    if status.state != .running { hasFrames = false }
  }

  /// The camera's status now, with times also given by this wall clock.
  func status(_ wallClock: WallClockSample) -> WireCameraStatus {
    WireCameraStatus.with { status in
      status.name = name
      status.readiness = WireReadiness(readiness)
      status.describe(sessionStatus, wallClock)
      if let movie { status.recording = movie.status }
      status.frames = WireFrameCounters(pipeline.counters)
      status.streams = streams.status.map(WireStreamStatus.init)
      status.ringDurationNs = pipeline.ringReach
    }
  }
}
