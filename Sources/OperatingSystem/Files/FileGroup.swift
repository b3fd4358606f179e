import Glibc

/// A group of users that may read the files of a program and use its sockets, and change none of
/// its files. Without a group, what the program makes is for its own user alone.
package struct FileGroup: Hashable, Sendable {
  package let number: UInt32

  /// - Parameter name: A group's name, or a number, which needs no name.
  /// - Returns: Nil if there is no such group.
  package init?(_ name: String) {
    guard !name.utf8.contains(0) else { return nil }
    var entry = unsafe Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    let isFound = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64 << 10) {
      memory in
      unsafe getgrnam_r(name, &entry, memory.baseAddress, memory.count, &found) == 0
        && found != nil
    }
    guard let number = unsafe isFound ? entry.gr_gid : Self.number(name) else { return nil }
    self.number = number
  }

  /// The largest number is none: chown(2) takes it for "leave the group as it is".
  private static func number(_ text: String) -> gid_t? {
    guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let number = gid_t(text), number != .max
    else { return nil }
    return number
  }

  /// Whether this process may give its files to the group: root to every group, others only to
  /// groups that they are in.
  package var mayBeGivenFiles: Bool {
    if geteuid() == 0 || getegid() == number { return true }
    let count = getgroups(0, nil)
    let groups = unsafe [gid_t](unsafeUninitializedCapacity: Int(max(0, count))) { memory, filled in
      filled = Int(max(0, unsafe getgroups(Int32(memory.count), memory.baseAddress)))
    }
    return groups.contains(number)
  }

  /// Whether a user of the machine is a member.
  package func has(user: UInt32) -> Bool {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64 << 10) { memory in
      guard let start = memory.baseAddress,
        unsafe getpwuid_r(user, &entry, start, memory.count, &found) == 0 && found != nil,
        let name = unsafe entry.pw_name
      else { return false }
      var count: Int32 = 256
      var groups = [gid_t](repeating: 0, count: Int(count))
      guard unsafe getgrouplist(name, entry.pw_gid, &groups, &count) >= 0 else {
        return false
      }
      return groups.prefix(Int(count)).contains(number)
    }
  }

  /// Sets who may use the files that this process makes from now on: the user, and the members of a
  /// group, if there is one, for reading.
  package static func restrictNewFiles(to group: FileGroup?) {
    umask(group == nil ? 0o077 : 0o027)
  }

  /// Gives a new folder to the group, whose members may read it.
  func take(newFolder path: String) throws(SystemError) {
    let folder = try FileDescriptor(path, O_RDONLY | O_DIRECTORY)
    let descriptor = folder.rawValue
    try systemCall("chown \(path)") { fchown(descriptor, uid_t.max, number) }
    try systemCall("chmod \(path)") { fchmod(descriptor, 0o750) }
  }

  /// Gives a folder and the folders in it to the group, so that new files in them belong to it too.
  /// Links are not followed.
  /// - Parameter depth: How far down folders are looked for.
  /// - Throws: `EPERM` if this user is not in the group.
  package func take(folder: String, depth: Int) throws(SystemError) {
    try take(FileDescriptor(folder + "/.", O_RDONLY | O_DIRECTORY), depth: depth)
  }

  private func take(_ folder: borrowing FileDescriptor, depth: Int) throws(SystemError) {
    let (path, descriptor) = (folder.path, folder.rawValue)
    let permissions = try folder.status().permissions
    try systemCall("chown \(path)") { fchown(descriptor, uid_t.max, number) }
    try systemCall("chmod \(path)") { fchmod(descriptor, permissions | mode_t(S_ISGID) | 0o050) }
    guard depth > 0 else { return }
    for name in try Folder.names(in: path, withHidden: true) {
      guard let child = try? FileDescriptor(name, in: folder, O_RDONLY | O_DIRECTORY) else {
        continue
      }
      try take(child, depth: depth - 1)
    }
  }

  /// Gives a socket to the group, whose members may connect to it. A link is not followed.
  package func take(socket path: String) throws(SystemError) {
    try systemCall("chown \(path)", at: path) { unsafe lchown($0.pointer, uid_t.max, number) }
    // To connect takes the right to write.
    try systemCall("chmod \(path)", at: path) {
      unsafe fchmodat(AT_FDCWD, $0.pointer, 0o660, AT_SYMLINK_NOFOLLOW)
    }
  }
}
