import Glibc

/// The small texts in which the kernel tells about the machine, in /proc and /sys.
enum SystemFile {
  /// The text of a file, which has no size to ask for; nil if it cannot be read.
  static func text(_ path: String) -> String? {
    guard let file = try? FileDescriptor(path, O_RDONLY | O_NONBLOCK, followsLinks: true),
      let bytes = try? file.read(at: 0, count: 1 << 16)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The word in a file of one word.
  static func word(_ path: String) -> Substring? { text(path)?.split(separator: "\n").first }
}
