package import SwiftProtobuf

extension SwiftProtobuf.Message {
  /// The message's bytes, the same for the same content.
  package var bytes: [UInt8] {
    var options = BinaryEncodingOptions()
    options.useDeterministicOrdering = true
    do {
      return try serializedBytes(options: options)
    } catch {
      // Only `required` fields and unknown Any types can fail, and proto3 messages of ours have neither.
      preconditionFailure("\(Self.self) cannot be written: \(error)")
    }
  }
}
