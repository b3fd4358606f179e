import CVideo4Linux
import Capture
import Imaging

/// How the planes of a picture, each in a buffer of its own, become one picture.
struct PlaneJoint: Hashable, Sendable {
  /// Where the rows of one plane are, in its buffer and in the picture.
  struct Plane: Hashable, Sendable {
    var rowCount: Int
    /// The bytes of a row without padding.
    var rowLength: Int
    var sourceStride: Int
    var offset: Int
    var stride: Int

    /// The bytes of the buffer that have rows.
    var sourceByteCount: Int { (rowCount - 1) * sourceStride + rowLength }
  }

  let planes: [Plane]

  private static let joined: [(separate: StaticString, joined: PixelFormat)] = [
    ("NM12", .nv12), ("NM21", .nv21), ("NM16", .nv16),
    ("YM12", .yu12), ("YM21", .yv12), ("YM16", .yuv422p),
  ]

  /// The format of the joined picture, such as NV12 of NV12M; nil if the planes of `format` are in
  /// one buffer.
  static func format(of format: PixelFormat) -> PixelFormat? {
    joined.first { "\($0.separate)" == format.name }?.joined
  }

  /// - Parameters:
  ///   - layout: The picture's, whose first plane has the rows of the first buffer.
  ///   - planes: As the driver describes them.
  /// - Returns: Nil if the driver has other planes than the format.
  init?(of layout: ImageLayout, _ planes: [DriverFormat.Plane]) {
    let targets = layout.planes
    guard planes.count == targets.count else { return nil }
    self.planes = zip(targets, planes).map { target, source in
      Plane(
        rowCount: target.rowCount, rowLength: target.rowLength, sourceStride: source.bytesPerLine,
        offset: target.offset, stride: target.stride)
    }
    guard self.planes.allSatisfy({ $0.rowLength <= $0.sourceStride }) else { return nil }
  }

  /// Copies one plane to its place in the picture. The buffer must have `sourceByteCount` bytes.
  /// - Parameter isAwaited: Whether a consumer waits for the picture.
  static func copy(
    _ plane: Plane, of source: RawSpan, into picture: inout MutableRawSpan, isAwaited: Bool
  ) {
    if plane.stride == plane.sourceStride {
      return picture.copyPicture(
        source.extracting(first: plane.sourceByteCount), at: plane.offset, isAwaited: isAwaited)
    }
    for row in 0..<plane.rowCount {
      let start = row * plane.sourceStride
      picture.copyPicture(
        source.extracting(start..<start + plane.rowLength),
        at: plane.offset + row * plane.stride, isAwaited: isAwaited)
    }
  }
}
