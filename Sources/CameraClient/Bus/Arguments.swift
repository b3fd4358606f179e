import CameraProtocol
import SwiftProtobuf

/// Checks of arguments, made before anything is sent.
enum Arguments {
  /// A name that a camera can have.
  static func camera(_ name: String) throws(CameraBusError) -> String {
    guard CameraName.isValid(name) else {
      throw refusal(
        "a camera's name has 1 to 32 letters, digits, - and _, unlike '\(name)'", "camera")
    }
    return name
  }

  /// A name that a microphone can have.
  static func microphone(_ name: String) throws(CameraBusError) -> String {
    guard CameraName.isValid(name) else {
      throw refusal(
        "a microphone's name has 1 to 32 letters, digits, - and _, unlike '\(name)'", "microphone")
    }
    return name
  }

  /// The wire's form of a JPEG quality; 0 leaves it to the node.
  static func quality(_ quality: Int?) throws(CameraBusError) -> UInt32 {
    guard let quality else { return 0 }
    guard (1...100).contains(quality) else {
      throw refusal("quality is 1 to 100, not \(quality)", "quality")
    }
    return UInt32(quality)
  }

  /// The wire's form of a limit of time; 0 is no limit.
  static func limit(_ limit: Duration?, _ name: String) throws(CameraBusError) -> UInt64 {
    guard let limit else { return 0 }
    try checkPositive(limit, name)
    // Part of a nanosecond is a limit too.
    return max(1, limit.wireNanoseconds)
  }

  /// The wire's form of a moment of a node's monotonic clock; 0 is none.
  static func moment(_ moment: MonotonicInstant?, _ name: String) throws(CameraBusError) -> Int64 {
    guard let moment else { return 0 }
    guard moment.nanoseconds > 0 else {
      throw refusal("\(name) is after the start of the node's machine", name)
    }
    return moment.nanoseconds
  }

  static func checkPositive(_ duration: Duration, _ name: String) throws(CameraBusError) {
    guard duration > .zero else {
      throw refusal("\(name) is longer than 0, not \(duration)", name)
    }
  }

  /// The wire's form of a size.
  static func size(_ size: FrameSize, _ name: String) throws(CameraBusError) -> WireSize {
    try check(size.width, in: 1...WireLimits.imageSide, name)
    try check(size.height, in: 1...WireLimits.imageSide, name)
    return .with {
      $0.width = UInt32(size.width)
      $0.height = UInt32(size.height)
    }
  }

  /// The wire's form of a rotation.
  static func rotation(_ degrees: Int?, _ name: String) throws(CameraBusError) -> UInt32? {
    guard let degrees else { return nil }
    guard let rotation = UInt32(exactly: degrees), WireLimits.rotations.contains(rotation) else {
      throw refusal("a rotation is 0, 90, 180 or 270 degrees, not \(degrees)", name)
    }
    return rotation
  }

  static func check(_ time: CaptureTime) throws(CameraBusError) {
    switch time {
    case .past(let age) where age < .zero, .noOlderThan(let age) where age < .zero:
      throw refusal(
        "an age is not below 0, as \(age) is: a moment ahead has atMonotonic or atWall", "time")
    default: break
    }
  }

  static func check(_ deferral: Deferral) throws(CameraBusError) {
    guard deferral.wire != nil else {
      throw refusal("a deferral is pending, done or failed, not \(deferral)", "deferral")
    }
  }

  static func check(
    _ number: Int, in range: ClosedRange<UInt32>, _ name: String
  ) throws(CameraBusError) {
    guard (Int(range.lowerBound)...Int(range.upperBound)).contains(number) else {
      throw refusal("\(name) is \(range.lowerBound) to \(range.upperBound), not \(number)", name)
    }
  }

  static func refusal(_ message: String, _ name: String) -> CameraBusError {
    CameraBusError(.invalidArgument, message, field: name)
  }
}
