import Testing

@testable import Imaging

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
    #expect(unit.isKey)
    #expect(unsafe unit.placeOfRemarks(in: bytes.span.bytes) == 18)
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

  @Test func `The units of HEVC have two bytes before them`() throws {
    let bytes: [UInt8] = [
      0, 0, 0, 1, 0x46, 1, 0x50, 0, 0, 0, 1, 0x40, 1, 2, 0, 0, 1, 0x42, 1, 3, 0, 0, 1, 0x44, 1, 4,
      0, 0, 1, 0x26, 1, 5,
    ]
    let unit = try #require(unsafe AccessUnit(bytes.span.bytes, .hevc))
    #expect(
      unit.units.map(\.kind) == [.delimiter, .parameters, .parameters, .parameters, .keyPicture])
    #expect(unit.isKey)
    #expect(unsafe unit.placeOfParameters(in: bytes.span.bytes) == 7)
    let delta: [UInt8] = [0, 0, 1, 0x02, 1, 5]
    #expect(unsafe AccessUnit(delta.span.bytes, .hevc)?.hasKeyPicture == false)
  }

  @Test func `Parameters are remembered for pictures that come without them`() throws {
    var parameters = VideoParameters()
    let whole: [UInt8] = [0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 2, 0, 0, 1, 0x65, 3]
    let bare: [UInt8] = [0, 0, 1, 0x65, 4]
    let half: [UInt8] = [0, 0, 1, 0x68, 9, 0, 0, 1, 0x65, 5]
    let (first, later, other) = unsafe (
      try #require(AccessUnit(whole.span.bytes, .h264)),
      try #require(AccessUnit(bare.span.bytes, .h264)),
      try #require(AccessUnit(half.span.bytes, .h264))
    )
    #expect(parameters.supplement(of: later) == nil)
    unsafe parameters.remember(first, of: whole.span.bytes)
    #expect(parameters.supplement(of: first) == [])
    #expect(parameters.supplement(of: later) == [0, 0, 0, 1, 0x67, 1, 0, 0, 0, 1, 0x68, 2])
    unsafe parameters.remember(other, of: half.span.bytes)
    #expect(parameters.supplement(of: other) == [0, 0, 0, 1, 0x67, 1, 0, 0, 0, 1, 0x68, 9])
  }

  @Test func `Parameters that are too large are not kept`() throws {
    var parameters = VideoParameters()
    let large = [0, 0, 1, 0x67] + [UInt8](repeating: 1, count: VideoParameters.maximumByteCount)
    let rest: [UInt8] = [0, 0, 1, 0x68, 2, 0, 0, 1, 0x65, 3]
    unsafe parameters.remember(
      try #require(AccessUnit(large.span.bytes, .h264)), of: large.span.bytes)
    let unit = try #require(unsafe AccessUnit(rest.span.bytes, .h264))
    unsafe parameters.remember(unit, of: rest.span.bytes)
    #expect(parameters.supplement(of: unit) == nil)
  }

  @Test(
    arguments: [[], [1, 2, 3], [0, 0, 1], [0xff, 0xd8, 0xff, 0, 0, 1, 0x65], [0, 0, 0, 0]]
      as [[UInt8]])
  func `Other bytes are no picture`(bytes: [UInt8]) {
    #expect(unsafe AccessUnit(bytes.span.bytes, .h264) == nil)
  }
}
