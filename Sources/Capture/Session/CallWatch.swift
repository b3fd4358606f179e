import EventLoop
import OperatingSystem

/// Watches a session's calls into its driver, which may never return. The thread that made such a
/// call cannot report it, nor serve anybody who waits for it.
final class CallWatch: Sendable {
  /// What happens when a call takes too long, and when it comes back after all.
  struct Handlers: Sendable {
    /// Called on the loop. It is over before `onReturn`.
    var onStall: @Sendable (CaptureError) -> Void
    /// Called on the session's thread.
    var onReturn: @Sendable () -> Void
  }

  private struct State: Sendable {
    /// The device in force.
    var device: (any CameraDevice)?
    /// The call that is under way.
    var call: (words: String, began: MonotonicTime)?
    /// Why the driver is not waited for: the call takes too long.
    var stall: CaptureError?
    /// Why the driver is not asked any more.
    var end: CaptureError?
    var hasTimer = false
    var waiting: [Int: @Sendable (CaptureError) -> Void] = [:]
    /// Counts those who have waited.
    var number = 0

    mutating func takeWaiting(_ error: CaptureError) -> [@Sendable () -> Void] {
      defer { waiting = [:] }
      return waiting.values.map { tell in { tell(error) } }
    }
  }

  private let loop: EventLoop
  private let limit: Duration
  private let handlers: Handlers
  private let state = Mutex(State())

  /// - Parameters:
  ///   - loop: A loop that does not wait for the driver.
  ///   - limit: How long a call may take.
  init(loop: EventLoop, limit: Duration, _ handlers: Handlers) {
    (self.loop, self.limit, self.handlers) = (loop, limit, handlers)
  }

  // MARK: Calls (on the session's thread)

  func use(_ device: any CameraDevice) { state.withLock { $0.device = device } }

  /// - Parameter words: What the driver is asked to do.
  /// - Throws: Why the driver is not asked any more.
  func begin(_ words: String) throws(CaptureError) {
    let now = MonotonicTime.now
    let (end, needsTimer) = state.withLock { state in
      if state.end == nil { state.call = (words, now) }
      defer { state.hasTimer = true }
      return (state.end, !state.hasTimer)
    }
    if let end { throw end }
    guard needsTimer else { return }
    _ = loop.performUnlessStopped { [weak self] in self?.check() }
  }

  func end() {
    let hasStalled = state.withLock { state in
      defer { (state.call, state.stall) = (nil, nil) }
      return state.stall != nil
    }
    if hasStalled { handlers.onReturn() }
  }

  /// One timer serves all calls: a call is short, and a session makes many.
  private func check() {
    let now = MonotonicTime.now
    let (next, told) = state.withLock { state in
      guard let (words, began) = state.call, state.stall == nil, state.end == nil else {
        state.hasTimer = false
        return (MonotonicTime?.none, [@Sendable () -> Void]())
      }
      guard began + limit <= now else { return (began + limit, []) }
      let error = CaptureError.stalled(in: words)
      state.stall = error
      state.hasTimer = false
      // Called with the lock held, so that it comes before anything that the session reports after
      // the call.
      handlers.onStall(error)
      return (nil, state.takeWaiting(error))
    }
    for tell in told { tell() }
    if let next { loop.schedule(at: next) { [weak self] in self?.check() } }
  }

  // MARK: Those who wait for the session (on any thread)

  /// Adds somebody who waits for the session, until `remove`.
  /// - Parameter onStall: Called once, on the loop, with the reason to wait no longer.
  /// - Returns: Its number.
  /// - Throws: The reason not to wait at all.
  func add(_ onStall: @escaping @Sendable (CaptureError) -> Void) throws(CaptureError) -> Int {
    let (number, error) = state.withLock { state in
      let error = state.end ?? state.stall
      state.number += 1
      if error == nil { state.waiting[state.number] = onStall }
      return (state.number, error)
    }
    if let error { throw error }
    return number
  }

  func remove(_ number: Int) {
    state.withLock { $0.waiting[number] = nil }
  }

  /// If somebody still waits for the session at that moment, the driver is asked nothing more, and
  /// its device delivers no frame more.
  /// - Parameter onEnd: Called on the loop then.
  func giveUp(at moment: MonotonicTime, _ onEnd: @escaping @Sendable () -> Void) {
    loop.perform { [self] in
      loop.schedule(at: moment) { [self] in
        let (device, told) = state.withLock { state in
          guard !state.waiting.isEmpty else { return (state.device, [@Sendable () -> Void]()) }
          let error = CaptureError.stalled(in: state.call?.words ?? "end")
          state.end = error
          return (state.device, state.takeWaiting(error))
        }
        guard !told.isEmpty else { return }
        device?.detach()
        onEnd()
        for tell in told { tell() }
      }
    }
  }
}

extension CaptureError {
  /// A driver does not return from a call.
  /// - Parameter call: What it was asked to do.
  package static func stalled(in call: String) -> CaptureError {
    CaptureError(
      .deviceStalled,
      "the driver does not come back from being asked to \(call): replug the camera; "
        + "if that does not help, restart the machine")
  }
}
