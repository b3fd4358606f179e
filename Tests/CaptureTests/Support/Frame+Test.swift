import Imaging
import TestSupport

@testable import Capture

extension Frame {
  /// A small grey frame with this timestamp. All its pixels have the value `shade`.
  static func sample(
    at nanoseconds: Int64, marks: TimestampMark = .exposureStart,
    exposedFrom start: Int64? = nil, shade: UInt8 = 128,
    size: ImageSize = ImageSize(width: 16, height: 16)
  ) throws -> Frame {
    let layout = try ImageLayout(size: size, pixelFormat: .grey, range: .full)
    let bytes = [UInt8](repeating: shade, count: layout.byteCount)
    return try .made(of: bytes, layout, at: nanoseconds, marks: marks, exposedFrom: start)
  }
}
