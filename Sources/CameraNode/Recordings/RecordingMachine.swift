import CameraProtocol
import OperatingSystem

/// The state of one camera's recordings, of which there is one at a time. Pure.
///
/// ```
/// idle ──begin──▶ opening ──opened──▶ recording ──stop, end──▶ ending ──ended──▶ idle
///                    └──end──▶ givenUp ──opened──▶ idle
/// ```
/// `Stop` is a request to stop, or to wait for the end. It is answered when the movie has ended. If
/// it comes while the file is created, the recording starts first. One that names a moment lets the
/// recording go on until then.
struct RecordingMachine<Stop> {
  private enum State {
    case idle
    /// The movie's file is being created.
    case opening
    /// The movie's file is being created, but the stream or the node has ended meanwhile.
    case givenUp
    case recording
    /// The last frames are being written.
    case ending
  }

  private var state = State.idle
  private var stops: [Stop] = []
  /// Whether a request to stop at once has come.
  private(set) var isToStop = false
  /// The earliest moment that requests to stop have named.
  private(set) var moment: MonotonicTime?
  /// The recording under way, from its request until its end.
  private(set) var id: RequestID?

  /// Whether a recording is under way that the end of the stream would end.
  var isActive: Bool { state == .opening || state == .recording }

  /// - Returns: False when a recording is under way.
  mutating func begin(_ id: RequestID) -> Bool {
    guard state == .idle else { return false }
    state = .opening
    self.id = id
    return true
  }

  /// The movie's file could not be created, or is not needed any more.
  /// - Returns: The requests to stop that came meanwhile.
  mutating func openingFailed() -> [Stop] {
    defer { self = RecordingMachine() }
    return stops
  }

  /// The movie's file was created.
  /// - Returns: Whether to record; false when the stream or the node has ended since `begin`: then
  ///   call ``openingFailed()``.
  mutating func opened() -> Bool {
    guard state == .opening else { return false }
    state = .recording
    return true
  }

  /// What to do about a client's request to stop.
  enum StopAnswer {
    /// Nothing is being recorded.
    case refuse
    /// Tell the recorder to stop.
    case stopRecorder
    /// Tell the recorder to stop at the moment.
    case stopRecorderLater
    /// The recording is already ending, or has not started yet.
    case wait
  }

  /// - Parameter moment: When to stop; nil for at once.
  mutating func stop(_ stop: Stop, at moment: MonotonicTime? = nil) -> StopAnswer {
    guard state != .idle else { return .refuse }
    stops.append(stop)
    if let moment { self.moment = min(moment, self.moment ?? moment) } else { isToStop = true }
    guard state == .recording else { return .wait }
    guard moment == nil else { return .stopRecorderLater }
    state = .ending
    return .stopRecorder
  }

  /// - Returns: False if no recording is ending, and there is nothing to wait for.
  mutating func wait(_ stop: Stop) -> Bool {
    guard state == .ending else { return false }
    stops.append(stop)
    return true
  }

  /// The stream or the node ends.
  /// - Returns: Whether to tell the recorder to stop.
  mutating func end() -> Bool {
    switch state {
    case .recording:
      state = .ending
      return true
    case .opening:
      state = .givenUp
      return false
    case .idle, .givenUp, .ending: return false
    }
  }

  /// The movie has ended: at a limit, with an error, or because the recorder was stopped.
  /// - Returns: The requests to stop, and whether the movie ended by itself. Then the recorder
  ///   still gets frames and must be removed.
  mutating func ended() -> (stops: [Stop], endedByItself: Bool) {
    defer { self = RecordingMachine() }
    return (stops, state == .recording)
  }
}
