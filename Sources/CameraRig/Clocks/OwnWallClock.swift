import CLinux
public import CameraClient
import OperatingSystem

/// This machine's wall clock, and how wrong it may be.
///
/// The bound of its error is that of the program which keeps the clock, as the node finds its own:
/// chronyd and ntpd give theirs to the kernel. Others, such as systemd-timesyncd and linuxptp,
/// write zero there, so that nobody knows it unless a person states it. Together with the bound of
/// a node's clock it bounds the offset between the two machines, however slow the link is: see
/// ``ClockEstimate/add(_:own:)``.
public final class OwnWallClock: Sendable {
  private let facts: Mutex<WallClockError.Facts>
  /// Stands in front of /proc. Tests have a small copy of it there.
  private let root: String
  /// Returns the kernel's bound in microseconds; negative while the clock is not synchronised.
  private let kernel: @Sendable () -> Int64

  /// A clock whose error is what the program says that keeps it.
  public convenience init() {
    self.init(statedError: nil, root: "") { CLinux_wallClockError() }
  }

  /// A clock whose error somebody states who knows it.
  ///
  /// - Parameter statedError: By how much the clock may be wrong at most, more than zero.
  /// - Throws: `invalidArgument`.
  public convenience init(statedError: Duration) throws(CameraBusError) {
    guard statedError > .zero else {
      throw CameraBusError(
        .invalidArgument,
        "a wall clock cannot be wrong by \(statedError): state more than zero, or nothing to find what its keeper says",
        field: "statedError")
    }
    self.init(statedError: statedError, root: "") { CLinux_wallClockError() }
  }

  init(statedError: Duration?, root: String, kernel: @escaping @Sendable () -> Int64) {
    facts = Mutex(WallClockError.Facts(stated: statedError?.wholeNanoseconds))
    self.root = root
    self.kernel = kernel
  }

  /// Reads the clock now; nil where nobody knows how wrong it may be.
  ///
  /// Read it with each reading of a node's clock, because a clock can be set. If the kernel's bound
  /// was written since the last call, it looks in /proc for who has written it, which takes some
  /// milliseconds.
  public func now() -> ClockEstimate.WallClock? {
    let bound = facts.withLock { facts in
      if facts.stated == nil, facts.update(kernel: kernel()) {
        facts.keeper = ClockKeepers.source(ClockKeepers.running(root: root))
      }
      return facts.bound
    }
    guard let bound else { return nil }
    let before = MonotonicInstant.now
    let wall = WallInstant.now
    // The wall clock was read somewhere in between.
    let between = MonotonicInstant.now - before
    return ClockEstimate.WallClock(
      offset: .nanoseconds(wall.nanoseconds) - .nanoseconds(before.nanoseconds) - between / 2,
      error: .nanoseconds(bound) + between / 2)
  }

  /// Who says how wrong the clock may be, as of the last ``now()``; nil if nobody does.
  public var source: ClockReading.WallSource? {
    switch facts.withLock(\.source) {
    case .operator: .operator
    case .chronyd: .chronyd
    case .ntpd: .ntpd
    case nil: nil
    }
  }
}
