import EventLoop
import OperatingSystem

/// The bounds of what a driver lists: far more than real cameras have. Some drivers never refuse an
/// index, or answer each question slowly, and lists without an end fill the memory.
struct DriverList {
  static let formats = 128
  static let sizes = 512
  static let rates = 128
  static let controls = 1024
  static let menuItems = 256
  /// How long all questions about formats, or about controls, may take together.
  static let time = Duration.seconds(5)

  /// When to stop asking.
  let end: MonotonicTime

  init(time: Duration = Self.time) { end = .now + time }

  var isInTime: Bool { MonotonicTime.now <= end }
  static let slowness = "its driver answers too slowly"

  /// Why to stop asking before this index; nil to go on.
  func obstacle(at index: UInt32, most: Int) -> String? {
    if index >= most { return "its driver lists more than \(most)" }
    return isInTime ? nil : Self.slowness
  }
}
