/// The kinds of files that lose detail and need an encoder of video.
package enum HEIFFormat: UInt8, Hashable, Sendable, CaseIterable {
  /// AV1 in HEIF.
  case avif = 1
  /// HEVC in HEIF.
  case heic = 2
}
