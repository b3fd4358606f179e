import CameraProtocol
import EventLoop
import OperatingSystem

/// Every camera's readiness, to be read at any time from any thread.
///
/// It subscribes to the node's events when it is first read.
final class ReadinessBoard: Sendable {
  private struct State {
    var cameras: [String: ReadinessMachine] = [:]
    var readers: [Int: Reader] = [:]
    var nextReader = 0
    var feed: EventFeed?
    /// Whether the feed's events are newer than its snapshot.
    var isCurrent = false
  }

  private struct Reader {
    var camera: String
    var last: Readiness?
    var continuation: AsyncStream<Readiness>.Continuation
  }

  private let state = Mutex(State())
  private let connection: ControlConnection
  private let timeout: Duration

  init(_ connection: ControlConnection, timeout: Duration) {
    self.connection = connection
    self.timeout = timeout
  }

  func readiness(of camera: String, changesCamera: Bool = false) -> Readiness? {
    follow()
    let machine = state.withLock { $0.cameras[camera] }
    return changesCamera ? machine?.readinessToChange : machine?.readiness
  }

  func updates(of camera: String) -> AsyncStream<Readiness> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Readiness.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let number = state.withLock { state in
      let number = state.nextReader
      state.nextReader += 1
      let readiness = state.cameras[camera]?.readiness
      state.readers[number] = Reader(camera: camera, last: readiness, continuation: continuation)
      if let readiness { continuation.yield(readiness) }
      return number
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
    // After the reader is in the list, so that a failure ends it too.
    follow()
    return stream
  }

  // MARK: This program

  func sent(_ id: RequestID, to camera: String, files: Int) {
    update(camera) { $0.sent(id, files: files) }
  }

  /// Takes a reply to a photo, or its failure.
  func take(_ outcome: ControlConnection.Outcome, of id: RequestID, by camera: String) {
    update(camera) { machine in
      machine.answered(id)
      switch outcome {
      case .progress(.captureProgress(let progress), _) where progress.step == .didProcess:
        machine.processed(id)
      case .progress: break
      case .finished, .failed: machine.ended(id)
      }
    }
  }

  /// Nobody waits for the photo any more.
  func abandoned(_ id: RequestID, by camera: String) {
    update(camera) { $0.ended(id) }
  }

  func use(_ lease: RequestID?, of camera: String) {
    update(camera) { $0.use(lease) }
  }

  // MARK: The node's events

  /// Subscribes to the node's events, if that was not done.
  func follow() {
    let isFirst = state.withLock { state in
      guard state.feed == nil else { return false }
      state.feed = EventFeed(EventScope(kind: .state), connection, timeout: timeout) {
        [weak self] outcome in
        self?.take(outcome)
        return true
      }
      return true
    }
    guard isFirst, let feed = state.withLock({ $0.feed }) else { return }
    if !feed.enter({ $0.open() }) { end() }
  }

  private func take(_ outcome: EventFeed.Outcome) {
    switch outcome {
    case .event(.snapshot(let node)):
      state.withLock { $0.isCurrent = true }
      for camera in node.cameras { published(camera) }
    case .event(.event(let event)):
      guard case .state(let status) = event.body, state.withLock(\.isCurrent) else { break }
      published(status)
    case .event(.disconnected), .event(.nodeRestarted):
      forgetReadiness()
    case .event: break
    case .failed: end()
    }
  }

  private func published(_ camera: CameraStatus) {
    update(camera.name) { $0.published(camera.readiness, isLeased: camera.lease != nil) }
  }

  /// The node could not be reached, or the connection was closed. The next use tries again.
  private func end() {
    forgetReadiness()
    let readers = state.withLock { state in
      state.feed = nil
      return Array(state.readers.values)
    }
    for reader in readers { reader.continuation.finish() }
  }

  private func forgetReadiness() {
    let cameras = state.withLock { state in
      state.isCurrent = false
      return Array(state.cameras.keys)
    }
    for camera in cameras { update(camera) { $0.published(nil) } }
  }

  private func update(_ camera: String, _ change: (inout ReadinessMachine) -> Void) {
    state.withLock { state in
      change(&state.cameras[camera, default: ReadinessMachine()])
      let readiness = state.cameras[camera]?.readiness
      for (number, reader) in state.readers where reader.camera == camera {
        guard let readiness, readiness != reader.last else { continue }
        state.readers[number]?.last = readiness
        reader.continuation.yield(readiness)
      }
    }
  }
}
