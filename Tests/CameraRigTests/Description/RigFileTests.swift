import CameraClient
import CameraRig
import TestSupport
import Testing

/// The same files as those of the Python client's tests.
struct RigFileTests {
  @Test func `A rig has its nodes, cameras, names and positions as the file says`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      name: studio
      nodes:
      - node: tcp://192.168.0.21:5570
        name: left
        key: /keys/left.key_secret
        cameras:
        - camera: front
          name: north
          position: [0, 0, 1.5]
        - back
      - node: desk
      - tcp://[fe80::1]:5580
      """, to: "rig.yaml")
    let rig = try RigDescription(file: "\(folder.path)/rig.yaml")
    #expect(rig.name == "studio")
    #expect(rig.nodes.map(\.name) == ["left", "desk", "fe80--1-5580"])
    #expect(rig.nodes.map(\.node) == ["tcp://192.168.0.21:5570", "desk", "tcp://[fe80::1]:5580"])
    #expect(rig.nodes.map(\.key) == ["/keys/left.key_secret", nil, nil])
    let cameras = try #require(rig.nodes[0].cameras)
    #expect(cameras.map(\.camera) == ["front", "back"])
    #expect(cameras.map(\.name) == ["north", nil])
    #expect(cameras.map(\.position) == [RigPosition(x: 0, y: 0, z: 1.5), nil])
    #expect(rig.nodes[1].cameras == nil)
  }

  @Test func `A rig in JSON is the same`() throws {
    let rig = try RigDescription(
      yaml: #"{"name": "studio", "nodes": [{"node": "desk", "cameras": [{"camera": "front"}]}]}"#)
    #expect(rig.name == "studio" && rig.nodes[0].cameras?.map(\.camera) == ["front"])
  }

  @Test func `A list of endpoints and names makes a rig, with a name for each`() throws {
    let rig = try RigDescription(nodes: [
      "tcp://10.0.0.1:5570", "tcp://10.0.0.1:5580", "ipc:///run/camerabus/control", "desk",
      "tcp://camera.local:5570", "tcp://desk:5570",
    ])
    #expect(
      rig.nodes.map(\.name)
        == ["10.0.0.1", "10.0.0.1-5580", "camerabus", "desk", "camera.local", "desk-2"])
    #expect(throws: CameraBusError.self) { try RigDescription(nodes: []) }
    #expect(throws: CameraBusError.self) { try RigDescription(nodes: ["desk", "desk"]) }
    #expect(throws: CameraBusError.self) { try RigDescription(nodes: ["http://desk"]) }
    let many = (0...RigDescription.nodeLimit).map { "node\($0)" }
    #expect(throws: CameraBusError.self) { try RigDescription(nodes: many) }
    #expect(try RigDescription(nodes: many.dropLast()).nodes.count == RigDescription.nodeLimit)
  }

  @Test func `Cameras keep their own names, with the node's before them where two are the same`()
    throws
  {
    let rig = try RigDescription(
      yaml: """
        nodes:
        - node: a
          cameras: [{camera: front, name: north}, {camera: back}]
        - node: b
        - node: c
        """)
    let names = rig.cameraNames([
      "a": ["front", "back", "top"], "b": ["front", "top"], "c": ["top"],
    ])
    #expect(names["a"] == ["front": "north", "back": "back"])
    #expect(names["b"] == ["front": "front", "top": "b-top"])
    #expect(names["c"] == ["top": "c-top"])
  }

  struct Mistake: CustomTestStringConvertible {
    var text: String
    var line: Int?
    var words: String
    var testDescription: String { words }

    init(_ text: String, _ line: Int?, _ words: String) {
      (self.text, self.line, self.words) = (text, line, words)
    }
  }

  @Test(arguments: [
    Mistake("", 1, "write at least 'nodes:'"),
    Mistake("name: studio", 1, "there is no key 'nodes'"),
    Mistake("nodes: []", nil, "a rig needs a node"),
    Mistake("nodes: desk", 1, "'nodes' needs a list"),
    Mistake(
      "nodes:\n- node: desk\n  cameras:\n  - camera: front\n nope", 5, "this line is no YAML"),
    Mistake("nodes:\n- node: desk\n  nam: left", 3, "did you mean 'name'?"),
    Mistake("nodes:\n- nod: desk", 2, "did you mean 'node'?"),
    Mistake("nodes:\n- name: left", 2, "needs the key 'node'"),
    Mistake("nodes:\n- node: http://desk", 2, "is no node"),
    Mistake("nodes:\n- node: desk\n- node: desk", 3, "is there twice"),
    Mistake("nodes:\n- node: desk\n  name: a\n- node: table\n  name: a", 4, "two nodes are called"),
    Mistake("nodes:\n- node: desk\n  name: a/b", 3, "'name' needs 1 to 64 letters"),
    Mistake("nodes:\n- node: desk\n  key: []", 3, "'key' needs a text"),
    Mistake("nodes:\n- node: desk\n  cameras: []", 3, "leave the key out"),
    Mistake("nodes:\n- node: desk\n  cameras: [_node]", 3, "a camera's name"),
    Mistake("nodes:\n- node: desk\n  cameras: [front, front]", 3, "twice: leave one out"),
    Mistake(
      "nodes:\n- node: desk\n  cameras:\n  - camera: front\n    position: [1, 2]", 5,
      "three numbers of metres"),
    Mistake(
      "nodes:\n- node: desk\n  cameras:\n  - camera: front\n    position: [1, 2, .inf]", 5,
      "three numbers of metres"),
    Mistake("nodes:\n- node: desk\n  node: table", 3, "is there twice"),
    Mistake("node:\n- desk", 1, "did you mean 'nodes'?"),
    Mistake(
      "nodes:\n- node: a\n  cameras: [{camera: x, name: n}]\n- node: b\n  cameras: [{camera: y, name: n}]",
      4, "two cameras are called 'n'"),
    Mistake(String(repeating: "[", count: 100_000), 1, "nest too deep"),
    Mistake(String(repeating: "- ", count: 100_000), 1, "nest too deep"),
  ])
  func `A mistake is told with its line and what to do`(mistake: Mistake) throws {
    let error = #expect(throws: CameraBusError.self) { try RigDescription(yaml: mistake.text) }
    let message = try #require(error?.message)
    #expect(message.contains(mistake.words), "\(message)")
    if let line = mistake.line { #expect(message.hasPrefix("rig:\(line): "), "\(message)") }
    #expect(error?.code == .invalidArgument && !message.contains("\n"))
  }

  @Test func `Deep indentation and aliases that multiply do no harm`() throws {
    let deep = (0..<1000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(throws: CameraBusError.self) { try RigDescription(yaml: deep) }
    let doubling = (1..<40).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
    #expect(throws: CameraBusError.self) {
      try RigDescription(yaml: "a0: &a0 [x]\n\(doubling)nodes: *a39")
    }
  }

  @Test func `The forms that people write are read, and others are refused`() throws {
    let rig = try RigDescription(
      yaml: """
        ---
        # A rig with everything.
        "name": 'it''s: #1'   # a comment

        nodes:
          -
            node:   "tcp://[fe80::1%eth0]:5570"
            name: six
            cameras:
            - { camera: a, "position": [ 1, -2e1,
                0.5 ] }   # over two lines
            - camera: b
              name: null
          - node: desk#1
        """.replacing("null", with: "bee").replacing("desk#1", with: "desk"))
    #expect(rig.name == "it's: #1")
    #expect(rig.nodes.map(\.node) == ["tcp://[fe80::1%eth0]:5570", "desk"])
    let cameras = try #require(rig.nodes[0].cameras)
    #expect(cameras.map(\.position) == [RigPosition(x: 1, y: -20, z: 0.5), nil])
    #expect(cameras.map(\.name) == [nil, "bee"])
    let json = """
      {
        "name": "\\u00e9 \\"x\\"",
        "nodes": [
          {"node":"desk", "cameras":[{"camera":"front"}]},
          "table"
        ]
      }
      """
    let other = try RigDescription(yaml: json)
    #expect(other.name == "\u{e9} \"x\"" && other.nodes.map(\.node) == ["desk", "table"])
    for wrong in [
      "nodes:\n\t- desk", "nodes: &a [desk]", "nodes: |\n  desk", "nodes: [desk", "nodes: [desk] x",
      "nodes: [desk table: x, {]", "nodes: 'desk", "nodes: \"\\q\"", "nodes:\n- desk\n  more: x",
      "nodes: [desk]\nname: x\nname: y", "name: x\n  nodes: [desk]", "nodes: {a: 1, a: 2}",
      "nodes: [desk]\n---\nname: x", "nodes: null", "nodes: ~",
    ] {
      #expect(throws: CameraBusError.self, "\(wrong)") { try RigDescription(yaml: wrong) }
    }
  }

  @Test func `Whatever a file has, it is read or refused in a moment`() throws {
    var random = SeededGenerator(for: "RigFileTests")
    let pieces = [
      "nodes:", "name:", "node:", "cameras:", "camera:", "position:", "- ", "\n", "\n  ", "\n    ",
      "[", "]", "{", "}", ",", ":", " ", "'", "\"", "\\", "#", "desk", "front", "tcp://a:1", "1.5",
      "-",
      "\t", "é", "\u{0}", "~", "null", "&a", "\r",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      do throws(CameraBusError) {
        let rig = try RigDescription(yaml: text)
        #expect(!rig.nodes.isEmpty, "\(random)")
      } catch {
        #expect(error.code == .invalidArgument && !error.message.contains("\n"), "\(random)")
      }
    }
  }

  @Test func `A file that cannot be read is named, with the remedy`() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "#", count: 1 << 20 + 1), to: "large.yaml")
    for (path, words) in [
      ("\(folder.path)/none.yaml", "there is no such file"), (folder.path, "it is a folder"),
      ("\(folder.path)/large.yaml", "more than a mebibyte"), ("/dev/zero", "more than a mebibyte"),
    ] {
      let error = #expect(throws: CameraBusError.self) { try RigDescription(file: path) }
      #expect(error?.message.hasPrefix(path) == true)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  @Test func `A key for a node of which nobody knows its own key says what to do`() throws {
    let rig = try RigDescription(yaml: "nodes:\n- node: tcp://192.0.2.1:5570\n  key: /nowhere")
    let error = #expect(throws: CameraBusError.self) { try rig.connections() }
    #expect(error?.message.contains("camctl nodes add NAME --control") == true)
  }
}
