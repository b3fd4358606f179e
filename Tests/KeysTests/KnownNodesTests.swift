import Glibc
import TestSupport
import Testing
import ZeroMQ

@testable import Keys

struct KnownNodesTests {
  private let temporary: TemporaryFolder
  private let nodes: KnownNodes
  private let keys: CurveKeyPair

  init() throws {
    temporary = try TemporaryFolder()
    nodes = KnownNodes(folder: "\(temporary.path)/camerabus")
    keys = try .generate()
  }

  private func node(_ name: String, _ control: String = "tcp://10.0.0.1:5570") throws -> KnownNode {
    try KnownNode(name: name, control: control, key: keys.publicKey)
  }

  private func mode(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(unsafe lstat("\(nodes.folder)/\(name)", &status) == 0)
    return status.st_mode & 0o777
  }

  @Test func `What was added is there, for this user alone`() throws {
    #expect(try nodes.all().isEmpty)
    let added = [try node("rear"), try node("front.2", "ipc:///run/camerabus/control")]
    for node in added { try nodes.add(node, keys) }
    #expect(try nodes.all() == added.reversed())
    #expect(try nodes.keys(for: added[0]) == keys)
    #expect(try mode("nodes.yaml") == 0o600)
    #expect(try mode("rear.key_secret") == 0o600)
    #expect(try mode("") == 0o700)
  }

  @Test func `A name is for one node`() throws {
    try nodes.add(node("front"), keys)
    try nodes.add(node("rear"), keys)
    #expect(throws: KeyError.self) { try nodes.add(node("front"), .generate()) }
    #expect(throws: KeyError.self) { try nodes.rename("front", to: "rear") }
    #expect(throws: KeyError.self) { try nodes.rename("none", to: "other") }
    #expect(throws: KeyError.self) { try nodes.rename("front", to: "../front") }
    #expect(try nodes.keys(for: node("front")) == keys)
    #expect(try nodes.all().map(\.name) == ["front", "rear"])
  }

  @Test func `A node and its key are renamed and removed together`() throws {
    try nodes.add(node("front"), keys)
    try nodes.rename("front", to: "desk")
    #expect(try nodes.all().map(\.name) == ["desk"])
    #expect(try nodes.keys(for: node("desk")) == keys)
    #expect(throws: KeyError.self) { _ = try nodes.keys(for: node("front")) }
    try nodes.remove("desk")
    #expect(try nodes.all().isEmpty)
    #expect(throws: KeyError.self) { _ = try nodes.keys(for: node("desk")) }
    #expect(throws: KeyError.self) { try nodes.remove("desk") }
  }

  @Test(arguments: ["nodes.yaml", "front.key_secret"])
  func `A file that others may read is refused with the command that mends it`(
    name: String
  ) throws {
    try nodes.add(node("front"), keys)
    try #require(unsafe chmod("\(nodes.folder)/\(name)", 0o640) == 0)
    let error = #expect(throws: KeyError.self) { _ = try nodes.keys(for: nodes.node("front")) }
    #expect(error?.description.contains("chmod 600 \(nodes.folder)/\(name)") == true)
  }

  @Test(arguments: [
    "- a", "front: 1", "front: {control: x}", "front: {key: x, control: y}", "a b: {}", "{",
    "\u{0}",
    "'../x': {control: x, key: 'Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID'}",
    "x: {control: \"a'b\", key: 'Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID'}",
  ])
  func `A file that says something else is refused`(text: String) {
    #expect(throws: KeyError.self) { _ = try KnownNodes.nodes(in: Array(text.utf8)) }
  }

  @Test func `The folder follows the user's environment`() {
    #expect(
      KnownNodes.standardFolder { ["XDG_CONFIG_HOME": "/c", "HOME": "/h"][$0] } == "/c/camerabus")
    #expect(
      KnownNodes.standardFolder { ["XDG_CONFIG_HOME": "c", "HOME": "/h"][$0] }
        == "/h/.config/camerabus")
  }
}
