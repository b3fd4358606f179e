import DequeModule
import OperatingSystem

/// The newest frames of a feed, for one reader: the feed puts them in, the reader takes them out.
///
/// Waking the reader takes one lock and allocates nothing. An `AsyncStream` would allocate for
/// every frame.
final class FrameMailbox: Sendable {
  private enum Content {
    case frame(CameraFrame)
    case nothing
    case ended(CameraBusError?)
  }

  // A reader is resumed once, by the caller that takes it off the list.
  @safe private struct WaitingReader {
    let continuation: UnsafeContinuation<Void, Never>

    func wake() { unsafe continuation.resume() }
  }

  private struct State {
    var frames: Deque<CameraFrame>
    /// The end, which the reader gets after the last frame.
    var end: Content?
    var readers: [WaitingReader] = []

    mutating func take() -> Content {
      if let frame = frames.popFirst() { return .frame(frame) }
      return end ?? .nothing
    }
  }

  private let limit: Int
  private let state: Mutex<State>

  /// - Parameter limit: The most frames that wait. A newer frame replaces the oldest.
  init(limit: Int) {
    self.limit = limit
    state = Mutex(State(frames: Deque(minimumCapacity: min(limit, 64))))
  }

  // MARK: The feed's side

  /// - Returns: Whether an older frame was dropped for it.
  func put(_ frame: CameraFrame) -> Bool {
    let (reader, hasDropped) = state.withLock { state in
      let isFull = state.frames.count >= limit
      if isFull { state.frames.removeFirst() }
      if state.end == nil { state.frames.append(frame) }
      return (state.readers.popLast(), isFull)
    }
    reader?.wake()
    return hasDropped
  }

  /// Ends it: no frame follows.
  /// - Parameter error: Why it ends; nil when the reader was cancelled.
  func end(_ error: CameraBusError?) {
    let readers = state.withLock { state in
      state.end = state.end ?? .ended(error)
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.wake() }
  }

  // MARK: The reader's side

  /// The next frame; nil when the caller's task was cancelled, which ends the mailbox.
  func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(CameraBusError) -> CameraFrame? {
    while true {
      if Task.isCancelled { cancel() }
      switch state.withLock({ $0.take() }) {
      case .frame(let frame): return frame
      case .ended(let error?): throw error
      case .ended(nil): return nil
      case .nothing: await wait()
      }
    }
  }

  private func wait(isolation actor: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { continuation in
        let hasNews = state.withLock { state in
          guard state.frames.isEmpty, state.end == nil else { return true }
          unsafe state.readers.append(WaitingReader(continuation: continuation))
          return false
        }
        if hasNews { unsafe continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
  }

  private func cancel() {
    state.withLock { $0.frames.removeAll() }
    end(nil)
  }
}
