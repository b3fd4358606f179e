import EventLoop
import Glibc

/// What a library does before it is used: deals with what a crash has left, and compares files and index.
struct LibraryInspection {
  private let layout: LibraryLayout
  private let index: AssetIndex

  init(_ layout: LibraryLayout, _ index: AssetIndex) {
    self.layout = layout
    self.index = index
  }

  func run() throws(MediaLibraryError) -> [LibraryFinding] {
    let (leftovers, paths): ([LibraryFinding], Set<String>)
    do {
      leftovers = try clearIncoming()
      paths = try assetPaths()
    } catch {
      throw MediaLibraryError(error, in: layout.folder)
    }
    let (missing, returned, unlisted) = try index.reconcile(with: paths)
    return leftovers
      + [
        missing.first.map { .missing(count: missing.count, first: $0) },
        returned.first.map { .returned(count: returned.count, first: $0) },
        unlisted.first.map { .unlisted(count: unlisted.count, first: $0) },
      ].compactMap(\.self)
  }

  /// Moves unfinished movies away, for they may be all there is of what happened; deletes the beginnings of photos,
  /// for nobody was told of them.
  private func clearIncoming() throws(SystemError) -> [LibraryFinding] {
    try Folder.create(layout.incoming)
    var findings: [LibraryFinding] = []
    for name in try Folder.names(in: layout.incoming) {
      let path = "\(layout.incoming)/\(name)"
      if name.hasSuffix(".\(MediaType.jpeg.fileExtension)") {
        try Folder.removeFile(path)
        findings.append(.deletedPhoto(path: ".incoming/\(name)"))
      } else {
        try Folder.create("\(layout.folder)/\(LibraryLayout.recovered)")
        let destination = "\(LibraryLayout.recovered)/\(name)"
        try Folder.move(path, to: "\(layout.folder)/\(destination)")
        findings.append(.recoveredMovie(path: destination))
      }
    }
    return findings
  }

  /// All files where assets are, below the library's folder.
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
