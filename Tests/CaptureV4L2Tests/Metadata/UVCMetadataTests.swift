import TestSupport
import Testing

@testable import CaptureV4L2

@Suite struct UVCMetadataTests {
  private func read(_ bytes: [UInt8]) -> UVCMetadata {
    unsafe UVCMetadata(reading: bytes.span.bytes)
  }

  /// A packet's block, whose header says this length.
  private func block(
    time: UInt8, frame: UInt8, length: UInt8 = 12, captured: UInt8?, ticks: UInt8?
  ) -> [UInt8] {
    var bytes: [UInt8] = [time, 0, 0, 0, 0, 0, 0, 0, frame, 0xFF, length]
    bytes.append((captured == nil ? 0 : 4) | (ticks == nil ? 0 : 8))
    if let captured { bytes += [captured, 0, 0, 0x80] }
    if let ticks { bytes += [ticks, 0, 0, 0xC0, frame &- 1, 7] }
    return bytes
  }

  @Test("The capture is that of the first packet, the reading that of the last")
  func blocks() {
    let metadata = read(
      block(time: 5, frame: 1, captured: 10, ticks: 11)
        + block(time: 6, frame: 2, captured: 10, ticks: 12)
        + block(time: 7, frame: 3, captured: nil, ticks: nil))
    #expect(metadata.captured == 0x8000_000A)
    #expect(metadata.firstArrival == 5)
    #expect(
      metadata.reading
        == .init(ticks: 0xC000_000C, deviceFrame: 0x701, hostFrame: 0x702, hostTime: 6))
  }

  @Test("A length that the camera makes up counts nothing", arguments: [0, 2, 13, 255] as [UInt8])
  func lengths(length: UInt8) {
    let metadata = read(
      block(time: 5, frame: 1, length: length, captured: 10, ticks: 11)
        + block(time: 6, frame: 2, length: length, captured: nil, ticks: 12))
    #expect(metadata.captured == 0x8000_000A)
    #expect(metadata.reading?.ticks == 0xC000_000C)
  }

  @Test("A block that is cut off is not read, wherever it ends")
  func cuts() {
    let first = block(time: 5, frame: 1, captured: 10, ticks: 11)
    let second = block(time: 6, frame: 2, captured: 20, ticks: 21)
    for count in 0..<second.count {
      #expect(read(first + second.prefix(count)) == read(first), "\(count) bytes")
    }
    #expect(read(first + second) != read(first))
  }

  @Test("Without a clock there is nothing to read")
  func nothing() {
    let metadata = read(block(time: 5, frame: 1, captured: nil, ticks: nil))
    #expect(metadata.captured == nil && metadata.reading == nil)
    #expect(read([]).firstArrival == nil)
  }
}
