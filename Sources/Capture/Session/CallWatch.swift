import EventLoop
import OperatingSystem

/// Reports when a call into a driver does not return. The thread that made the call cannot report
/// it.
final class CallWatch: Sendable {
  private struct State: Sendable {
    /// Counts calls, so that a late timer does not act for a later call.
    var number = 0
    var isCalling = false
    var wasTooLong = false
  }

  private let loop: EventLoop
  private let limit: Duration
  private let state = Mutex(State())

  /// - Parameter loop: a loop that does not wait for the driver.
  init(loop: EventLoop, limit: Duration) {
    self.loop = loop
    self.limit = limit
  }

  /// Call this before the call into the driver, and `end` after it.
  /// - Parameter onTooLong: called on the loop when the call has taken longer than the limit, but
  ///   not after `end` has returned.
  func begin(onTooLong: @escaping @Sendable () -> Void) {
    let number = state.withLock { state in
      state = State(number: state.number + 1, isCalling: true)
      return state.number
    }
    let deadline = MonotonicTime.now + limit
    // The timer is not cancelled: after the call it finds nothing to do.
    _ = loop.performUnlessStopped { [weak self] in
      guard let self else { return }
      loop.schedule(at: deadline) { [weak self] in self?.check(number, onTooLong) }
    }
  }

  /// - Returns: whether `onTooLong` was called.
  func end() -> Bool {
    state.withLock { state in
      state.isCalling = false
      return state.wasTooLong
    }
  }

  private func check(_ number: Int, _ onTooLong: @Sendable () -> Void) {
    state.withLock { state in
      guard state.number == number, state.isCalling else { return }
      state.wasTooLong = true
      // Called with the lock held, so that it comes before anything that the caller reports after
      // the call.
      onTooLong()
    }
  }
}
