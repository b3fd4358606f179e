import EventLoop
import OperatingSystem

/// Speaks up when a call into a driver does not return, for the thread that made it cannot.
final class CallWatch: Sendable {
  private struct State: Sendable {
    /// Counts calls, so that a late timer is not taken for the present call's.
    var number = 0
    var isCalling = false
    var wasTooLong = false
  }

  private let loop: EventLoop
  private let limit: Duration
  private let state = Mutex(State())

  /// - Parameter loop: one that does not wait for the driver.
  init(loop: EventLoop, limit: Duration) {
    self.loop = loop
    self.limit = limit
  }

  /// A call begins; `end` comes after it.
  /// - Parameter onTooLong: called on the loop once the call takes longer than the limit, and before `end` returns.
  func begin(onTooLong: @escaping @Sendable () -> Void) {
    let number = state.withLock { state in
      state = State(number: state.number + 1, isCalling: true)
      return state.number
    }
    let deadline = MonotonicTime.now + limit
    // Not cancelled: after the call it finds nothing to do.
    _ = loop.performUnlessStopped { [weak self] in
      guard let self else { return }
      loop.schedule(at: deadline) { [weak self] in self?.check(number, onTooLong) }
    }
  }

  /// Whether the call took longer than the limit, and that was said.
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
      // With the lock held: what the caller says after the call comes after this.
      onTooLong()
    }
  }
}
