import Glibc
import OperatingSystem

/// Who may use the library's files. The umask restricts only what the node makes itself, so a
/// folder that was there before may be open to more users.
enum LibraryAccess {
  /// The warning of a folder that other users can read or change than the node's and the members of
  /// its group, with the remedy.
  static func warning(of folder: String, group: String?) -> String? {
    // The permissions of the folder's group count if no group was asked for.
    let others: mode_t = group == nil ? 0o077 : 0o007
    guard let mode = try? FileStatus(at: folder).permissions, mode & others & 0o055 != 0,
      isPassable(Folder.parent(of: folder), others & 0o011)
    else { return nil }
    let canWrite = mode & others & 0o022 != 0
    let users = "user \(geteuid())" + (group.map { " and the group \($0)" } ?? "")
    return "others than \(users) can \(canWrite ? "change" : "read") \(folder): "
      + "to keep them out, chmod \(group == nil ? "700" : "750") \(folder)"
  }

  /// Whether a folder and all above it let other users pass.
  private static func isPassable(_ folder: String, _ passing: mode_t) -> Bool {
    guard let mode = try? FileStatus(at: folder).permissions, mode & passing != 0 else {
      return false
    }
    return folder == "/" || isPassable(Folder.parent(of: folder), passing)
  }
}
