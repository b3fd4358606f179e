import Testing

@testable import CameraProtocol

@Suite("Identifiers")
struct RandomIdentifierTests {
  private let bytes = Array<UInt8>(0xF0...0xFF)

  @Test("An identifier keeps its 16 bytes in their order")
  func keepsBytes() throws {
    let id = try #require(RequestID(bytes: bytes))
    #expect(id.bytes == bytes)
    #expect(Array(id.data) == bytes)
    #expect(id == RequestID(bytes: bytes))
    #expect(id != RequestID(bytes: bytes.reversed()))
  }

  @Test("An identifier cannot be made from more or fewer bytes", arguments: [0, 1, 15, 17, 1000])
  func refusesOtherLengths(_ count: Int) {
    #expect(RequestID(bytes: [UInt8](repeating: 1, count: count)) == nil)
  }

  @Test("An identifier is printed as 32 hexadecimal digits")
  func description() throws {
    let id = try #require(Epoch(bytes: [0x00, 0x0A] + bytes.dropFirst(2)))
    #expect(id.description == "000af2f3f4f5f6f7f8f9fafbfcfdfeff")
  }

  @Test("Random identifiers differ")
  func random() {
    #expect(Set((0..<1000).map { _ in RequestID.random() }).count == 1000)
  }
}
