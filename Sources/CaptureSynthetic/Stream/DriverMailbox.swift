import Capture
import EventLoop
import OperatingSystem

/// A buffer as a driver fills it. It may be corrupted or too short.
struct DriverBuffer: Sendable {
  var frame: Frame
  /// Whether the driver flagged it as corrupted (V4L2: `V4L2_BUF_FLAG_ERROR`).
  var isCorrupted: Bool
}

/// The camera's queue of filled buffers and events for the frame loop, which it wakes, as a driver
/// does.
///
/// The pool of buffers bounds its length; changes of controls are rare.
final class DriverMailbox: Sendable {
  struct Post: Sendable {
    var changedControls: [ControlID] = []
    /// In order of exposure, the oldest first.
    var buffers: [DriverBuffer] = []
    /// The error that ended the stream. Nothing comes after it.
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

  /// Calls `collect` on the loop whenever something waits. Items that already wait count.
  func connect(to loop: EventLoop, collect: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.listener = (loop, collect)
      state.wake()
    }
  }

  /// Stops waking the loop.
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

  /// Swaps the waiting items with `empty`, whose memory is reused.
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
