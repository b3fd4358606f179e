import Digest
import Glibc
import OperatingSystem

/// Photos whose files are made later. The library keeps what they are made of, in the node's own
/// words, and a proxy stands for them.
extension MediaLibrary {
  /// Stores a proxy, and what its files will be made of. When this returns, both survive a power
  /// cut. A failure leaves nothing behind.
  /// - Parameter rest: The bytes that must stay free beside it.
  /// - Throws: As ``storePhoto(_:_:freeing:)``.
  package func storeProxy(
    _ proxy: some ByteSource, keeping photo: some ByteSource, _ description: AssetDescription,
    leaving rest: Int = 0, as id: AssetID = AssetID()
  ) throws(MediaLibraryError) -> Asset {
    let draft = try AssetDraft(id, description, in: layout)
    let kept = photo.withBytes { bytes in
      KeptPhoto(byteCount: bytes.byteCount, sha256: SHA256.hash(of: bytes))
    }
    try requireSpace(
      for: proxy.withBytes { $0.byteCount } + kept.byteCount, leaving: rest, draft)
    let path = "\(folder)/\(LibraryLayout.deferredPhoto(draft.id))"
    do throws(MediaLibraryError) {
      try layout.onDisk { () throws(SystemError) in
        try Folder.create(LibraryLayout.deferred, below: folder)
        let part = try FileDescriptor("\(path).part", O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        try photo.withBytes { (bytes) throws(SystemError) in try part.write(bytes) }
        try part.publish(as: path, replaces: false)
      }
      return try store(proxy, draft, kept)
    } catch {
      // Report the first failure. What cannot be deleted now is deleted at the next opening.
      for file in [path, "\(path).part"] { try? Folder.removeFile(file) }
      throw error
    }
  }

  /// The photos whose files are still to be made, or of which nobody was told yet, oldest first.
  package func deferredPhotos() throws(MediaLibraryError) -> [DeferredEntry] {
    try index.deferredPhotos()
  }

  /// One of them; nil if it is none any more, because its proxy was deleted.
  package func deferredPhoto(_ id: AssetID) throws(MediaLibraryError) -> DeferredEntry? {
    try index.deferredPhotos(id).first
  }

  /// Begins to make the files of such a photo.
  /// - Returns: What was kept for it; nil if that is gone, or something else is in its place.
  /// - Throws: `noSuchAsset` if its proxy was deleted.
  package func beginDeferred(_ photo: DeferredEntry) throws(MediaLibraryError) -> [UInt8]? {
    try index.countAttempt(photo.id)
    let bytes = try layout.onDisk { () throws(SystemError) in try layout.read(photo) }
    guard let bytes else { return nil }
    let digest = unsafe SHA256.hash(of: bytes.span.bytes)
    return photo.sha256 == nil || photo.sha256 == "\(digest)" ? bytes : nil
  }

  /// Notes that the files were not finished although the node goes on: the attempt does not count.
  package func pauseDeferred(_ id: AssetID) throws(MediaLibraryError) {
    try index.forgetAttempts(id)
  }

  /// The assets that are in the place of a proxy.
  package func replacements(of id: AssetID) throws(MediaLibraryError) -> [Asset] {
    var query = AssetQuery()
    query.replaces = id
    return try index.assets(query, after: nil, limit: 100).assets
  }

  /// Notes what has become of a proxy's files, and what is to be told of it in the node's own
  /// words. It is among ``deferredPhotos()`` until ``forgetDeferred(_:)``.
  /// - Throws: `noSuchAsset` if the proxy was deleted.
  package func endDeferred(
    _ id: AssetID, _ deferral: Deferral, event: [UInt8]
  ) throws(MediaLibraryError) {
    try index.end(id, deferral, event: event)
  }

  /// Removes what was kept for a proxy.
  package func forgetDeferred(_ id: AssetID) throws(MediaLibraryError) {
    // The file comes last: without its row the next opening deletes it.
    try index.deleteDeferred(id)
    removeDeferredFile(id)
    space?.check()
  }

  /// What cannot be deleted now is deleted at the next opening.
  func removeDeferredFile(_ id: AssetID) {
    try? Folder.removeFile(LibraryLayout.deferredPhoto(id), below: folder)
  }
}

extension LibraryLayout {
  /// The bytes that are kept for a proxy; nil if they are gone, or something else is in their
  /// place.
  fileprivate func read(_ photo: DeferredEntry) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      // A folder that cannot be read may be there again later.
      let place = try FileDescriptor(
        "\(folder)/\(Self.deferred)", O_RDONLY | O_DIRECTORY)
      let file = try FileDescriptor(Self.deferredName(photo.id), in: place, O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      // A larger one could take all memory.
      guard status.isRegularFile, status.byteCount == photo.byteCount else { return nil }
      return try file.read(at: 0, count: photo.byteCount)
    } catch {
      // The last is a link in the place of the file.
      guard [ENOENT, ENXIO, ELOOP].contains(error.errno) else { throw error }
      return nil
    }
  }
}
