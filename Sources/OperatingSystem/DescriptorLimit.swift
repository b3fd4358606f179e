import Glibc

/// How many files and connections this process may have open.
package enum DescriptorLimit {
  /// As many as any program here needs. Far more would make programs slow that close every
  /// descriptor which they could have.
  private static let enough: rlim_t = 65_536

  /// The limit that holds now.
  package static var current: Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }

  /// How many are open now; 0 without `/proc`.
  package static var used: Int {
    guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    // Without ".", ".." and the folder itself.
    return count - 3
  }

  /// Raises the limit as far as this process may, because the usual one is low for the sake of
  /// programs that use select(2).
  /// - Returns: The limit that holds now.
  @discardableResult
  package static func raise() -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return .max }
    let wanted = min(limit.rlim_max, enough)
    if limit.rlim_cur < wanted {
      let before = limit.rlim_cur
      limit.rlim_cur = wanted
      if unsafe setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
