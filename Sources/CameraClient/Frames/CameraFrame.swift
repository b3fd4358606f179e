import CameraProtocol
import EventLoop
import ZeroMQ

/// One frame of a camera as it was received. Its bytes are shared, not copied, however often it is passed on.
public struct CameraFrame: Sendable {
  /// The camera's number of the frame, from 1 at the start of its stream.
  public let sequence: UInt64
  /// When it was exposed.
  public let timestamp: Timestamp
  /// Whether the timestamp marks the start of the exposure, or else its end.
  public let isStartOfExposure: Bool
  /// The size of the picture.
  public let size: FrameSize
  /// The fourcc: "JPEG" or "MJPG" for compressed frames, "YUYV", "NV12", … for raw ones.
  public let pixelFormat: String
  /// Bytes from one row to the next of the first plane; 0 for compressed frames.
  public let bytesPerLine: Int
  /// When it passed the stages of its way.
  public let stages: FrameStages
  private let payload: Message

  /// Nil when the header does not describe a frame.
  init?(_ header: PublicationHeader, _ payload: Message, received: MonotonicTime) {
    guard let frame = header.frame else { return nil }
    sequence = frame.sequence
    timestamp = Timestamp(frame.timestamp)
    isStartOfExposure = frame.isStartOfExposure
    size = FrameSize(width: Int(frame.width), height: Int(frame.height))
    pixelFormat = frame.pixelFormat
    bytesPerLine = Int(frame.bytesPerLine)
    stages = FrameStages(
      exposed: frame.timestamp.monotonic,
      dequeued: frame.dequeued,
      copied: frame.copied,
      encodeStarted: frame.encodeStarted == 0 ? nil : frame.encodeStarted,
      encodeFinished: frame.encodeFinished == 0 ? nil : frame.encodeFinished,
      sent: header.sent.monotonic,
      received: received.nanoseconds
    )
    self.payload = payload
  }

  /// How many bytes it has.
  public var byteCount: Int { payload.count }

  /// Lends the bytes to `body`, without a copy.
  public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try payload.withBytes(body)
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] { payload.bytes }
}
