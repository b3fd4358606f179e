import Digest
import Testing

@Suite struct SHA256Tests {
  /// Messages and digests of FIPS 180-4's examples (NIST, "Secure Hash Standard: example values").
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `The standard's messages have the standard's digests`(message: String, digest: String) {
    #expect(hash(message).description == digest)
  }

  @Test func `A million bytes in uneven pieces have the digest of the whole`() {
    let whole = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    var hash = SHA256()
    var offset = 0
    for size in [1, 63, 64, 65, 0, 999_807] {
      unsafe hash.update(whole.span.bytes.extracting(offset..<offset + size))
      offset += size
    }
    #expect(offset == whole.count)
    #expect(
      hash.finalize().description
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )
  }

  @Test func `A digest has exactly 32 bytes`() {
    let bytes = [UInt8](0..<32)
    #expect(SHA256Digest(bytes: bytes)?.bytes == bytes)
    #expect(SHA256Digest(bytes: Array(bytes.dropLast())) == nil)
    #expect(SHA256Digest(bytes: bytes + [0]) == nil)
  }

  @Test func `Digests are equal when their bytes are`() {
    #expect(hash("one") == hash("one"))
    #expect(hash("one") != hash("two"))
  }

  private func hash(_ message: String) -> SHA256Digest {
    let bytes = Array(message.utf8)
    return unsafe SHA256.hash(of: bytes.span.bytes)
  }
}
