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
  private let isVideo: Bool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - limit: The most frames that wait. A newer frame replaces the oldest.
  ///   - isVideo: Whether frames need those before them, from a key picture on. Then a key picture
  ///     replaces all that wait, and any other frame that has no room is dropped.
  init(limit: Int, isVideo: Bool = false) {
    self.limit = limit
    self.isVideo = isVideo
    state = Mutex(State(frames: Deque(minimumCapacity: min(limit, 64))))
  }

  // MARK: The feed's side

  /// - Returns: How many frames were dropped, and whether this one was among them.
  func put(_ frame: CameraFrame) -> (dropped: Int, isLost: Bool) {
    let (reader, dropped, isLost) = state.withLock { state in
      var dropped = 0
      if state.frames.count >= limit {
        if isVideo, !frame.isKeyPicture { return (WaitingReader?.none, 1, true) }
        dropped = isVideo ? state.frames.count : 1
        state.frames.removeFirst(dropped)
      }
      if state.end == nil { state.frames.append(frame) }
      return (state.readers.popLast(), dropped, false)
    }
    reader?.wake()
    return (dropped, isLost)
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
