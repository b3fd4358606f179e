import Glibc
import OperatingSystem

/// Who may read the library. The umask restricts only what the node makes itself, so a folder that
/// was there before may be open to more users.
enum LibraryAccess {
  /// The warning of a folder that other users can read than the node's and the members of its
  /// group, with the remedy.
  static func warning(of folder: String, group: String?) -> String? {
    // The permissions of the folder's group count if no group was asked for.
    let (reading, passing): (mode_t, mode_t) = group == nil ? (0o055, 0o011) : (0o005, 0o001)
    guard let mode = try? FileStatus(at: folder).permissions, mode & reading != 0,
      isPassable(Folder.parent(of: folder), passing)
    else { return nil }
    let users = "user \(geteuid())" + (group.map { " and the group \($0)" } ?? "")
    return "others than \(users) can read \(folder): "
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
