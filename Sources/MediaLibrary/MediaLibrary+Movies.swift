import Digest
import EventLoop
import OperatingSystem

extension MediaLibrary {
  /// Begins a movie. The caller writes its file and then calls
  /// ``finishMovie(_:duration:frameCount:isRecovered:then:)`` or ``discard(_:)``. If it calls
  /// neither, the movie is among ``unfinishedMovies()`` at the next opening, even after a power
  /// cut.
  /// - Throws: `storageFull` if only the reserve is free, `invalidArgument` for the
  ///   camera's name.
  package func beginMovie(
    _ description: AssetDescription
  ) throws(MediaLibraryError) -> AssetDraft {
    let draft = try AssetDraft(AssetID(), description, in: layout)
    try requireSpace(for: 0)
    try index.insertDraft(draft.id, description)
    return draft
  }

  /// The movies that were begun and neither finished nor discarded, oldest first. After the opening
  /// these are the movies that SIGKILL or a power cut has cut off. A movie without a frame may have
  /// no file.
  package func unfinishedMovies() throws(MediaLibraryError) -> [AssetDraft] {
    try index.drafts(in: layout)
  }

  /// Lists a movie whose file is written and closed. When `then` receives success, the movie
  /// survives a power cut.
  ///
  /// The digest of a long movie takes seconds. It is computed in slices, and the library does other
  /// work in between. After a failure the file stays in its place, because it may be the only
  /// record.
  /// - Parameters:
  ///   - isRecovered: Whether the movie was cut off and its file completed later.
  ///   - then: Called once, on the library's thread.
  package nonisolated func finishMovie(
    _ draft: AssetDraft,
    duration: Duration,
    frameCount: Int,
    isRecovered: Bool = false,
    then: @escaping @Sendable (Result<Asset, MediaLibraryError>) -> Void
  ) {
    advance(
      FileDigest(of: draft.path),
      { (library, byteCount, sha256) throws(MediaLibraryError) in
        try library.publish(
          draft,
          byteCount: byteCount,
          sha256: sha256,
          duration: duration,
          frameCount: frameCount,
          isRecovered: isRecovered
        )
      },
      then: then
    )
  }

  /// Deletes a movie's file and forgets the movie. The file need not exist.
  package func discard(_ draft: AssetDraft) throws(MediaLibraryError) {
    try onDisk { () throws(SystemError) in try Folder.removeFile(draft.path) }
    try index.deleteDraft(draft.id)
  }

  /// Sets aside the file of a movie that was cut off and cannot be completed. It is kept, because
  /// it may be the only record.
  /// - Returns: The file's new absolute path.
  package func setAside(_ draft: AssetDraft) throws(MediaLibraryError) -> String {
    // In this order, so that the next opening completes a half-done call.
    try index.deleteDraft(draft.id)
    return try onDisk { () throws(SystemError) in try layout.setAside(draft.name) }
  }

  /// Computes one slice of the digest. The next slice follows the other work that waits for the
  /// library.
  private nonisolated func advance(
    _ digest: FileDigest,
    _ publish:
      @escaping @Sendable (isolated MediaLibrary, Int, SHA256Digest) throws(MediaLibraryError) ->
      Asset,
    then: @escaping @Sendable (Result<Asset, MediaLibraryError>) -> Void
  ) {
    perform { (library) throws(MediaLibraryError) -> Asset? in
      // A library that was closed meanwhile stops reading.
      _ = try library.index
      let sha256 = try library.onDisk { () throws(SystemError) in try digest.takeSlice() }
      guard let sha256 else { return nil }
      return try publish(library, digest.byteCount, sha256)
    } then: { result in
      switch result {
      case .success(nil): self.advance(digest, publish, then: then)
      case .success(let asset?): then(.success(asset))
      case .failure(let error): then(.failure(error))
      }
    }
  }
}
