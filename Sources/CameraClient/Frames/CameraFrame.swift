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

  /// - Parameter publication: One of a frame topic, which has a frame's header.
  init(_ publication: Publication<Message>, received: MonotonicTime) {
    let header = publication.header.frame
    sequence = header.frameSequence
    timestamp = Timestamp(header.timestamp)
    isStartOfExposure = header.startOfExposure
    size = FrameSize(header.size)
    pixelFormat = header.pixelFormat
    bytesPerLine = Int(header.bytesPerLine)
    stages = FrameStages(
      exposed: header.timestamp.monotonicNs,
      dequeued: header.dequeuedNs,
      copied: header.copiedNs,
      encodeStarted: header.encodeStartedNs == 0 ? nil : header.encodeStartedNs,
      encodeFinished: header.encodeFinishedNs == 0 ? nil : header.encodeFinishedNs,
      sent: publication.header.sent.monotonicNs,
      received: received.nanoseconds
    )
    payload = publication.payload
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
