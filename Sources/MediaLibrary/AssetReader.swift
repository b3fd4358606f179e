import Glibc
import OperatingSystem

/// Reads ranges of an asset's file. Reading blocks on the disk, so it belongs on the library's
/// thread.
///
/// The file stays readable while the reader is open, even if the asset is removed meanwhile.
package final class AssetReader: Sendable {
  private let file: Mutex<FileDescriptor>
  private let byteCount: Int
  private let folder: String

  init(_ asset: Asset, _ layout: LibraryLayout) throws(MediaLibraryError) {
    folder = layout.folder
    byteCount = asset.byteCount
    let path = try layout.path(ofAsset: asset.relativePath)
    do throws(SystemError) {
      file = Mutex(try FileDescriptor(path, O_RDONLY))
    } catch {
      guard error.errno == ENOENT else { throw MediaLibraryError(error, in: folder) }
      throw .missing(path)
    }
  }

  /// Reads `count` bytes that begin at `offset`.
  /// - Throws: `invalidArgument` for a range beyond the asset, `notOpen` after ``close()``,
  ///   `assetMissing` if someone else has shortened the file.
  package func read(offset: Int, count: Int) throws(MediaLibraryError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= byteCount, count <= byteCount - offset else {
      throw MediaLibraryError(
        .invalidArgument,
        "the asset has \(byteCount) bytes: \(count) from \(offset) on are beyond it"
      )
    }
    return try file.withLock { (file) throws(MediaLibraryError) in
      guard file.isOpen else {
        throw MediaLibraryError(
          .notOpen, "the reader of \(file.path) is closed: open the asset anew")
      }
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try file.read(at: offset, count: count)
      } catch {
        throw MediaLibraryError(error, in: folder)
      }
      guard bytes.count == count else { throw .missing(file.path) }
      return bytes
    }
  }

  /// Closes the file. A second call does nothing.
  package func close() {
    // Nothing was written, so a failure to close loses nothing.
    file.withLock { file in try? file.close() }
  }
}

extension MediaLibraryError {
  fileprivate static func missing(_ path: String) -> MediaLibraryError {
    MediaLibraryError(
      .assetMissing,
      "the file \(path) is gone or cut short: put it back, or remove the asset"
    )
  }
}
