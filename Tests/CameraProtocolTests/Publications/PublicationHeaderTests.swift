import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraProtocol

/// Compares the header that is written and read by hand with SwiftProtobuf. `CAMERABUS_SEED`
/// repeats a run.
@Suite("Publication headers")
struct PublicationHeaderTests {
  @Test("Any header is written as SwiftProtobuf writes it, and read back")
  func sameBytes() throws {
    var generator = SeededGenerator(for: "headers")
    var writer = HeaderWriter()
    for _ in 0..<5000 {
      let header = Self.header(&generator)
      writer.write(header)
      let bytes = writer.bytes.copy
      #expect(bytes == header.wire.bytes)
      #expect(try Self.read(bytes) == header)
    }
  }

  @Test("Mutated bytes are read as SwiftProtobuf reads them, or refused by both")
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
    // The test shows something only if both outcomes occur.
    #expect((1000..<49_000).contains(refusals))
  }

  @Test("Unknown fields of every kind are skipped")
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

  @Test("A tag is no longer than its 32 bits need, except inside an unknown group")
  func longTags() throws {
    var generator = SeededGenerator(for: "long tags")
    let header = Self.header(&generator)
    let tag: [UInt8] = [0xF8, 0x80, 0x80, 0x80, 0x80, 0x00]
    let (plain, inGroup) = (
      tag + [1] + header.wire.bytes, [0x7B] + tag + [1, 0x7C] + header.wire.bytes
    )
    #expect((try? WireHeader(serializedBytes: plain)) == nil)
    #expect(framingCode { try Self.read(plain) } == .unreadable)
    #expect(try PublicationHeader(WireHeader(serializedBytes: inGroup)) == header)
    #expect(try Self.read(inGroup) == header)
  }

  @Test("Groups that are nested without end are refused, however deep")
  func deepGroups() {
    let bytes = [UInt8](repeating: 0x7B, count: 100_000)
    #expect(framingCode { try Self.read(bytes) } == .unreadable)
  }

  @Test("A format's name has at most 16 bytes of UTF-8, and the last one counts")
  func formats() throws {
    func header(_ names: [[UInt8]]) -> [UInt8] {
      var frame: [UInt8] = []
      for name in names { frame += [0x2A, UInt8(name.count)] + name }
      let epoch = [UInt8](repeating: 7, count: 16)
      return [0x0A, 16] + epoch + [0x10, 1, 0x22, UInt8(frame.count)] + frame
    }
    let fits = [UInt8](repeating: 65, count: 16)
    let tooLong = fits + [65]
    let read = try Self.read(header([tooLong, fits]))
    #expect(read.frame?.pixelFormat.description == "AAAAAAAAAAAAAAAA")
    #expect(framingCode { try Self.read(header([fits, tooLong])) } == .unreadable)
    #expect(framingCode { try Self.read(header([[0xFF], fits])) } == .unreadable)
    #expect(framingCode { try Self.read(header([tooLong + [0xFF], fits])) } == .unreadable)
    #expect(PixelFormatName("AAAAAAAAAAAAAAAAA") == nil)
  }

  private static func read(_ bytes: [UInt8]) throws(FramingError) -> PublicationHeader {
    try unsafe PublicationHeader(reading: bytes.span.bytes)
  }

  private static func header(_ generator: inout SeededGenerator) -> PublicationHeader {
    func number() -> UInt64 {
      // Produces varints of every length.
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
    frame.width = UInt32(truncatingIfNeeded: number())
    frame.height = UInt32(truncatingIfNeeded: number())
    let name = ["", "JPEG", "YUYV", "ünïcode", "Y16-BE", "all of 16 bytes."]
      .randomElement(using: &generator)
    frame.pixelFormat = name.flatMap(PixelFormatName.init) ?? PixelFormatName()
    frame.bytesPerLine = UInt32(truncatingIfNeeded: number())
    (frame.dequeued, frame.copied) = (Int64(bitPattern: number()), Int64(bitPattern: number()))
    frame.encodeStarted = Int64(bitPattern: number())
    frame.encodeFinished = Int64(bitPattern: number())
    frame.timestampMark =
      Bool.random(using: &generator)
      ? Int32.random(in: 0...4, using: &generator) : Int32(truncatingIfNeeded: number())
    frame.earliestStart = Int64(bitPattern: number())
    frame.latestEnd = Int64(bitPattern: number())
    frame.exposure = number()
    if Bool.random(using: &generator) {
      var facts = PublicationHeader.Facts()
      facts.gain = Bool.random(using: &generator) ? 0 : nil
      facts.focus = .random(in: 0...1, using: &generator)
      facts.kelvin = Bool.random(using: &generator) ? 5000 : nil
      facts.zoom = -.pi
      facts.colorRange = .random(in: 0...2, using: &generator)
      facts.colorMatrix = .random(in: -1...2, using: &generator)
      facts.flash = [nil, false, true].randomElement(using: &generator) ?? nil
      frame.facts = facts
    }
    if Bool.random(using: &generator) {
      frame.orientation = .init(
        rotation: UInt32(truncatingIfNeeded: number()), isMirrored: .random(using: &generator))
    }
    if Bool.random(using: &generator) {
      var time = PublicationHeader.DeviceTime()
      time.ticks = UInt32(truncatingIfNeeded: number())
      time.monotonic = Int64(bitPattern: number())
      time.error = number()
      time.basis = .random(in: -1...3, using: &generator)
      frame.deviceTime = time
      frame.isKeyPicture = .random(using: &generator)
    }
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
