import CameraProtocol
import Capture
import CaptureV4L2
import Glibc
package import Keys
package import MediaLibrary
package import OperatingSystem
package import PhotoEncoding
import V4L2Conversion
import ZeroMQ

/// The settings of a node.
package struct NodeConfiguration: Sendable {
  package static let defaultControl = "tcp://127.0.0.1:5570"
  package static let defaultEvents = "tcp://127.0.0.1:5571"
  package static let defaultFrames = "tcp://127.0.0.1:5572"

  /// Shown in the node's status: 1 to 64 printable characters on one line. By default `camerad`
  /// uses the machine's name.
  package var name: String
  package var control = Self.defaultControl
  package var events = Self.defaultEvents
  package var frames = Self.defaultFrames
  /// The folder for the ipc sockets `control`, `events` and `frames`, on which the node listens
  /// too. Created if it is missing.
  package var ipcFolder: String?
  /// The ports for keys that are limited to some cameras: two for each set of cameras. Nil means
  /// any free ones.
  package var limitedPorts: ClosedRange<UInt16>?
  /// The folder for photos and movies.
  package var library: String
  /// The bytes that photos and movies leave free on the library's disk.
  package var reserve: Int {
    get { limits.libraryReserve }
    set { limits.libraryReserve = newValue }
  }
  /// What the library keeps.
  package var quota = LibraryQuota()
  /// The group whose members may read the library and use the ipc sockets. Without one, only the
  /// node's own user may.
  package var group: String?
  package var cameras: [CameraConfiguration] = []
  package var microphones: [MicrophoneConfiguration] = []
  /// Which devices become cameras by themselves. The first rule that matches a device counts.
  package var adoptions: [AdoptionRule] = []
  /// Whether the node runs when a camera cannot be started, and keeps trying to start it.
  package var keepsTrying = false
  /// Whether the node may listen on addresses that other machines can reach, without keys.
  package var isInsecure = false
  /// Whether the node announces itself on the network.
  package var announces = false
  /// The folder with the keys that may use the node over tcp. By default `LIBRARY-keys`, if it is
  /// there.
  package var keys: String?
  /// The folder for what clients have changed on cameras. By default `LIBRARY-state`.
  package var state: String?
  /// Whether clients' changes of cameras are kept, where a camera does not say so itself.
  package var remembers = false
  /// Where it learns how hard its machine is pressed.
  package var pressure = PressureSource.machine
  package var logLevel = LogLevel.warning
  /// How AVIF and HEIC are made; nil to make none.
  package var photoEncoder: PhotoEncoderSettings?
  /// The bound of the wall clock's error that the operator states.
  package var clockError: Duration?
  /// Where settings were written that do not come from options of the command line, by their keys.
  package var origins: [String: SettingOrigin] = [:]
  var limits = NodeLimits()
  var finder: any DeviceFinder = V4L2Discovery(converting: .linked)

  package init(name: String, library: String) {
    self.name = name
    self.library = library
  }

  /// What it calls the devices of the machine that its cameras want.
  var deviceNames: Set<String> { Set(cameras.flatMap(\.source.deviceNames)) }

  /// How many cameras there can be.
  var cameraCount: Int {
    cameras.count + (adoptions.isEmpty ? 0 : limits.adoptedCameras)
  }

  /// Every mistake in the settings that shows before anything is opened, as the sentences to show.
  package func mistakes() -> [ConfigurationError] {
    var mistakes: [ConfigurationError] = []
    if cameras.isEmpty && adoptions.isEmpty { mistakes.append(.noCamera) }
    var seen: Set<String> = []
    for camera in cameras where !seen.insert(camera.name).inserted {
      mistakes.append(
        camera.origin.error("two cameras are named \(camera.name): give each its own name"))
    }
    for rule in adoptions where !seen.insert(rule.name).inserted {
      mistakes.append(
        rule.origin.error(
          "another camera or adoption is named \(rule.name): give each its own name"))
    }
    if !NodeName.isValid(name) {
      mistakes.append(
        origin(of: "name").mistake("needs 1 to 64 printable characters on one line"))
    }
    if let mistake = pressure.mistake {
      mistakes.append(origin(of: "pressure").mistake(mistake))
    }
    return mistakes + depthMistakes() + microphoneMistakes() + groupMistakes() + ipcMistakes()
      + addressMistakes()
  }

  private func groupMistakes() -> [ConfigurationError] {
    guard let group else { return [] }
    let origin = origin(of: "group")
    guard let fileGroup else {
      let isName = group.wholeMatch(of: /[a-z_][a-z0-9_\-]{0,31}/) != nil
      let remedy =
        isName ? "make it with sudo groupadd \(group)" : "getent group lists those there are"
      return [origin.mistake("\"\(group)\" is no group: \(remedy)")]
    }
    guard !fileGroup.mayBeGivenFiles else { return [] }
    return [
      origin.mistake(
        "user \(geteuid()) is not in the group \(group): add it with sudo usermod, and log in again"
      )
    ]
  }

  private func ipcMistakes() -> [ConfigurationError] {
    guard let ipcFolder else { return [] }
    if let status = try? FileStatus(at: ipcFolder), !status.isFolder {
      return [
        origin(of: "ipc").mistake("\(ipcFolder) is a file: name a folder for the sockets")
      ]
    }
    guard "\(ipcFolder)/control".utf8.count <= UnixSocket.longestPath else {
      return [
        origin(of: "ipc").mistake(
          "the sockets in \(ipcFolder) would have paths of more than \(UnixSocket.longestPath) bytes: "
            + "name a folder with a shorter path")
      ]
    }
    guard !ipcFolder.hasPrefix("/") else { return [] }
    return [
      origin(of: "ipc").mistake(
        "\(ipcFolder) is no whole path, so that clients would look elsewhere: begin it with /")
    ]
  }

  private func addressMistakes() -> [ConfigurationError] {
    var mistakes: [ConfigurationError] = []
    var others: [(key: String, text: String, address: BindAddress)] = []
    for (key, text) in [("control", control), ("events", events), ("frames", frames)] {
      do throws(ConfigurationError) {
        let address = try address(text, key: key)
        if let folder = address.missingFolder {
          throw origin(of: key).mistake("there is no folder \(folder) for \(text): make it")
        }
        if let other = others.first(where: { $0.address.overlaps(address) }) {
          throw samePort((key, text), (other.key, other.text))
        }
        others.append((key, text, address))
      } catch {
        mistakes.append(error)
      }
    }
    return mistakes
  }

  /// The folder for what is remembered of cameras.
  var stateFolder: String { state ?? Folder.beside(library, suffix: "state") }

  /// The folder of keys that counts; nil if no key is needed.
  package var keyFolder: KeyFolder? {
    if let keys { return KeyFolder(keys) }
    let standard = KeyFolder.standard(forLibrary: library)
    return !isInsecure && Folder.exists(standard) ? KeyFolder(standard) : nil
  }

  /// What is wrong with the keys, without changing anything.
  package var keyMistakes: [String] { keyFolder?.mistakes() ?? [] }

  /// The group, if there is one of that name.
  package var fileGroup: FileGroup? { group.flatMap(FileGroup.init) }

  /// - Throws: The first mistake.
  package func validate() throws(ConfigurationError) {
    if let first = mistakes().first { throw first }
  }

  /// The mistake at the setting that somebody wrote; the other one may be a default.
  private func samePort(
    _ setting: (key: String, text: String), _ other: (key: String, text: String)
  ) -> ConfigurationError {
    let isDefault = origins[setting.key] == nil && origins[other.key] != nil
    let (written, taken) = isDefault ? (other, setting) : (setting, other)
    return origin(of: written.key).mistake(
      "\(written.text) has the same port as \(taken.key), \(taken.text): give each its own")
  }

  private func address(_ text: String, key: String) throws(ConfigurationError) -> BindAddress {
    let origin = origin(of: key)
    let address = try BindAddress(text, key: key, origin: origin)
    guard address.isLocal || isInsecure || keyFolder != nil else {
      throw origin.mistake(
        "\(text) would let every machine in: make a key for each user with camctl keys invite NAME, "
          + "or \(origin.switchingOn("insecure"))")
    }
    return address
  }

  private func origin(of key: String) -> SettingOrigin { origins[key] ?? .option(key) }
}

/// One camera of a node.
package struct CameraConfiguration: Hashable, Sendable {
  package var name: String
  package var source: CameraSource
  package var options = CameraOptions()
  package var start = CameraStart()
  var origin: SettingOrigin

  /// - Throws: When the name cannot be part of a topic, or the specification is wrong.
  package init(
    name: String, specification: some StringProtocol, origin: SettingOrigin
  ) throws(ConfigurationError) {
    guard name != CameraName.node else {
      throw origin.error("'\(name)' stands for the node itself: choose another name for the camera")
    }
    guard CameraName.isValid(name) else {
      throw origin.error("'\(name)' is no name for a camera: use 1 to 32 letters, digits, - and _")
    }
    self.name = name
    self.origin = origin
    do throws(ConfigurationError) {
      let (options, rest) = try CameraOptions.parse(specification)
      self.options = options
      source = try CameraSource(parsing: rest)
      guard options.flash == nil || source.isV4L2 else {
        throw ConfigurationError(
          "flash= names the node of a real camera's flash: leave it out, or write v4l2:DEVICE,flash=NODE"
        )
      }
    } catch {
      throw origin.error("camera \(name): \(error.message)")
    }
  }

  /// Whether both are the same camera, whatever is said of it and wherever it is written.
  func isSame(as other: CameraConfiguration) -> Bool {
    name == other.name && source == other.source && options.isSameCamera(as: other.options)
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
      specification: argument[argument.index(after: separator)...],
      origin: .option("camera"))
  }
}
