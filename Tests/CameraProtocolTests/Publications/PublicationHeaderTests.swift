import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraProtocol

/// The header that is written and read by hand, beside SwiftProtobuf. `CAMERABUS_SEED` brings a run back.
@Suite("Publication headers")
struct PublicationHeaderTests {
  @Test("Any header is written as SwiftProtobuf writes it, and read back")
  func sameBytes() throws {
    var generator = SeededGenerator(for: "headers")
    var writer = HeaderWriter()
    for _ in 0..<5000 {
      let header = Self.header(&generator)
      writer.write(header)
      #expect(writer.bytes == header.wire.bytes)
      let bytes = writer.bytes
      #expect(try Self.read(bytes) == header)
    }
  }

  @Test("Mutated bytes mean what SwiftProtobuf reads in them, or are refused by both")
  func sameMeaning() throws {
    var generator = SeededGenerator(for: "mutated headers")
    var refusals = 0
    for _ in 0..<50_000 {
      let bytes = generator.mutated(Self.header(&generator).wire.bytes)
      let theirs = (try? WireHeader(serializedBytes: bytes)).flatMap(PublicationHeader.init)
      let ours = try? Self.read(bytes)
      #expect(ours == theirs, "\(bytes)")
      if ours == nil { refusals += 1 }
    }
    // Both kinds occur, or the test shows nothing.
    #expect((1000..<49_000).contains(refusals))
  }

  @Test("Fields of every kind that this version does not know are passed over")
  func unknownFields() throws {
    var generator = SeededGenerator(for: "unknown fields")
    let header = Self.header(&generator)
    let unknown: [[UInt8]] = [
      [0x78, 0xFF, 0x01], [0x79, 1, 2, 3, 4, 5, 6, 7, 8], [0x7A, 2, 9, 9], [0x7D, 1, 2, 3, 4],
      [0x7B, 0x08, 1, 0x0B, 0x12, 1, 7, 0x0C, 0x7C],
    ]
    for field in unknown {
      let bytes = field + header.wire.bytes + field
      #expect(try Self.read(bytes) == header)
    }
  }

  @Test("A group in a group in a group without end is refused, however deep")
  func deepGroups() {
    let bytes = [UInt8](repeating: 0x7B, count: 100_000)
    #expect(framingCode { try Self.read(bytes) } == .unreadable)
  }

  private static func read(_ bytes: [UInt8]) throws(FramingError) -> PublicationHeader {
    try unsafe PublicationHeader(reading: bytes.span.bytes)
  }

  private static func header(_ generator: inout SeededGenerator) -> PublicationHeader {
    func number() -> UInt64 {
      // Of every length that a varint may have.
      generator.next() >> UInt64.random(in: 0...63, using: &generator)
    }
    func moment() -> PublicationHeader.Moment {
      .init(
        monotonic: Int64(bitPattern: number()), wall: Int64(bitPattern: number()),
        wallError: Bool.random(using: &generator) ? 0 : Int64(bitPattern: number()))
    }
    var frame = PublicationHeader.Frame()
    frame.sequence = number()
    frame.timestamp = moment()
    frame.isStartOfExposure = Bool.random(using: &generator)
    frame.width = UInt32(truncatingIfNeeded: number())
    frame.height = UInt32(truncatingIfNeeded: number())
    frame.pixelFormat =
      ["", "JPEG", "YUYV", "ünïcode", "more than fifteen bytes"]
      .randomElement(using: &generator) ?? ""
    frame.bytesPerLine = UInt32(truncatingIfNeeded: number())
    (frame.dequeued, frame.copied) = (Int64(bitPattern: number()), Int64(bitPattern: number()))
    frame.encodeStarted = Int64(bitPattern: number())
    frame.encodeFinished = Int64(bitPattern: number())
    return PublicationHeader(
      epoch: Epoch(words: .init(high: generator.next(), low: generator.next())),
      sequence: max(1, number()), sent: moment(),
      frame: Bool.random(using: &generator) ? frame : nil)
  }
}

extension PublicationHeader {
  fileprivate var wire: WireHeader {
    .with {
      $0.epoch = epoch.data
      $0.sequence = sequence
      $0.sent = sent.wire
      if let frame { $0.frame = frame.wire }
    }
  }
}
