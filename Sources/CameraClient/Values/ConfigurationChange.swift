package import CameraProtocol
import SwiftProtobuf

/// A change of a camera's input, format, controls, rates and orientations. What is nil or empty
/// stays as it is.
public struct ConfigurationChange: Sendable {
  /// The device to take the place of the present one: the identity or location of one that
  /// ``CameraBus/devices()`` lists, or ``CameraStatus/configuredInput``. The camera keeps its name.
  /// The device has its own format and controls; one that the camera had before has them as the
  /// camera left them.
  public var input: String?
  /// What the camera is mainly used for: without a preset and a format, it stands for
  /// ``SessionPreset/photo`` or ``SessionPreset/high``.
  public var mode: CaptureMode?
  /// What the format is for: the node takes the best one. Pixel format, size and rates come first.
  public var preset: SessionPreset?
  /// A fourcc that ``Camera/formats()`` lists.
  public var pixelFormat: String?
  /// The size of the frames, in pixels.
  public var size: FrameSize?
  /// Frames a second: the fastest rate that the camera has in this range, or a faster one thinned
  /// out.
  public var frameRates: ClosedRange<Double>?
  /// How photos and movies are turned that are asked for from now on.
  public var capture: Turn
  /// How the encoded streams are turned.
  public var preview: Turn
  /// How streams are sent: at most 32, each once.
  public var streams: [StreamSettings]
  /// Values for controls, set in this order.
  public var controls: [(id: String, value: ControlValue)]
  /// Which part of the picture must look different for a ``SubjectAreaChange``, 0...1; 0 for no
  /// such events.
  public var subjectArea: Double?
  /// The movies of live photos, or ``LivePhotoSettings/off``.
  public var livePhotos: LivePhotoSettings?

  /// A change.
  public init(
    input: String? = nil,
    mode: CaptureMode? = nil,
    preset: SessionPreset? = nil,
    pixelFormat: String? = nil,
    size: FrameSize? = nil,
    frameRates: ClosedRange<Double>? = nil,
    capture: Turn = Turn(),
    preview: Turn = Turn(),
    streams: [StreamSettings] = [],
    controls: [(id: String, value: ControlValue)] = [],
    subjectArea: Double? = nil,
    livePhotos: LivePhotoSettings? = nil
  ) {
    self.input = input
    self.mode = mode
    self.preset = preset
    self.pixelFormat = pixelFormat
    self.size = size
    self.frameRates = frameRates
    self.capture = capture
    self.preview = preview
    self.streams = streams
    self.controls = controls
    self.subjectArea = subjectArea
    self.livePhotos = livePhotos
  }
}

extension ConfigurationChange {
  /// - Throws: `invalidArgument`.
  package func request() throws(CameraBusError) -> WireConfigureRequest {
    var body = WireConfigureRequest()
    body.input = input ?? ""
    if let mode {
      guard let wire = mode.wire else {
        throw Arguments.refusal("'\(mode)' is no mode that this client knows", "mode")
      }
      body.mode = wire
    }
    if let preset {
      guard let wire = preset.wire else {
        throw Arguments.refusal("'\(preset)' is no preset that this client knows", "preset")
      }
      body.preset = wire
    }
    body.pixelFormat = pixelFormat ?? ""
    if let size { body.size = try Arguments.size(size, "size") }
    if let frameRates {
      guard frameRates.lowerBound > 0 else {
        throw Arguments.refusal("a frame rate is above 0", "frameRates")
      }
      body.minimumRate = frameRates.lowerBound
      body.maximumRate = frameRates.upperBound
    }
    if capture != Turn() { body.capture = try .init(capture, "capture") }
    if preview != Turn() { body.preview = try .init(preview, "preview") }
    body.streams = try streams.map { (settings) throws(CameraBusError) in
      if let quality = settings.quality {
        try Arguments.check(quality, in: 0...WireLimits.quality, "quality")
      }
      if let interval = settings.keyInterval, interval < .zero {
        throw Arguments.refusal("keyInterval is not below 0", "keyInterval")
      }
      let interval = settings.keyInterval?.wireNanoseconds
      let bound = try settings.bound.map { (bound) throws(CameraBusError) in
        bound == FrameSize(width: 0, height: 0) ? WireSize() : try Arguments.size(bound, "bound")
      }
      return .with {
        $0.stream = settings.stream.description
        if let rate = settings.bitRate { $0.bitRate = rate }
        if let interval { $0.keyIntervalNs = interval }
        if let bound { $0.bound = bound }
        if let rate = settings.maximumRate { $0.maximumRate = rate }
        if let quality = settings.quality { $0.quality = UInt32(quality) }
        if let isEnabled = settings.isEnabled { $0.enabled = isEnabled }
      }
    }
    body.settings = controls.map { setting in
      .with {
        $0.id = setting.id
        $0.value = setting.value.wire
      }
    }
    if let subjectArea { body.subjectArea = subjectArea }
    if let livePhotos { body.livePhotos = try livePhotos.wire() }
    return body
  }
}
