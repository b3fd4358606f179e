import CameraProtocol
import OperatingSystem
import ZeroMQ

/// One frame of a camera as it was received. Copies of it share its bytes.
public struct CameraFrame: Sendable {
  // The header as it was read: a plain value, which is cheap to copy.
  private let header: PublicationHeader.Frame
  private let sent: Int64
  private let received: MonotonicTime
  private let payload: Message

  init(
    _ header: PublicationHeader.Frame,
    _ payload: Message,
    sent: Int64,
    received: MonotonicTime
  ) {
    self.header = header
    self.payload = payload
    self.sent = sent
    self.received = received
  }

  /// The camera's number of the frame, from 1 at the start of its stream.
  public var sequence: UInt64 { header.sequence }
  /// Its time; ``ExposureBounds/timestampMark`` says what it marks.
  public var timestamp: Timestamp { Timestamp(header.timestamp) }
  /// When it was exposed.
  public var exposure: ExposureBounds {
    ExposureBounds(
      earliestStart: MonotonicInstant(nanoseconds: header.earliestStart),
      latestEnd: MonotonicInstant(nanoseconds: header.latestEnd),
      duration: .unlessZero(header.exposure),
      timestampMark: TimestampMark(
        WireTimestampMark(rawValue: Int(header.timestampMark)) ?? .unspecified)
    )
  }
  /// How else it was taken, as far as that is known.
  public var facts: FrameFacts { header.facts.map(FrameFacts.init) ?? FrameFacts() }
  /// When it was captured by the camera's own clock; nil if that is not known.
  public var deviceTime: DeviceTime? { header.deviceTime.map(DeviceTime.init) }
  /// The size of the picture.
  public var size: FrameSize { FrameSize(width: Int(header.width), height: Int(header.height)) }
  /// How the node turned the camera's picture. Raw frames are never turned.
  public var orientation: Orientation {
    header.orientation.map { Orientation($0) } ?? Orientation()
  }
  /// The fourcc: "JPEG" or "MJPG" for compressed frames, "H264" for those of a video, "YUYV",
  /// "NV12", … for raw ones.
  public var pixelFormat: String { header.pixelFormat.description }
  /// Whether a decoder of ``FrameStream/h264`` can begin with it. Always false of other streams,
  /// whose frames stand for themselves.
  public var isKeyPicture: Bool { header.isKeyPicture }
  /// Bytes from one row to the next of the first plane; 0 for compressed frames.
  public var bytesPerLine: Int { Int(header.bytesPerLine) }
  /// When it passed each stage of its way.
  public var stages: FrameStages {
    FrameStages(
      exposed: MonotonicInstant(nanoseconds: header.timestamp.monotonic),
      dequeued: MonotonicInstant(nanoseconds: header.dequeued),
      copied: MonotonicInstant(nanoseconds: header.copied),
      encodeStarted: MonotonicInstant(unlessZero: header.encodeStarted),
      encodeFinished: MonotonicInstant(unlessZero: header.encodeFinished),
      sent: MonotonicInstant(nanoseconds: sent),
      received: MonotonicInstant(nanoseconds: received.nanoseconds)
    )
  }

  /// The number of its bytes.
  public var byteCount: Int { payload.count }

  /// Lends the bytes to `body`, without a copy.
  public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try payload.withBytes(body)
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] { payload.bytes }
}
