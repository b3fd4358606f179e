import Glibc
import OperatingSystem

/// The machine that is examined: its files, and what this process may do on it.
package struct Machine: Sendable {
  /// Stands in front of every path. Tests have a small copy of `/dev`, `/proc` and `/sys` there.
  var root = ""
  /// The user of this process.
  var user = UserAccount.current
  /// Whether this process may read and write the file.
  var mayUse: @Sendable (_ path: String) -> Bool = { path in
    unsafe access(path, R_OK | W_OK) == 0
  }

  package init() {}

  /// The names in a folder; none if it cannot be read.
  func names(in folder: String) -> [String] {
    (try? Folder.names(in: root + folder)) ?? []
  }

  func status(of path: String) -> FileStatus? { try? FileStatus(at: root + path) }

  /// The text of a file; nil if it cannot be read. The kernel's tables have no size to ask for, so
  /// they are read up to a limit.
  func text(of path: String) -> String? {
    guard let file = try? FileDescriptor(root + path, O_RDONLY | O_NONBLOCK, followsLinks: true),
      let bytes = try? file.read(at: 0, count: 4 << 20)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  func clockKeepers() -> [ClockKeepers.Program] { ClockKeepers.running(root: root) }

  /// Where a symbolic link leads; nil if that cannot be read.
  func target(ofLink path: String) -> String? {
    let path = root + path
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { memory in
      guard let start = memory.baseAddress else { return nil }
      let count = unsafe readlink(path, start, memory.count)
      guard count > 0 else { return nil }
      return unsafe String(decoding: memory[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
