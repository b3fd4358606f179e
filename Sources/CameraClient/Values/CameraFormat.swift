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
