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
    #expect(events.count > 10)
    for number in events { #expect(isRepeated(WireEvent.self, field(number) + field(number))) }
  }

  @Test("The moments of a capture and the kinds of a value exclude each other")
  func innerBodies() throws {
    for number in 1..<32 {
      let moment = [one(number), field(number)].first {
        (try? WireCaptureRequest(serializedBytes: $0))?.when != nil
      }
      if let moment {
        #expect(isRepeated(WireRequest.self, field(16, moment + field(2))), "moment \(number)")
      }
      let value = [one(number), field(number)].first {
        (try? WireControlValue(serializedBytes: $0))?.value != nil
      }
      if let value {
        let twice = field(2, value + one(1))
        #expect(isRepeated(WireRequest.self, field(15, field(2, twice))), "value \(number)")
        #expect(isRepeated(WireRequest.self, field(33, field(7, twice))), "value \(number)")
        let control = field(15, value + one(1))
        #expect(isRepeated(WireReply.self, field(13, field(1, control))), "value \(number)")
        #expect(isRepeated(WireReply.self, field(28, field(2, control))), "value \(number)")
        #expect(isRepeated(WireEvent.self, field(11, control)), "value \(number)")
      }
    }
  }

  @Test("A bracket occurs once, and the kinds of a shot exclude each other")
  func brackets() throws {
    func capture(_ fields: [UInt8]) -> [UInt8] { field(16, fields) }
    #expect(isRepeated(WireRequest.self, capture(field(18) + field(18))))
    for number in 1..<32 {
      let shot = [one(number), field(number)].first {
        (try? WireCaptureRequest.Shot(serializedBytes: $0))?.kind != nil
      }
      if let shot {
        let twice = field(18, field(1, shot + field(3)))
        #expect(isRepeated(WireRequest.self, capture(twice)), "shot \(number)")
      }
    }
    let value = field(2, one(1) + one(1))
    let settings = field(3, field(1, value))
    #expect(isRepeated(WireRequest.self, capture(field(18, field(1, settings)))))
    let several = field(1, field(3, field(1) + field(1)))
    let request = try Framing.decode(WireRequest.self, from: capture(field(18, several + several)))
    #expect(request.capture.bracket.shots.map(\.settings.settings.count) == [2, 2])
  }

  @Test("The outcomes in replies and events exclude each other")
  func outcomes() {
    let both = field(2) + field(3)
    #expect(isRepeated(WireReply.self, field(24, field(1, both))))
    #expect(isRepeated(WireReply.self, field(25, field(1, both))))
    #expect(isRepeated(WireEvent.self, field(12, both)))
    #expect(isRepeated(WireEvent.self, field(19, field(3) + field(4))))
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
    let unknown = [[UInt8]](repeating: field(200), count: 4095).flatMap(\.self)
    for request in try requests(unknown) { #expect(read(request) == .tooManyFields) }
  }

  @Test("A field of a request has at most 128 KiB, wherever it is")
  func longFields() throws {
    let longest = 128 << 10
    func read(_ request: WireRequest) -> FramingError.Code? {
      framingCode { try Framing.decode(WireRequest.self, from: request.bytes) }
    }
    for (count, code) in [(longest, nil), (longest + 1, FramingError.Code.fieldTooLong)] {
      let text = String(repeating: "x", count: count)
      let data = Data(repeating: 0, count: count)
      let bodies: [WireRequest.OneOf_Body] = [
        .status(.with { $0.camera = text }),
        .sessionSuspend(.with { $0.reason = text }),
        .leaseAcquire(.with { $0.holder = text }),
        .configure(.with { $0.input = text }),
        .configure(.with { $0.streams = [.with { $0.stream = text }] }),
        .configure(.with { $0.settings = [.with { $0.id = text }] }),
        .controlsGet(.with { $0.ids = [text] }),
        .controlsSet(.with { $0.settings = [.with { $0.value.string = text }] }),
        .controlsSet(.with { $0.settings = [.with { $0.value.bytes = data }] }),
        .replay(.with { $0.ranges = [.with { $0.topic = text }] }),
        .delete(.with { $0.assets = [data] }),
      ]
      for body in bodies { #expect(read(.with { $0.body = body }) == code) }
      #expect(read(.with { $0.id = data }) == code)
    }
    let unknown = field(200, [UInt8](repeating: 0, count: longest + 1))
    for request in try requests(unknown) { #expect(read(request) == .fieldTooLong) }
  }

  /// A request for each place where a message can be inside a body, with these fields there.
  private func requests(_ fields: [UInt8]) throws -> [WireRequest] {
    let values: [WireControlValue] = [
      try .init(serializedBytes: fields),
      try .with { $0.array = try .init(serializedBytes: fields) },
      try .with { $0.point = try .init(serializedBytes: fields) },
    ]
    let bodies: [WireRequest.OneOf_Body] = [
      try .controlsSet(.with { $0.settings = [try .init(serializedBytes: fields)] }),
      try .capture(.with { $0.now = try .init(serializedBytes: fields) }),
      try .capture(.with { $0.next = try .init(serializedBytes: fields) }),
      try .capture(.with { $0.outputs = [try .init(serializedBytes: fields)] }),
      try .capture(.with { $0.burst = try .init(serializedBytes: fields) }),
      try .capture(.with { $0.orientation = try .init(serializedBytes: fields) }),
      try .capture(.with { $0.dimensions = try .init(serializedBytes: fields) }),
      try .replay(.with { $0.ranges = [try .init(serializedBytes: fields)] }),
      try .configure(.with { $0.size = try .init(serializedBytes: fields) }),
      try .configure(.with { $0.preview = try .init(serializedBytes: fields) }),
      try .configure(.with { $0.capture = try .init(serializedBytes: fields) }),
      try .configure(.with { $0.streams = [try .init(serializedBytes: fields)] }),
    ]
    return bodies.map { body in .with { $0.body = body } }
      + values.map { value in .with { $0.configure.settings = [.with { $0.value = value }] } }
  }

  /// A field with these bytes.
  private func field(_ number: Int, _ bytes: [UInt8] = []) -> [UInt8] {
    varint(number << 3 | 2) + varint(bytes.count) + bytes
  }

  /// A field with the number 1.
  private func one(_ number: Int) -> [UInt8] { varint(number << 3) + [1] }

  private func varint(_ number: Int) -> [UInt8] {
    number < 128 ? [UInt8(number)] : [UInt8(number & 0x7F | 0x80)] + varint(number >> 7)
  }

  private func isRepeated<M: ShapedMessage>(_ type: M.Type, _ bytes: [UInt8]) -> Bool {
    framingCode { try Framing.decode(type, from: bytes) } == .repeated
  }
}
