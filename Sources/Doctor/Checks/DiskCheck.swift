import OperatingSystem
import Words

/// The disk of the library: its free space, and whether this user may write there.
struct DiskCheck {
  private static let check = "disk"

  let machine: Machine
  let library: String
  /// Whether a running node has the library open. Its user counts then, and not this one.
  let isInUse: Bool

  var finding: Finding {
    let folder = existingParent
    let space: DiskSpace
    do {
      space = try DiskSpace(of: machine.root + folder)
    } catch {
      return .problem(
        Self.check, "\(folder) cannot be examined: \(error.reason)",
        remedy: "name another folder with --library")
    }
    if let finding = Self.finding(space, of: folder) { return finding }
    guard isInUse || machine.mayUse(machine.root + folder) else {
      return .problem(
        Self.check, "you may not write to \(folder), where the library \(library) belongs",
        remedy: "make it your own with sudo chown, or name another with --library")
    }
    let reserve =
      "\(space.freeBytes.byteWords) free, of which \(DiskReserve.byteCount.byteWords) stay in reserve"
    return .ok(
      Self.check,
      // A node made its library when it started. If it is gone now, the node says so itself.
      folder == library || isInUse
        ? "\(folder) has \(reserve)"
        : "\(library) does not exist yet, and camerad makes it; \(folder) has \(reserve)")
  }

  /// Nil if there is enough space.
  private static func finding(_ space: DiskSpace, of folder: String) -> Finding? {
    if space.isReadOnly {
      return .problem(
        check, "the disk of \(folder) is mounted read-only",
        remedy: "mount it for writing, or name another folder with --library")
    }
    guard space.hasFreeFiles else {
      return .problem(
        check, "the disk of \(folder) has all the files that it was made for",
        remedy: "delete files there, or name a folder on another disk with --library")
    }
    return finding(freeBytes: space.freeBytes, of: folder)
  }

  static func finding(freeBytes free: Int, of folder: String) -> Finding? {
    let remedy = "delete old photos and movies, or name a folder on another disk with --library"
    if free <= DiskReserve.byteCount {
      return .problem(
        check, "the disk of \(folder) has \(free.byteWords) free, and all of it is reserve",
        remedy: remedy)
    }
    return free < 1 << 30
      ? .warning(check, "the disk of \(folder) has only \(free.byteWords) free", remedy: remedy)
      : nil
  }

  /// The library's folder, or the nearest one above it that exists.
  private var existingParent: String {
    var folder = library
    while machine.status(of: folder) == nil, folder != "/", folder != "." {
      folder = Folder.parent(of: folder)
    }
    return folder
  }
}
