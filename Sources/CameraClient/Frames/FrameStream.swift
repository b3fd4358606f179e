package import CameraProtocol

/// A stream on which a camera's frames are published.
public struct FrameStream: Hashable, Sendable, LosslessStringConvertible {
  package let name: StreamName

  /// JPEGs that fit into 640x640.
  public static let preview = FrameStream(.preview)
  /// JPEGs of the camera's own size. They are the camera's own bytes where it delivers MJPEG.
  public static let full = FrameStream(.full)
  /// The frames as the node holds them, in the format of ``CameraStatus/format``.
  public static let raw = FrameStream(.raw)

  /// H.264: byte streams (Annex B), each a whole picture. ``CameraFrame/isKeyPicture`` says where a
  /// decoder can begin. A reader gets every picture from a key picture on; when some were lost, it
  /// goes on with the next key picture, for which the client asks.
  public static let h264 = FrameStream(.h264)

  /// JPEGs that fit into this size, 16 to 8192 pixels in each direction; nil for others.
  public static func size(_ size: FrameSize) -> FrameStream? {
    FrameStream(size.description)
  }

  /// The stream of this name; nil for a text that names no stream.
  public init?(_ description: String) {
    guard let name = StreamName(description) else { return nil }
    self.init(name)
  }

  package init(_ name: StreamName) {
    self.name = name
  }

  /// The name: "preview", "full", "raw", "h264" or a size such as "320x240".
  public var description: String { name.description }
}

/// How frames are dropped when they come faster than the reader takes them.
public struct FramePolicy: Hashable, Sendable {
  let limit: Int
  /// The least number of pictures of a video that wait.
  static let leastOfVideo = 60

  /// Up to this many of the newest frames wait. Older ones are dropped and counted as
  /// ``LossCounters/droppedByClient``.
  ///
  /// With 1 the reader always gets the newest frame. More frames bridge short delays of the reader
  /// and add latency.
  ///
  /// Of ``FrameStream/h264`` at least 60 pictures wait. A reader that falls further behind goes on
  /// with the next key picture.
  public static func newest(_ count: Int) -> FramePolicy {
    FramePolicy(limit: max(1, count))
  }
}
