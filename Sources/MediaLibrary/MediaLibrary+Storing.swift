import Digest
import Glibc
import OperatingSystem

extension MediaLibrary {
  /// Stores a photo. When this returns, the photo survives a power cut. A failure leaves nothing
  /// behind.
  /// - Parameter freed: The bytes that will be deleted when it is stored. Until then it may be in
  ///   their place in the reserve.
  /// - Throws: `invalidArgument` for a camera's name that cannot be part of a path, `storageFull`,
  ///   and the other errors of a disk.
  package func storePhoto(
    _ photo: some ByteSource,
    _ description: AssetDescription,
    freeing freed: Int = 0
  ) throws(MediaLibraryError) -> Asset {
    let draft = try AssetDraft(AssetID(), description, in: layout)
    try requireSpace(for: photo.withBytes { $0.byteCount }, leaving: -freed, draft)
    return try store(photo, draft)
  }

  /// Stores a photo for which there is room.
  /// - Parameter kept: What the files are made of for which it stands.
  func store(
    _ photo: some ByteSource, _ draft: AssetDraft, _ kept: KeptPhoto? = nil
  ) throws(MediaLibraryError) -> Asset {
    let sha256 = photo.withBytes { SHA256.hash(of: $0) }
    defer { space?.check() }
    return try orDiscard(draft) { () throws(MediaLibraryError) in
      let byteCount = try layout.onDisk { () throws(SystemError) in
        try layout.makeIncoming()
        var file = try FileDescriptor(draft.path, O_WRONLY | O_CREAT | O_EXCL)
        try photo.withBytes { (bytes) throws(SystemError) in try file.write(bytes) }
        try file.synchronize()
        let byteCount = try file.status().byteCount
        try file.close()
        return byteCount
      }
      return try publish(draft, byteCount: byteCount, sha256: sha256, kept: kept)
    }
  }

  /// Lists a draft whose complete file is on the disk, after giving the file its final name.
  func publish(
    _ draft: AssetDraft,
    createdAt: Int64? = nil,
    size: (width: Int, height: Int)? = nil,
    byteCount: Int,
    sha256: SHA256Digest,
    duration: Duration? = nil,
    frameCount: Int? = nil,
    isRecovered: Bool = false,
    kept: KeptPhoto? = nil
  ) throws(MediaLibraryError) -> Asset {
    var description = draft.description
    if let createdAt { description.createdAt = createdAt }
    if let size { (description.width, description.height) = size }
    let modifiedAt = try layout.onDisk { () throws(SystemError) in
      try FileStatus(at: draft.path, followsLinks: false).modifiedAt
    }
    var asset = Asset(
      id: draft.id,
      description: description,
      relativePath: draft.relativePath,
      byteCount: byteCount,
      sha256: sha256,
      duration: duration,
      frameCount: frameCount,
      isRecovered: isRecovered,
      deferral: kept == nil ? nil : .pending,
      modifiedAt: modifiedAt
    )
    let index = try index
    if let proxy = description.replaces {
      guard let proxy = try index.asset(proxy) else { throw .noSuchAsset(proxy) }
      asset.isProtected = proxy.isProtected
      asset.description.labels = proxy.description.labels
    }
    try layout.onDisk { () throws(SystemError) in
      try Folder.create(Folder.parent(of: asset.relativePath), below: layout.folder)
      try Folder.synchronize(layout.incoming)
    }
    // The row comes first: if the node is killed before the file has its final name, the next
    // opening finds a listed asset in the incoming folder and moves it.
    try index.insert(asset, kept)
    do throws(MediaLibraryError) {
      try layout.onDisk { () throws(SystemError) in
        try Folder.move(draft.path, to: asset.relativePath, below: layout.folder)
      }
    } catch {
      // The caller decides what to do with the file.
      try index.takeBack(draft, isMovie: duration != nil)
      throw error
    }
    try requireInPlace()
    quotaKeeper?.look()
    return asset
  }

  /// Calls `body` and deletes the draft's file if it fails.
  private func orDiscard(
    _ draft: AssetDraft,
    _ body: () throws(MediaLibraryError) -> Asset
  ) throws(MediaLibraryError) -> Asset {
    do {
      return try body()
    } catch {
      // Report the first failure. A file that cannot be deleted now is deleted at the next opening.
      try? Folder.removeFile(draft.path)
      throw error
    }
  }
}

/// Bytes in memory that the library does not own, such as a frame from the pool. The library writes
/// them without a copy.
package protocol ByteSource: Sendable {
  /// Calls `body` with all bytes.
  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R
}

extension [UInt8]: ByteSource {
  package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    unsafe try body(span.bytes)
  }
}
