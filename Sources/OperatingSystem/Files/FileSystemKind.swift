import Glibc

/// The kind of file system that a path is on, as mount(8) calls it: `ext4`, `9p`, `fuse.sshfs`.
package enum FileSystemKind {
  /// Nil if the kernel does not say. It works also while the file system's server is gone.
  package static func of(_ path: String) -> String? {
    SystemFile.text("/proc/self/mountinfo", byteCount: 1 << 20).flatMap {
      of(resolved(path), in: $0)
    }
  }

  /// - Parameter table: `/proc/self/mountinfo`, see proc(5).
  static func of(_ path: String, in table: String) -> String? {
    var (kind, length) = (String?.none, -1)
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 4, let dash = words.firstIndex(of: "-"), dash + 1 < words.endIndex
      else { continue }
      let place = unescaped(words[4])
      let isAbove = place == "/" || path == place || path.hasPrefix(place + "/")
      // Of two in the same place the later one covers the other.
      guard isAbove, place.utf8.count >= length else { continue }
      (kind, length) = (String(words[dash + 1]), place.utf8.count)
    }
    return kind
  }

  /// The table writes a space as `\040`.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: #"\"#), let number = UInt8(digits, radix: 8) {
        bytes.append(number)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return Folder.absolute(path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
