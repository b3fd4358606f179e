import Glibc
import OperatingSystem
import Words

/// Prepares a library for use: handles the files that a crash has left and compares the files with
/// the index.
struct LibraryInspection {
  private let layout: LibraryLayout
  private let index: AssetIndex

  init(_ layout: LibraryLayout, _ index: AssetIndex) {
    self.layout = layout
    self.index = index
  }

  func run() throws(MediaLibraryError) -> [LibraryFinding] {
    let deleted = try finishDeletions()
    let drafts = try index.drafts(in: layout)
    let leftovers = try clearIncoming(keeping: Set(drafts.map(\.name)))
    try clearDeferred()
    let (missing, returned, unlisted) = try reconcile()
    return deleted + leftovers
      + [
        missing.first.map { .missing(count: missing.count, first: $0) },
        returned.first.map { .returned(count: returned.count, first: $0) },
        unlisted.first.map { .unlisted(count: unlisted.count, first: $0) },
      ].compactMap(\.self)
  }

  /// Records which files exist.
  /// - Returns: The paths below the library's folder that have disappeared and those that have
  ///   returned since the last call, and the files that the index does not know, each sorted.
  func reconcile() throws(MediaLibraryError) -> (
    missing: [String], returned: [String], unlisted: [String]
  ) {
    let paths = try layout.onDisk { () throws(SystemError) in try assetPaths() }
    return try index.reconcile(with: paths) { FileStatus.exists("\(layout.folder)/\($0)") }
  }

  /// Deletes the assets whose deletion was cut off.
  private func finishDeletions() throws(MediaLibraryError) -> [LibraryFinding] {
    var findings: [LibraryFinding] = []
    for asset in try index.deletionsToFinish() {
      do {
        try layout.removeFile(of: asset)
      } catch {
        // The library opens all the same, with the asset.
        try index.setBeingDeleted(false, asset.id)
        continue
      }
      try index.delete(asset.id)
      findings.append(.finishedDeletion(path: asset.relativePath))
    }
    return findings
  }

  /// Clears the incoming folder. Movies that the index lists as drafts stay. Listed assets get the
  /// places that they had not reached. Other movies are set aside, because they may be the only
  /// record. Beginnings of photos and of copies are deleted, because no client was told about them.
  /// What the library did not write there stays.
  private func clearIncoming(
    keeping movies: Set<String>
  ) throws(MediaLibraryError) -> [LibraryFinding] {
    var findings: [LibraryFinding] = []
    var foreign: [String] = []
    for name in try incomingNames() where !movies.contains(name) {
      let finding =
        try layout.onDisk { () throws(SystemError) in try isOwnFile(name) } ? try clear(name) : nil
      if let finding { findings.append(finding) } else { foreign.append(name) }
    }
    if let first = foreign.first {
      findings.append(.foreign(count: foreign.count, first: ".incoming/\(first)"))
    }
    return findings
  }

  /// Deletes what was kept for proxies that are not there: no client was told about them, or they
  /// were deleted.
  private func clearDeferred() throws(MediaLibraryError) {
    // A row that was lost is made again: the files are made, or their end is told.
    for id in try index.orphanedProxies() {
      let file = try? FileStatus(
        at: "\(layout.folder)/\(LibraryLayout.deferredPhoto(id))", followsLinks: false)
      try index.insertDeferred(id, KeptPhoto(byteCount: file?.byteCount ?? 0, sha256: nil))
    }
    let kept = Set(try index.deferredPhotos().map { LibraryLayout.deferredName($0.id) })
    try layout.onDisk { () throws(SystemError) in
      for name in try deferredNames()
      where !kept.contains(name) && LibraryLayout.isDeferredName(name) {
        do throws(SystemError) {
          try Folder.removeFile("\(LibraryLayout.deferred)/\(name)", below: layout.folder)
        } catch {
          // The library makes no folder there.
          guard error.errno == EISDIR else { throw error }
        }
      }
    }
  }

  private func deferredNames() throws(SystemError) -> [String] {
    do {
      return try Folder.names(in: LibraryLayout.deferred, below: layout.folder)
    } catch {
      guard error.errno == ENOENT || error.errno == ENOTDIR else { throw error }
      return []
    }
  }

  private func incomingNames() throws(MediaLibraryError) -> [String] {
    try layout.onDisk { () throws(SystemError) in
      try layout.makeIncoming()
      return try Folder.names(in: layout.incoming)
    }
  }

  private func isOwnFile(_ name: String) throws(SystemError) -> Bool {
    guard LibraryLayout.isOwnName(name) else { return false }
    return try FileStatus(at: "\(layout.incoming)/\(name)", followsLinks: false).isRegularFile
  }

  /// - Returns: Nil if another file has the name in the new place, or a link or a file is in the
  ///   place of its folder. Nothing is overwritten.
  private func clear(_ name: String) throws(MediaLibraryError) -> LibraryFinding? {
    let listed = try index.path(ofFile: name)
    return try layout.onDisk { () throws(SystemError) in
      do throws(SystemError) {
        if let listed {
          try Folder.move("\(layout.incoming)/\(name)", to: listed, below: layout.folder)
          return .finishedStoring(path: listed)
        }
        let isMovie = MediaType.allCases.contains {
          $0.kind == .movie && name.hasSuffix(".\($0.fileExtension)")
        }
        guard isMovie else {
          try Folder.removeFile("\(layout.incoming)/\(name)")
          return .deletedBeginning(path: ".incoming/\(name)")
        }
        try layout.setAside(name)
        return .setAside(path: "\(LibraryLayout.setAside)/\(name)")
      } catch {
        guard error.errno == EEXIST || error.errno == ENOTDIR else { throw error }
        return nil
      }
    }
  }

  /// The paths of all files in the folders of assets, below the library's folder. It follows no
  /// link, because one may lead to a tree of somebody else's.
  private func assetPaths() throws(SystemError) -> Set<String> {
    var paths: Set<String> = []
    for camera in try Folder.names(in: layout.folder) where LibraryLayout.isCameraName(camera) {
      for day in try namesIfFolder(camera) {
        for file in try namesIfFolder("\(camera)/\(day)") {
          paths.insert("\(camera)/\(day)/\(file)")
        }
      }
    }
    return paths
  }

  private func namesIfFolder(_ path: String) throws(SystemError) -> [String] {
    do {
      return try Folder.names(in: path, below: layout.folder)
    } catch {
      guard error.errno == ENOTDIR else { throw error }
      return []
    }
  }
}
