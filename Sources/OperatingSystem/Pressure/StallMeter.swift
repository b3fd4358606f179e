/// One of the machine's resources for which programs wait: the kernel's pressure-stall information,
/// see its document accounting/psi.
package enum StallResource: String, CaseIterable, Sendable {
  case cpu, memory, io

  /// Where the kernel tells how long programs waited; nil if it does not count that.
  ///
  /// The second place is that of a service from which systemd hides the first one
  /// (`ProcSubset=pid`): it is that of the root group, so it says the same.
  /// - Parameter root: Stands in front of /proc and /sys.
  package func path(root: String = "") -> String? {
    ["\(root)/proc/pressure/\(rawValue)", "\(root)/sys/fs/cgroup/\(rawValue).pressure"]
      .first { SystemFile.text($0) != nil }
  }

  /// The kernel's word for what counts: that some programs wait, or that all do.
  ///
  /// Where programs use all processors, some always wait, and all the others work.
  package var counted: String { self == .cpu ? "some" : "full" }

  /// The part of the last ten seconds in which programs waited, 0 to 1, as the kernel has computed
  /// it; nil if it does not.
  package func recentShare(root: String = "") -> Double? {
    path(root: root).flatMap { number("avg10", in: $0) }.map { min(max($0 / 100, 0), 1) }
  }

  /// The number of this name in the line that counts.
  fileprivate func number(_ name: String, in path: String) -> Double? {
    guard let text = SystemFile.text(path),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(counted) }),
      let word = line.split(separator: " ").last(where: { $0.hasPrefix("\(name)=") }),
      let number = Double(word.dropFirst(name.count + 1)), number.isFinite
    else { return nil }
    return number
  }
}

/// Measures which part of the time all of the machine's programs wait for memory.
///
/// Only whole windows count: a pause of some microseconds fills a window of microseconds.
package struct StallMeter: Sendable {
  /// The shares of time from which the levels hold.
  private static let shares: [(share: Double, level: PressureLevel)] = [
    (0.1, .fair), (0.3, .serious), (0.6, .critical),
  ]
  /// The share from which anything is done.
  package static var firstShare: Double { shares[0].share }

  package let path: String
  private let window: Duration
  /// The kernel's count of the time that programs have waited, in microseconds.
  private var last: (total: Double, time: MonotonicTime)?

  /// - Parameters:
  ///   - window: The shortest time over which it measures.
  ///   - root: Stands in front of /proc.
  /// - Returns: Nil if the kernel does not count that.
  package init?(window: Duration, root: String = "") {
    guard let path = StallResource.memory.path(root: root) else { return nil }
    self.path = path
    self.window = window
    guard total != nil else { return nil }
  }

  /// Begins a new time to measure.
  package mutating func begin(at now: MonotonicTime) {
    last = total.map { ($0, now) }
  }

  /// What programs have waited since the window began, and begins the next one; nil before its end.
  package mutating func reading(at now: MonotonicTime) -> PressureReading? {
    guard let before = last else {
      begin(at: now)
      return nil
    }
    let time = now - before.time
    guard time >= window, time > .zero else { return nil }
    begin(at: now)
    guard let last else { return nil }
    let share = max(0, .microseconds(last.total - before.total) / time)
    let percent = Int((min(share, 1) * 100).rounded())
    return PressureReading(
      Self.shares.last { share >= $0.share }?.level ?? .nominal,
      "all programs wait for memory \(percent) % of the time")
  }

  private var total: Double? { StallResource.memory.number("total", in: path) }
}
