import Glibc
import OperatingSystem

/// Advice about a failed call on a device node.
enum NodeRemedy {
  /// Examines the cameras, the node's permissions or the programs that have it open, depending on
  /// the error.
  ///
  /// This reads many files and opens other cameras, so only a thread that may block calls it.
  static func lookUp(for error: SystemError, on path: String) -> String? {
    switch error.errno {
    case ENOENT, ENOTTY, EISDIR: V4L2Discovery().summary()
    case EPERM:
      "its container or service keeps it away: allow it there (DeviceAllow= in a unit, --device of a "
        + "container)"
    case EACCES: NodePermissions.remedy(for: path)
    case EBUSY: NodeHolders(of: path).remedy
    default: nil
    }
  }
}
