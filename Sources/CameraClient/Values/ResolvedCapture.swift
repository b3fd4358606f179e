/// The frame that was chosen for a photo, and how far it is from the moment asked for.
public struct ResolvedCapture: Hashable, Sendable, Codable {
  /// The frame's number since the camera's stream started, from 1.
  public var frameSequence: UInt64
  /// When it was exposed.
  public var timestamp: Timestamp
  /// Whether the timestamp marks the start of the exposure; otherwise it marks its end.
  public var isStartOfExposure: Bool
  /// The timestamp minus the moment asked for, nanoseconds; negative for a frame before it.
  public var offsetNanoseconds: Int64
  /// The bound of the offset's error, nanoseconds.
  public var uncertaintyNanoseconds: UInt64
  /// The picture's size.
  public var size: FrameSize
  /// Whether the picture has the camera's own bytes.
  public var isPassthrough: Bool
  /// The JPEG quality it was encoded with, 1 to 100; nil for a picture that was not encoded.
  public var quality: Int?
}
