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
