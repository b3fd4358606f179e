/// The reason why a picture cannot be read or made.
package struct ImagingError: Error, Hashable, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private init(_ description: String) { self.description = description }

    /// The size is outside the accepted range.
    package static let invalidSize = Code("invalidSize")
    /// The rows are shorter than their pixels need.
    package static let invalidStride = Code("invalidStride")
    /// The operation cannot read this pixel format.
    package static let unsupportedFormat = Code("unsupportedFormat")
    /// The input has fewer bytes than the layout needs.
    package static let shortInput = Code("shortInput")
    /// The output has no room for the result.
    package static let shortOutput = Code("shortOutput")
    package static let notJPEG = Code("notJPEG")
    /// The JPEG ends before its end marker.
    package static let truncated = Code("truncated")
    package static let corrupt = Code("corrupt")
    /// The metadata do not fit the file's format.
    package static let invalidMetadata = Code("invalidMetadata")
    /// The codec failed.
    package static let codecFailed = Code("codecFailed")
    /// The process that encodes is not there, ended early, or did not answer in time.
    package static let encoderLost = Code("encoderLost")
    /// The system has no process, thread or descriptor left for the encoder now.
    package static let encoderUnavailable = Code("encoderUnavailable")
    /// The encoder was stopped before the file was complete.
    package static let stopped = Code("stopped")
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
