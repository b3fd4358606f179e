import CameraProtocol
import Capture
import Imaging
import OperatingSystem

extension SessionConfiguration {
  /// - Throws: `unsupportedFormat` when no pixel format has the name in the request.
  init(_ request: WireConfigureRequest) throws(CaptureError) {
    self.init()
    let name = request.pixelFormat
    if !name.isEmpty {
      guard let format = PixelFormat(name: name) else {
        throw CaptureError(
          .unsupportedFormat, "\(name) is no pixel format: choose one of the camera's formats",
          part: .format)
      }
      pixelFormat = format
    }
    if request.hasSize {
      size = ImageSize(width: Int(request.size.width), height: Int(request.size.height))
    }
    if request.maximumRate > 0 { rates = request.minimumRate...request.maximumRate }
    settings = request.settings.map { CaptureSession.Setting($0) }
    for stream in request.streams {
      streams[stream.stream] = StreamSettings(
        maximumRate: stream.hasMaximumRate ? stream.maximumRate : nil,
        quality: stream.hasQuality ? Int(stream.quality) : nil,
        isEnabled: stream.hasEnabled ? stream.enabled : nil,
        bitRate: stream.hasBitRate ? Int(clamping: stream.bitRate) : nil,
        keyInterval: stream.hasKeyIntervalNs ? .nanoseconds(stream.keyIntervalNs) : nil,
        bound: stream.hasBound
          ? ImageSize(width: Int(stream.bound.width), height: Int(stream.bound.height)) : nil)
    }
    preview = OrientationChange(request.preview)
    capture = OrientationChange(request.capture)
    mode = CaptureMode(request.mode)
    preset = SessionPreset(request.preset)
  }
}

extension OrientationChange {
  /// The rotation was checked.
  init(_ turn: WireConfigureRequest.Turn) {
    self.init(
      rotation: turn.hasRotation ? Orientation.Rotation(rawValue: Int(turn.rotation)) : nil,
      isMirrored: turn.hasMirrored ? turn.mirrored : nil)
  }
}

extension PhotoTiming {
  /// A moment of the wall clock is converted here, so that a clock that is set later does not move
  /// it.
  /// - Parameter asked: When the node read the request.
  init(
    _ request: WireCaptureRequest, asked: MonotonicTime,
    wallClock: WallClockSample = .now()
  ) {
    switch request.when {
    case .next: self = .next
    case .atMonotonicNs(let time): self = .at(MonotonicTime(nanoseconds: time))
    case .atWallNs(let time):
      self = .at(MonotonicTime(nanoseconds: time &- wallClock.offset))
    case .noOlderThanNs(let age): self = .noOlderThan(.nanoseconds(age))
    case .pastNs(let age): self = .at(asked - .nanoseconds(Int64(clamping: age)))
    case .now, nil: self = .now
    }
  }
}
