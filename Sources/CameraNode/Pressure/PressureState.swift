import OperatingSystem

/// The pressure on the machine as the node acts on it.
struct PressureState: Hashable, Sendable {
  var level = PressureLevel.nominal
  /// When the level began.
  var since: MonotonicTime
  /// What raised the pressure, for a person to read; empty while it is nominal.
  var cause = ""
}

extension PressureLevel {
  /// An encoded stream has one of so many frames.
  var thinning: Int {
    switch self {
    case .nominal: 1
    case .fair: 2
    case .serious: 4
    case .critical, .shutdown: 8
    }
  }

  /// Whether a camera is interrupted at this level.
  func interrupts(recording: Bool) -> Bool {
    self == .shutdown || (self == .critical && !recording)
  }
}
