import Testing

@testable import Recording

@Suite struct AccessUnitTests {
  @Test func `The units of a picture are found, and what they are for`() throws {
    let bytes: [UInt8] = [
      0, 0, 0, 1, 0x67, 1, 2, 0, 0, 1, 0x68, 3, 0, 0, 0, 1, 0x06, 5, 0, 0, 1, 0x65, 0x88, 0, 3, 4,
    ]
    let unit = try #require(unsafe AccessUnit(bytes.span.bytes, .h264))
    #expect(unit.units.map(\.kind) == [.parameters, .parameters, .other, .keyPicture])
    #expect(
      unit.units.map { Array(bytes[$0.bytes]) } == [
        [0x67, 1, 2], [0x68, 3], [0x06, 5], [0x65, 0x88, 0, 3, 4],
      ])
    #expect(unit.isKey && unit.firstSlice == 21)
    #expect(
      unsafe unit.parameters(of: bytes.span.bytes) == [0, 0, 0, 1, 0x67, 1, 2, 0, 0, 0, 1, 0x68, 3])
  }

  @Test func `A picture without parameters is no beginning`() throws {
    let bytes: [UInt8] = [0, 0, 1, 0x65, 9]
    #expect(unsafe AccessUnit(bytes.span.bytes, .h264)?.isKey == false)
    let delta: [UInt8] = [0, 0, 1, 0x41, 9]
    let unit = try #require(unsafe AccessUnit(delta.span.bytes, .h264))
    #expect(unit.hasPicture && !unit.isKey)
  }

  @Test(
    arguments: [[], [1, 2, 3], [0, 0, 1], [0xff, 0xd8, 0xff, 0, 0, 1, 0x65], [0, 0, 0, 0]]
      as [[UInt8]])
  func `Other bytes are no picture`(bytes: [UInt8]) {
    #expect(unsafe AccessUnit(bytes.span.bytes, .h264) == nil)
  }
}
