import CameraProtocol
import SwiftProtobuf

/// A camera after a change of its configuration.
public struct ConfiguredCamera: Sendable, Encodable {
  /// Its status.
  public var status: CameraStatus
  /// The controls that were set, with the values that took effect.
  public var controls: [Control]
  /// The first frame that they affect; nil if the node did not look, or the stream was started
  /// anew.
  public var effect: ControlEffect?
}

extension Camera {
  /// Changes the camera's input, format, controls, rates and orientations: all of it, or nothing.
  /// What is nil stays as it is.
  ///
  /// A camera that runs goes on as before if anything fails. A stopped one takes the change for its
  /// next start. Orientations change without another start of the camera, and so do rates that its
  /// frames can be thinned out to.
  ///
  /// - Parameters:
  ///   - input: The device to take the place of the present one: the identity or location of one
  ///     that ``CameraBus/devices()`` lists, or ``CameraStatus/configuredInput``. The camera keeps
  ///     its name. The device has its own format and controls; one that the camera had before has
  ///     them as the camera left them.
  ///   - mode: What the camera is mainly used for: without a preset and a format, it stands for
  ///     ``SessionPreset/photo`` or ``SessionPreset/high``.
  ///   - preset: What the format is for: the node takes the best one. The arguments below come
  ///     first.
  ///   - pixelFormat: A fourcc that ``formats()`` lists.
  ///   - size: The size of the frames, in pixels.
  ///   - frameRates: Frames a second: the fastest rate that the camera has in this range, or a
  ///     faster one thinned out.
  ///   - capture: How photos and movies are turned that are asked for from now on.
  ///   - preview: How the encoded streams are turned.
  ///   - streams: How streams are sent: at most 32, each once.
  ///   - controls: Values for controls, set in this order.
  ///   - findsEffect: As in ``set(_:findsEffect:rampRate:)``.
  ///   - subjectArea: Which part of the picture must look different for a ``SubjectAreaChange``,
  ///     0...1; 0 for no such events.
  ///   - endsRecording: Whether the change may end the movie that the camera records.
  /// - Throws: `unsupportedFormat`, `noSuchControl`, `controlNotWritable`, `invalidArgument`;
  ///   `conflict` if the change would end a movie and may not, if another camera has the input, or
  ///   if another client holds the camera's lease; `interrupted` while the camera is, unless it
  ///   gets another input; and errors of devices.
  @discardableResult
  public func configure(
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
    findsEffect: Bool? = nil,
    subjectArea: Double? = nil,
    endsRecording: Bool = false
  ) async throws(CameraBusError) -> ConfiguredCamera {
    var body = WireConfigureRequest()
    body.camera = name
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
    if let size {
      body.size = try Arguments.size(size, "size")
    }
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
      let quality = try Arguments.quality(settings.quality)
      return .with {
        $0.stream = settings.stream.description
        if let rate = settings.maximumRate { $0.maximumRate = rate }
        if settings.quality != nil { $0.quality = quality }
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
    body.endRecording = endsRecording
    if let findsEffect { body.findEffect = findsEffect }
    guard case .configure(let reply) = try await bus.request(.configure(body), .changing),
      reply.camera.name == name, reply.controls.map(\.id) == controls.map(\.id)
    else { throw .unexpectedReply }
    return ConfiguredCamera(
      status: CameraStatus(reply.camera), controls: reply.controls.map(Control.init),
      effect: reply.hasEffect ? ControlEffect(reply.effect) : nil)
  }
  /// Forgets what clients have changed of the camera (``CameraStatus/remembered``). It stays as it
  /// is until its node starts again, which starts it as it is configured.
  /// - Throws: `unsupported` where nothing is remembered of the camera; `storageFailed` where it is
  ///   still on the disk; `conflict` if another client holds the camera's lease.
  @discardableResult
  public func forget() async throws(CameraBusError) -> CameraStatus {
    var body = WireConfigureRequest()
    (body.camera, body.forget) = (name, true)
    guard case .configure(let reply) = try await bus.request(.configure(body), .changing),
      reply.camera.name == name
    else { throw .unexpectedReply }
    return CameraStatus(reply.camera)
  }
}
