import Foundation
import Words
import Yams

/// A node's configuration as a YAML file. Each error names the line it is about.
///
/// ```yaml
/// name: rig-left
/// control: tcp://127.0.0.1:5570
/// events: tcp://127.0.0.1:5571
/// frames: tcp://127.0.0.1:5572
/// ipc: /run/camerabus
/// library: /var/lib/camerabus
/// reserve: 64MiB
/// quota:
///   size: 50GiB
///   age: 30d
///   free: 2GiB
///   cameras:
///     front: {size: 10GiB, age: 7d}
/// group: video
/// state: /var/lib/camerabus-state
/// remember: true
/// keys: /var/lib/camerabus-keys
/// limited_ports: 5580-5599
/// keep_trying: true
/// announce: true
/// log: info
/// clock_error: 5ms
/// pressure: on
/// cameras:
///   front: v4l2:/dev/video0,1280x720@30,format=MJPG
///   demo:
///     source: synthetic:1920x1080@30
///     controls: {exposure.mode: locked}
/// microphones:
///   desk: alsa:hw:CARD=Device,DEV=0
/// adopt:
///   usb-*: driver=uvcvideo,1280x720@30,format=MJPG
/// ```
package struct ConfigurationFile {
  private enum Key: String, CaseIterable {
    case name, control, events, frames, ipc, library, reserve, quota, group, keys, state, remember
    case limitedPorts = "limited_ports"
    case keepTrying = "keep_trying"
    case clockError = "clock_error"
    case insecure, announce, log, pressure, cameras, microphones, adopt
  }

  private let path: String
  private let mapping: Yams.Node.Mapping

  /// - Throws: When the file cannot be read or is not such a YAML file, with file and line.
  package init(path: String) throws(ConfigurationError) {
    self.path = path
    let text = try ConfigurationText.read(path, as: "--config \(path)")
    let root: Yams.Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw Self.syntaxError(error, path: path)
    } catch {
      throw ConfigurationError("\(path): this is no YAML: \(error)", isInFile: true)
    }
    guard let root, let mapping = root.mapping else {
      throw ConfigurationError(
        "\(path):\(root?.mark?.line ?? 1): there are no keys: write at least 'cameras:'",
        isInFile: true)
    }
    self.mapping = mapping
  }

  /// Overwrites the settings that the file has, and adds its cameras.
  /// - Returns: Every mistake, in the order of the lines.
  package func apply(to configuration: inout NodeConfiguration) -> [ConfigurationError] {
    var mistakes: [ConfigurationError] = []
    for (key, value) in mapping {
      let entry = ConfigurationEntry(path: path, key: key, value: value)
      guard let name = Key(rawValue: entry.key) else {
        mistakes.append(unknown(entry.key, line: key.mark?.line ?? entry.line))
        continue
      }
      if name == .cameras || name == .adopt {
        mistakes += add(linesOf: entry, to: &configuration, areRules: name == .adopt)
        continue
      }
      if name == .microphones {
        mistakes += addMicrophones(entry, to: &configuration)
        continue
      }
      do throws(ConfigurationError) {
        try set(name, entry, in: &configuration)
        configuration.origins[name.rawValue] = entry.origin
      } catch {
        mistakes.append(error)
      }
    }
    return mistakes
  }

  private func set(
    _ key: Key, _ entry: ConfigurationEntry, in configuration: inout NodeConfiguration
  ) throws(ConfigurationError) {
    switch key {
    case .name: configuration.name = try entry.text(such: "front-desk")
    case .control: configuration.control = try entry.text(such: NodeConfiguration.defaultControl)
    case .events: configuration.events = try entry.text(such: NodeConfiguration.defaultEvents)
    case .frames: configuration.frames = try entry.text(such: NodeConfiguration.defaultFrames)
    case .ipc: configuration.ipcFolder = try entry.text(such: "/run/camerabus")
    case .library: configuration.library = try entry.text(such: "/var/lib/camerabus")
    case .reserve: configuration.reserve = try entry.byteCount()
    case .quota: configuration.quota = try entry.quota()
    case .limitedPorts: configuration.limitedPorts = try entry.ports(such: "5580-5599")
    case .keys: configuration.keys = try entry.text(such: "/var/lib/camerabus-keys")
    case .state: configuration.state = try entry.text(such: "/var/lib/camerabus-state")
    case .remember: configuration.remembers = try entry.boolean()
    case .group: configuration.group = try entry.text(such: "video")
    case .keepTrying: configuration.keepsTrying = try entry.boolean()
    case .insecure: configuration.isInsecure = try entry.boolean()
    case .announce: configuration.announces = try entry.boolean()
    case .log: configuration.logLevel = try entry.logLevel()
    case .clockError: configuration.clockError = try entry.duration(such: "5ms")
    case .pressure: configuration.pressure = try entry.pressure()
    case .cameras, .microphones, .adopt: break
    }
  }

  /// Adds the cameras or the rules for adoption that stand below a key.
  private func add(
    linesOf entry: ConfigurationEntry, to configuration: inout NodeConfiguration, areRules: Bool
  ) -> [ConfigurationError] {
    guard let lines = entry.value.mapping else {
      let example = areRules ? "usb-*: driver=uvcvideo" : "front: auto"
      return [entry.origin.mistake("needs lines of NAME: SPEC below it, such as \(example)")]
    }
    var mistakes: [ConfigurationError] = []
    for (key, value) in lines {
      let line = ConfigurationEntry(path: path, key: key, value: value)
      do throws(ConfigurationError) {
        if areRules {
          let read = try CameraEntry(line, main: "rule", such: "driver=uvcvideo")
          var rule = try AdoptionRule(
            name: line.key, rule: read.specification, origin: line.origin)
          rule.start = read.start
          configuration.adoptions.append(rule)
        } else {
          let read = try CameraEntry(line, main: "source", such: "v4l2:/dev/video0")
          var camera = try CameraConfiguration(
            name: line.key, specification: read.specification, origin: line.origin)
          camera.start = read.start
          configuration.cameras.append(camera)
        }
      } catch {
        mistakes.append(error)
      }
    }
    return mistakes
  }

  private func addMicrophones(
    _ entry: ConfigurationEntry, to configuration: inout NodeConfiguration
  ) -> [ConfigurationError] {
    guard let lines = entry.value.mapping else {
      return [
        entry.origin.mistake(
          "needs lines of NAME: SPEC below it, such as desk: alsa:hw:CARD=Device,DEV=0")
      ]
    }
    var mistakes: [ConfigurationError] = []
    for (key, value) in lines {
      let line = ConfigurationEntry(path: path, key: key, value: value)
      do throws(ConfigurationError) {
        configuration.microphones.append(
          try MicrophoneConfiguration(
            name: line.key, specification: try line.text(such: "alsa:hw:CARD=Device,DEV=0"),
            origin: line.origin))
      } catch {
        mistakes.append(error)
      }
    }
    return mistakes
  }

  private func unknown(_ key: String, line: Int) -> ConfigurationError {
    let known = Key.allCases.map(\.rawValue)
    let remedy =
      known.nearest(to: key).map { "did you mean '\($0)'?" }
      ?? "the keys are \(known.joined(separator: ", "))"
    return ConfigurationError(
      "\(path):\(line): there is no key '\(key)': \(remedy)", isInFile: true)
  }

  private static func syntaxError(_ error: YamlError, path: String) -> ConfigurationError {
    let message =
      switch error {
      case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
        .composer(_, let problem, let mark, _):
        "\(path):\(mark.line): this line is no YAML (\(problem)): write KEY: VALUE, and begin lines that belong together "
          + "with as many spaces"
      case .duplicatedKeysInMapping(let keys, let context):
        "\(path):\(context.mark.line): '\(keys.sorted()[0])' is there twice: leave one of them out"
      default: "\(path): this is no YAML: \(error)"
      }
    return ConfigurationError(
      message.split(whereSeparator: \.isNewline).joined(separator: " "), isInFile: true)
  }
}
