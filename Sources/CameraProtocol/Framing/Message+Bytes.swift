package import SwiftProtobuf

extension SwiftProtobuf.Message {
  /// The message's bytes. Equal messages have equal bytes.
  package var bytes: [UInt8] {
    var options = BinaryEncodingOptions()
    options.useDeterministicOrdering = true
    do {
      return try serializedBytes(options: options)
    } catch {
      // Only `required` fields and unknown Any types can fail. These proto3 messages have neither.
      preconditionFailure("\(Self.self) cannot be written: \(error)")
    }
  }
}
