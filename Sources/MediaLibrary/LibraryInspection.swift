import Glibc
import OperatingSystem

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
    let (leftovers, paths): ([LibraryFinding], Set<String>)
    let deleted = try finishDeletions()
    let drafts = try index.drafts(in: layout)
    do {
      leftovers = try clearIncoming(keeping: Set(drafts.map(\.name)))
      try takeBack(drafts)
      paths = try assetPaths()
    } catch {
      throw MediaLibraryError(error, in: layout.folder)
    }
    let (missing, returned, unlisted) = try index.reconcile(with: paths)
    return deleted + leftovers
      + [
        missing.first.map { .missing(count: missing.count, first: $0) },
        returned.first.map { .returned(count: returned.count, first: $0) },
        unlisted.first.map { .unlisted(count: unlisted.count, first: $0) },
      ].compactMap(\.self)
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

  /// Clears the incoming folder. Movies that the index lists as drafts stay. Other movies are set
  /// aside, because they may be the only record. Beginnings of photos and of copies are deleted,
  /// because no client was told about them. What the library did not write there stays.
  private func clearIncoming(keeping movies: Set<String>) throws(SystemError) -> [LibraryFinding] {
    try Folder.create(layout.incoming)
    // A link would lead to files that are not the library's.
    _ = try FileDescriptor(layout.incoming, O_RDONLY | O_DIRECTORY)
    var findings: [LibraryFinding] = []
    var foreign: [String] = []
    for name in try Folder.names(in: layout.incoming) where !movies.contains(name) {
      guard try isOwnFile(name) else {
        foreign.append(name)
        continue
      }
      if name.hasSuffix(".\(MediaType.matroska.fileExtension)") {
        do throws(SystemError) {
          try layout.setAside(name)
          findings.append(.setAside(path: "\(LibraryLayout.setAside)/\(name)"))
        } catch {
          // Another file has the name there, and none of the two is overwritten.
          guard error.errno == EEXIST else { throw error }
          foreign.append(name)
        }
      } else {
        try Folder.removeFile("\(layout.incoming)/\(name)")
        findings.append(.deletedBeginning(path: ".incoming/\(name)"))
      }
    }
    if let first = foreign.first {
      findings.append(.foreign(count: foreign.count, first: ".incoming/\(first)"))
    }
    return findings
  }

  private func isOwnFile(_ name: String) throws(SystemError) -> Bool {
    guard LibraryLayout.isOwnName(name) else { return false }
    return try FileStatus(at: "\(layout.incoming)/\(name)", followsLinks: false).isRegularFile
  }

  /// Moves back the movies that had their final names but were not listed yet. They are drafts
  /// still.
  private func takeBack(_ drafts: [AssetDraft]) throws(SystemError) {
    for draft in drafts {
      do {
        try Folder.move("\(layout.folder)/\(draft.relativePath)", to: draft.path)
      } catch {
        guard [ENOENT, ENOTDIR].contains(error.errno) else { throw error }
      }
    }
  }

  /// The paths of all files in the folders of assets, below the library's folder.
  private func assetPaths() throws(SystemError) -> Set<String> {
    var paths: Set<String> = []
    for camera in try Folder.names(in: layout.folder) where LibraryLayout.isCameraName(camera) {
      for day in try Self.namesIfFolder("\(layout.folder)/\(camera)") {
        for file in try Self.namesIfFolder("\(layout.folder)/\(camera)/\(day)") {
          paths.insert("\(camera)/\(day)/\(file)")
        }
      }
    }
    return paths
  }

  private static func namesIfFolder(_ path: String) throws(SystemError) -> [String] {
    do {
      return try Folder.names(in: path)
    } catch {
      guard error.errno == ENOTDIR else { throw error }
      return []
    }
  }
}
