import Digest
import EventLoop
import OperatingSystem

extension MediaLibrary {
  /// Begins a movie. The caller writes its file and then calls
  /// ``finishMovie(_:createdAt:size:duration:frameCount:isRecovered:)`` or ``discard(_:)``. If it
  /// calls neither, the movie is among ``unfinishedMovies()`` at the next opening, even after a
  /// power cut. Finishing the movie needs no more room on the disk.
  /// - Throws: `storageFull` if only the reserve is free, `invalidArgument` for the
  ///   camera's name.
  package func beginMovie(
    _ description: AssetDescription
  ) throws(MediaLibraryError) -> AssetDraft {
    let draft = try AssetDraft(AssetID(), description, in: layout)
    // There is room for a movie where there is room for a photo, so that both are refused alike.
    try requireSpace(for: space?.largest ?? 0, draft)
    try layout.onDisk { () throws(SystemError) in
      try layout.makeIncoming()
      try Folder.create(Folder.parent(of: draft.relativePath), below: layout.folder)
    }
    try index.insertDraft(draft.id, description)
    return draft
  }

  /// The movies that were begun and neither finished nor discarded, oldest first. After the opening
  /// these are the movies that SIGKILL or a power cut has cut off. A movie without a frame may have
  /// no file.
  package func unfinishedMovies() throws(MediaLibraryError) -> [AssetDraft] {
    try index.drafts(in: layout)
  }

  /// Lists a movie whose file is written and closed. When this returns, the movie survives a power
  /// cut.
  ///
  /// The digest of a long movie takes seconds. The library computes it in slices and serves others
  /// in between. On a failure the file stays where it is, because it may be the only record of what
  /// happened.
  /// - Parameters:
  ///   - createdAt: When the first frame was exposed, which is known only now: nanoseconds of the
  ///     wall clock since 1970. The file keeps the name of the time at which the movie was begun.
  ///   - size: Of its pictures, if the movie was begun before the camera had delivered one.
  ///   - isRecovered: The movie had been cut off.
  package func finishMovie(
    _ draft: AssetDraft,
    createdAt: Int64? = nil,
    size: (width: Int, height: Int)? = nil,
    duration: Duration,
    frameCount: Int,
    isRecovered: Bool = false
  ) async throws(MediaLibraryError) -> Asset {
    let digest = FileDigest(of: draft.path, isNew: true)
    while true {
      // A library that was closed meanwhile stops reading.
      _ = try index
      let sha256 = try layout.onDisk { () throws(SystemError) in try digest.takeSlice() }
      if let sha256 {
        defer { space?.check() }
        return try publish(
          draft,
          createdAt: createdAt,
          size: size,
          byteCount: digest.byteCount,
          sha256: sha256,
          duration: duration,
          frameCount: frameCount,
          isRecovered: isRecovered
        )
      }
      await Task.yield()
    }
  }

  /// Deletes a movie's file and forgets the movie. The file need not exist.
  package func discard(_ draft: AssetDraft) throws(MediaLibraryError) {
    try layout.onDisk { () throws(SystemError) in try Folder.removeFile(draft.path) }
    try index.deleteDraft(draft.id)
    space?.check()
  }

  /// Leaves a movie that could not be finished or discarded to the next opening. It is then among
  /// ``unfinishedMovies()`` with `hasEnded` set, so that its end is reported once. If the index
  /// cannot take that now, the library tries again when its disk is back, and when it is closed.
  /// - Returns: Whether there is a file. A draft without one is forgotten.
  package func postpone(_ draft: AssetDraft) throws(MediaLibraryError) -> Bool {
    do throws(MediaLibraryError) {
      guard FileStatus.exists(draft.path) else {
        try index.deleteDraft(draft.id)
        return false
      }
      try index.setEnded(draft.id)
      return true
    } catch {
      unnotedEnds.insert(draft.id)
      throw error
    }
  }

  /// Notes the ends that the index could not take before.
  func noteEnds() {
    for id in unnotedEnds {
      guard (try? index.setEnded(id)) != nil else { return }
      unnotedEnds.remove(id)
    }
  }

  /// Sets aside the file of a movie that was cut off and cannot be completed. It is kept, because
  /// it may be the only record.
  /// - Returns: The file's new absolute path.
  package func setAside(_ draft: AssetDraft) throws(MediaLibraryError) -> String {
    // In this order, so that the next opening completes a half-done call.
    try index.deleteDraft(draft.id)
    return try layout.onDisk { () throws(SystemError) in try layout.setAside(draft.name) }
  }
}
