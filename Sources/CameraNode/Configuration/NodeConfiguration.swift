import CameraProtocol

/// The settings of a node.
package struct NodeConfiguration: Sendable {
  package static let defaultControl = "tcp://127.0.0.1:5570"
  package static let defaultEvents = "tcp://127.0.0.1:5571"
  package static let defaultFrames = "tcp://127.0.0.1:5572"

  /// Shown in the node's status. By default `camerad` uses the machine's name.
  package var name: String
  package var control = Self.defaultControl
  package var events = Self.defaultEvents
  package var frames = Self.defaultFrames
  /// The folder for the ipc sockets `control`, `events` and `frames`, on which the node listens
  /// too. Created if it is missing.
  package var ipcFolder: String?
  /// The folder for photos and movies.
  package var library: String
  package var cameras: [CameraConfiguration] = []
  /// Whether the node runs when a camera cannot be started, and keeps trying to start it.
  package var keepsTrying = false
  /// Whether the node may listen on addresses that other machines can reach, without keys.
  package var isInsecure = false
  var limits = NodeLimits()

  package init(name: String, library: String) {
    self.name = name
    self.library = library
  }

  /// Checks the settings before anything is opened.
  /// - Throws: the first mistake, with the sentence to show.
  package func validate() throws(ConfigurationError) {
    guard !cameras.isEmpty else {
      throw ConfigurationError(
        "no camera is named: add --camera cam=auto, or cam=synthetic for a demo"
      )
    }
    var seen: Set<String> = []
    for camera in cameras where !seen.insert(camera.name).inserted {
      throw ConfigurationError("two cameras are named \(camera.name): give each its own name")
    }
    if let ipcFolder, !ipcFolder.hasPrefix("/") {
      throw ConfigurationError(
        "--ipc \(ipcFolder) is no whole path, so that clients would look elsewhere: begin it with /"
      )
    }
    for (option, text) in [("control", control), ("events", events), ("frames", frames)] {
      let address = try BindAddress(text, option: option)
      guard address.isLocal || isInsecure else {
        throw ConfigurationError(
          "--\(option) \(text) would let every machine in: use 127.0.0.1, or say --insecure"
        )
      }
    }
  }
}

/// One camera of a node.
package struct CameraConfiguration: Hashable, Sendable {
  package var name: String
  package var source: CameraSource

  /// - Throws: when the name cannot be part of a topic.
  package init(name: String, source: CameraSource) throws(ConfigurationError) {
    guard CameraName.isValid(name) else {
      throw ConfigurationError(
        "“\(name)” is no name for a camera: use 1 to 32 letters, digits, - and _"
      )
    }
    self.name = name
    self.source = source
  }

  /// Reads `NAME=SPEC` from the command line.
  package init(argument: String) throws(ConfigurationError) {
    guard let separator = argument.firstIndex(of: "=") else {
      throw ConfigurationError(
        "--camera \(argument) has no name: write --camera NAME=\(argument)"
      )
    }
    try self.init(
      name: String(argument[..<separator]),
      source: CameraSource(parsing: argument[argument.index(after: separator)...])
    )
  }
}

/// A mistake in a configuration, as one sentence that says how to correct it.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) {
    self.message = message
  }

  package var description: String { message }
}
