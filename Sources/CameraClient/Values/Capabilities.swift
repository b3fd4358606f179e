/// A size and pixel format that a camera offers, with its rates.
public struct CameraFormat: Hashable, Sendable, Codable {
  /// The fourcc as V4L2 tools print it: "MJPG", "YUYV".
  public var pixelFormat: String
  /// The size of its frames.
  public var size: FrameSize
  /// Frames a second, fastest first.
  public var frameRates: [Double]
  /// The driver's words for it.
  public var summary: String
  /// Why the node cannot take its frames, for people; nil if it can.
  public var problem: String?

  package init(
    pixelFormat: String, size: FrameSize, frameRates: [Double], summary: String,
    problem: String? = nil
  ) {
    self.problem = problem
    self.pixelFormat = pixelFormat
    self.size = size
    self.frameRates = frameRates
    self.summary = summary
  }
}

/// The format that a running camera delivers.
public struct StreamFormat: Hashable, Sendable, Codable {
  /// The fourcc of the frames as the node holds them.
  public var pixelFormat: String
  /// The size of the frames.
  public var size: FrameSize
  /// Frames a second that the node keeps; nil when the driver does not say.
  public var frameRate: Double?
  /// The driver's fourcc. It differs from ``pixelFormat`` where the node converts.
  public var devicePixelFormat: String
  /// The driver's frames a second. More than ``frameRate`` where the node thins them out.
  public var deviceFrameRate: Double?
  /// How the camera's JPEGs are to be turned so that they are upright, as they say by their EXIF
  /// data. The node does that before it turns pictures as configured.
  public var orientation = Orientation()
}

/// What a camera can do now.
public struct Capabilities: Sendable, Encodable {
  /// A preset, and what the camera would run in.
  public struct Preset: Hashable, Sendable, Encodable {
    /// The preset.
    public var preset: SessionPreset
    /// The format.
    public var format: CameraFormat
  }

  /// A file that a photo can become.
  public struct Picture: Hashable, Sendable, Encodable {
    /// That of a ``PhotoFile``.
    public var mediaType: String
    /// Its size.
    public var size: FrameSize
    /// Whether its picture is the camera's own.
    public var isPassthrough: Bool
    /// Whether the camera changes its format for it: see ``PhotoSize/maximum``.
    public var switchesFormat: Bool
  }

  /// How far a photo can reach back.
  public struct Ring: Hashable, Sendable, Encodable {
    /// The most frames.
    public var frames: Int
    /// From the oldest to the newest.
    public var duration: Duration

    private enum CodingKeys: String, CodingKey {
      case frames
      case duration = "durationNanoseconds"
    }
  }

  /// How much it takes at a time.
  public struct Limits: Hashable, Sendable, Encodable {
    /// Photos that wait for their frame.
    public var waitingPhotos: Int
    /// Photos that are encoded.
    public var encodedPhotos: Int
    /// Settings in one request.
    public var settings: Int
    /// The largest picture that a reply can carry, in bytes.
    public var inlineByteCount: Int
    /// Pictures in one burst.
    public var burstPictures: Int
    /// Photos whose files may be still to be made later.
    public var deferredPhotos: Int
    /// The most bytes that these take on the disk.
    public var deferredByteCount: UInt64
  }

  /// In the device's order.
  public var formats: [CameraFormat]
  /// The presets that the camera has a format for.
  public var presets: [Preset]
  /// The format in which it runs; nil while it does not.
  public var format: StreamFormat?
  /// What photos are made now.
  public var pictures: [Picture]
  /// The controls with a meaning, without their values.
  public var controls: [Control]
  /// The format while the camera runs.
  public var ring: Ring?
  /// At a time.
  public var limits: Limits
  /// What its timestamps mark.
  public var timestampMark: TimestampMark
  /// The bound of the wall clock's error; nil if it is unknown.
  public var wallError: Duration?
  /// Whether it says with each frame how it took it.
  public var saysFacts: Bool
  /// Whether it has a flash.
  public var hasFlash: Bool
  /// Whether it has a torch.
  public var hasTorch: Bool
  /// Whether it delivers distances.
  public var hasDepth: Bool
  /// The depth camera that goes with it; nil if it has none.
  public var depthCamera: String?
  /// Whether focus or exposure can be told where to look.
  public var hasPointsOfInterest: Bool
  /// Whether the node reads the camera's own clock, so that frames have a ``DeviceTime`` once it
  /// knows that clock well enough.
  public var saysDeviceTime: Bool

  private enum CodingKeys: String, CodingKey {
    case formats, presets, format, pictures, controls, ring, limits, timestampMark
    case wallError = "wallErrorNanoseconds"
    case saysFacts, hasFlash, hasTorch, hasDepth, depthCamera, hasPointsOfInterest, saysDeviceTime
  }
}

/// The geometry of a camera: the result of its calibration.
public struct Calibration: Hashable, Sendable, Codable {
  /// Changes with every byte of the calibration.
  public var id: String
  /// The size of the pictures it was made with.
  public var size: FrameSize
  /// Row by row, 3 × 3, in pixels.
  public var cameraMatrix: [Double]
  /// "plumb_bob", "rational_polynomial" or "equidistant".
  public var distortionModel: String
  /// The model's coefficients.
  public var distortion: [Double]
  /// Row by row, 3 × 3; empty if there is none.
  public var rectification: [Double]
  /// Row by row, 3 × 4; empty if there is none.
  public var projection: [Double]
}

extension Capabilities: CustomStringConvertible {
  /// "12 formats, 8 controls with a meaning, runs at 1280x720 MJPG at 30/s".
  public var description: String {
    let now = format.map { ", runs at \($0)" } ?? ""
    return "\(formats.count) formats, \(controls.count) controls with a meaning\(now)"
  }
}
