import Foundation
import Glibc
import TestSupport
import Testing
import ZeroMQ

@testable import Keys

struct KeyFolderTests {
  private let temporary: TemporaryFolder
  private let folder: KeyFolder

  init() throws {
    temporary = try TemporaryFolder()
    folder = KeyFolder("\(temporary.path)/keys")
  }

  private func mode(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(unsafe lstat("\(temporary.path)/\(name)", &status) == 0)
    return status.st_mode & 0o777
  }

  private func setMode(_ name: String, _ mode: mode_t) throws {
    try #require(unsafe chmod("\(temporary.path)/\(name)", mode) == 0)
  }

  private func authorized(_ name: String, _ key: CurvePublicKey? = nil) throws -> AuthorizedKey {
    try AuthorizedKey(name: name, key: key ?? CurveKeyPair.generate().publicKey, role: .operator)
  }

  @Test func `The first start makes a pair, which stays`() throws {
    let keys = try folder.open()
    #expect(try folder.open() == keys)
    #expect(try mode("keys") == 0o700)
    #expect(try mode("keys/authorized") == 0o700)
    #expect(try mode("keys/node.key_secret") == 0o600)
    #expect(try temporary.names == ["keys"])
    let text = String(decoding: try temporary.read("keys/node.key"), as: UTF8.self)
    #expect(try Certificate(parsing: text) == Certificate(keys.publicKey))
    #expect(!text.contains(keys.secretKey.z85))
  }

  @Test func `The public key is there for others, also where the secret one is kept elsewhere`()
    throws
  {
    #expect(throws: KeyError.self) { try folder.requireFolder() }
    let key = try folder.publicKey()
    #expect(try folder.open().publicKey == key)
    // As after a kill between the two files, and with a file that is another key's.
    for text in [nil, Certificate(try CurveKeyPair.generate().publicKey).text] {
      try FileManager.default.removeItem(atPath: "\(folder.path)/node.key")
      if let text { try KeyFile("\(folder.path)/node.key").write(text) }
      #expect(try folder.open().publicKey == key)
      #expect(try KeyFile("\(folder.path)/node.key").publicKey() == key)
    }
    try FileManager.default.removeItem(atPath: "\(folder.path)/node.key_secret")
    #expect(try folder.publicKey() == key)
    let error = #expect(throws: KeyError.self) { try folder.open() }
    #expect(error?.description.contains("restore it") == true, "no node gets a new key unnoticed")
  }

  @Test func `A key is replaced under its name`() throws {
    _ = try folder.open()
    let old = try authorized("robot")
    try folder.authorize(old)
    let new = try AuthorizedKey(name: "robot", key: old.key, role: .viewer, cameras: ["left"])
    try folder.replace(new)
    #expect(try folder.authorizedKey("robot") == new)
    #expect(new.grant == "viewer, for left")
    for name in ["other", "../node"] {
      let other = try? authorized(name)
      #expect(throws: KeyError.self) { try folder.authorizedKey(name) }
      if let other { #expect(throws: KeyError.self) { try folder.replace(other) } }
    }
    #expect(try folder.authorized().keys == [new])
  }

  @Test func `A public key may be read by others, and not changed`() throws {
    _ = try folder.open()
    try folder.authorize(authorized("robot"))
    try setMode("keys/authorized/robot.key", 0o644)
    #expect(try folder.authorized().keys.map(\.name) == ["robot"])
    try setMode("keys/authorized/robot.key", 0o664)
    #expect(try folder.authorized().keys.isEmpty)
  }

  @Test(arguments: ["keys", "keys/authorized", "keys/node.key_secret"])
  func `What others may read is refused with the command that mends it`(_ name: String) throws {
    _ = try folder.open()
    let old = try mode(name)
    try setMode(name, old | 0o040)
    let error = #expect(throws: KeyError.self) { try folder.open() }
    let remedy = "chmod \(String(old, radix: 8)) \(temporary.path)/\(name)"
    #expect(error?.description.hasSuffix(remedy) == true, "\(String(describing: error))")
    try setMode(name, old)
    #expect(throws: Never.self) { try folder.open() }
  }

  @Test func `A link in the place of a secret is not followed`() throws {
    _ = try folder.open()
    let path = "\(folder.path)/node.key_secret"
    try #require(unsafe rename(path, "\(temporary.path)/elsewhere") == 0)
    try temporary.link("keys/node.key_secret", to: "\(temporary.path)/elsewhere")
    #expect(throws: KeyError.self) { try folder.open() }
  }

  @Test func `The folder itself may be a link, as systemd makes one for a service`() throws {
    let keys = try folder.open()
    try temporary.link("linked", to: folder.path)
    let linked = KeyFolder("\(temporary.path)/linked")
    #expect(try linked.open() == keys)
    try setMode("keys", 0o750)
    #expect(throws: KeyError.self) { try linked.open() }
  }

  @Test func `A key is authorized and revoked`() throws {
    _ = try folder.open()
    let key = try authorized("arm")
    try folder.authorize(key)
    #expect(try mode("keys/authorized/arm.key") == 0o600)
    #expect(try folder.authorized().keys == [key])
    #expect(try folder.authorized().key(key.key, at: 0) == key)
    try folder.revoke(["arm"])
    #expect(try folder.authorized().keys.isEmpty)
    #expect(throws: KeyError.self) { try folder.revoke(["arm"]) }
    #expect(throws: KeyError.self) { try folder.revoke(["../node"]) }
  }

  @Test func `A name and a key are authorized once`() throws {
    _ = try folder.open()
    let key = try authorized("arm")
    try folder.authorize(key)
    #expect(throws: KeyError.self) { try folder.authorize(authorized("arm")) }
    #expect(throws: KeyError.self) { try folder.authorize(authorized("leg", key.key)) }
    #expect(try folder.authorized().keys == [key])
  }

  @Test func `A file that cannot be used authorizes nobody, and the others still count`() throws {
    _ = try folder.open()
    let key = try authorized("arm")
    try folder.authorize(key)
    try folder.authorize(authorized("open"))
    try setMode("keys/authorized/open.key", 0o666)
    try temporary.write("nonsense", to: "keys/authorized/broken.key")
    try setMode("keys/authorized/broken.key", 0o600)
    try temporary.link("keys/authorized/linked.key", to: "arm.key")
    try temporary.makeFolder("keys/authorized/folder.key", mode: 0o700)
    try temporary.write("not a key's name", to: "keys/authorized/README")
    let authorized = try folder.authorized()
    #expect(authorized.keys == [key])
    #expect(authorized.refused.count == 4)
    for name in ["open", "broken", "linked", "folder"] {
      #expect(authorized.refused.contains { $0.contains("/\(name).key") })
    }
  }

  @Test func `Of the files with one key the one in force counts, or else the oldest`() throws {
    _ = try folder.open()
    let key = try authorized("copy")
    try folder.authorize(key)
    for (name, second) in [("arm", 2.0), ("third", 3)] {
      try temporary.write(key.certificate.text, to: "keys/authorized/\(name).key")
      try setMode("keys/authorized/\(name).key", 0o600)
      try FileManager.default.setAttributes(
        [.modificationDate: Date.now.addingTimeInterval(second)],
        ofItemAtPath: "\(folder.authorizedFolder)/\(name).key")
    }
    for (inForce, name) in [(nil, "copy"), ("third", "third"), ("gone", "copy")] {
      let authorized = try folder.authorized(inForce: inForce.map { [key.key: $0] } ?? [:])
      #expect(authorized.keys.map(\.name) == [name])
      #expect(authorized.key(key.key, at: 0)?.name == name)
      #expect(authorized.refused.count == 2)
      #expect(authorized.refused.allSatisfy { $0.contains("has the same key as \(name)") })
    }
    // A copy would have the key go on, whichever of them counts.
    for name in ["copy", "arm", "third"] {
      let error = #expect(throws: KeyError.self) { try folder.revoke([name]) }
      #expect(error?.description.contains("camctl keys revoke \(name) ") == true)
      #expect(throws: KeyError.self) { try folder.replace(folder.authorizedKey(name)) }
    }
    #expect(throws: KeyError.self) { try folder.revoke(["arm", "copy"]) }
    #expect(try folder.authorized().refused.count == 2, "Nothing was revoked")
    try folder.revoke(["arm", "third", "copy"])
    #expect(try folder.authorized().keys.isEmpty)
  }

  @Test func `An older copy that allows more does not count`() throws {
    _ = try folder.open()
    let key = try CurveKeyPair.generate().publicKey
    try folder.authorize(AuthorizedKey(name: "guest", key: key, role: .viewer))
    let copy = try AuthorizedKey(name: "backup", key: key, role: .controller)
    try temporary.write(copy.certificate.text, to: "keys/authorized/backup.key")
    try setMode("keys/authorized/backup.key", 0o600)
    try FileManager.default.setAttributes(
      [.modificationDate: Date.distantPast],
      ofItemAtPath: "\(folder.authorizedFolder)/backup.key")
    #expect(try folder.authorized().keys.map(\.role) == [.viewer])
  }

  @Test func `An expired key is authorized no more`() throws {
    _ = try folder.open()
    let key = try AuthorizedKey(
      name: "guest", key: CurveKeyPair.generate().publicKey, role: .viewer, expiry: 1_000_000)
    try folder.authorize(key)
    let authorized = try folder.authorized()
    #expect(authorized.key(key.key, at: 999_999) == key)
    #expect(authorized.key(key.key, at: 1_000_000) == nil)
  }

  @Test func `A key gets another name, and stays the same key`() throws {
    _ = try folder.open()
    let key = try authorized("arm")
    try folder.authorize(key)
    try folder.authorize(authorized("leg"))
    for new in ["leg", "../arm", ".arm", ""] {
      #expect(throws: KeyError.self) { try folder.rename("arm", to: new) }
    }
    #expect(throws: KeyError.self) { try folder.rename("hand", to: "foot") }
    #expect(try folder.authorized().keys.map(\.name) == ["arm", "leg"])
    try folder.rename("arm", to: "hand")
    #expect(try folder.authorizedKey("hand") == AuthorizedKey(name: "hand", key.certificate))
    #expect(try folder.authorized().keys.map(\.name) == ["hand", "leg"])
  }

  @Test func `Its mistakes are named without a change`() throws {
    #expect(folder.mistakes().isEmpty)
    #expect(try temporary.names.isEmpty, "the node makes it when it starts")
    let keys = try folder.open()
    try folder.authorize(authorized("arm"))
    #expect(folder.mistakes().isEmpty)
    try setMode("keys/authorized/arm.key", 0o666)
    #expect(folder.mistakes().map { $0.contains("arm.key") } == [true])
    try FileManager.default.removeItem(atPath: folder.authorizedFolder)
    #expect(folder.mistakes().isEmpty, "the node makes it when it starts")
    try temporary.write("nonsense", to: "keys/node.key_secret")
    #expect(folder.mistakes().map { $0.contains("node.key_secret") } == [true])
    try FileManager.default.removeItem(atPath: "\(folder.path)/node.key_secret")
    #expect(folder.mistakes().map { $0.contains("restore it") } == [true])
    #expect(folder.presentKey == keys.publicKey)
    let file = KeyFolder("\(folder.path)/node.key")
    #expect(file.mistakes() == ["\(file.path) is no folder"])
  }

  @Test func `What is not there is called so, with the remedy`() throws {
    try temporary.makeFolder("library", mode: 0o700)
    let other = "\(temporary.path)/library"
    for path in [other, "\(temporary.path)/nowhere"] {
      let error = #expect(throws: KeyError.self) { try KeyFolder(path).authorized() }
      #expect(error?.description.contains("camctl keys invite NAME makes them") == true)
    }
    _ = try folder.open()
    try FileManager.default.removeItem(atPath: folder.authorizedFolder)
    let gone = #expect(throws: KeyError.self) { try folder.authorized() }
    #expect(gone?.description.contains("authorized is gone: restore it") == true)
    try folder.authorize(authorized("arm"))
    #expect(try folder.authorized().keys.map(\.name) == ["arm"])
    let notFile = #expect(throws: KeyError.self) { try KeyFile(other).publicKey() }
    #expect(notFile?.description == "\(other) is not a file: name a file with a certificate")
    let missing = #expect(throws: KeyError.self) { try KeyFile("\(other)/no.key").keys() }
    #expect(missing?.description == "there is no \(other)/no.key")
  }
}
