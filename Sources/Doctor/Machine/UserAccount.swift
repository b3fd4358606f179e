import Glibc

/// A user and their groups.
struct UserAccount: Sendable {
  var id: uid_t
  var name: String
  /// The groups of this process.
  var groups: Set<gid_t>
  /// The groups that the user database lists. A group that somebody joined after the login is here
  /// only.
  var listedGroups: Set<gid_t>

  /// The user of this process.
  static var current: UserAccount {
    let id = geteuid()
    var (name, primary) = ("\(id)", getegid())
    if let entry = unsafe getpwuid(id), let text = unsafe entry.pointee.pw_name {
      name = unsafe String(cString: text)
      primary = unsafe entry.pointee.pw_gid
    }
    return UserAccount(id: id, name: name, groups: ownGroups, listedGroups: listed(name, primary))
  }

  private static var ownGroups: Set<gid_t> {
    var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return Set(groups.prefix(Int(max(0, count)))).union([getegid()])
  }

  private static func listed(_ name: String, _ primary: gid_t) -> Set<gid_t> {
    var count: Int32 = 256
    var groups = [gid_t](repeating: 0, count: Int(count))
    guard unsafe getgrouplist(name, primary, &groups, &count) >= 0 else { return [primary] }
    return Set(groups.prefix(Int(count)))
  }
}
