/// The valid names of cameras: 1 to 32 of the letters A to Z and a to z, digits, `-` and `_`. Names
/// are parts of topics and paths.
package enum CameraName {
  /// What stands for the node itself in topics and events. No camera may have this name.
  package static let node = "_node"

  package static func isValid(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count) && name.utf8.allSatisfy(isAllowed)
  }

  /// Whether a name may contain this byte.
  package static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
