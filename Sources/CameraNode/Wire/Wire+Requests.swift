import CameraProtocol
import Capture
import Imaging
import OperatingSystem

extension FormatRequest {
  /// - Throws: `unsupportedFormat` when no pixel format has the name in the request.
  init(_ request: WireSessionStartRequest) throws(CaptureError) {
    self.init()
    if !request.pixelFormat.isEmpty {
      guard let format = PixelFormat(name: request.pixelFormat) else {
        throw CaptureError(
          .unsupportedFormat,
          "\(request.pixelFormat) is no pixel format: choose one of the camera's formats",
          field: "session_start.pixel_format"
        )
      }
      pixelFormat = format
    }
    if request.hasSize {
      size = ImageSize(width: Int(request.size.width), height: Int(request.size.height))
    }
    if request.frameRate > 0 { framesPerSecond = request.frameRate }
  }
}

extension PhotoTiming {
  /// - Parameter asked: when the node read the request.
  init(_ request: WireCaptureRequest, asked: MonotonicTime) {
    switch request.when {
    case .next: self = .next
    case .atMonotonicNs(let time): self = .at(MonotonicTime(nanoseconds: time))
    case .atWallNs(let time):
      self = .at(MonotonicTime(nanoseconds: time &- WallClockSample.now().offset))
    case .noOlderThanNs(let age): self = .noOlderThan(Int64(clamping: age))
    case .pastNs(let age): self = .at(asked - .nanoseconds(Int64(clamping: age)))
    case .now, nil: self = .now
    }
  }
}
