import Words

/// A frame stream of a camera.
package enum StreamName: Hashable, Sendable, CustomStringConvertible {
  /// JPEGs scaled to fit into 640x640.
  case preview
  /// JPEGs at the camera's size.
  case full
  /// The frames as the node holds them.
  case raw
  /// H.264.
  case h264
  /// JPEGs scaled to fit into this size, with sides of 16 to 8192.
  case size(width: Int, height: Int)

  /// Reads "preview", "full", "raw", "h264" or "320x240"; nil for anything else.
  package init?(_ text: String) {
    switch text {
    case "preview": self = .preview
    case "full": self = .full
    case "raw": self = .raw
    case "h264": self = .h264
    default:
      // A longer one is not even looked at.
      guard text.utf8.count <= 9 else { return nil }
      guard let (width, height) = SizeText.sides(of: text), Self.sides.contains(width),
        Self.sides.contains(height)
      else { return nil }
      self = .size(width: width, height: height)
      // One spelling of a size, so that each stream has one topic.
      guard description == text else { return nil }
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
    case .h264: "h264"
    case .size(let width, let height): "\(width)x\(height)"
    }
  }

  private static let sides = 16...8192
}
