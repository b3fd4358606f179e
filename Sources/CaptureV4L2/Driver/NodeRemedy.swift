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
    case EACCES, EPERM: NodePermissions.remedy(for: path)
    case EBUSY: NodeHolders(of: path).remedy
    default: nil
    }
  }
}
