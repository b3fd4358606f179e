import Foundation
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
/// keep_trying: true
/// cameras:
///   front: v4l2:/dev/video0,1280x720@30,format=MJPG
///   demo: synthetic:1920x1080@30
/// ```
package struct ConfigurationFile {
  private static let keys = [
    "name", "control", "events", "frames", "ipc", "library", "keep_trying", "insecure", "cameras",
  ]

  private let path: String
  private var values: [String: Yams.Node] = [:]

  /// - Throws: when the file cannot be read or is not such a YAML file, with file and line.
  package init(path: String) throws(ConfigurationError) {
    self.path = path
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw ConfigurationError(
        "the configuration \(path) cannot be read: check that it exists and that you may read it"
      )
    }
    let root: Yams.Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw ConfigurationError(Self.sentence(error, path: path))
    } catch {
      throw ConfigurationError("\(path) is no YAML: \(error)")
    }
    guard let root, let mapping = root.mapping else {
      throw ConfigurationError("\(path) holds no keys: write at least “cameras:”")
    }
    for (key, value) in mapping {
      guard let name = key.string, Self.keys.contains(name) else {
        throw complaint(
          "“\(key.string ?? "?")” is no key: it knows \(Self.keys.joined(separator: ", "))",
          at: key
        )
      }
      values[name] = value
    }
  }

  /// Overwrites the settings that the file has, and adds its cameras.
  package func apply(to configuration: inout NodeConfiguration) throws(ConfigurationError) {
    if let name = try string("name") { configuration.name = name }
    if let control = try string("control") { configuration.control = control }
    if let events = try string("events") { configuration.events = events }
    if let frames = try string("frames") { configuration.frames = frames }
    if let ipcFolder = try string("ipc") { configuration.ipcFolder = ipcFolder }
    if let library = try string("library") { configuration.library = library }
    if let keepsTrying = try boolean("keep_trying") { configuration.keepsTrying = keepsTrying }
    if let isInsecure = try boolean("insecure") { configuration.isInsecure = isInsecure }
    configuration.cameras += try cameras()
  }

  private func cameras() throws(ConfigurationError) -> [CameraConfiguration] {
    guard let node = values["cameras"] else { return [] }
    guard let mapping = node.mapping else {
      throw complaint("“cameras” needs lines of NAME: SPEC below it", at: node)
    }
    return try mapping.map { (key, value) throws(ConfigurationError) in
      guard let name = key.string, let spec = value.string else {
        throw complaint("a camera is one line, such as “front: v4l2:/dev/video0”", at: key)
      }
      do throws(ConfigurationError) {
        return try CameraConfiguration(name: name, source: CameraSource(parsing: spec))
      } catch {
        throw complaint(error.message, at: value)
      }
    }
  }

  private func string(_ key: String) throws(ConfigurationError) -> String? {
    guard let node = values[key] else { return nil }
    guard let text = node.string, !text.isEmpty else {
      throw complaint("“\(key)” needs a text", at: node)
    }
    return text
  }

  private func boolean(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let node = values[key] else { return nil }
    guard let value = node.bool else {
      throw complaint("“\(key)” needs true or false", at: node)
    }
    return value
  }

  private func complaint(_ message: String, at node: Yams.Node) -> ConfigurationError {
    ConfigurationError("\(path):\(node.mark?.line ?? 1): \(message)")
  }

  private static func sentence(_ error: YamlError, path: String) -> String {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "\(path):\(mark.line): this is no YAML: \(problem)"
    case .duplicatedKeysInMapping(let keys, let context):
      "\(path):\(context.mark.line): “\(keys.sorted()[0])” is there twice: leave one of them out"
    default: "\(path): this is no YAML: \(error)"
    }
  }
}
