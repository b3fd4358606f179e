package import Glibc

/// Advice on how to get permission to open a device node.
package enum NodePermissions {
  /// Advice for a user without permission.
  package static func remedy(for path: String) -> String {
    guard let status = try? FileStatus(at: path) else { return "run as root" }
    let group = name(of: status.group)
    guard status.groupMayReadAndWrite, status.group != 0 else {
      return "only its owner may use it; give it to a group: sudo chgrp video \(path) && "
        + "sudo chmod 660 \(path)"
    }
    return "it belongs to the group \(group); join it with sudo usermod -aG \(group) $USER, "
      + "then log in again"
  }

  /// The group's name, or its number if it has none.
  package static func name(of group: gid_t) -> String {
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
