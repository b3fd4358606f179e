import CameraClient
import NIOCore

/// A frame as a part of `multipart/x-mixed-replace`. All browsers share its bytes.
struct StreamPart: Sendable {
  static let boundary = "camerabus"
  static let contentType = "multipart/x-mixed-replace; boundary=\(boundary)"

  /// What stands before the first part.
  static let opening = ByteBuffer(string: "--\(boundary)\r\n")

  /// When the frame was taken, by the node's clock.
  let moment: MonotonicInstant
  /// The part with the boundary behind it. A browser shows a picture when the boundary has come, so
  /// it must not wait for the next picture.
  let bytes: ByteBuffer

  init(_ frame: CameraFrame) {
    moment = frame.timestamp.monotonic
    var head = "Content-Type: image/jpeg\r\nContent-Length: \(frame.byteCount)\r\n"
    for (name, value) in FrameHeaders.of(frame) { head += "\(name): \(value)\r\n" }
    let end = "\r\n--\(Self.boundary)\r\n"
    var bytes = ByteBufferAllocator().buffer(
      capacity: head.utf8.count + 2 + frame.byteCount + end.utf8.count)
    bytes.writeString(head)
    bytes.writeString("\r\n")
    frame.withBytes { picture in
      _ = unsafe picture.withUnsafeBytes { unsafe bytes.writeBytes($0) }
    }
    bytes.writeString(end)
    self.bytes = bytes
  }
}

/// What the headers of a picture say of its frame.
enum FrameHeaders {
  /// The number of the frame, when it was taken, and when it was exposed.
  static func of(_ frame: CameraFrame) -> [(name: String, value: String)] {
    of(frame: frame.sequence, frame.timestamp, frame.exposure)
  }

  /// Also how far it is from the moment that was asked for.
  static func of(_ shot: ResolvedCapture) -> [(name: String, value: String)] {
    let bounds = shot.offsetBounds
    return of(frame: shot.frameSequence, shot.timestamp, shot.exposure) + [
      ("CameraBus-Offset", shot.offset.decimalSeconds),
      (
        "CameraBus-Offset-Bounds",
        "\(bounds.earliest.decimalSeconds) \(bounds.latest.decimalSeconds)"
      ),
    ]
  }

  private static func of(
    frame: UInt64, _ time: Timestamp, _ exposure: ExposureBounds
  ) -> [(name: String, value: String)] {
    // The first as other servers of MJPEG write it.
    let headers = [
      ("X-Timestamp", time.wall.decimalSeconds(digits: 6)),
      ("CameraBus-Frame", "\(frame)"),
      ("CameraBus-Time", "\(time)"),
      ("CameraBus-Timestamp-Mark", exposure.timestampMark.rawValue),
      ("CameraBus-Monotonic-Time", time.monotonic.decimalSeconds()),
      (
        "CameraBus-Exposure-Bounds",
        "\(exposure.earliestStart.decimalSeconds()) \(exposure.latestEnd.decimalSeconds())"
      ),
    ]
    return headers + (time.wallError.map { [("CameraBus-Time-Error", $0.decimalSeconds)] } ?? [])
  }
}

extension Duration {
  /// Seconds with nine digits behind the point: "-0.012345678".
  var decimalSeconds: String {
    let (seconds, attoseconds) = components
    let sign = self < .zero ? "-" : ""
    let digits = String(abs(attoseconds) / 1_000_000_000)
    return "\(sign)\(abs(seconds)).\(String(repeating: "0", count: 9 - digits.count))\(digits)"
  }
}

extension ClockInstant {
  /// Seconds since the clock's zero.
  func decimalSeconds(digits: Int = 9) -> String {
    String(Duration.nanoseconds(nanoseconds).decimalSeconds.dropLast(9 - digits))
  }
}
