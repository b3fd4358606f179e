/// The parts are not a message of this protocol.
package struct FramingError: Error, Hashable, Sendable, CustomStringConvertible {
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The first part is not the signature.
    package static let foreign = Code(rawValue: "foreign")
    package static let missingPart = Code(rawValue: "missingPart")
    package static let tooManyParts = Code(rawValue: "tooManyParts")
    package static let tooLong = Code(rawValue: "tooLong")
    /// A part is not the expected Protobuf message.
    package static let unreadable = Code(rawValue: "unreadable")
    /// A oneof, or a field that holds a single message, occurs more than once.
    package static let repeated = Code(rawValue: "repeated")
    /// A request has more fields than any honest one.
    package static let tooManyFields = Code(rawValue: "tooManyFields")
    /// A request has a longer field than any honest one.
    package static let fieldTooLong = Code(rawValue: "fieldTooLong")
    /// A publication has a topic that this version does not know. Ignore it.
    package static let unknownTopic = Code(rawValue: "unknownTopic")
  }

  package let code: Code
  /// The mistake as a sentence, for the reply to the request.
  package let message: String

  package var description: String { message }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
