/// What a camera is configured to, apart from its format and its controls.
public struct CameraConfiguration: Hashable, Sendable, Codable {
  /// What it is mainly used for. It takes photos and records movies in every mode.
  public var mode: CaptureMode
  /// The preset that chose the format; ``SessionPreset/inputPriority`` if it was chosen without
  /// one.
  public var preset: SessionPreset
  /// How the streams ``FrameStream/preview``, ``FrameStream/full`` and sizes are turned.
  public var preview: Orientation
  /// How photos and movies are turned.
  public var capture: Orientation
  /// The lowest of the frame rates that were asked for; nil if none were.
  public var minimumRate: Double?
  /// The highest of the frame rates that were asked for; nil if none were.
  public var maximumRate: Double?
  /// The streams that have settings of their own.
  public var streams: [StreamSettings] = []
}

/// How one stream of a camera is sent.
public struct StreamSettings: Hashable, Sendable, Codable {
  /// The stream.
  public var stream: FrameStream
  /// Frames a second at most: the node leaves out the others, evenly. In a request, 0 stands for
  /// all frames and nil for as before.
  public var maximumRate: Double?
  /// JPEG quality 1 to 100, also of the camera's own JPEGs, which are then encoded again. In a
  /// request, 0 stands for the node's quality and nil for as before.
  public var quality: Int?
  /// False for a stream that is switched off: nothing is made for it or sent on it, and its readers
  /// wait. In a request, true switches it on again, and nil stands for as before.
  public var isEnabled: Bool?
  /// Of ``FrameStream/h264`` alone: bits a second, 10 000 to 1 000 000 000, instead of a quality.
  /// In a request, 0 stands for the quality again and nil for as before.
  public var bitRate: UInt64?
  /// Of ``FrameStream/h264`` alone: the longest time from one key picture to the next, 0.1 to 60
  /// seconds. In a request, zero stands for a second again and nil for as before.
  public var keyInterval: Duration?
  /// Of ``FrameStream/h264`` alone: what its pictures are scaled down to fit into. In a request, a
  /// size of 0x0 stands for the camera's size again and nil for as before.
  public var bound: FrameSize?

  /// Settings for a request.
  public init(
    _ stream: FrameStream, maximumRate: Double? = nil, quality: Int? = nil, isEnabled: Bool? = nil,
    bitRate: UInt64? = nil, keyInterval: Duration? = nil, bound: FrameSize? = nil
  ) {
    self.stream = stream
    self.maximumRate = maximumRate
    self.quality = quality
    self.isEnabled = isEnabled
    self.bitRate = bitRate
    self.keyInterval = keyInterval
    self.bound = bound
  }
}

extension FrameStream: Codable {
  /// Reads its name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let stream = FrameStream(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no stream")
    }
    self = stream
  }

  /// Writes its name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// What clients have changed of a camera and the next start of its node makes so again. Nil and
/// empty where they have changed nothing.
public struct RememberedChanges: Hashable, Sendable, Codable {
  /// A choice of format, which is remembered as a whole.
  public struct Format: Hashable, Sendable, Codable {
    /// What the camera is mainly used for.
    public var mode: CaptureMode
    /// What the format is for.
    public var preset: SessionPreset
    /// The fourcc that was asked for; nil for any. So are the size and the rate.
    public var pixelFormat: String?
    /// The size of the frames, in pixels.
    public var size: FrameSize?
    /// The camera's frames a second.
    public var frameRate: Double?
    /// The lowest of the frame rates that were asked for; nil if none were.
    public var minimumRate: Double?
    /// The highest of the frame rates that were asked for; nil if none were.
    public var maximumRate: Double?
  }

  /// A control's value.
  public struct Setting: Hashable, Sendable, Codable {
    /// The control.
    public var id: String
    /// Its value.
    public var value: ControlValue
  }

  /// The device whose format and controls these are.
  public var device: Device?
  /// The format.
  public var format: Format?
  /// How the encoded streams are turned.
  public var preview: Orientation?
  /// How photos and movies are turned.
  public var capture: Orientation?
  /// How streams are sent. As in a request, 0 or true stands where a setting was taken away.
  public var streams: [StreamSettings]
  /// The values of the driver's own controls, and of a zoom that the node makes.
  public var controls: [Setting]
  /// Which part of the picture must look different for a ``SubjectAreaChange``; 0 for no such
  /// events.
  public var subjectArea: Double?
  /// The movies of live photos, or ``LivePhotoSettings/off``.
  public var livePhotos: LivePhotoSettings?
  /// Why the last change is not kept, for people; nil if it is.
  public var problem: String?
}

/// Something that was wanted of a device when it was opened, and that it did not take.
public struct RefusedSetting: Hashable, Sendable, Codable {
  /// The name of a control; or "format", "preset", "mode", "maximum_rate", "streams", "remembered"
  /// or "configuration".
  public var setting: String
  /// Why, as a sentence for people.
  public var reason: String
}
