import CFFmpeg
import Glibc

/// Why a movie cannot be written: a code for programs and a sentence that says what to do.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. It is not an enum, because more codes may be added: a switch needs a
  /// default.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private init(_ description: String) { self.description = description }

    /// The disk is full, or would have less free space than its reserve.
    package static let storageFull = Code("storageFull")
    /// The file cannot be created, written or read.
    package static let storageFailed = Code("storageFailed")
    /// The frame does not have the movie's size.
    package static let unsuitableFrame = Code("unsuitableFrame")
    /// No picture can be made of the camera's frames.
    package static let notEncodable = Code("notEncodable")
    /// An unfinished movie contains frames, but they cannot be read.
    package static let unreadable = Code("unreadable")
    /// The work was cancelled.
    package static let cancelled = Code("cancelled")
    /// libavformat has no Matroska muxer, or the movie is closed.
    package static let muxerFailed = Code("muxerFailed")
  }

  package var code: Code
  /// A sentence for people, with the remedy.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// - Parameter status: The value that libavformat returned: a negated errno or a code of its own.
  init(status: Int32, path: String) {
    switch status {
    case CFFmpeg_error(ENOSPC):
      self.init(.storageFull, "no space is left for \(path): free some, or record elsewhere")
    case CFFmpeg_error(EDQUOT):
      self.init(
        .storageFull, "the disk quota does not allow more of \(path): raise it, or free some")
    case CFFmpeg_error(EFBIG):
      self.init(
        .storageFailed,
        "\(path) may not grow further: raise the limit (ulimit -f), or record shorter movies")
    case CFFmpeg_error(EACCES), CFFmpeg_error(EPERM):
      self.init(.storageFailed, "\(path) may not be written: give its folder to user \(geteuid())")
    case CFFmpeg_error(EROFS):
      self.init(.storageFailed, "the disk of \(path) is mounted read-only: mount it for writing")
    case CFFmpeg_error(ENOENT), CFFmpeg_error(ENOTDIR), CFFmpeg_error(EISDIR):
      self.init(.storageFailed, "\(path) has no folder, or is one: choose another place")
    case CFFmpeg_error(EIO):
      self.init(
        .storageFailed,
        "the disk of \(path) failed (\(Self.text(status))): see the kernel's log (dmesg)")
    default:
      self.init(.storageFailed, "\(path) cannot be written: \(Self.text(status))")
    }
  }

  static func text(_ status: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
    guard unsafe av_strerror(status, &buffer, buffer.count) == 0 else { return "error \(status)" }
    let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
    return String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
