/// Why a picture cannot be read or made.
package struct ImagingError: Error, Hashable, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private init(_ description: String) { self.description = description }

    /// A size that no picture has.
    package static let invalidSize = Code("invalidSize")
    /// Rows shorter than the pixels they hold.
    package static let invalidStride = Code("invalidStride")
    /// A pixel format that this operation cannot read.
    package static let unsupportedFormat = Code("unsupportedFormat")
    /// Fewer bytes than the layout says.
    package static let shortInput = Code("shortInput")
    /// No room for the result.
    package static let shortOutput = Code("shortOutput")
    package static let notJPEG = Code("notJPEG")
    /// The JPEG ends before its end marker.
    package static let truncated = Code("truncated")
    package static let corrupt = Code("corrupt")
    /// The codec itself failed.
    package static let codecFailed = Code("codecFailed")
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
