import Foundation
import SwiftProtobuf
import Testing

@testable import CameraProtocol

@Suite("What may occur only once in a message")
struct MessageShapeTests {
  @Test("A body that a message repeats is refused, whatever it is")
  func bodies() throws {
    let numbers = try (1..<256).filter { try WireRequest(serializedBytes: field($0)).body != nil }
    #expect(numbers.count > 10)
    for number in numbers { #expect(isRepeated(WireRequest.self, field(number) + field(number))) }
    let replies = try (1..<256).filter { try WireReply(serializedBytes: field($0)).body != nil }
    #expect(replies.count > 10)
    for number in replies { #expect(isRepeated(WireReply.self, field(number) + field(number))) }
    let events = try (1..<256).filter { try WireEvent(serializedBytes: field($0)).body != nil }
    #expect(events.count == 9)
    for number in events { #expect(isRepeated(WireEvent.self, field(number) + field(number))) }
  }

  @Test("The moments of a capture and the kinds of a value exclude each other")
  func innerBodies() throws {
    for number in 1..<32 {
      let moment = [varint(number), field(number)].first {
        (try? WireCaptureRequest(serializedBytes: $0))?.when != nil
      }
      if let moment {
        #expect(isRepeated(WireRequest.self, field(16, moment + field(2))), "moment \(number)")
      }
      let value = [varint(number), field(number)].first {
        (try? WireControlValue(serializedBytes: $0))?.value != nil
      }
      if let value {
        let twice = field(2, value + varint(1))
        #expect(isRepeated(WireRequest.self, field(15, field(2, twice))), "value \(number)")
        #expect(isRepeated(WireRequest.self, field(33, field(7, twice))), "value \(number)")
        let control = field(15, value + varint(1))
        #expect(isRepeated(WireReply.self, field(13, field(1, control))), "value \(number)")
        #expect(isRepeated(WireReply.self, field(28, field(2, control))), "value \(number)")
        #expect(isRepeated(WireEvent.self, field(11, control)), "value \(number)")
      }
    }
  }

  @Test("The outcomes in replies and events exclude each other")
  func outcomes() {
    let both = field(2) + field(3)
    #expect(isRepeated(WireReply.self, field(24, field(1, both))))
    #expect(isRepeated(WireReply.self, field(25, field(1, both))))
    #expect(isRepeated(WireEvent.self, field(12, both)))
    #expect(isRepeated(WireEvent.self, field(13, field(4) + field(4))))
  }

  @Test("What may be repeated is read: elements, and fields that this version does not know")
  func allowed() throws {
    let settings = field(2) + field(2) + field(2)
    let unknown = field(200) + field(200)
    let request = try Framing.decode(WireRequest.self, from: field(15, settings) + unknown)
    #expect(request.controlsSet.settings.count == 3)
  }

  @Test("A request has at most 4096 fields, wherever they are")
  func fields() throws {
    func read(_ request: WireRequest, fields: [UInt8] = []) -> FramingError.Code? {
      framingCode { try Framing.decode(WireRequest.self, from: request.bytes + fields) }
    }
    // The body is a field too.
    let ranges = [WireReplayRequest.Range](repeating: .init(), count: 4095)
    #expect(read(.with { $0.replay.ranges = ranges }) == nil)
    #expect(read(.with { $0.replay.ranges = ranges + [.init()] }) == .tooManyFields)
    #expect(read(.with { $0.replay.ranges = ranges }, fields: field(200)) == .tooManyFields)
    let bodies: [WireRequest.OneOf_Body] = [
      .controlsGet(.with { $0.ids = Array(repeating: "", count: 4096) }),
      .controlsSet(.with { $0.settings = Array(repeating: .init(), count: 4096) }),
      .delete(.with { $0.assets = Array(repeating: Data(), count: 4096) }),
      .protect(.with { $0.assets = Array(repeating: Data(), count: 4096) }),
    ]
    for body in bodies { #expect(read(.with { $0.body = body }) == .tooManyFields) }
  }

  /// A field with these bytes.
  private func field(_ number: Int, _ bytes: [UInt8] = []) -> [UInt8] {
    let tag = number << 3 | 2
    precondition(bytes.count < 128)
    let start = tag < 128 ? [UInt8(tag)] : [UInt8(tag & 0x7F | 0x80), UInt8(tag >> 7)]
    return start + [UInt8(bytes.count)] + bytes
  }

  /// A field with the number 1.
  private func varint(_ number: Int) -> [UInt8] {
    let tag = number << 3
    return (tag < 128 ? [UInt8(tag)] : [UInt8(tag & 0x7F | 0x80), UInt8(tag >> 7)]) + [1]
  }

  private func isRepeated<M: ShapedMessage>(_ type: M.Type, _ bytes: [UInt8]) -> Bool {
    framingCode { try Framing.decode(type, from: bytes) } == .repeated
  }
}
