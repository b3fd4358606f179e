import Capture
import Glibc
import OperatingSystem

extension CaptureError {
  /// Describes the failure of a call on a device node, and what to do about it.
  ///
  /// This reads nothing, so the frame loop may create such an error.
  ///
  /// - Parameters:
  ///   - error: The failed call and its error number.
  ///   - path: The device node.
  ///   - remedy: What `NodeRemedy` has found out, if the caller has looked it up.
  init(_ error: SystemError, on path: String, remedy: String? = nil) {
    switch error.errno {
    case ENOENT:
      self.init(.deviceNotFound, "there is no \(path): \(remedy ?? "plug the camera in")")
    case ENODEV, ENXIO:
      self.init(
        .deviceNotFound,
        "the camera at \(path) is gone: plug it in again, or look at its cable"
      )
    case EACCES, EPERM:
      self.init(
        .permissionDenied,
        "no permission for \(path): \(remedy ?? "join the group that ls -l \(path) shows")"
      )
    case EBUSY:
      self.init(
        .deviceBusy,
        "\(path) is in use: \(remedy ?? "find the other program with fuser -v \(path) and end it")")
    case ENOSPC where error.operation == "VIDIOC_STREAMON":
      self.init(
        .noBandwidth,
        "the USB bus has no bandwidth left for \(path): lower the size or the frame rate, take MJPG, "
          + "or move the camera to a port of another USB controller"
      )
    case ENOTDIR, ELOOP:
      self.init(
        .unsuitableDevice,
        "\(path) leads to no device (\(error.reason)): \(remedy ?? "name one, such as /dev/video0")"
      )
    case ENOTTY:
      self.init(.unsuitableDevice, "\(path) is no V4L2 camera: \(remedy ?? "name another node")")
    case EISDIR:
      self.init(.unsuitableDevice, "\(path) is a folder: \(remedy ?? "name a node in it")")
    case ENOMEM:
      self.init(
        .deviceFailed,
        "the kernel has no memory for the buffers of \(path): lower the size"
      )
    case EMFILE, ENFILE:
      self.init(.deviceFailed, "too many open files for \(path): raise the limit (ulimit -n)")
    case EIO, EPROTO, EPIPE, ETIMEDOUT, EILSEQ:
      self.init(
        .deviceFailed,
        "\(path) failed while it worked (\(error)): look at its cable and hub, then replug it"
      )
    default:
      self.init(
        .deviceFailed,
        "the driver of \(path) refused: \(error)"
      )
    }
  }
}

/// Calls `body` on the session's thread and turns its failure into an error about the device at
/// `path`. Looking up the remedy may block.
func onDevice<R>(
  at path: String,
  _ body: () throws(SystemError) -> R
) throws(CaptureError) -> R {
  do throws(SystemError) {
    return try body()
  } catch {
    throw CaptureError(error, on: path, remedy: NodeRemedy.lookUp(for: error, on: path))
  }
}

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
