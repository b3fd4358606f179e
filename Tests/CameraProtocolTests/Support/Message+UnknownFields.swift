import SwiftProtobuf

extension SwiftProtobuf.Message {
  /// The message without fields that this version does not know.
  var withoutUnknownFields: Self {
    var message = self
    message.unknownFields = UnknownStorage()
    return message
  }
}
