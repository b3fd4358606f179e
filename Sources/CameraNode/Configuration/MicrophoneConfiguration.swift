import CameraProtocol
import Capture
package import CaptureALSA
package import CaptureSynthetic

/// One microphone of a node.
package struct MicrophoneConfiguration: Hashable, Sendable {
  package var name: String
  package var source: MicrophoneSource
  var origin: SettingOrigin

  /// - Throws: When the name cannot be one, or the specification is wrong.
  package init(
    name: String, specification: String, origin: SettingOrigin
  ) throws(ConfigurationError) {
    guard name != CameraName.node, CameraName.isValid(name) else {
      throw origin.error(
        "'\(name)' is no name for a microphone: use 1 to 32 letters, digits, - and _")
    }
    self.name = name
    self.origin = origin
    do throws(ConfigurationError) {
      source = try MicrophoneSource(parsing: specification)
    } catch {
      throw origin.error("microphone \(name): \(error.message)")
    }
  }

  /// Reads `NAME=SPEC` from the command line.
  package init(argument: String) throws(ConfigurationError) {
    guard let separator = argument.firstIndex(of: "=") else {
      throw ConfigurationError(
        "--microphone \(argument) has no name: write --microphone NAME=\(argument)")
    }
    try self.init(
      name: String(argument[..<separator]),
      specification: String(argument[argument.index(after: separator)...]),
      origin: .option("microphone"))
  }

  /// Whether both are the same microphone, wherever it is written.
  func isSame(as other: MicrophoneConfiguration) -> Bool {
    name == other.name && source == other.source
  }
}

/// Where a microphone's sound comes from.
package enum MicrophoneSource: Hashable, Sendable {
  case synthetic(SyntheticMicrophone)
  case alsa(ALSAMicrophone)

  /// Reads `synthetic[:…]` or `alsa:DEVICE`.
  package init(parsing text: String) throws(ConfigurationError) {
    let separator = text.firstIndex(of: ":")
    let rest = separator.map { String(text[text.index(after: $0)...]) } ?? ""
    switch text[..<(separator ?? text.endIndex)] {
    case "synthetic":
      do throws(CaptureError) {
        self = .synthetic(try SyntheticMicrophone.parse(rest))
      } catch {
        throw ConfigurationError(error.message)
      }
    case "alsa" where !rest.isEmpty && !rest.utf8.contains(0): self = .alsa(ALSAMicrophone(rest))
    default:
      throw ConfigurationError(
        "'\(text)' is no microphone: write synthetic, or alsa:hw:CARD=ID,DEV=0 as camctl microphones lists them"
      )
    }
  }

  /// What the configuration calls its device.
  var text: String {
    switch self {
    case .synthetic: "synthetic"
    case .alsa(let microphone): "alsa:\(microphone.device)"
    }
  }

  var device: any SoundDevice {
    switch self {
    case .synthetic(let microphone): microphone
    case .alsa(let microphone): microphone
    }
  }
}

extension NodeConfiguration {
  /// What is wrong with the names of microphones.
  func microphoneMistakes() -> [ConfigurationError] {
    var mistakes: [ConfigurationError] = []
    var seen: Set<String> = []
    let names = CameraNames(self)
    for microphone in microphones {
      if !seen.insert(microphone.name).inserted {
        mistakes.append(
          microphone.origin.error(
            "two microphones are named \(microphone.name): give each its own name"))
      }
      // The list of a key names both.
      if names.contains(microphone.name) {
        mistakes.append(
          microphone.origin.error(
            "a camera is named \(microphone.name) too: give the microphone a name of its own"))
      }
    }
    let cameras = cameras.map { ($0.name, $0.options, $0.origin) }
    let rules = adoptions.map { ($0.name, $0.options, $0.origin) }
    for (name, options, origin) in cameras + rules {
      guard let microphone = options.microphone, !seen.contains(microphone) else { continue }
      let known = seen.sorted().joined(separator: ", ")
      mistakes.append(
        origin.error(
          "camera \(name): there is no microphone \(microphone): "
            + (known.isEmpty ? "configure it" : "the microphones are \(known)")))
    }
    return mistakes
  }
}
