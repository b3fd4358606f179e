import Capture
import EventLoop

/// A buffer as a driver fills it: perhaps bad, perhaps too short.
struct DriverBuffer: Sendable {
  var frame: Frame
  /// Flagged by the driver (V4L2: `V4L2_BUF_FLAG_ERROR`).
  var isCorrupted: Bool
}

/// What the camera has for the frame loop, and what wakes the loop for it: a driver's queue of filled buffers and events.
///
/// Bounded by the pool that the buffers come from; changes of controls are rare.
final class DriverMailbox: Sendable {
  struct Post: Sendable {
    var changedControls: [ControlID] = []
    /// Oldest first.
    var buffers: [DriverBuffer] = []
    /// The stream's end: nothing comes after it.
    var failure: CaptureError?

    mutating func removeAll() {
      changedControls.removeAll(keepingCapacity: true)
      buffers.removeAll(keepingCapacity: true)
      failure = nil
    }
  }

  private struct State: Sendable {
    var post = Post()
    var isOver = false
    var isAwake = false
    var listener: (loop: EventLoop, collect: @Sendable () -> Void)?

    mutating func wake() {
      guard let listener, !isAwake else { return }
      isAwake = true
      listener.loop.perform(listener.collect)
    }
  }

  private let state = Mutex(State())

  /// Whether the stream has failed.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Has `collect` called on the loop whenever something waits, from what waits already on.
  func connect(to loop: EventLoop, collect: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.listener = (loop, collect)
      state.wake()
    }
  }

  /// Leaves the loop alone from now on.
  func disconnect() {
    state.withLock { state in
      state.listener = nil
      state.isAwake = false
    }
  }

  func post(_ buffer: DriverBuffer) {
    post { $0.buffers.append(buffer) }
  }

  func post(_ changed: [SyntheticControl]) {
    post { $0.changedControls.append(contentsOf: changed.lazy.map(\.id)) }
  }

  func post(_ failure: CaptureError) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.post.failure = failure
      state.isOver = true
      state.wake()
    }
  }

  /// Exchanges what waits for `empty`, which lends its memory.
  func collect(into empty: inout Post) {
    state.withLock { state in
      swap(&state.post, &empty)
      state.isAwake = false
    }
  }

  private func post(_ add: (inout Post) -> Void) {
    state.withLock { state in
      guard !state.isOver else { return }
      add(&state.post)
      state.wake()
    }
  }
}
