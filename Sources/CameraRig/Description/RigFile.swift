public import CameraClient
import CameraProtocol
import Glibc
import OperatingSystem
import Words

/// A rig as a YAML file. Each error names the line that it is about.
struct RigFile {
  private enum Key: String, CaseIterable { case name, nodes }
  private enum NodeKey: String, CaseIterable { case node, name, key, cameras }
  private enum CameraKey: String, CaseIterable { case camera, name, position }

  /// More than any rig needs. The limit ends the reading of an endless device.
  private static let maximumByteCount = 1 << 20
  /// The farthest place of a camera, metres.
  private static let farthest = 1e6

  let rig: RigDescription

  /// - Throws: The first mistake.
  init(_ text: String) throws(RigMistake) {
    guard let root = try YAMLReader.read(text), let mapping = root.mapping else {
      throw RigMistake("there are no keys: write at least 'nodes:'", line: 1)
    }
    var (name, nodes): (String?, [RigNode]) = (nil, [])
    var lines: [Int] = []
    var hasNodes = false
    for entry in RigEntry.entries(of: mapping) {
      switch try entry.choice(of: Key.self, "a rig") {
      case .name: name = try entry.text(such: "studio")
      case .nodes:
        hasNodes = true
        let items = try entry.list(such: "- node: \(RigNode.example)")
        guard items.count <= RigDescription.nodeLimit else {
          throw entry.mistake(
            "has \(items.count) nodes, and a rig at most \(RigDescription.nodeLimit): make two rigs of it"
          )
        }
        for item in items {
          lines.append(item.line)
          nodes.append(try Self.node(item))
        }
      }
    }
    guard hasNodes else {
      throw RigMistake(
        "there is no key 'nodes': write 'nodes:', and below it '- node: \(RigNode.example)'",
        line: 1)
    }
    rig = try RigDescription(named: name, nodes) { lines[$0] }
  }

  private static func node(_ item: RigEntry) throws(RigMistake) -> RigNode {
    // A node alone needs no keys.
    if let node = item.value.text {
      return try at(item.line) { () throws(RigMistake) in try RigNode(node) }
    }
    var (node, name, key): (String?, String?, String?)
    var cameras: [RigCamera]?
    for entry in try item.entries(such: "node: \(RigNode.example)") {
      switch try entry.choice(of: NodeKey.self, "a node of a rig") {
      case .node: node = try entry.text(such: RigNode.example)
      case .name: name = try entry.name(such: "left")
      case .key: key = try entry.text(such: "/etc/camerabus/rig.key_secret")
      case .cameras:
        let items = try entry.list(such: "- camera: front")
        guard (1...RigDescription.cameraLimit).contains(items.count) else {
          throw entry.mistake(
            "needs 1 to \(RigDescription.cameraLimit) cameras: leave the key out for all that the node has"
          )
        }
        var own: [RigCamera] = []
        for item in items {
          let camera = try self.camera(item)
          guard !own.contains(where: { $0.camera == camera.camera }) else {
            throw item.mistake("names the camera \(camera.camera) twice: leave one out")
          }
          own.append(camera)
        }
        cameras = own
      }
    }
    guard let node else {
      throw item.mistake("needs the key 'node', such as node: \(RigNode.example)")
    }
    return try at(item.line) { () throws(RigMistake) in
      try RigNode(node, name: name, key: key, cameras: cameras)
    }
  }

  private static func camera(_ item: RigEntry) throws(RigMistake) -> RigCamera {
    if item.value.text != nil { return RigCamera(camera: try item.cameraName()) }
    var (camera, name, position): (String?, String?, RigPosition?)
    for entry in try item.entries(such: "camera: front") {
      switch try entry.choice(of: CameraKey.self, "a camera of a rig") {
      case .camera: camera = try entry.cameraName()
      case .name: name = try entry.name(such: "north")
      case .position: position = try self.position(entry)
      }
    }
    guard let camera else {
      throw item.mistake("needs the key 'camera', such as camera: front")
    }
    return RigCamera(camera: camera, name: name, position: position)
  }

  private static func position(_ entry: RigEntry) throws(RigMistake) -> RigPosition {
    let numbers = entry.value.list?.prefix(4).map { $0.text.flatMap { Double($0) } }
    guard let numbers, numbers.count == 3, let x = numbers[0], let y = numbers[1],
      let z = numbers[2], [x, y, z].allSatisfy({ $0.magnitude <= farthest })
    else {
      throw entry.mistake("needs three numbers of metres, such as [0, 0, 1.5]")
    }
    return RigPosition(x: x, y: y, z: z)
  }

  private static func at<R>(
    _ line: Int, _ body: () throws(RigMistake) -> R
  ) throws(RigMistake) -> R {
    do throws(RigMistake) {
      return try body()
    } catch {
      throw RigMistake(error.message, line: error.line ?? line)
    }
  }

  // MARK: Text

  /// The text of a file, which may also be a pipe.
  static func read(_ path: String) throws(RigMistake) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      if try FileStatus(at: path).isFolder { throw SystemError(errno: EISDIR, operation: "read") }
      bytes = try FileDescriptor.readAll(path, upTo: maximumByteCount, Interrupter())
    } catch {
      let reason =
        switch error.errno {
        case ENOENT, ENOTDIR: "there is no such file: name one that is there"
        case EISDIR: "it is a folder: name the file in it"
        case EACCES: "you may not read it: ask for permission (chmod a+r)"
        case EFBIG: "it has more than a mebibyte: name a text file in YAML"
        default: "\(error.reason): name another file"
        }
      throw RigMistake("the rig cannot be read: \(reason)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RigMistake("this is no text in UTF-8: save it as UTF-8")
    }
    return text
  }
}

extension RigDescription {
  /// Reads a rig from a YAML file of at most a mebibyte: see <doc:RigFiles>. JSON is YAML too.
  ///
  /// - Throws: `invalidArgument`, with the file, the line and the remedy.
  public init(file path: String) throws(CameraBusError) {
    do throws(RigMistake) {
      self = try RigFile(try RigFile.read(path)).rig
    } catch {
      throw error.error(in: path)
    }
  }

  /// Reads a rig from a text in YAML.
  ///
  /// - Throws: `invalidArgument`, with the line and the remedy.
  public init(yaml text: String) throws(CameraBusError) {
    do throws(RigMistake) {
      self = try RigFile(text).rig
    } catch {
      throw error.error(in: "rig")
    }
  }
}

/// One `key: value`, or one element of a list. Its errors name the line and the key.
private struct RigEntry {
  let key: String
  /// The line of the key or of the element.
  let line: Int
  let value: YAMLValue

  static func entries(of mapping: [(key: String, line: Int, value: YAMLValue)]) -> [RigEntry] {
    mapping.map { RigEntry(key: $0.key, line: $0.line, value: $0.value) }
  }

  func mistake(_ sentence: String) -> RigMistake {
    RigMistake(key.isEmpty ? "this \(sentence)" : "'\(key)' \(sentence)", line: line)
  }

  func choice<K: RawRepresentable<String> & CaseIterable>(
    of keys: K.Type, _ whole: String
  ) throws(RigMistake) -> K {
    if let choice = K(rawValue: key) { return choice }
    let known = K.allCases.map(\.rawValue)
    let remedy =
      known.nearest(to: key).map { "did you mean '\($0)'?" }
      ?? "its keys are \(known.joined(separator: ", "))"
    throw RigMistake("\(whole) has no key '\(key.prefix(100))': \(remedy)", line: line)
  }

  func text(such example: String) throws(RigMistake) -> String {
    guard let text = value.text, (1...4096).contains(text.utf8.count), !text.utf8.contains(0)
    else {
      throw mistake("needs a text such as \(example), not \(found)")
    }
    return text
  }

  func name(such example: String) throws(RigMistake) -> String {
    guard let name = value.text, RigDescription.isName(name) else {
      throw mistake(
        "needs 1 to \(RigDescription.longestName) letters, digits, '-', '_' and '.', and no '.' first, such as \(example), "
          + "not \(found)")
    }
    return name
  }

  func cameraName() throws(RigMistake) -> String {
    guard let name = value.text, CameraName.isValid(name), name != CameraName.node else {
      throw mistake(
        "needs a camera's name of 1 to 32 letters, digits, '-' and '_', such as front, not \(found)"
      )
    }
    return name
  }

  func list(such example: String) throws(RigMistake) -> [RigEntry] {
    guard let list = value.list else {
      throw mistake("needs a list, such as '\(example)' below it, not \(found)")
    }
    return list.map { RigEntry(key: "", line: $0.line, value: $0) }
  }

  func entries(such example: String) throws(RigMistake) -> [RigEntry] {
    guard let mapping = value.mapping, !mapping.isEmpty else {
      throw mistake("needs keys of its own such as '\(example)', not \(found)")
    }
    return Self.entries(of: mapping)
  }

  /// The value in the words of an error.
  private var found: String {
    switch value.content {
    case .none: "nothing"
    case .mapping: "keys of its own"
    case .list: "a list"
    case .text(let text): text.isEmpty ? "nothing" : "'\(text.prefix(100))'"
    }
  }
}
