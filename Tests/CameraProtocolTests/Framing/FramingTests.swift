import SwiftProtobuf
import Testing

@testable import CameraProtocol

@Suite("Framing")
struct FramingTests {
  private let request = WireRequest.with {
    $0.id = RequestID.random().data
    $0.status = WireStatusRequest()
  }

  @Test("A message can be read with its attachments", arguments: 0...6)
  func attachments(_ count: Int) throws {
    let attachments = (0..<count).map { [UInt8](repeating: UInt8($0), count: $0) }
    let parts = Framing.parts(request, attachments: attachments)
    let read = try Framing.read(WireRequest.self, from: parts, bytes: { $0 })
    #expect(read.message == request)
    #expect(read.attachments == attachments)
  }

  @Test("More than eight parts are refused")
  func tooManyParts() {
    let parts = Framing.parts(request, attachments: Array(repeating: [], count: 7))
    #expect(framingCode { try Framing.split(parts, bytes: { $0 }) } == .tooManyParts)
  }

  @Test("A message of 1 MiB is accepted, and one byte more is refused")
  func tooLong() throws {
    let longest = [UInt8](repeating: 0, count: Framing.maximumMessageSize)
    #expect(try Framing.split([Framing.signature, longest], bytes: { $0 }).message == longest)
    #expect(
      framingCode { try Framing.split([Framing.signature, longest + [0]], bytes: { $0 }) }
        == .tooLong)
    #expect(framingCode { try Framing.decode(WireReply.self, from: longest + [0]) } == .tooLong)
  }

  @Test("Groups nest at most 100 deep, together with the messages around them")
  func deepGroups() throws {
    // Tags that begin and end a group with the unknown field 99.
    func groups(_ count: Int) -> [UInt8] {
      let tags: [[UInt8]] = [[0x9B, 0x06], [0x9C, 0x06]]
      return tags.flatMap { Array(repeating: $0, count: count).flatMap(\.self) }
    }
    let inStatus = { (bytes: [UInt8]) in [0x52] + Self.varint(bytes.count) + bytes }
    func deepest(_ message: (Int) -> [UInt8]) -> Int? {
      (1...200).last { count in
        framingCode { try Framing.decode(WireRequest.self, from: message(count)) } == nil
      }
    }
    #expect(deepest(groups) == 99)
    #expect(deepest { inStatus(groups($0)) } == 98)
  }

  private static func varint(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
  }

  @Test("A field of another wire type than its own is unknown, and so it is ignored")
  func otherWireTypes() throws {
    // `remaining_ns` as four bytes, and as text.
    for bytes: [UInt8] in [[0x15, 1, 0, 0, 0], [0x12, 1, 65]] {
      let read = try Framing.decode(WireRequest.self, from: bytes)
      #expect(read.remainingNs == 0 && read.id.isEmpty)
    }
  }

  @Test("Of a value beyond the 32 bits of its field the lowest 32 bits count")
  func longValues() throws {
    // `assets.limit`, which is the second field, with 2^32 + 5.
    let assets: [UInt8] = [0x10, 0x85, 0x80, 0x80, 0x80, 0x10]
    let read = try Framing.decode(
      WireRequest.self, from: [0xBA, 0x01, UInt8(assets.count)] + assets)
    #expect(read.assets.limit == 5)
  }

  @Test("Parts without the signature or the message are refused")
  func missing() {
    #expect(framingCode { try Framing.split([[UInt8]](), bytes: { $0 }) } == .foreign)
    #expect(framingCode { try Framing.split([Array("CB2".utf8), []], bytes: { $0 }) } == .foreign)
    #expect(framingCode { try Framing.split([Framing.signature], bytes: { $0 }) } == .missingPart)
  }

  @Test("An endlessly nested message is refused")
  func nesting() {
    // The tag that begins a group with the unknown field 9.
    let nested = [UInt8](repeating: 0x4B, count: 100_000)
    #expect(framingCode { try Framing.decode(WireRequest.self, from: nested) } == .unreadable)
  }
}
