import Capture
import Glibc
import OperatingSystem

extension CaptureError {
  /// What the kernel said about a device, as cause and remedy.
  ///
  /// - Parameters:
  ///   - error: The failed call and its error number.
  ///   - path: The device node it was about.
  init(_ error: SystemError, on path: String) {
    switch error.errno {
    case ENOENT:
      self.init(.deviceNotFound, "there is no \(path): \(V4L2Discovery().summary())")
    case ENODEV, ENXIO:
      self.init(
        .deviceNotFound,
        "the camera at \(path) is gone: plug it in again, or look at its cable"
      )
    case EACCES, EPERM:
      self.init(
        .permissionDenied,
        "no permission for \(path): \(NodePermissions.remedy(for: path))"
      )
    case EBUSY:
      self.init(.deviceBusy, "\(path) is in use: \(NodeHolders(of: path).remedy)")
    case ENOSPC where error.operation == "VIDIOC_STREAMON":
      self.init(
        .noBandwidth,
        "the USB bus has no bandwidth left for \(path): lower the size or the frame rate, take MJPG, "
          + "or move the camera to a port of another USB controller"
      )
    case ENOTTY:
      self.init(.unsuitableDevice, "\(path) is no V4L2 camera: \(V4L2Discovery().summary())")
    case EISDIR:
      self.init(.unsuitableDevice, "\(path) is a folder: \(V4L2Discovery().summary())")
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
        "the driver of \(path) refused (\(error)): start it again; if that does not help, replug it"
      )
    }
  }
}

/// Calls `body` and turns its failure into one about the device at `path`.
func onDevice<R>(
  at path: String,
  _ body: () throws(SystemError) -> R
) throws(CaptureError) -> R {
  do throws(SystemError) {
    return try body()
  } catch {
    throw CaptureError(error, on: path)
  }
}
