/// How hard the machine is pressed by heat and by the programs that wait for it. The levels are
/// those of AVFoundation's `AVCaptureDevice.SystemPressureState`.
package enum PressureLevel: Int, Hashable, Comparable, CaseIterable, Sendable {
  case nominal
  case fair
  case serious
  case critical
  /// The machine is about to switch itself off.
  case shutdown

  package static func < (left: PressureLevel, right: PressureLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What one of the machine's sensors says.
package struct PressureReading: Hashable, Sendable {
  package var level: PressureLevel
  /// What it has measured, for a person to read: "cpu-thermal is at 86.2 °C".
  package var words: String

  package init(_ level: PressureLevel, _ words: String) {
    self.level = level
    self.words = words
  }
}
