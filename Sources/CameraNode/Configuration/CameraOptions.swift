import CameraProtocol
package import Capture
package import Imaging
import Words

/// What every camera's specification may say behind its other parts.
package struct CameraOptions: Hashable, Sendable {
  /// How the operator says that it is built in.
  package var mounting = DeviceMounting()
  /// After how long without users the camera is closed; nil to keep it open.
  package var idleAfter: Duration?
  /// Whether the camera changes its format for photos of the largest size.
  package var switchesForStills = true
  /// The path of the node of its flash, if that has one of its own.
  package var flash: String?
  /// Where on the earth the camera is; nil if nobody says so. So is the lens.
  package var place: GeographicPosition?
  package var lens: Lens?
  /// The sample that its sensor has where no light falls; nil if nobody says so.
  package var black: BlackLevel?
  /// The camera whose frames of distances go with its photos; nil for none.
  package var depthCamera: String?
  /// The microphone of its movies, where a request names none; nil for the node's only one.
  package var microphone: String?

  /// What the files of photos say about the camera's lens.
  package struct Lens: Hashable, Sendable {
    /// In millimetres.
    package var focalLength: Double?
    package var fNumber: Double?
  }

  static let names: Set<Substring> = [
    "position", "rotation", "calibration", "idle", "stills", "flash", "gps", "lens", "black",
    "depth", "microphone",
  ]

  /// Whether a running camera may take the others as they are. Who uses a camera is counted only if
  /// it may become idle.
  func isSameCamera(as other: CameraOptions) -> Bool {
    flash == other.flash && black == other.black
      && (idleAfter == nil) == (other.idleAfter == nil)
  }

  private static let positions: [Substring: DevicePosition] = [
    "front": .front, "back": .back, "external": .external,
  ]

  /// Reads `position=front|back|external`, `rotation=0|90|180|270`, `calibration=FILE`,
  /// `idle=warm|TIME`, `stills=switch|stream`, `flash=/dev/v4l-subdev3`,
  /// `gps=LATITUDE/LONGITUDE/METRES`, `lens=4.2mm/f2.8`, `black=64/1023`,
  /// `depth=NAME` and `microphone=NAME`.
  /// - Returns: The rest of the specification too.
  static func parse(
    _ specification: some StringProtocol
  ) throws(ConfigurationError) -> (options: CameraOptions, rest: String) {
    var options = CameraOptions()
    var rest: [Substring] = []
    var seen: Set<Substring> = []
    for part in SpecificationText.parts(String(specification)) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2,
        Self.names.contains(words[0])
      else {
        rest.append(part)
        continue
      }
      guard seen.insert(words[0]).inserted else {
        throw ConfigurationError("'\(part)' is a second \(words[0]): leave one of them out")
      }
      try options.set(words[0], to: words[1])
    }
    return (options, rest.joined(separator: ","))
  }

  private mutating func set(_ option: Substring, to text: Substring) throws(ConfigurationError) {
    switch option {
    case "position":
      guard let position = Self.positions[text] else {
        throw ConfigurationError(
          "'\(text)' is no position: write position=front, back or external")
      }
      mounting.position = position
    case "rotation":
      guard let degrees = Int(text), [0, 90, 180, 270].contains(degrees) else {
        throw ConfigurationError(
          "'\(text)' is no rotation: write rotation=0, 90, 180 or 270, the degrees clockwise by which a "
            + "picture must be turned to stand upright")
      }
      mounting.rotation = degrees
    case "calibration":
      guard !text.isEmpty else {
        throw ConfigurationError("'calibration=' names no file: write calibration=FILE")
      }
      mounting.calibration = try CalibrationFile.read(SpecificationText.path(text))
    case "stills":
      guard ["switch", "stream"].contains(text) else {
        throw ConfigurationError(
          "'\(text)' is no way to take photos of the largest size: write stills=switch to change the camera's "
            + "format for them, or stills=stream")
      }
      switchesForStills = text == "switch"
    case "flash":
      guard text.hasPrefix("/") else {
        throw ConfigurationError(
          "'\(text)' is no whole path: write the node of the camera's flash, such as flash=/dev/v4l-subdev3"
        )
      }
      flash = String(text)
    case "gps":
      guard let place = GeographicPosition(text) else {
        throw ConfigurationError(
          "'\(text)' is no place on the earth: write degrees north and east, and metres above the sea if they "
            + "are known, such as gps=47.3769/8.5417/408")
      }
      self.place = place
    case "lens":
      guard let lens = Lens(text) else {
        throw ConfigurationError(
          "'\(text)' is no lens: write its focal length, its f-number or both, such as lens=4.2mm/f2.8"
        )
      }
      self.lens = lens
    case "black":
      guard let black = BlackLevel(text) else {
        throw ConfigurationError(
          "'\(text)' is no black level: write the sample of a covered sensor and the highest one of its format, "
            + "such as black=64/1023, or 16/255, 256/4095 or 4096/65535")
      }
      self.black = black
    case "depth":
      guard CameraName.isValid(String(text)), text != CameraName.node else {
        throw ConfigurationError("'\(text)' is no name of a camera: write depth=NAME")
      }
      depthCamera = String(text)
    case "microphone":
      guard CameraName.isValid(String(text)), text != CameraName.node else {
        throw ConfigurationError("'\(text)' is no name of a microphone: write microphone=NAME")
      }
      microphone = String(text)
    default:
      guard text != "warm" else { return }
      guard let time = DurationText.parse(text, needsUnit: true), time > .zero else {
        throw ConfigurationError(
          "'\(text)' is no time to become idle: write idle=warm, or a time above 0 with its unit such as "
            + "idle=30s")
      }
      idleAfter = time
    }
  }
}

extension GeographicPosition {
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard (2...3).contains(parts.count), numbers.count == parts.count,
      numbers.allSatisfy(\.isFinite)
    else { return nil }
    self.init(
      latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil,
      source: .manual)
  }
}

extension BlackLevel {
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let level = Int(parts[0]), let white = Int(parts[1]) else {
      return nil
    }
    self.init(level, ofWhite: white)
  }
}

extension CameraOptions.Lens {
  fileprivate init?(_ text: Substring) {
    for part in text.split(separator: "/", omittingEmptySubsequences: false) {
      if part.hasSuffix("mm"), focalLength == nil {
        focalLength = Double(part.dropLast(2))
        guard let focalLength, (0.1...10_000).contains(focalLength) else { return nil }
      } else if part.hasPrefix("f"), fNumber == nil {
        fNumber = Double(part.dropFirst())
        guard let fNumber, (0.1...1000).contains(fNumber) else { return nil }
      } else {
        return nil
      }
    }
  }
}
