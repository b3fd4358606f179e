import Glibc
import OperatingSystem

/// What a person can do about a failed call on a device node.
enum NodeRemedy {
  /// Looks at the cameras, the node's permissions or the programs that have it open, depending on the error.
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
