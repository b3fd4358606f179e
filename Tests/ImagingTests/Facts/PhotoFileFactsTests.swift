import Testing

@testable import Imaging

@Suite struct PhotoFileFactsTests {
  private func facts(_ form: PhotoFileFacts.Form, _ bytes: [UInt8]) -> PhotoFileFacts? {
    PhotoFileFacts(form, head: bytes, tail: [])
  }

  @Test func `A packet says its title and its keywords`() throws {
    var facts = PhotoFacts()
    facts.description = "Früh am <Tor> & \"mehr\" &amp;"
    facts.keywords = ["garden", "a & b", "<li>"]
    let bytes: [UInt8] = [0xff, 0x3c] + XMP.packet(facts) + [0, 0xff]
    let text = try #require(XMPText(in: bytes))
    #expect(text.description == facts.description && text.keywords == facts.keywords)
    let none = try #require(XMPText(in: XMP.packet(PhotoFacts())))
    #expect(none.description == nil && none.keywords.isEmpty)
    #expect(XMPText(in: Array(bytes.dropLast(60))) == nil)
  }

  @Test func `The size is read of a file of each form`() throws {
    let png: [UInt8] =
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 2, 128, 0, 0, 1, 224, 8, 2, 0, 0, 0]
    #expect(facts(.png, png)?.size == ImageSize(width: 640, height: 480))
    let tiff: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 64, 1, 0, 0]
      + [1, 1, 4, 0, 1, 0, 0, 0, 240, 0, 0, 0]
    #expect(facts(.tiff, tiff)?.size == ImageSize(width: 320, height: 240))
    func box(_ width: UInt8, _ height: UInt8) -> [UInt8] {
      Array("ispe".utf8) + [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height]
    }
    // The preview comes first.
    let heif = [0, 0, 0, 24] + Array("ftypheic".utf8) + box(16, 12) + box(64, 48) + box(8, 200)
    #expect(facts(.heif, heif)?.size == ImageSize(width: 64, height: 48))
  }

  @Test(arguments: [PhotoFileFacts.Form.jpeg, .png, .tiff, .heif])
  func `What is no such file has no facts, wherever it ends`(form: PhotoFileFacts.Form) {
    let starts: [[UInt8]] = [
      [], [0xff, 0xd8, 0xff], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      [0x49, 0x49, 42, 0, 0xff, 0xff, 0xff, 0xff], [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0xff, 0xff],
      [0, 0, 0, 24] + Array("ftypheicispe".utf8),
      [0, 0, 0, 24] + Array("ftypheicispe".utf8) + [UInt8](repeating: 0xff, count: 12),
    ]
    for start in starts { #expect(facts(form, start) == nil) }
  }
}
