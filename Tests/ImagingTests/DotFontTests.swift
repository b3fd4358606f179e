import Testing

@testable import Imaging

struct DotFontTests {
  private func rows(_ character: Unicode.Scalar) -> [UInt8] {
    let glyph = DotFont.glyph(character)
    return glyph.indices.map { glyph[$0] }
  }

  @Test func `Every printable character of ASCII, and ±, has a glyph of its own`() {
    let characters = (0x20..<0x7f).compactMap { Unicode.Scalar($0) } + ["±"]
    let glyphs = characters.map(rows)
    #expect(Set(glyphs).count == characters.count)
    #expect(glyphs.allSatisfy { $0.allSatisfy { $0 < 32 } })
    #expect(rows(" ") == [0, 0, 0, 0, 0, 0, 0])
    #expect(rows("A") == [0b00100, 0b01010, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001])
    #expect(rows("±") == [0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0, 0b11111])
  }

  @Test(arguments: ["\u{0}", "\u{1F}", "\u{7F}", "é", "\u{10FFFF}"] as [Unicode.Scalar])
  func `Others are an empty box`(character: Unicode.Scalar) {
    #expect(rows(character) == [31, 17, 17, 17, 17, 17, 31])
  }
}
