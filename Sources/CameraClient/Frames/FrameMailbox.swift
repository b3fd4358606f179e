import DequeModule
import OperatingSystem

/// The newest frames of a feed, for one reader: the feed puts them in, the reader takes them out.
///
/// A frame wakes its reader with one lock and no memory of its own, which an `AsyncStream` does
/// not.
final class FrameMailbox: Sendable {
  private enum Content {
    case frame(CameraFrame)
    case nothing
    case ended(CameraBusError?)
  }

  // Whoever takes one off the list wakes it, once.
  @safe private struct WaitingReader {
    let continuation: UnsafeContinuation<Void, Never>

    func wake() { unsafe continuation.resume() }
  }

  private struct State {
    var frames: Deque<CameraFrame>
    /// What ends it behind the last frame.
    var end: Content?
    var readers: [WaitingReader] = []

    mutating func take() -> Content {
      if let frame = frames.popFirst() { return .frame(frame) }
      return end ?? .nothing
    }
  }

  private let limit: Int
  private let state: Mutex<State>

  /// - Parameter limit: How many frames may wait; for a newer one the oldest is dropped.
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

  /// No frame follows, and why; nil when nobody wants any.
  func end(_ error: CameraBusError?) {
    let readers = state.withLock { state in
      state.end = state.end ?? .ended(error)
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.wake() }
  }

  // MARK: The reader's side

  /// The next frame; nil when the caller's task was cancelled, which ends it.
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
