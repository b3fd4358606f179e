import Digest
import Glibc
import OperatingSystem

/// Reads ranges of an asset's file. Reading blocks on the disk, so it belongs on the library's
/// thread.
///
/// The file stays readable while the reader is open, even if the asset is removed meanwhile.
package final class AssetReader: Sendable {
  let asset: AssetID
  private let state: Mutex<State>
  private let byteCount: Int
  private let sha256: SHA256Digest
  private let folder: String

  private struct State: ~Copyable {
    var file: FileDescriptor
    /// The digest of the first bytes; nil when it is used up.
    var digest: SHA256? = SHA256()
    /// How many bytes that are. A reader that began later, or left some out, stays behind.
    var digestedByteCount = 0
  }

  init(_ asset: Asset, _ layout: LibraryLayout) throws(MediaLibraryError) {
    self.asset = asset.id
    folder = layout.folder
    byteCount = asset.byteCount
    sha256 = asset.sha256
    let path = try layout.path(ofAsset: asset.relativePath)
    let byteCount: Int
    do throws(SystemError) {
      let file = try FileDescriptor.openFile(path)
      byteCount = try file.status().byteCount
      state = Mutex(State(file: file))
    } catch {
      switch error.errno {
      case ENOENT: throw .missing(path)
      // A link, or something else that is no file.
      case ELOOP, ENXIO: throw .changed(path)
      default: throw MediaLibraryError(error, in: folder)
      }
    }
    guard byteCount == asset.byteCount, !asset.isChanged else { throw .changed(path) }
  }

  /// Reads `count` bytes that begin at `offset`.
  /// - Throws: `invalidArgument` for a range beyond the asset, `notOpen` after ``close()``,
  ///   `assetChanged` if someone else has shortened the file.
  package func read(offset: Int, count: Int) throws(MediaLibraryError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= byteCount, count <= byteCount - offset else {
      throw MediaLibraryError(
        .invalidArgument,
        "the asset has \(byteCount) bytes: \(count) from \(offset) on are beyond it"
      )
    }
    return try state.withLock { (state) throws(MediaLibraryError) in
      guard state.file.isOpen else {
        throw MediaLibraryError(
          .notOpen, "the reader of \(state.file.path) is closed: open the asset again")
      }
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try state.file.read(at: offset, count: count)
      } catch {
        throw MediaLibraryError(error, in: folder)
      }
      guard bytes.count == count else { throw .changed(state.file.path) }
      if offset == state.digestedByteCount {
        unsafe state.digest?.update(bytes.span.bytes)
        state.digestedByteCount += count
      }
      return bytes
    }
  }

  /// Checks the bytes that were read against the asset's digest, if all were read in their order.
  /// Call it once, after the last byte.
  /// - Throws: `assetChanged` if they are others.
  func check() throws(MediaLibraryError) {
    try state.withLock { (state) throws(MediaLibraryError) in
      guard state.digestedByteCount == byteCount,
        let digest = state.digest.take()?.finalize(), digest != sha256
      else { return }
      throw .changed(state.file.path)
    }
  }

  /// Closes the file. A second call does nothing.
  /// - Returns: Whether it was open.
  @discardableResult
  func close() -> Bool {
    state.withLock { state in
      defer {
        // Nothing was written, so a failure to close loses nothing.
        try? state.file.close()
      }
      return state.file.isOpen
    }
  }
}
