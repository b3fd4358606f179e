package import Capture
package import Imaging
import OperatingSystem

extension Frame {
  /// A copy of the picture's bytes.
  package var bytes: [UInt8] {
    withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
  }

  /// A camera's first frame with these bytes and this time, in its own memory.
  package static func made(
    of bytes: [UInt8], _ layout: ImageLayout, at nanoseconds: Int64,
    marks: TimestampMark = .exposureStart, exposedFrom start: Int64? = nil,
    wallClockOffset: Int64 = 0
  ) throws -> Frame {
    let pool = FramePool(limit: 1, byteCount: bytes.count, layout: layout)
    guard var draft = pool.take() else { throw CaptureError(.overloaded, "no frame in a new pool") }
    unsafe draft.copyBytes(of: bytes.span.bytes)
    let time = MonotonicTime(nanoseconds: nanoseconds)
    return draft.seal(
      layout: layout,
      metadata: FrameMetadata(
        sequence: 1, timestamp: time, marks: marks,
        exposure: ExposureBounds(
          earliestStart: MonotonicTime(nanoseconds: start ?? nanoseconds), latestEnd: time),
        dequeued: time, copied: time,
        wallClock: WallClockSample(offset: wallClockOffset, error: 0)),
      byteCount: bytes.count)
  }
}

extension PhotoFile {
  /// The file's bytes.
  package var bytes: [UInt8] {
    withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
  }

  /// A JPEG without what the node says about it; nil for another file.
  package var pictureBytes: [UInt8]? {
    withBytes { JPEGFactSegments.removed(from: $0) }
  }
}
