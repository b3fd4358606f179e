import Imaging
import TestSupport
import Testing

struct JPEGIntegrityTests {
  private let jpeg: [UInt8]

  init() throws {
    jpeg = try TestJPEG.bars(ImageSize(width: 64, height: 48))
  }

  private func check(_ bytes: [UInt8]) -> JPEGIntegrity {
    unsafe JPEGIntegrity.check(bytes.span.bytes)
  }

  private func whole(_ byteCount: Int, _ orientation: Orientation = .upright) -> JPEGIntegrity {
    .complete(
      JPEGSummary(
        byteCount: byteCount, size: ImageSize(width: 64, height: 48), orientation: orientation))
  }

  @Test func `A complete JPEG is recognised up to its last byte`() {
    #expect(check(jpeg) == whole(jpeg.count))
  }

  @Test(
    arguments: [
      [0], [UInt8](repeating: 0, count: 4096), [0xff], [UInt8](repeating: 0xff, count: 33),
      [0xd9], [0xff, 0xd9], [1, 2, 3, 0xff, 0xd8, 0xff, 0xd9, 7],
    ] as [[UInt8]])
  func `Padding after a JPEG is not counted`(padding: [UInt8]) {
    #expect(check(jpeg + padding) == whole(jpeg.count))
  }

  @Test(arguments: 1...8)
  func `The same walk reads how the picture is to be turned`(value: UInt8) {
    let tagged = TaggedJPEG.tagged(jpeg, value)
    #expect(check(tagged) == whole(tagged.count, Orientation(exifValue: Int(value)) ?? .upright))
    // The first tag counts, also that of the first of several segments.
    let twice = TaggedJPEG.tagged(tagged, 3)
    #expect(check(twice) == whole(twice.count, Orientation(.half)))
  }

  @Test func `Without a frame header there is no size`() {
    let bytes: [UInt8] = [0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 0xff, 0xd9]
    #expect(check(bytes) == .complete(JPEGSummary(byteCount: bytes.count)))
  }

  @Test func `Every JPEG that is cut off is recognised`() {
    for count in 4..<jpeg.count {
      guard case .truncated(let reason) = check(Array(jpeg[..<count])) else {
        Issue.record("the first \(count) bytes are not taken for truncated")
        return
      }
      #expect(reason.contains("\(count) bytes"))
    }
    for count in 0..<4 { #expect(check(Array(jpeg[..<count])) == .notJPEG) }
  }

  @Test func `A JPEG that is cut off before the next one is truncated`() {
    let joined = jpeg.dropLast(20) + jpeg
    let reason = "another picture begins at its byte \(jpeg.count - 20)"
    #expect(check(Array(joined)) == .truncated(reason: reason))
  }

  @Test func `A JPEG without a picture is truncated`() {
    guard case .truncated = check([0xff, 0xd8, 0xff, 0xd9]) else {
      Issue.record("a start and an end alone are no picture")
      return
    }
  }

  @Test func `An end marker in an embedded thumbnail does not end the picture`() {
    let thumbnail: [UInt8] = [0xff, 0xe1, 0x00, 0x08, 0xff, 0xd8, 0xff, 0xd9, 0xff, 0xd9]
    let picture = jpeg[..<2] + thumbnail + jpeg[2...]
    #expect(check(Array(picture)) == whole(jpeg.count + thumbnail.count))
  }

  @Test(
    arguments: [
      Array("no picture at all".utf8), [0xd8, 0xff, 0, 0], [0xff, 0xd9, 0xff, 0xd8],
    ] as [[UInt8]])
  func `Bytes that do not begin as a JPEG are not a JPEG`(bytes: [UInt8]) {
    #expect(check(bytes) == .notJPEG)
  }

  @Test func `Hostile bytes never trap, and no length exceeds them`() throws {
    var random = SeededGenerator(for: "hostile markers")
    for _ in 0..<5000 {
      let bytes = HostileBytes.next(jpeg, &random)
      if case .complete(let summary) = check(bytes) {
        #expect(summary.byteCount <= bytes.count, "\(random)")
        #expect(bytes[..<summary.byteCount].suffix(2) == [0xff, 0xd9], "\(random)")
      }
      do {
        let header = try JPEGHeader.read(bytes)
        #expect(header.size.isValid, "\(random)")
      } catch {
        #expect(!error.message.isEmpty, "\(random)")
      }
    }
  }
}
