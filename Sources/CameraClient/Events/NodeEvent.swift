/// What a reader of ``EventSequence`` is told.
public enum NodeEvent: Sendable {
  /// How the node and its cameras are, after all that was told before and before all that is told later. It comes first
  /// (but for a history that was asked for), and again after what may have changed more than the events say: a gap, a
  /// restart, a broken connection.
  case snapshot(NodeStatus)
  /// Something happened to a camera.
  case event(CameraEvent)
  /// This many events of the camera and kind are lost: the node keeps them no more. A snapshot follows.
  case gap(missed: Int, camera: String, kind: CameraEvent.Kind)
  /// The node was started anew. What it did since then follows, as far as it keeps it, and a snapshot.
  case nodeRestarted
  /// Nothing was heard of the node for three seconds, or it does not answer.
  case disconnected
  /// The node is heard again. What it did meanwhile follows, and a snapshot.
  case reconnected
}

/// Something that happened to a camera.
public struct CameraEvent: Sendable {
  /// What happens, by kind.
  public enum Kind: String, Hashable, Sendable, Codable {
    case state, control, capture, recording
  }

  /// What can happen.
  public enum Body: Sendable {
    /// The session's state, the readiness, the format or the recording changed: how the camera is now.
    case state(CameraStatus)
    /// A control changed.
    case control(Control)
    /// A photo, this client's or another's, came this far.
    case capture(requestID: Identifier, CaptureEvent)
    /// A recording, this client's or another's, came this far.
    case recording(id: Identifier, RecordingEvent)
  }

  /// The node's start that it is of; see ``NodeStatus/epoch``.
  public var epoch: Identifier
  /// Counts the events of this camera and kind from 1 in each epoch, without a gap.
  public var sequence: UInt64
  /// The camera's name.
  public var camera: String
  /// When.
  public var time: Timestamp
  /// What.
  public var body: Body

  /// What, by kind.
  public var kind: Kind {
    switch body {
    case .state: .state
    case .control: .control
    case .capture: .capture
    case .recording: .recording
    }
  }
}

/// How far a photo has come. Every photo ends in `completed` or `failed`.
public enum CaptureEvent: Sendable {
  /// The settings are resolved; the frame may still be to come.
  case willBegin
  /// The frame is about to be taken.
  case willCapture
  /// The frame is chosen.
  case didCapture(ResolvedCapture)
  /// The picture is ready, with this many bytes.
  case didProcess(ResolvedCapture, byteCount: Int)
  /// The photo is finished; the asset is nil when it is not kept.
  case completed(ResolvedCapture, Asset?)
  /// It failed or was cancelled.
  case failed(Problem)
}

/// How far a recording has come. Every recording ends in `finished` or `failed`.
public enum RecordingEvent: Sendable {
  /// It runs.
  case started(Recording)
  /// It ended, with a movie.
  case finished(Movie)
  /// It ended without one.
  case failed(Problem)
}
