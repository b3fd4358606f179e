import Glibc

/// Advice on how to get permission to open a device node.
enum NodePermissions {
  /// Advice for a user without permission.
  static func remedy(for path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "run as root" }
    let groupMayUse = status.st_mode & mode_t(S_IRGRP | S_IWGRP) == mode_t(S_IRGRP | S_IWGRP)
    let group = name(of: status.st_gid)
    guard groupMayUse, status.st_gid != 0 else {
      return "only its owner may use it; give it to a group: sudo chgrp video \(path) && "
        + "sudo chmod 660 \(path)"
    }
    return "it belongs to the group \(group); join it with sudo usermod -aG \(group) $USER, "
      + "then log in again"
  }

  private static func name(of group: gid_t) -> String {
    var entry = unsafe Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { memory in
      let failure = unsafe getgrgid_r(
        group,
        &entry,
        memory.baseAddress,
        memory.count,
        &found
      )
      guard unsafe failure == 0 && found != nil, let name = unsafe entry.gr_name else {
        return "\(group)"
      }
      return unsafe String(cString: name)
    }
  }
}
