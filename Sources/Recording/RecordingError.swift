import CFFmpeg
import Glibc

/// Why a movie cannot be written.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private init(_ description: String) { self.description = description }

    package static let storageFull = Code("storageFull")
    package static let storageFailed = Code("storageFailed")
    /// The frame is no JPEG of the movie's size.
    package static let unsuitableFrame = Code("unsuitableFrame")
    package static let muxerFailed = Code("muxerFailed")
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// - Parameter status: what libavformat returned, a negated errno or a code of its own.
  init(status: Int32, path: String) {
    switch status {
    case cffmpeg_error(ENOSPC), cffmpeg_error(EDQUOT):
      self.init(.storageFull, "no space is left for \(path): free some, or record elsewhere")
    case cffmpeg_error(EACCES), cffmpeg_error(EPERM), cffmpeg_error(EROFS):
      self.init(.storageFailed, "\(path) may not be written: check the folder's permissions")
    default:
      self.init(.storageFailed, "\(path) cannot be written: \(Self.text(status))")
    }
  }

  private static func text(_ status: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
    guard unsafe av_strerror(status, &buffer, buffer.count) == 0 else { return "error \(status)" }
    let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
    return String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
