import Glibc

/// A name in a folder: bytes that need not be text.
package struct FileName: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  /// - Parameter bytes: Neither empty, nor with a zero byte or a slash.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The name as people see it. What is no UTF-8 is shown as `\xE9`.
  package var description: String {
    String(validating: bytes, as: UTF8.self)
      ?? bytes.map { byte in
        byte < 0x80 ? String(UnicodeScalar(byte)) : #"\x"# + [byte].hexadecimal.uppercased()
      }.joined()
  }

  /// The text as a name that stays another one than those of other texts on a disk that compares
  /// names without case: "Front" becomes "+Front".
  package static func distinct(_ text: String) -> String {
    text.replacing(/[A-Z]/) { "+\($0.output)" }
  }

  package static func < (first: FileName, second: FileName) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }
}

extension FileDescriptor {
  /// Opens a file in an open folder by the bytes of its name, and follows a link there.
  package init(
    _ name: FileName, following folder: borrowing FileDescriptor, _ flags: Int32
  ) throws(SystemError) {
    let path = "\(folder.path)/\(name)"
    let descriptor = folder.rawValue
    let rawValue = try systemCall("open \(path)") {
      unsafe (name.bytes + [0]).withUnsafeBufferPointer { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
          unsafe bytes.baseAddress.map {
            unsafe openat(descriptor, $0, flags | O_CLOEXEC, 0o644)
          } ?? -1
        }
      }
    }
    self.init(path: path, rawValue: rawValue)
  }
}
