import Capture
import Imaging
import Recording
import TestSupport

extension ImageSize {
  static let small = ImageSize(width: 160, height: 120)
}

/// A grey JPEG with noise, so that its size is realistic and each index gives a different picture.
func jpeg(_ index: Int, size: ImageSize = .small) throws -> [UInt8] {
  let layout = try ImageLayout(size: size, pixelFormat: .grey, range: .full)
  var random = UInt32(truncatingIfNeeded: index &* 2_654_435_761 | 1)
  let pixels = (0..<layout.byteCount).map { _ in
    random = random &* 1_664_525 &+ 1_013_904_223
    return UInt8(random >> 25) &+ UInt8(truncatingIfNeeded: index)
  }
  return try JPEGEncoder().encode(pixels, layout, quality: 80)
}

extension MovieWriter {
  func append(_ jpeg: [UInt8], at time: Int64) throws(RecordingError) {
    unsafe try append(jpeg.span.bytes, at: time)
  }
}

extension Frame {
  /// A frame of a camera: a JPEG with its time.
  static func jpeg(
    _ jpeg: [UInt8],
    at nanoseconds: Int64,
    size: ImageSize = .small,
    wallClockOffset: Int64 = 0
  ) throws -> Frame {
    try .made(
      of: jpeg, .compressed(.mjpeg, size: size), at: nanoseconds, wallClockOffset: wallClockOffset)
  }

  /// A frame whose memory is never touched, so that it costs none.
  static func blank(byteCount: Int) throws -> Frame {
    let layout = ImageLayout.compressed(.mjpeg, size: .small)
    let pool = FramePool(limit: 1, byteCount: byteCount, layout: layout)
    guard let draft = pool.take() else { throw CaptureError(.overloaded, "no frame in a new pool") }
    let frame = try Frame.jpeg([0], at: 0)
    return draft.seal(layout: layout, metadata: frame.metadata, byteCount: byteCount)
  }
}
