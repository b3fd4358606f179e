import Digest
import Glibc
import OperatingSystem

extension MediaLibrary {
  /// Stores a photo; when this returns, it survives a power cut. On any failure nothing is left of it.
  /// - Throws: `invalidArgument` for a camera's name that cannot be part of a path, `storageFull` and the other ways
  ///   in which a disk fails.
  package func storePhoto(
    _ photo: some ByteSource,
    _ description: AssetDescription
  ) throws(MediaLibraryError) -> Asset {
    let id = AssetID()
    let draft = try AssetDraft(id, description, in: layout)
    try requireSpace(for: photo.withBytes { $0.byteCount })
    let sha256 = photo.withBytes { SHA256.hash(of: $0) }
    return try orDiscard(draft) { () throws(MediaLibraryError) in
      let byteCount = try onDisk { () throws(SystemError) in
        var file = try FileDescriptor(draft.path, O_WRONLY | O_CREAT | O_EXCL)
        try photo.withBytes { (bytes) throws(SystemError) in try file.write(bytes) }
        try file.synchronize()
        let byteCount = try file.status().byteCount
        try file.close()
        return byteCount
      }
      return try publish(draft, byteCount: byteCount, sha256: sha256)
    }
  }

  /// Gives the draft's file, complete and on the disk, its final name and lists it.
  func publish(
    _ draft: AssetDraft,
    byteCount: Int,
    sha256: SHA256Digest,
    duration: Duration? = nil,
    frameCount: Int? = nil,
    isRecovered: Bool = false
  ) throws(MediaLibraryError) -> Asset {
    let asset = Asset(
      id: draft.id,
      description: draft.description,
      relativePath: draft.relativePath,
      byteCount: byteCount,
      sha256: sha256,
      duration: duration,
      frameCount: frameCount,
      isRecovered: isRecovered,
      isMissing: false
    )
    let index = try index
    let path = try layout.path(ofAsset: asset.relativePath)
    try onDisk { () throws(SystemError) in
      try Folder.create(Folder.parent(of: path))
      try Folder.move(draft.path, to: path)
    }
    do throws(MediaLibraryError) {
      try index.insert(asset)
    } catch {
      // Back to where it was: the caller decides what becomes of a file that is not listed.
      try onDisk { () throws(SystemError) in try Folder.move(path, to: draft.path) }
      throw error
    }
    return asset
  }

  /// Does something with the draft's file, and deletes that when it fails.
  private func orDiscard(
    _ draft: AssetDraft,
    _ body: () throws(MediaLibraryError) -> Asset
  ) throws(MediaLibraryError) -> Asset {
    do {
      return try body()
    } catch {
      // The first failure is the one to tell; what stays now is deleted at the next opening.
      try? Folder.removeFile(draft.path)
      throw error
    }
  }
}
