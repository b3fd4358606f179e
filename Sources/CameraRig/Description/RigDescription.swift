public import CameraClient
import Keys

/// The nodes and cameras of a rig, and how they are called in it.
///
/// ``init(file:)`` reads one from a YAML file, ``init(nodes:name:)`` makes one of endpoints and
/// names. <doc:RigFiles> has the form of the file.
public struct RigDescription: Hashable, Sendable {
  /// The most nodes of a rig.
  public static let nodeLimit = 256
  /// The most cameras that a node of a rig may name.
  public static let cameraLimit = 256
  /// The longest name, characters.
  static let longestName = 64

  /// What people call the rig; nil if nobody has said.
  public var name: String?
  /// Its nodes, in the order of the file. Their names are unique.
  public private(set) var nodes: [RigNode]

  /// A rig of these nodes, each with all cameras that it has.
  ///
  /// - Parameters:
  ///   - nodes: Control endpoints, or names that `camctl nodes list` shows.
  ///   - name: What people call the rig.
  /// - Throws: `invalidArgument` for none, for more than ``nodeLimit``, for a text that is neither,
  ///   and for a node that is named twice.
  public init(nodes: [String], name: String? = nil) throws(CameraBusError) {
    var own: [RigNode] = []
    for node in nodes {
      do throws(RigMistake) {
        own.append(try RigNode(node))
      } catch {
        throw error.error()
      }
    }
    do throws(RigMistake) {
      try self.init(named: name, own)
    } catch {
      throw error.error()
    }
  }

  /// - Throws: The first mistake; its line is that of the node.
  init(
    named name: String?, _ nodes: [RigNode], line: (Int) -> Int? = { _ in nil }
  ) throws(RigMistake) {
    guard !nodes.isEmpty else {
      throw RigMistake("a rig needs a node: name its endpoint, such as \(RigNode.example)")
    }
    guard nodes.count <= Self.nodeLimit else {
      throw RigMistake(
        "a rig has at most \(Self.nodeLimit) nodes, and these are \(nodes.count): make two of it")
    }
    if let name, !Self.isShown(name) {
      throw RigMistake(
        "'name' needs 1 to \(Self.longestName) characters in a line, such as studio")
    }
    var (own, cameras) = ([RigNode](), Set<String>())
    // Chosen names come first: standard ones give way to them.
    var taken = Set<String>()
    for (index, node) in nodes.enumerated() where node.isNamed {
      guard taken.insert(node.name).inserted else {
        throw RigMistake(
          "two nodes are called '\(node.name)': give one of them another name", line: line(index))
      }
    }
    for (index, var node) in nodes.enumerated() {
      guard !own.contains(where: { $0.node == node.node }) else {
        throw RigMistake(
          "the node \(node.node) is there twice: list its cameras together", line: line(index))
      }
      if !node.isNamed { node.name = Self.unique(node.name, &taken) }
      for camera in node.cameras ?? [] {
        guard let name = camera.name else { continue }
        guard cameras.insert(name).inserted else {
          throw RigMistake(
            "two cameras are called '\(name)': give one of them another name", line: line(index))
        }
      }
      own.append(node)
    }
    self.name = name
    self.nodes = own
  }

  private static func unique(_ name: String, _ taken: inout Set<String>) -> String {
    var (unique, number) = (name, 1)
    while !taken.insert(unique).inserted {
      number += 1
      unique = "\(name.prefix(longestName - 4))-\(number)"
    }
    return unique
  }

  static func isShown(_ name: String) -> Bool {
    (1...longestName).contains(name.count)
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
  }

  /// Whether a node or a camera may have the name in a rig. Names are parts of files' names.
  static func isName(_ name: String) -> Bool { KnownNode.isValid(name: name) }

  /// What the cameras are called in the rig, by node and by the node's name for them.
  ///
  /// A camera without a name of its own keeps the node's name for it, with `NODE-` before it where
  /// two of the rig would have the same.
  /// - Parameter present: The cameras that each node has, by the node's name in the rig. Of a node
  ///   that lists its cameras, only those count.
  /// - Returns: Names that are unique, except that a camera's own name may be that of another one
  ///   with `NODE-` before it; then a number is behind it.
  public func cameraNames(_ present: [String: [String]]) -> [String: [String: String]] {
    var names: [String: [String: String]] = [:]
    var (taken, own) = (Set<String>(), [(node: String, camera: String)]())
    for node in nodes {
      for camera in node.cameras ?? (present[node.name] ?? []).map({ RigCamera(camera: $0) }) {
        if let name = camera.name {
          names[node.name, default: [:]][camera.camera] = name
          taken.insert(name)
        } else {
          own.append((node.name, camera.camera))
        }
      }
    }
    let counts = own.reduce(into: [String: Int]()) { $0[$1.camera, default: 0] += 1 }
    for (node, camera) in own {
      let isAlone = counts[camera] == 1 && !taken.contains(camera)
      var (name, number) = (isAlone ? camera : "\(node)-\(camera)", 1)
      while !taken.insert(name).inserted {
        number += 1
        name = "\(node)-\(camera)-\(number)"
      }
      names[node, default: [:]][camera] = name
    }
    return names
  }
}

/// A node of a rig.
public struct RigNode: Hashable, Sendable {
  static let example = "tcp://192.168.0.21:5570"

  /// Its control endpoint, or its name in `camctl nodes list`.
  public let node: String
  /// What it is called in the rig: 1 to 64 letters, digits, `-`, `_` and `.`.
  public internal(set) var name: String
  /// The path of the certificate with the program's secret key for it; nil takes the one that
  /// `camctl nodes add` has stored for the node, or none.
  public let key: String?
  /// Its cameras that belong to the rig; nil for all that it has.
  public let cameras: [RigCamera]?
  /// Whether somebody has chosen the name.
  let isNamed: Bool

  init(
    _ node: String, name: String? = nil, key: String? = nil, cameras: [RigCamera]? = nil
  ) throws(RigMistake) {
    guard let standard = Self.standardName(node) else {
      throw RigMistake(
        "'\(node.prefix(100))' is no node: write its control endpoint, such as \(Self.example), or its name in "
          + "`camctl nodes list`")
    }
    self.node = node
    self.name = name ?? standard
    self.key = key
    self.cameras = cameras
    isNamed = name != nil
  }

  /// Its name of its own, or a name made of its endpoint: the host, with the port unless that is
  /// 5570; of an ipc endpoint the folder. Nil for a text that is neither.
  private static func standardName(_ node: String) -> String? {
    guard node.contains(":") else { return RigDescription.isName(node) ? node : nil }
    guard node.utf8.count <= 256, (try? Endpoint(node)) != nil else { return nil }
    var text = Substring(node.dropFirst(6))
    if node.hasPrefix("ipc://") {
      text = text.split(separator: "/").suffix(2).first ?? text
    } else if text.hasSuffix(":5570") {
      text = text.dropLast(5)
    }
    let letters = text.filter { $0 != "[" && $0 != "]" }
      .map { RigDescription.isName("a\($0)") ? $0 : "-" }
    let name = String(letters.drop { $0 == "." }.prefix(RigDescription.longestName))
    return name.isEmpty ? "node" : name
  }
}

/// A camera of a rig.
public struct RigCamera: Hashable, Sendable {
  /// What its node calls it.
  public var camera: String
  /// What it is called in the rig; nil for the standard, see ``RigDescription/cameraNames(_:)``.
  public var name: String?
  /// Where it is, if that is known.
  public var position: RigPosition?

  init(camera: String, name: String? = nil, position: RigPosition? = nil) {
    self.camera = camera
    self.name = name
    self.position = position
  }
}

/// A place in a rig, in metres along three axes that the rig's owner has chosen.
public struct RigPosition: Hashable, Sendable, Codable {
  /// Metres.
  public var x, y, z: Double

  /// A place, in metres.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// What is wrong with a rig, and how to correct it.
struct RigMistake: Error {
  var message: String
  var line: Int?

  init(_ message: String, line: Int? = nil) {
    self.message = message
    self.line = line
  }

  /// - Parameter file: The file that has the mistake; nil for a rig that was made in another way.
  func error(in file: String? = nil) -> CameraBusError {
    // A value of the file may have line breaks.
    let words = String(message.map { $0.isNewline ? " " : $0 })
    let place = file.map { file in line.map { "\(file):\($0): " } ?? "\(file): " } ?? ""
    return CameraBusError(.invalidArgument, place + words, field: "rig")
  }
}
