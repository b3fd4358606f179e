import SwiftProtobuf

extension SwiftProtobuf.Message {
  /// The message as a reader sees it that only knows this version.
  var withoutUnknownFields: Self {
    var message = self
    message.unknownFields = UnknownStorage()
    return message
  }
}
