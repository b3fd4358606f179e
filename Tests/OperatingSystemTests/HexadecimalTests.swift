import OperatingSystem
import Testing

@Suite struct HexadecimalTests {
  @Test func `bytes become digits and back`() {
    let bytes: [UInt8] = [0, 1, 0x7f, 0x80, 0xab, 0xff]
    #expect(bytes.hexadecimal == "00017f80abff")
    #expect([UInt8](hexadecimal: "00017f80abff") == bytes)
    #expect([UInt8](hexadecimal: "00017F80ABFF") == bytes)
    #expect([UInt8](hexadecimal: "") == [])
  }

  @Test(arguments: ["0", "0g", "+1", " 1", "1 ", "0x", "é0", "१0"])
  func `what is not digits by two is no bytes`(text: String) {
    #expect([UInt8](hexadecimal: text) == nil)
  }
}
