import CVideo4Linux
import Capture
import EventLoop
import Glibc
import Imaging
import OperatingSystem

/// Sets a format and a rate at the driver, and checks the driver's answer.
struct FormatSetting {
  let node: any RequestNode
  var buffers = PictureBuffers.single

  /// - Parameter request: What must be met. Some drivers set another size than they list, which is
  ///   taken if nobody asked for one.
  /// - Returns: The driver's format after the change.
  /// - Throws: `unsupportedFormat` if the driver set another format; `deviceBusy` and other errors
  ///   of the driver.
  func set(
    _ choice: CameraFormat, for request: FormatRequest
  ) throws(CaptureError) -> DriverFormat {
    var format = DriverFormat(size: choice.size, pixelFormat: choice.pixelFormat)
    try onDevice(at: node.path) { () throws(SystemError) in try format.set(at: node, buffers) }
    guard format.size == request.size ?? format.size,
      format.pixelFormat == request.pixelFormat ?? format.pixelFormat
    else {
      throw CaptureError(
        .unsupportedFormat,
        "the driver set \(format.pixelFormat) \(format.size) instead of "
          + "\(choice.pixelFormat) \(choice.size): request that",
        part: format.size == choice.size ? .format : .size
      )
    }
    guard format.size.isValid, StreamConversion.isPossible(of: format.pixelFormat) else {
      throw CaptureError(
        .unsupportedFormat,
        "the driver set \(format.pixelFormat) \(format.size), which cannot be read, instead of "
          + "\(choice.pixelFormat) \(choice.size): request another format",
        part: .format
      )
    }
    guard format.hasWholePictures else {
      throw CaptureError(
        .unsupportedFormat,
        "the camera sends half pictures (interlaced fields) at \(format.size): take another size",
        part: .size
      )
    }
    return format
  }

  /// Sets the rate, if the driver supports rates.
  ///
  /// - Parameter wanted: The requested rate, which must be met; nil if any rate will do.
  /// - Returns: The driver's rate after the change.
  func set(_ rate: FrameRate?, wanted: Double?) throws(CaptureError) -> FrameRate? {
    var parameters = v4l2_streamparm()
    parameters.type = buffers.type.rawValue
    guard node.attempt(.getParameters, &parameters) else { return nil }
    let isSettable =
      unsafe parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    if let rate, isSettable {
      unsafe parameters.parm.capture.timeperframe = rate.secondsPerFrame
      do throws(SystemError) {
        try node.perform(.setParameters, &parameters)
      } catch {
        guard [EINVAL, ENOTTY, ERANGE, EIO, EPERM].contains(error.errno) else {
          throw CaptureError(error, on: node.path)
        }
        if let wanted { throw .refusesRate(wanted, error) }
        guard node.attempt(.getParameters, &parameters) else { return nil }
      }
    }
    let result = FrameRate(interval: unsafe parameters.parm.capture.timeperframe)
    if let wanted, result?.matches(wanted) != true {
      let made = result.map { "runs at \($0.summary)" } ?? "has no rates"
      let remedy = result == nil ? "leave the rate out" : "request that"
      let asked = FrameRate(nearest: wanted)?.summary ?? "\(wanted)"
      throw CaptureError(
        .unsupportedFormat,
        "\(asked) frames a second were requested, but the driver \(made): \(remedy)",
        part: .rate
      )
    }
    return result
  }
}

extension CaptureError {
  fileprivate static func refusesRate(_ wanted: Double, _ error: SystemError) -> CaptureError {
    CaptureError(
      .unsupportedFormat,
      "the driver does not set \(FrameRate(nearest: wanted)?.summary ?? "\(wanted)") frames a second, although "
        + "it lists them (\(error.reason)): leave the rate out",
      part: .rate
    )
  }
}
