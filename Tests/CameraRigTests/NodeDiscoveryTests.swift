import CameraClient
import Discovery
import Keys
import TestSupport
import Testing
import ZeroMQ

@testable import CameraRig

struct NodeDiscoveryTests {
  private let temporary: TemporaryFolder
  private let nodes: KnownNodes
  private let keys: CurveKeyPair

  init() throws {
    temporary = try TemporaryFolder()
    nodes = KnownNodes(folder: "\(temporary.path)/camerabus")
    keys = try .generate()
    let node = try KnownNode(
      name: "front", control: "tcp://10.0.0.1:5570", key: CurveKeyPair.generate().publicKey)
    try nodes.add(node, keys)
  }

  private func claimed(_ key: CurvePublicKey) -> AnnouncedKey {
    .fingerprint(KeyFingerprint(of: key))
  }

  @Test func `The key of a known node is trusted, whatever its name and address are now`() throws {
    let node = try nodes.node("front")
    let known = KnownKeys(try nodes.all())
    for (name, endpoint) in [("front", node.control), ("other", "tcp://10.9.9.9:1")] {
      #expect(
        known.trust(in: name, at: [endpoint], with: claimed(node.key)) == .trusted(as: "front"))
    }
  }

  @Test func `A wrong key is not trusted`() throws {
    let known = KnownKeys(try nodes.all())
    let other = claimed(try CurveKeyPair.generate().publicKey)
    for key in [other, .none] {
      #expect(
        known.trust(in: "x", at: ["tcp://10.0.0.1:5570"], with: key) == .wrongKey(of: "front"))
      #expect(
        known.trust(in: "front", at: ["tcp://10.9.9.9:1"], with: key) == .wrongKey(of: "front"))
      #expect(known.trust(in: "x", at: ["tcp://10.9.9.9:1"], with: key) == .unknown)
    }
  }

  @Test func `A key that is not said is proven by the connection alone`() throws {
    let known = KnownKeys(try nodes.all())
    #expect(
      known.trust(in: nil, at: ["tcp://10.0.0.1:5570"], with: .unknown) == .unproven(as: "front"))
    #expect(known.trust(in: nil, at: ["tcp://10.0.0.1:1"], with: .unknown) == .unknown)
  }

  @Test func `Seeds are endpoints and names of known nodes, each once`() throws {
    let discovery = NodeDiscovery(
      browses: false, seeds: ["front", "tcp://desk:5570", "tcp://desk:5570"])
    let found = try discovery.candidates(knowing: nodes).present
    #expect(found.candidates.map(\.name) == ["front", "tcp://desk:5570"])
    #expect(found.candidates.map(\.endpoints) == [["tcp://10.0.0.1:5570"], ["tcp://desk:5570"]])
    #expect(found.candidates.map(\.trust) == [.unproven(as: "front"), .unknown])
    #expect(found.candidates.allSatisfy { $0.source == .seed && !$0.isTrusted })
    #expect(found.isOver)
    #expect(found.hindrances == [])
  }

  @Test(arguments: [
    (NodeDiscovery(browses: false, seeds: ["nobody"]), "seeds", "camctl nodes list"),
    (
      NodeDiscovery(
        browses: false, seeds: (1...257).map { "tcp://desk:\($0)" }), "seeds", "at most 256"
    ),
    (NodeDiscovery(browses: false, domains: ["a b"]), "domains", "such as example.org"),
    (
      NodeDiscovery(browses: false, domains: (1...9).map { "d\($0).org" }), "domains", "at most 8"
    ),
  ])
  func `What is no place to look is refused`(
    discovery: NodeDiscovery, field: String, words: String
  ) throws {
    let error = #expect(throws: CameraBusError.self) {
      _ = try discovery.candidates(knowing: nodes)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.field == field)
    #expect(error?.message.contains(words) == true)
  }

  @Test func `A search where nothing more can come ends at once`() async throws {
    // A minute would be far above the time limit of a test.
    let found = try await NodeDiscovery(browses: false, seeds: ["tcp://desk:5570"])
      .nodes(within: .seconds(3600))
    #expect(found.candidates.count == 1)
  }

  @Test func `A cancelled search says so`() async throws {
    let discovery = NodeDiscovery(browses: true)
    let task = Task { try await discovery.nodes(within: .seconds(3600), atLeast: 257) }
    task.cancel()
    let error = await #expect(throws: CameraBusError.self) { _ = try await task.value }
    #expect(error?.code == .cancelled)
  }
}
