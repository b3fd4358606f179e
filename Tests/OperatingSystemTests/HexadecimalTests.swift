import OperatingSystem
import Testing

@Suite struct HexadecimalTests {
  @Test func `Bytes become digits and digits become bytes`() {
    let bytes: [UInt8] = [0, 1, 0x7f, 0x80, 0xab, 0xff]
    #expect(bytes.hexadecimal == "00017f80abff")
    #expect([UInt8](hexadecimal: "00017f80abff") == bytes)
    #expect([UInt8](hexadecimal: "00017F80ABFF") == bytes)
    #expect([UInt8](hexadecimal: "") == [])
  }

  @Test(arguments: ["0", "0g", "+1", " 1", "1 ", "0x", "é0", "१0"])
  func `Text that is not pairs of digits is refused`(text: String) {
    #expect([UInt8](hexadecimal: text) == nil)
  }

  @Test func `A number becomes 0x with digits, filled up with zeros, and is read back`() {
    #expect(UInt32(0x1f).hexadecimalNumber() == "0x1f")
    #expect(UInt32(0x1f).hexadecimalNumber(digitCount: 8) == "0x0000001f")
    #expect(UInt32(hexadecimalNumber: "0x0000001F") == 0x1f)
    #expect(UInt8(hexadecimalNumber: "0xff") == 255)
  }

  @Test(arguments: ["", "0x", "ff", "0xgg", "0x100", "255"])
  func `Text that is not a hexadecimal number of the type is refused`(text: String) {
    #expect(UInt8(hexadecimalNumber: text) == nil)
  }
}
