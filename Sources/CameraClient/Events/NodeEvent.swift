/// What a reader of ``EventSequence`` gets. More cases may come, so a switch needs an `@unknown
/// default`.
@nonexhaustive
public enum NodeEvent: Sendable {
  /// How the node and its cameras are, after every event before it and before every event behind
  /// it.
  ///
  /// It comes first (after the history, where that was asked for), and again wherever more may have
  /// changed than the events say: after a gap, a restart or a broken connection.
  case snapshot(NodeStatus)
  /// Something happened to a camera.
  case event(CameraEvent)
  /// This many events of the camera and kind are lost, because the node does not keep them any
  /// more. A snapshot follows.
  case gap(missed: Int, camera: String, kind: CameraEvent.Kind)
  /// The node was restarted. What it did since then follows, as far as it keeps it, and then a
  /// snapshot.
  case nodeRestarted
  /// Nothing has come from the node for three seconds, or it does not answer; with the reason, if
  /// it is known, such as `notAuthorized` when the program's key was revoked. It comes once more
  /// when the reason becomes known later.
  case disconnected(Problem?)
  /// The node is back. What it did meanwhile follows, and then a snapshot.
  case reconnected
}

/// Something that happened to a camera, or to the node itself.
public struct CameraEvent: Sendable {
  /// What happened. More cases may come, so a switch needs an `@unknown default`.
  @nonexhaustive
  public enum Body: Sendable {
    /// The session's state, the readiness, the format or the recording changed: this is the
    /// camera's status now.
    case state(CameraStatus)
    /// A control changed.
    case control(Control)
    /// A photo of any client came this far.
    case capture(requestID: Identifier, CaptureEvent)
    /// A recording of any client came this far.
    case recording(id: Identifier, RecordingEvent)
    /// The camera can do something else than before.
    case capabilities(Capabilities)
    /// The files in whose place a proxy stands, of a photo of any client, were made or cannot be.
    case deferred(requestID: Identifier, proxy: Identifier, DeferredEvent)
    /// A shot of a rig came this far on one of the node's cameras.
    case shot(Identifier, camera: String, ShotEvent)
    /// The scene in front of the camera changed.
    case subjectArea(SubjectAreaChange)
    /// The node removed an asset of the camera to keep to its library's quota.
    case library(AssetRemoval)
    /// The sound of a movie under way has stopped, or is back.
    case sound(SoundChange)
    /// Who may use the node changed, or somebody was refused.
    case keys(KeysEvent)
    /// Cameras of the node's machine came or went.
    case devices(DevicesEvent)
    /// The node's machine is harder pressed than before, or less hard.
    case pressure(SystemPressure)
    /// A newer node sends something that this client does not know.
    case unknown
  }

  /// The start of the node that it belongs to; see ``NodeStatus/epoch``.
  public var epoch: Identifier
  /// Counts the events of this camera and kind from 1 in each epoch, without a gap.
  public var sequence: UInt64
  /// The camera's name; `_node` for the node itself.
  public var camera: String
  /// When it happened.
  public var time: Timestamp
  /// What happened.
  public var body: Body

  /// The kind of what happened.
  public var kind: Kind {
    switch body {
    case .state: .state
    case .control: .control
    case .capture: .capture
    case .recording: .recording
    case .capabilities: .capabilities
    case .deferred: .deferred
    case .shot: .shot
    case .subjectArea: .subjectArea
    case .library: .library
    case .sound: .sound
    case .keys: .keys
    case .devices: .devices
    case .pressure: .pressure
    case .unknown: .unknown
    }
  }
}

/// How far a photo has come. Every photo ends in `completed` or `failed`. More cases may come, so a
/// switch needs an `@unknown default`.
@nonexhaustive
public enum CaptureEvent: Sendable {
  /// The settings are resolved; the frame may still be to come.
  case willBegin(CaptureSettings)
  /// The frame is about to be taken.
  case willCapture
  /// The frame is chosen.
  case didCapture(ResolvedCapture)
  /// A file is ready.
  case didProcess(ResolvedCapture, ProcessedFile)
  /// The movie of a live photo gets no more frames, or cannot be had.
  case didRecordMovie(ResolvedCapture)
  /// All files of all pictures are finished. The first picture, and the assets of all; none when
  /// the library does not keep them.
  case completed(ResolvedCapture, [Asset])
  /// It failed or was cancelled.
  case failed(Problem)
  /// A newer node reports a step that this client does not know.
  case unknown
}

/// What has become of the files in whose place a proxy stands. After a restart of the node it may
/// come a second time. More cases may come, so a switch needs an `@unknown default`.
@nonexhaustive
public enum DeferredEvent: Sendable {
  /// All are in the library, in the order of ``PhotoSettings/outputs``. The frame that they show
  /// may be another one than the proxy's.
  case finished(ResolvedCapture, [Asset])
  /// They cannot be made: the proxy is all there is.
  case failed(Problem)
  /// A newer node reports something that this client does not know.
  case unknown
}

/// How far a camera's part of a shot has come. After `prepared` comes at most one `committed`, and
/// exactly one of the others. More cases may come, so a switch needs an `@unknown default`.
@nonexhaustive
public enum ShotEvent: Sendable {
  /// The camera is ready for it. The holder of its lease, as others know it.
  case prepared(holder: String)
  /// Its moment is chosen. The request for the photo.
  case committed(requestID: Identifier, Timestamp)
  /// All files of the photo are finished.
  case completed(ResolvedCapture, [Asset])
  /// It was committed, and there is no photo.
  case failed(Problem)
  /// It was given up before it was committed.
  case aborted
  /// Its lease ended before it was committed, or the camera went.
  case expired
  /// A newer node reports something that this client does not know.
  case unknown
}

/// How far a recording has come. Every recording ends in `finished` or `failed`. More cases may
/// come, so a switch needs an `@unknown default`.
@nonexhaustive
public enum RecordingEvent: Sendable {
  /// Its first frame is in the file. A recording in clips begins without one.
  case started(RecordingStart)
  /// It goes on: as often as ``MovieSettings/progressInterval`` says.
  case progress(RecordingStatus)
  /// A file of a recording in segments or clips is complete.
  case file(RecordedFile)
  /// It is paused.
  case paused(RecordingStatus)
  /// It goes on after a pause.
  case resumed(RecordingStatus)
  /// It ended, with a movie.
  case finished(Movie)
  /// It ended without a movie.
  case failed(Problem)
  /// A newer node reports something that this client does not know.
  case unknown
}
