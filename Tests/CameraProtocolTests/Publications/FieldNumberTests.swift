import Foundation
import SwiftProtobuf
import Testing

@testable import CameraProtocol

struct FieldNumberTests {
  @Test func `Field numbers have the names of the generated messages`() throws {
    try check(HeaderField.self, in: WireHeader.self)
    try check(FrameHeaderField.self, in: WireFrameHeader.self)
    try check(TimestampField.self, in: WireTimestamp.self)
    try check(OrientationField.self, in: WireOrientation.self)
    try check(SizeField.self, in: WireSize.self)
    try check(HeartbeatField.self, in: WireHeartbeat.self)
    try check(HeartbeatTopicField.self, in: WireHeartbeat.Topic.self)
  }

  private func check<Field: FieldNumber, M: SwiftProtobuf.Message>(
    _ fields: Field.Type, in message: M.Type
  ) throws {
    var names: [UInt64: String] = [:]
    for field in fields.allCases { names[field.rawValue] = "\(field)" }
    // Numbers that the message does not have must have no name on either side.
    for number in UInt64(1)..<32 {
      #expect(try names[number] == name(of: number, in: message), "\(message) \(number)")
    }
  }

  /// The message's name of a field, found by reading a message with only that field.
  private func name<M: SwiftProtobuf.Message>(
    of number: UInt64, in message: M.Type
  ) throws -> String? {
    func tag(_ kind: UInt64) -> [UInt8] {
      let tag = number << 3 | kind
      return tag < 0x80 ? [UInt8(tag)] : [UInt8(tag & 0x7F) | 0x80, UInt8(tag >> 7)]
    }
    // A varint, and two bytes that are valid bytes, text and message.
    let fields: [[UInt8]] = [tag(0) + [1], tag(2) + [2, 0x08, 1]]
    for field in fields {
      let json = try message.init(serializedBytes: field).jsonUTF8Data()
      let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
      if let name = object.keys.first { return name }
    }
    return nil
  }
}
