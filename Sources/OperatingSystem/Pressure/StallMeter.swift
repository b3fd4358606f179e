/// Measures which part of the time the machine's programs wait for one of its resources: the
/// kernel's pressure-stall information, see its document accounting/psi.
package struct StallMeter: Sendable {
  package enum Resource: String, CaseIterable, Sendable {
    case cpu, memory, io
  }

  package let resource: Resource
  package let path: String
  /// The kernel's count of the time that programs have waited, in microseconds.
  private var last: (total: Int64, time: MonotonicTime)?

  /// - Parameter root: stands in front of /proc.
  /// - Returns: nil if the kernel does not count that.
  package init?(_ resource: Resource, root: String = "") {
    self.resource = resource
    guard let path = resource.paths(root: root).first(where: { SystemFile.text($0) != nil }) else {
      return nil
    }
    self.path = path
    guard total != nil else { return nil }
  }

  /// Begins a new time to measure.
  package mutating func begin(at now: MonotonicTime) {
    last = total.map { ($0, now) }
  }

  /// What programs have waited since the look before; nil at the first look.
  package mutating func reading(at now: MonotonicTime) -> PressureReading? {
    let before = last
    begin(at: now)
    guard let before, let last, now > before.time else { return nil }
    let time = now - before.time
    let share = max(0, .microseconds(last.total.subtractingSaturated(before.total)) / time)
    return PressureReading(resource.level(at: share), resource.words(share))
  }

  private var total: Int64? {
    guard let text = SystemFile.text(path),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(resource.counted) }),
      let word = line.split(separator: " ").last(where: { $0.hasPrefix("total=") })
    else { return nil }
    return Int64(word.dropFirst("total=".count))
  }
}

extension StallMeter.Resource {
  /// Where the kernel tells its count. The second place is that of a service from which systemd
  /// hides the first one (`ProcSubset=pid`): it is that of the root group, so it says the same.
  package func paths(root: String = "") -> [String] {
    ["\(root)/proc/pressure/\(rawValue)", "\(root)/sys/fs/cgroup/\(rawValue).pressure"]
  }

  /// The kernel's word for what counts: that some programs wait, or that all do.
  ///
  /// Where programs use all processors, some always wait, and all the others work.
  package var counted: String { self == .cpu ? "some" : "full" }

  /// The shares of time from which the levels hold. A busy processor or disk disturbs nobody who
  /// may wait, so it never leads beyond the first measure.
  private var shares: [(share: Double, level: PressureLevel)] {
    switch self {
    case .cpu, .io: [(0.8, .fair)]
    case .memory: [(0.1, .fair), (0.3, .serious), (0.6, .critical)]
    }
  }

  /// The share from which anything is done.
  package var firstShare: Double { shares[0].share }

  package func level(at share: Double) -> PressureLevel {
    shares.last { share >= $0.share }?.level ?? .nominal
  }

  package func words(_ share: Double) -> String {
    let percent = Int((min(share, 1) * 100).rounded())
    return switch self {
    case .cpu: "programs wait for the processor \(percent) % of the time"
    case .memory: "all programs wait for memory \(percent) % of the time"
    case .io: "all programs wait for the disk \(percent) % of the time"
    }
  }
}
