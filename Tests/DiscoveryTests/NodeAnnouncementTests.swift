import Discovery
import Testing
import ZeroMQ

struct NodeAnnouncementTests {
  private static func bytes(_ entries: [String]) -> [[UInt8]] { entries.map { Array($0.utf8) } }

  @Test func `It reads what it writes`() throws {
    let key = try CurveKeyPair.generate().publicKey
    let keyed = NodeAnnouncement(name: "Tür é", key: .fingerprint(KeyFingerprint(of: key)))
    #expect(NodeAnnouncement(entries: Self.bytes(keyed.entries)) == keyed)
    #expect(keyed.entries.contains("key=\(KeyFingerprint(of: key))"))
    #expect(keyed.protocolVersion == 1)
    let open = NodeAnnouncement(name: "open", key: .none)
    #expect(NodeAnnouncement(entries: Self.bytes(open.entries)) == open)
    #expect(open.entries.contains("key=none"))
  }

  @Test func `A fingerprint is the digest of the key's bytes`() throws {
    let key = try CurvePublicKey(bytes: Array(0..<32))
    // printf of these 32 bytes | sha256sum
    #expect(
      KeyFingerprint(of: key).description
        == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd")
  }

  @Test(arguments: [
    ["key=none"], ["KEY=none", "key=x"], ["x", "=", "key=none"],
  ])
  func `Names of entries have no case, and the first counts`(entries: [String]) {
    #expect(NodeAnnouncement(entries: Self.bytes(entries)).key == .none)
  }

  @Test(arguments: [
    "name=", "name=a\u{1B}[2Jb", "name=a\nb", "name=\u{202E}desk", "name=   ",
    "name=" + String(repeating: "x", count: 65), "release=" + String(repeating: "1", count: 33),
    "release=\u{7}", "protocol=-1", "protocol=99999", "protocol=1x", "key=", "key=NONE ",
    "key=" + String(repeating: "g", count: 64), "key=" + String(repeating: "0", count: 63),
    "key=" + String(repeating: "0", count: 66),
  ])
  func `What is wrong counts as not said`(entry: String) {
    let read = NodeAnnouncement(entries: Self.bytes([entry]))
    #expect(read == NodeAnnouncement(entries: []))
    #expect(read.name == nil && read.release == nil && read.protocolVersion == nil)
    #expect(read.key == .unknown)
  }

  @Test func `Text that is not in UTF-8 counts as not said`() {
    let entry = Array("name=".utf8) + [0xFF, 0xFE]
    #expect(NodeAnnouncement(entries: [entry]).name == nil)
  }

  @Test func `Entries behind the thirty-second are not read`() {
    let filling = [String](repeating: "a=b", count: 31)
    #expect(NodeAnnouncement(entries: Self.bytes(filling + ["name=desk"])).name == "desk")
    #expect(NodeAnnouncement(entries: Self.bytes(filling + ["x", "name=desk"])).name == nil)
  }

  @Test func `A service has as much of the name as fits`() {
    let long = NodeAnnouncement(name: String(repeating: "é", count: 64), key: .none)
    #expect(long.serviceName == String(repeating: "é", count: 31))
    #expect(NodeAnnouncement(name: "desk", key: .none).serviceName == "desk")
  }
}
