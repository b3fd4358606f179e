import Digest
import OperatingSystem

/// Computes the digest of a file in slices, so that the library can do other work in between.
final class FileDigest {
  /// About 10 ms of work a slice.
  static let sliceByteCount = 8 << 20

  private let path: String
  private var file: FileDescriptor?
  private var hash: SHA256? = SHA256()
  /// The bytes that were digested so far. At the end this is the file's size.
  private(set) var byteCount = 0

  init(of path: String) {
    self.path = path
  }

  /// Digests the next slice. The first call waits until the file's bytes are on the disk.
  /// - Returns: The digest at the end of the file, and nil before. Do not call it again after the
  ///   end.
  func takeSlice() throws(SystemError) -> SHA256Digest? {
    if file == nil {
      file = try FileDescriptor.openFile(path)
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
