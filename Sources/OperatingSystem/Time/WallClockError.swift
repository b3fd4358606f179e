import CLinux

/// The bound of the wall clock's error. There is one clock, so the process has one of these.
///
/// The kernel's own bound (adjtimex(2) `maxerror`) is worth something only if the program that
/// keeps the clock computes it. Others write zero at each correction, and the kernel lets that grow
/// by 500 millionths of the elapsed time, so a small number proves nothing. Whenever the bound
/// shrinks, somebody has written it: then it counts only after another look at who keeps the clock.
package final class WallClockError: Sendable {
  package static let shared = WallClockError()

  /// Who says how wrong the clock may be.
  package enum Source: CaseIterable, Sendable {
    case `operator`
    /// The program that keeps it.
    case chronyd
    case ntpd
  }

  /// What is known of the clock.
  package struct Facts: Hashable, Sendable {
    /// The kernel's bound in microseconds; negative while the clock is not synchronised.
    package var kernel: Int64 = -1
    /// The program that keeps the clock, if it computes that bound.
    package var keeper: Source?
    /// The bound that the operator states, in nanoseconds.
    package var stated: Int64?

    package init(
      kernel: Int64 = -1, keeper: Source? = nil, stated: Int64? = nil
    ) {
      self.kernel = kernel
      self.keeper = keeper
      self.stated = stated
    }

    /// In nanoseconds; nil where nobody knows it.
    package var bound: Int64? {
      stated ?? source.map { _ in kernel * 1000 }
    }

    /// Whose bound it is; nil where nobody knows one.
    package var source: Source? {
      stated != nil ? .operator : kernel > 0 ? keeper : nil
    }

    /// Takes the kernel's bound. Returns whether somebody has written it since it was last read.
    package mutating func update(kernel new: Int64) -> Bool {
      defer { kernel = new }
      let isWritten = new >= 0 && (kernel < 0 || new < kernel)
      if isWritten { keeper = nil }
      return isWritten
    }
  }

  private struct State: Sendable {
    var facts = Facts()
    /// The monotonic time at which the kernel was asked.
    var asked = Int64.min / 2
    var findKeeper: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Begins to look for the clock's keeper: now and whenever the kernel's bound was written.
  ///
  /// - Parameters:
  ///   - stated: The bound that the operator states, in nanoseconds.
  ///   - findKeeper: Starts a search that ends with `found`. It must not block, because the frame
  ///     loop may call it.
  package func begin(stated: Int64?, _ findKeeper: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.facts.stated = stated
      state.findKeeper = findKeeper
    }
    findKeeper()
  }

  /// Looks for the keeper no more.
  package func end() {
    state.withLock { state in
      state.findKeeper = nil
      state.facts.keeper = nil
    }
  }

  /// The search has ended.
  /// - Parameter keeper: The program that keeps the clock, if it computes the kernel's bound.
  package func found(_ keeper: Source?) {
    state.withLock { state in
      // Nobody would notice another keeper.
      guard state.findKeeper != nil else { return }
      state.facts.keeper = keeper
    }
  }

  /// Whose bound ``latest(at:)`` is.
  package var source: Source? { state.withLock(\.facts.source) }

  /// The bound at this moment in nanoseconds; nil if it is unknown.
  ///
  /// The kernel is asked once a second: it does not change its bound more often, and frames should
  /// not wait for a system call.
  func latest(at now: Int64) -> Int64? {
    let (bound, findKeeper) = state.withLock { state in
      var findKeeper: (@Sendable () -> Void)?
      if !(0..<1_000_000_000).contains(now - state.asked) {
        state.asked = now
        if state.facts.update(kernel: CLinux_wallClockError()) { findKeeper = state.findKeeper }
      }
      let growth = state.facts.stated == nil ? (now - state.asked) / 2000 : 0
      return (state.facts.bound.map { $0 + growth }, findKeeper)
    }
    findKeeper?()
    return bound
  }
}
