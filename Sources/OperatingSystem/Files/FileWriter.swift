import Glibc

/// Writes a user's file, such as a photo, a movie or saved controls.
///
/// The file appears whole: it is written as `PATH.camerabus.part`, then renamed. It has one writer
/// at a time. A part that is not committed is removed, unless it is left for a later download to
/// continue.
///
/// Links are followed. A file that is replaced keeps its mode and its owner. What is no file, such
/// as a device or a pipe, is opened and written into. A file that exists is replaced only on
/// request.
package struct FileWriter: ~Copyable {
  /// Bytes that are read at a time.
  private static let pieceSize = 256 << 10
  /// Bytes that are written before the kernel begins to bring them to the disk.
  private static let writebackSize: Int64 = 8 << 20

  /// Whether the part stays when it is not committed.
  package var isLeft = false

  private let place: FilePlace
  private let overwrites: Bool
  private let interrupter: Interrupter
  /// The part, or the device or pipe itself.
  private var file: FileDescriptor
  private var isCommitted = false
  /// Where the next byte goes.
  private var position: Int64 = 0
  /// Up to where the kernel has begun to bring the bytes to the disk.
  private var writebackPosition: Int64 = 0

  /// Begins a file, or continues the part that another writer left. Waits for a pipe's reader.
  /// - Parameters:
  ///   - overwrites: Whether a file that is there is replaced.
  ///   - continuesPart: Whether to keep the bytes of a part.
  ///   - interrupter: Ends the waiting for a device or a pipe, here and in ``write(_:)``.
  /// - Throws: `EWOULDBLOCK` while another writer has it, in this program or another; `EEXIST` for
  ///   a file that must stay; `EISDIR`; `ENXIO` for a socket; `ECANCELED` when it is interrupted.
  package init(
    _ path: String,
    overwrites: Bool,
    continuesPart: Bool = false,
    _ interrupter: Interrupter
  ) throws(SystemError) {
    let place = try FilePlace.forWriting(path, overwrites: overwrites)
    file = try open(place, continuesPart: continuesPart, interrupter)
    self.place = place
    self.overwrites = overwrites
    self.interrupter = interrupter
  }

  deinit {
    // The part goes before its lock does, so that no other writer continues a file that is being
    // removed.
    if !isCommitted, !isLeft, !place.isStream { try? Folder.removeFile(file.path) }
  }

  /// Finds out whether a file could be written, before the work is done that makes its bytes.
  /// - Parameter byteCount: The room that the disk must have.
  /// - Throws: As ``init(_:overwrites:continuesPart:_:)``.
  package static func check(
    _ path: String,
    overwrites: Bool,
    byteCount: Int
  ) throws(SystemError) {
    let place = try FilePlace.forWriting(path, overwrites: overwrites)
    guard !place.isStream else { return }
    try requireShortName(place.partPath)
    try requireRoom(in: Folder.parent(of: place.path), byteCount: byteCount)
  }

  /// Finds out whether new files could be written into a folder.
  package static func check(
    folder: String,
    byteCount: Int
  ) throws(SystemError) {
    try requireRoom(in: folder, byteCount: byteCount)
  }

  /// Reads the bytes that are there, piece by piece. What is written later follows them.
  package mutating func readAll(_ body: (RawSpan) -> Void) throws(SystemError) {
    guard !place.isStream else { return }
    while true {
      let piece = try file.read(at: Int(position), count: Self.pieceSize)
      guard !piece.isEmpty else { break }
      position += Int64(piece.count)
      unsafe body(piece.span.bytes)
    }
    writebackPosition = position
  }

  /// Reserves the disk's room for the first bytes. A disk without room says so now, and writing
  /// costs less.
  package func reserve(_ byteCount: UInt64) throws(SystemError) {
    guard byteCount > 0, !place.isStream else { return }
    try file.reserve(Int64(clamping: byteCount))
  }

  /// Removes all bytes that are there.
  package mutating func startOver() throws(SystemError) {
    try file.truncate()
    (position, writebackPosition) = (0, 0)
  }

  package mutating func write(_ bytes: RawSpan) throws(SystemError) {
    try file.write(bytes, interrupter)
    position += Int64(bytes.byteCount)
    let pending = position - writebackPosition
    if pending >= Self.writebackSize, !place.isStream {
      // This shortens the wait at the end. A file system without this call makes no difference but
      // the longer wait.
      file.beginWriteback(from: writebackPosition, count: pending)
      writebackPosition = position
    }
  }

  /// Puts the file in its place.
  package consuming func commit() throws(SystemError) {
    guard !place.isStream else { return try file.close() }
    if case .file(let replaced) = place.content { try file.take(modeAndOwnerOf: replaced) }
    try file.publish(as: place.path, replaces: overwrites)
    isCommitted = true
  }
}

extension FilePlace {
  fileprivate var partPath: String { path + ".camerabus.part" }

  /// The place, if something may be written there.
  fileprivate static func forWriting(
    _ path: String,
    overwrites: Bool
  ) throws(SystemError) -> FilePlace {
    let place = try FilePlace(path)
    switch place.content {
    case .nothing: break
    case .folder: throw SystemError(errno: EISDIR, operation: "create \(path)")
    case .socket: throw SystemError(errno: ENXIO, operation: "open \(path)")
    case .file where !overwrites: throw SystemError(errno: EEXIST, operation: "create \(path)")
    case .file, .stream:
      // A file that is write-protected is not replaced either.
      try systemCall("write \(path)", at: path) { unsafe access($0.pointer, W_OK) }
    }
    return place
  }
}

/// - Throws: `ENOENT` for a folder that is missing or removed, `ENOTDIR`, `EACCES`, `EROFS`,
///   `ENOSPC`.
private func requireRoom(in folder: String, byteCount: Int) throws(SystemError) {
  let status = try FileStatus(at: folder)
  guard status.isFolder else { throw SystemError(errno: ENOTDIR, operation: "open \(folder)") }
  guard !status.isRemoved else { throw SystemError(errno: ENOENT, operation: "open \(folder)") }
  try systemCall("write to \(folder)", at: folder) { unsafe access($0.pointer, W_OK | X_OK) }
  guard try DiskSpace(of: folder).freeBytes >= byteCount else {
    throw SystemError(errno: ENOSPC, operation: "write to \(folder)")
  }
}

/// - Throws: `ENAMETOOLONG`.
private func requireShortName(_ path: String) throws(SystemError) {
  do throws(SystemError) {
    _ = try FileStatus(at: path)
  } catch {
    guard error.errno == ENOENT else { throw error }
  }
}

/// Opens the part of a file and locks it; or the device or pipe itself.
private func open(
  _ place: FilePlace,
  continuesPart: Bool,
  _ interrupter: Interrupter
) throws(SystemError) -> FileDescriptor {
  if place.isStream { return try FileDescriptor.openStream(place.path, interrupter) }
  while true {
    var part = try FileDescriptor(place.partPath, O_RDWR | O_CREAT | O_APPEND)
    // A file of the user that happens to have the name must not be written to.
    let status = try part.status()
    guard status.isRegularFile, !status.hasOtherNames, status.owner == geteuid() else {
      throw SystemError(errno: EEXIST, operation: "create \(place.partPath)")
    }
    do throws(SystemError) {
      try part.lock()
    } catch {
      // A file system without locks is used without them.
      guard error.errno == ENOLCK || error.errno == EOPNOTSUPP else { throw error }
    }
    // The writer that held the lock before may have put the part in its place, or removed it.
    let named = try? FileStatus(at: place.partPath)
    guard try part.status().identity == named?.identity else { continue }
    if !continuesPart { try part.truncate() }
    return part
  }
}
