import Digest
import Glibc
import OperatingSystem

/// The digest of a file that is on the disk, taken a slice at a time.
// @unchecked: touched on the library's thread only, one slice after the other.
final class FileDigest: @unchecked Sendable {
  /// About 10 ms of work.
  static let sliceByteCount = 8 << 20

  private let path: String
  private var file: FileDescriptor?
  private var hash: SHA256? = SHA256()
  /// Bytes taken so far; in the end, the file's size.
  private(set) var byteCount = 0

  init(of path: String) {
    self.path = path
  }

  /// Takes the next slice; the first call waits until the file is on the disk.
  /// - Returns: The digest when the file's end is reached, else nil. Not to be called again then.
  func takeSlice() throws(SystemError) -> SHA256Digest? {
    if file == nil {
      file = try FileDescriptor(path, O_RDONLY)
      try file?.synchronize()
    }
    let slice = try file?.read(at: byteCount, count: Self.sliceByteCount) ?? []
    unsafe hash?.update(slice.span.bytes)
    byteCount += slice.count
    guard slice.count < Self.sliceByteCount else { return nil }
    try file?.close()
    return hash.take()?.finalize()
  }
}
