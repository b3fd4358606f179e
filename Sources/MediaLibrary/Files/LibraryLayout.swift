import Glibc
import OperatingSystem
import Words

/// The files and folders of a library.
///
/// ```
/// library.sqlite                the index, with its -wal; for the node's user alone
/// library-damaged-TIME.sqlite   an index that could not be read, with its -wal and its .deferred
/// library-schema-N.sqlite       the index before a later version changed its schema from N
/// .lock                         locked by the process that has the library open; likewise
/// .incoming/NAME                files that are being written
/// .brackets/CAMERA.json         controls that a bracket of photos has to put back; with a + before
///                               each capital, so that Front and front differ on every disk
/// .deferred/ID.photo            photos whose files are still to be made; the id is their proxy's
/// set-aside/NAME                movies that were cut off and cannot be completed
/// CAMERA/yyyy-mm-dd/NAME        the assets in the index; the day is in UTC. A disk that compares
///                               names without case has one folder for Front and front
///
/// NAME = CAMERA-yyyymmddThhmmss.mmmZ-aaaaaaaa[.PART].END   (a: the first digits of the asset's id;
///                                                           PART: depth or matte)
/// ```
struct LibraryLayout: Sendable {
  /// The absolute path of the library's folder.
  let folder: String

  /// - Parameter folder: The library's folder. Slashes at the end are ignored.
  init(folder: String) {
    var folder = Folder.absolute(folder)
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    self.folder = folder
  }

  var index: String { folder + "/library.sqlite" }
  var log: String { index + "-wal" }
  /// Where SQLite had memory that processes share.
  var sharedMemory: String { index + "-shm" }
  static func indexCopy(ofSchema schema: String) -> String { "library-schema-\(schema).sqlite" }
  var lock: String { folder + "/.lock" }
  static let incoming = ".incoming"
  var incoming: String { "\(folder)/\(Self.incoming)" }
  static let setAside = "set-aside"
  static let brackets = ".brackets"
  static let deferred = ".deferred"

  /// The path of what is kept for a proxy, below the folder.
  static func deferredPhoto(_ proxy: AssetID) -> String { "\(deferred)/\(deferredName(proxy))" }

  static func deferredName(_ proxy: AssetID) -> String { "\(proxy).photo" }

  /// Whether the library gives such a name to what it keeps for a proxy, or to the beginning of it.
  static func isDeferredName(_ name: String) -> Bool {
    name.wholeMatch(of: /[0-9a-f]{32}\.photo(?:\.part)?/) != nil
  }

  /// The path of what a camera's bracket has to put back, below the folder.
  /// - Throws: `invalidArgument` for a camera's name that cannot be part of a path.
  func bracket(ofCamera name: String) throws(MediaLibraryError) -> String {
    try Self.requireCameraName(name)
    return "\(Self.brackets)/\(FileName.distinct(name)).json"
  }

  /// The name of a camera's folder. A disk that compares names without case may have it already in
  /// another spelling, which another disk that the library is copied to does not find.
  private func folder(ofCamera name: String) -> String {
    guard FileStatus.exists("\(folder)/\(name)"), let names = try? Folder.names(in: folder),
      !names.contains(name)
    else { return name }
    return names.first { $0.lowercased() == name.lowercased() } ?? name
  }

  /// The path of a new asset, below the folder.
  /// - Throws: `invalidArgument` for a camera's name that cannot be part of a path.
  func relativePath(
    of id: AssetID,
    _ description: AssetDescription
  ) throws(MediaLibraryError) -> String {
    let camera = description.camera
    try Self.requireCameraName(camera)
    let time = CalendarTime(description.createdAt)
    let part = description.part.map { "\($0.rawValue)." } ?? ""
    let end = part + description.mediaType.fileExtension
    let name = "\(camera)-\(time.stamp)-\(id.description.prefix(8)).\(end)"
    return "\(folder(ofCamera: camera))/\(time.day)/\(name)"
  }

  /// The absolute path of an asset.
  /// - Throws: `invalidArgument` if the path leads out of the folder. Only a forged index contains
  ///   such a path.
  func path(ofAsset relativePath: String) throws(MediaLibraryError) -> String {
    let parts = relativePath.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, Self.isCameraName(parts[0]),
      parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.utf8.contains(0) })
    else {
      throw MediaLibraryError(
        .invalidArgument,
        "the index names a file outside of the library: remove the asset at '\(relativePath)'"
      )
    }
    return "\(folder)/\(relativePath)"
  }

  /// Whether the library gives such names: to assets, and to the copies of movies that it recovers.
  /// Other names in `.incoming` are of files that somebody else put there.
  static func isOwnName(_ name: String) -> Bool {
    AssetName(name.hasSuffix(".part") ? String(name.dropLast(5)) : name) != nil
  }

  /// Makes the folder for files that are being written, if it is missing.
  /// - Throws: `ELOOP` or `ENOTDIR` for a link. It would lead to files that are not the library's.
  func makeIncoming() throws(SystemError) {
    try Folder.create(Self.incoming, below: folder)
  }

  /// Gives a damaged index, its log and what is kept for its proxies names that no other file has,
  /// so that a new one can be made. All of it can be put back.
  /// - Returns: The new name.
  func setIndexAside() throws(SystemError) -> String {
    let name = "library-damaged-\(CalendarTime.now.stamp).sqlite"
    let moves = [
      (log, name + "-wal"), ("\(folder)/\(Self.deferred)", name + ".deferred"), (index, name),
    ]
    for (source, target) in moves {
      do throws(SystemError) {
        try Folder.move(source, to: target, below: folder)
      } catch {
        guard error.errno == ENOENT else { throw error }
      }
    }
    return name
  }

  /// Where a camera's photo of this moment belongs, below the library's folder.
  func presentFolder(ofCamera name: String) -> String {
    "\(folder(ofCamera: name))/\(CalendarTime.now.day)"
  }

  // MARK: Looking without writing

  /// - Throws: `storageFailed` if the library's folder is gone.
  func requireFolder() throws(MediaLibraryError) {
    guard Folder.exists(folder) else {
      throw MediaLibraryError(
        .storageFailed, "the library \(folder) is gone: put its folder back, or mount its disk")
    }
  }

  /// Whether the folder's path is a link now.
  var isLink: Bool {
    guard let status = try? FileStatus(at: folder, followsLinks: false), !status.isFolder else {
      return false
    }
    return Folder.exists(folder)
  }

  /// Accepts the library's own folder, and another one with a library in it, such as a copy or a
  /// disk that was mounted again. What was stored would otherwise go to where nobody looks for it:
  /// an empty folder may be the place of a disk that is not mounted.
  /// - Parameters:
  ///   - wasLink: Whether the path was a link when the library was opened.
  ///   - isSame: Whether it is certainly the same folder as then.
  /// - Throws: `storageFailed` for any other folder, and if the folder is gone.
  func requirePlace(wasLink: Bool, isSame: Bool) throws(MediaLibraryError) {
    try requireFolder()
    guard wasLink || !isLink else {
      throw MediaLibraryError(
        .storageFailed,
        "a link has taken the place of the library \(folder): put the folder back, or restart the node"
      )
    }
    guard isSame || FileStatus.exists(index) else {
      throw .isEmpty(folder)
    }
  }

  /// - Throws: What keeps files from being written: `EROFS` for a disk that is mounted read-only,
  ///   or that the kernel has closed to writers after a fault; `EACCES`; `ENOTDIR`.
  func requireWritable() throws(SystemError) {
    do throws(SystemError) {
      // After a fault nothing but opening a file for writing shows that the disk is closed.
      _ = try FileDescriptor(lock, O_RDWR | O_NONBLOCK)
    } catch {
      // The library makes a lock that was deleted again.
      guard error.errno == ENOENT else { throw error }
    }
    try Folder.requireWritable(Self.incoming, below: folder)
  }

  /// Deletes an asset's file. What is not the asset stays: a folder in its place, or a path of a
  /// forged index that leads out of the library.
  /// - Throws: `ENOTDIR` if the file lies behind a link.
  func removeFile(of asset: Asset) throws(SystemError) {
    guard let path = try? path(ofAsset: asset.relativePath) else { return }
    do throws(SystemError) {
      try Folder.removeFile(asset.relativePath, below: folder)
    } catch {
      switch error.errno {
      case EISDIR: return
      // A link in a folder's place: if the file is gone, nothing is left to delete.
      case ENOTDIR where !FileStatus.exists(path): return
      default: throw error
      }
    }
  }

  /// Refuses links and what is no file in the places of the library's own files: they would be
  /// written through a link, a file with a second name is also somebody else's, and to open a pipe
  /// would wait for ever.
  func requireOwnFiles() throws(MediaLibraryError) {
    for path in [lock, index, log] {
      // What cannot be looked at fails when it is opened.
      guard let status = try? FileStatus(at: path, followsLinks: false) else { continue }
      guard status.isRegularFile, !status.hasOtherNames else {
        throw MediaLibraryError(
          .storageFailed,
          "\(path) is a link, has a second name or is no file, and the library would write to it: move it away"
        )
      }
    }
  }

  /// Creates the index's file if it is missing, before SQLite does, and closes its files to all
  /// other users: a lock of theirs on them (fcntl(2)) would stop storing. SQLite gives the files
  /// beside the index the index's mode. Failures are left to SQLite, which fails by them too.
  func keepIndexPrivate() {
    for (path, flags) in [(index, O_RDWR | O_CREAT), (log, O_RDONLY)] {
      guard let file = try? FileDescriptor(path, flags, mode: 0o600, followsLinks: true) else {
        continue
      }
      Self.keepPrivate(file)
    }
  }

  /// A file of another user, or a disk without modes, stays as it is: the library works all the
  /// same.
  static func keepPrivate(_ file: borrowing FileDescriptor) {
    try? file.setPermissions(0o600)
  }

  /// Reports a failure on a file or folder of the library as the library's error.
  func onDisk<R>(_ body: () throws(SystemError) -> R) throws(MediaLibraryError) -> R {
    do {
      return try body()
    } catch {
      throw MediaLibraryError(error, in: folder)
    }
  }

  private static func requireCameraName(_ name: String) throws(MediaLibraryError) {
    guard isCameraName(name) else {
      throw MediaLibraryError(
        .invalidArgument,
        "'\(name)' cannot be a camera's name in the library: use 1 to 32 letters, digits, - and _"
      )
    }
  }

  static func isCameraName(_ name: some StringProtocol) -> Bool {
    (1...32).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

extension LibraryLayout {
  /// Moves a file from the incoming folder to the folder for unusable movies.
  /// - Returns: Its new absolute path.
  @discardableResult
  func setAside(_ name: String) throws(SystemError) -> String {
    let path = "\(Self.setAside)/\(name)"
    try Folder.create(Self.setAside, below: folder)
    try Folder.move("\(incoming)/\(name)", to: path, below: folder)
    return "\(folder)/\(path)"
  }
}
