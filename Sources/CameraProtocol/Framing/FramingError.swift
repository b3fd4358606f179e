/// Parts that are no message of this protocol.
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
    /// A part is not the Protobuf message it should be.
    package static let unreadable = Code(rawValue: "unreadable")
    /// A publication on a topic that this version does not know: to be ignored.
    package static let unknownTopic = Code(rawValue: "unknownTopic")
  }

  package let code: Code
  /// What is wrong, as a sentence that a request can be answered with.
  package let message: String

  package var description: String { message }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
