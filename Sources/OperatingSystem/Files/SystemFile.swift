import Glibc

/// The small texts in which the kernel tells about the machine, in /proc and /sys.
enum SystemFile {
  /// The text of a file, which has no size to ask for; nil if it cannot be read.
  /// - Parameter byteCount: The most that is read.
  static func text(_ path: String, byteCount: Int = 1 << 16) -> String? {
    guard let file = try? FileDescriptor(path, O_RDONLY | O_NONBLOCK, followsLinks: true),
      let bytes = try? file.read(at: 0, count: byteCount)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The word in a file of one word.
  static func word(_ path: String) -> Substring? { text(path)?.split(separator: "\n").first }
}
