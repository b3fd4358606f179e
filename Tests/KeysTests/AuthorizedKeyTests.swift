import Testing
import ZeroMQ

@testable import Keys

struct AuthorizedKeyTests {
  private let key: CurvePublicKey

  init() throws { key = try CurveKeyPair.generate().publicKey }

  @Test func `A key with all limits survives being written and read`() throws {
    let authorized = try AuthorizedKey(
      name: "arm.left", key: key, role: .operator, cameras: ["front", "left"],
      expiry: 1_800_000_000_123_000_000, comment: "the arm's own computer")
    let read = try AuthorizedKey(
      name: "arm.left", Certificate(parsing: authorized.certificate.text))
    #expect(read == authorized)
    #expect(read.isFor(camera: "left") && !read.isFor(camera: "right"))
    #expect(!read.isExpired(at: 1_800_000_000_122_999_999))
    #expect(read.isExpired(at: 1_800_000_000_123_000_000))
  }

  @Test func `A key without limits is for all cameras and has no end`() throws {
    let read = try AuthorizedKey(name: "a", Certificate(key, metadata: ["role": "controller"]))
    #expect(read.role == .controller)
    #expect(read.isFor(camera: "any"))
    #expect(!read.isExpired(at: .max))
  }

  @Test(arguments: [
    [:], ["role": "admin"], ["role": ""], ["role": "viewer", "camera": "front"],
    ["role": "viewer", "cameras": ""], ["role": "viewer", "cameras": "a,,b"],
    ["role": "viewer", "cameras": "a/b"], ["role": "viewer", "expires": "tomorrow"],
    ["role": "viewer", "expires": ""],
  ])
  func `A limit that is not understood is not taken for none`(_ metadata: [String: String]) {
    #expect(throws: KeyError.self) {
      try AuthorizedKey(name: "a", Certificate(key, metadata: metadata))
    }
  }

  @Test func `A secret certificate is not one to authorize`() throws {
    let keys = try CurveKeyPair.generate()
    #expect(throws: KeyError.self) {
      try AuthorizedKey(
        name: "a",
        Certificate(keys.publicKey, secretKey: keys.secretKey, metadata: ["role": "viewer"]))
    }
  }

  @Test(arguments: ["", ".hidden", "../up", "a/b", "a b", "ü", String(repeating: "a", count: 65)])
  func `A name that is no file's own is refused`(_ name: String) {
    #expect(throws: KeyError.self) { try AuthorizedKey(name: name, key: key, role: .viewer) }
  }

  @Test func `Roles include those before them`() {
    #expect(Role.viewer < .operator && .operator < Role.controller)
  }
}
