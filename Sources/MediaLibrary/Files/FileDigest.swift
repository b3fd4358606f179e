import Digest
import OperatingSystem

/// Computes the digest of a file in slices, so that the library can do other work in between.
final class FileDigest {
  /// About 10 ms of work a slice.
  static let sliceByteCount = 8 << 20

  private let path: String
  private let isNew: Bool
  private var file: FileDescriptor?
  private var hash: SHA256? = SHA256()
  /// The bytes that were digested so far. At the end this is the file's size.
  private(set) var byteCount = 0

  /// - Parameter isNew: Whether the file's bytes may not be on the disk yet. Then the first slice
  ///   waits for that.
  init(of path: String, isNew: Bool) {
    self.path = path
    self.isNew = isNew
  }

  /// Digests the next slice.
  /// - Returns: The digest at the end of the file, and nil before. Do not call it again after the
  ///   end.
  func takeSlice() throws(SystemError) -> SHA256Digest? {
    if file == nil {
      file = try FileDescriptor.openFile(path)
      if isNew { try file?.synchronize() }
    }
    let slice = try file?.read(at: byteCount, count: Self.sliceByteCount) ?? []
    unsafe hash?.update(slice.span.bytes)
    byteCount += slice.count
    guard slice.count < Self.sliceByteCount else { return nil }
    try file?.close()
    return hash.take()?.finalize()
  }
}
