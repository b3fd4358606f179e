import TestSupport
import Testing

@testable import Imaging

@Suite struct PictureNumberTests {
  /// Bits as bytes.
  private static func bytes(_ bits: String) -> [UInt8] {
    let padded = bits + String(repeating: "0", count: (8 - bits.count % 8) % 8)
    return stride(from: 0, to: padded.count, by: 8).map { start in
      let begin = padded.index(padded.startIndex, offsetBy: start)
      return UInt8(padded[begin..<padded.index(begin, offsetBy: 8)], radix: 2) ?? 0
    }
  }

  /// Baseline profile, numbers of 4 bits, order of type 2, one picture to refer to.
  private static func parameters(mayHaveGaps: Bool = false) -> [UInt8] {
    [0, 0, 1, 0x67, 66, 0x80, 30]
      + bytes("1" + "1" + "011" + "010" + (mayHaveGaps ? "1" : "0") + "1")
  }

  /// The parameters of the high profile with scaling lists, of which the second is one of numbers.
  private static let highParameters: [UInt8] =
    [0, 0, 1, 0x67, 100, 0x80, 30]
    + bytes(
      "1" + "010" + "1" + "1" + "0" + "1" + "0" + "1" + String(repeating: "1", count: 16)
        + "000000" + "1" + "011" + "010" + "0" + "1")

  private static func slice(_ number: Int, _ header: UInt8 = 0x41) -> [UInt8] {
    let digits = String(number, radix: 2)
    return [0, 0, 1, header]
      + bytes("1" + "1" + "1" + String(repeating: "0", count: 4 - digits.count) + digits + "1")
  }

  private func gaps(_ pictures: [[UInt8]]) throws -> [Bool] {
    var numbers = PictureNumbers()
    return try pictures.map { bytes in
      let unit = try #require(unsafe AccessUnit(bytes.span.bytes, .h264))
      return unsafe numbers.hasGap(before: unit, of: bytes.span.bytes)
    }
  }

  @Test(arguments: [Self.parameters(), Self.highParameters])
  func `A number that does not follow shows a gap`(parameters: [UInt8]) throws {
    let key = parameters + Self.slice(0, 0x65)
    #expect(
      try gaps([
        key, Self.slice(1), Self.slice(2), Self.slice(4), Self.slice(5), key, Self.slice(1),
      ])
        == [false, false, false, true, false, false, false])
  }

  @Test func `Numbers begin again after their last one`() throws {
    let pictures = (1...33).map { Self.slice($0 % 16) }
    #expect(try gaps([Self.parameters() + Self.slice(0, 0x65)] + pictures).contains(true) == false)
  }

  @Test func `A picture that none needs does not count`() throws {
    let key = Self.parameters() + Self.slice(0, 0x65)
    #expect(
      try gaps([key, Self.slice(1, 0x01), Self.slice(1), Self.slice(2, 0x01), Self.slice(2)])
        .contains(true) == false)
  }

  @Test func `Gaps that the video allows, and those that are not known, are none`() throws {
    let allowed = Self.parameters(mayHaveGaps: true) + Self.slice(0, 0x65)
    #expect(try gaps([allowed, Self.slice(5)]) == [false, false])
    #expect(try gaps([Self.slice(0, 0x65), Self.slice(5)]) == [false, false])
  }

  @Test func `Any bits are read`() throws {
    var random = SeededGenerator(for: "PictureNumberTests")
    for _ in 0..<2000 {
      let count = Int.random(in: 0...60, using: &random)
      let content = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let sequence: [UInt8] = [0, 0, 1, 0x67, [66, 100, 244].randomElement(using: &random) ?? 0]
      _ = try gaps([sequence + content + Self.slice(3, 0x65), Self.slice(1) + content])
    }
  }
}
