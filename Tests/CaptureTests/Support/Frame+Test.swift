import EventLoop
import Imaging

@testable import Capture

extension Frame {
  /// A small grey frame of this time; all its pixels have the value `shade`.
  static func sample(
    at nanoseconds: Int64, marks: TimestampMark = .startOfExposure, shade: UInt8 = 128,
    size: ImageSize = ImageSize(width: 16, height: 16)
  ) throws -> Frame {
    let layout = try ImageLayout(size: size, pixelFormat: .grey, range: .full)
    let pool = FramePool(limit: 1, byteCount: layout.byteCount, layout: layout)
    guard var draft = pool.take() else { throw CaptureError(.overloaded, "no frame in a new pool") }
    draft.withBytes { bytes in
      for offset in 0..<layout.byteCount {
        bytes.storeBytes(of: shade, toByteOffset: offset, as: UInt8.self)
      }
    }
    let time = MonotonicTime(nanoseconds: nanoseconds)
    return draft.seal(
      layout: layout,
      metadata: FrameMetadata(
        sequence: 1, timestamp: time, marks: marks, dequeued: time, copied: time,
        wallClock: WallClockSample(offset: 0, error: 0)),
      byteCount: layout.byteCount)
  }
}
