import CameraProtocol
import Capture
import Digest
import Glibc
import OperatingSystem

/// Which devices of the machine become cameras of the node by themselves, and what those get.
package struct AdoptionRule: Hashable, Sendable {
  /// The properties of a device that a rule may name, each with a shell's pattern.
  private static let properties: [String: @Sendable (FoundDevice) -> Set<String>] = [
    "driver": { [$0.description.driver] },
    "model": { [$0.description.model] },
    // People write the names that they find in /dev/v4l.
    "identity": { $0.aliases.union([$0.description.identity]) },
  ]
  private static let digitCount = 8

  /// The camera's name. A `*` stands for digits that are always the same for a device; without one,
  /// the rule adopts one device at a time.
  package let name: String
  private let patterns: [String: String]
  /// The format to start the cameras with.
  let request: FormatRequest
  let options: CameraOptions
  var start = CameraStart()
  let origin: SettingOrigin

  /// - Parameter text: `driver=uvcvideo,model=*C920*,identity=usb-*`, at least one of them, and
  ///   behind them the same options as for a camera.
  package init(
    name: String, rule text: some StringProtocol, origin: SettingOrigin
  ) throws(ConfigurationError) {
    self.name = name
    self.origin = origin
    let parts = name.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count <= 2, !name.hasPrefix("_"),
      CameraName.isValid(parts.joined(separator: String(repeating: "0", count: Self.digitCount)))
    else {
      throw origin.error(
        "'\(name)' is no name for adopted cameras: use letters, digits, - and _, at most 32 with the "
          + "\(Self.digitCount) digits that take the place of one *, and no _ in front")
    }
    do {
      let (patterns, others) = try Self.patterns(text)
      let (options, rest) = try CameraOptions.parse(others)
      guard options.flash == nil else {
        throw ConfigurationError(
          "flash= names the flash of one camera: write it behind --camera NAME=v4l2:DEVICE")
      }
      let (request, unknowns) = try FormatRequest.parse(rest)
      if let unknown = unknowns.keys.min() {
        throw ConfigurationError("'\(unknown)' is no property of a device: \(Self.remedy)")
      }
      (self.patterns, self.options, self.request) = (patterns, options, request)
    } catch {
      throw origin.error("adoption of \(name): \(error)")
    }
  }

  private static let remedy = "write driver=uvcvideo, model=*C920* or identity=usb-*"

  /// - Returns: The patterns, and the other parts of the rule.
  private static func patterns(
    _ text: some StringProtocol
  ) throws(ConfigurationError) -> ([String: String], rest: String) {
    var patterns: [String: String] = [:]
    var rest: [Substring] = []
    for part in String(text).split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let property = String(words[0])
      guard words.count == 2, properties[property] != nil else {
        rest.append(part)
        continue
      }
      guard !words[1].isEmpty else {
        throw ConfigurationError("'\(property)=' matches no device: \(remedy)")
      }
      guard patterns.updateValue(String(words[1]), forKey: property) == nil else {
        throw ConfigurationError("'\(property)' is given twice: leave one of them out")
      }
    }
    guard !patterns.isEmpty else { throw ConfigurationError("it names no devices: \(remedy)") }
    return (patterns, rest.joined(separator: ","))
  }

  /// Reads `NAME=RULE` from the command line.
  package init(argument: String) throws(ConfigurationError) {
    guard let separator = argument.firstIndex(of: "=") else {
      throw ConfigurationError(
        "--adopt \(argument) has no rule: write --adopt NAME=driver=uvcvideo")
    }
    try self.init(
      name: String(argument[..<separator]), rule: argument[argument.index(after: separator)...],
      origin: .option("adopt"))
  }

  /// Whether both make the same cameras, whatever is said of these and wherever the rules stand.
  func isSame(as other: AdoptionRule) -> Bool {
    name == other.name && patterns == other.patterns && request == other.request
      && options.isSameCamera(as: other.options)
  }

  func matches(_ device: FoundDevice) -> Bool {
    patterns.allSatisfy { property, pattern in
      guard let texts = Self.properties[property]?(device) else { return false }
      return texts.contains { unsafe fnmatch(pattern, $0, 0) == 0 }
    }
  }

  /// The name of the camera that the device becomes.
  func cameraName(for device: DeviceDescription) -> String {
    let identity = Array(device.identity.utf8)
    let digest = unsafe SHA256.hash(of: identity.span.bytes).description
    return name.split(separator: "*", omittingEmptySubsequences: false)
      .joined(separator: String(digest.prefix(Self.digitCount)))
  }

  /// Whether an adopted camera may have this name.
  func mayMakeName(_ camera: String) -> Bool {
    let parts = name.split(separator: "*", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count == 2 else { return camera == name }
    return camera.utf8.count == name.utf8.count - 1 + Self.digitCount && camera.hasPrefix(parts[0])
      && camera.hasSuffix(last)
  }
}
