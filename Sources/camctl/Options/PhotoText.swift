import ArgumentParser
import CameraClient
import Words

/// What the options of `camctl capture` take that say how its files are made.
enum PhotoText {
  /// Several, with commas between them.
  static func formats(_ text: String) throws -> [PhotoFormat] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      let aliases = ["jpg": "jpeg", "tif": "tiff", "heif": "heic"]
      let written = name.lowercased()
      guard let format = PhotoFormat(rawValue: aliases[written] ?? written) else {
        let known = PhotoFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("'\(name)' is no format of photos: write one or more of \(known)")
      }
      return format
    }
  }

  static func flash(_ text: String) throws -> FlashMode {
    guard let mode = FlashMode(rawValue: text) else {
      throw ValidationError("write off, on or auto")
    }
    return mode
  }

  static func size(_ text: String) throws -> PhotoSize {
    switch text {
    case "stream": return .stream
    case "max": return .maximum
    default: throw ValidationError("write stream or max")
    }
  }

  static func dimensions(_ text: String) throws -> FrameSize {
    guard let sides = SizeText.sides(of: text) else {
      throw ValidationError("write a size such as 640x480")
    }
    return FrameSize(width: sides.width, height: sides.height)
  }
}

/// The distances of a matte as people write them: `0.3-1.2`, in metres.
enum MatteText {
  static func parse(_ text: String) throws -> ClosedRange<Double> {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let ends = parts.compactMap { Double($0) }
    guard parts.count == 2, ends.count == 2, ends[0] < ends[1]
    else {
      throw ValidationError(
        "'\(text)' is no range of distances: write two in metres, the nearer one first, as 0.3-1.2"
      )
    }
    return ends[0]...ends[1]
  }
}

/// What options that turn pictures take: degrees clockwise.
enum RotationText {
  static let values = ["0", "90", "180", "270"]

  static func parse(_ text: String) throws -> Int {
    guard values.contains(text), let rotation = Int(text) else {
      throw ValidationError("write 0, 90, 180 or 270")
    }
    return rotation
  }
}
