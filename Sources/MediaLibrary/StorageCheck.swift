import OperatingSystem
import Words

/// Finds out whether the library can store more. It writes nothing, so that looking often costs
/// little.
struct StorageCheck: Sendable {
  let layout: LibraryLayout
  /// The bytes that must stay free.
  let reserve: Int

  /// - Parameters:
  ///   - byteCount: What is to be stored.
  ///   - folders: The folders below the library that it is to be stored in, by camera.
  func room(for byteCount: Int, in folders: [String: String]) -> LibraryRoom {
    var room = LibraryRoom(reserve: reserve)
    do throws(MediaLibraryError) {
      try layout.requireFolder()
      let space = try layout.onDisk { () throws(SystemError) in try DiskSpace(of: layout.folder) }
      room.freeByteCount = space.freeBytes
      try layout.onDisk { () throws(SystemError) in try layout.requireWritable() }
      try requireRoom(for: byteCount, space)
    } catch {
      room.error = error
      return room
    }
    for (camera, folder) in folders {
      do throws(SystemError) {
        try Folder.requireWritable(folder, below: layout.folder)
      } catch {
        room.cameraErrors[camera] = MediaLibraryError(error, in: layout.folder)
      }
    }
    return room
  }

  private func requireRoom(
    for byteCount: Int, _ space: DiskSpace
  ) throws(MediaLibraryError) {
    let (folder, free) = (layout.folder, space.freeBytes)
    guard space.hasFreeFiles else {
      throw MediaLibraryError(
        .storageFull,
        "the disk of \(folder) has all the files that it was made for: delete files there, or choose "
          + "a folder on another disk")
    }
    guard free - byteCount < reserve else { return }
    let need = byteCount > 0 ? ", and \(byteCount.byteWords) are to be stored" : ""
    throw MediaLibraryError(
      .storageFull,
      "the disk of \(folder) has \(free.byteWords) free and keeps \(reserve.byteWords) in reserve\(need): "
        + "delete photos or movies there, or choose a folder on another disk")
  }
}
