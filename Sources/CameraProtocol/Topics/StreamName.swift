/// A frame stream of a camera.
package enum StreamName: Hashable, Sendable, CustomStringConvertible {
  /// JPEGs scaled to fit into 640x640.
  case preview
  /// JPEGs at the camera's size.
  case full
  /// The frames as the node holds them.
  case raw
  /// JPEGs scaled to fit into this size, with sides of 16 to 8192.
  case size(width: Int, height: Int)

  /// Reads "preview", "full", "raw" or "320x240"; nil for anything else.
  package init?(_ text: String) {
    switch text {
    case "preview": self = .preview
    case "full": self = .full
    case "raw": self = .raw
    default:
      // A longer one is not even looked at.
      guard text.utf8.count <= 9 else { return nil }
      let parts = text.split(separator: "x", omittingEmptySubsequences: false)
      guard parts.count == 2, let width = Self.side(parts[0]), let height = Self.side(parts[1])
      else { return nil }
      self = .size(width: width, height: height)
    }
  }

  /// Whether subscribers chose the size.
  package var isSize: Bool {
    if case .size = self { true } else { false }
  }

  package var description: String {
    switch self {
    case .preview: "preview"
    case .full: "full"
    case .raw: "raw"
    case .size(let width, let height): "\(width)x\(height)"
    }
  }

  /// Accepts one spelling per size, so that each stream has one topic.
  private static func side(_ digits: Substring) -> Int? {
    guard (2...4).contains(digits.utf8.count), digits.utf8.first != UInt8(ascii: "0"),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let value = Int(digits), (16...8192).contains(value)
    else { return nil }
    return value
  }
}
