/// Turns planes, without loss.
final class PlaneTurner {
  private let buffer = PlaneBuffer()
  private let expansion = PlaneBuffer()

  /// - Returns: Planes in this object's memory, valid until the next call, with memory for whole
  ///   blocks whose padding repeats the last column and row. Chroma keeps its samples, so 4:2:2
  ///   becomes 4:4:0 where width and height change places. Where incomplete chroma samples at an
  ///   edge would come to the opposite one, or no JPEG has the turned subsampling, chroma becomes
  ///   4:4:4.
  func turn(_ source: Planes, _ orientation: Orientation) -> Planes {
    let subsampling = unsafe orientation.turned(source.subsampling, of: source.size)
    let source = unsafe subsampling == nil ? expand(source) : source
    let size = unsafe orientation.turned(source.size)
    let target = unsafe buffer.planes(
      (subsampling ?? .yuv444).wholeBlocks(size), subsampling ?? .yuv444)
    unsafe Self.turn(source.luma, orientation, into: target.luma)
    if let from = unsafe source.chroma, let into = unsafe target.chroma {
      unsafe Self.turn(from.blue, orientation, into: into.blue)
      unsafe Self.turn(from.red, orientation, into: into.red)
    }
    var result = unsafe target.readable
    unsafe result.size = size
    return unsafe result
  }

  /// Gives each pixel chroma samples of its own.
  private func expand(_ source: Planes) -> Planes {
    guard let chroma = unsafe source.chroma else { return unsafe source }
    let planes = unsafe expansion.planes(source.size, .yuv444)
    if let target = unsafe planes.chroma {
      unsafe Self.expand(chroma.blue, source.subsampling, into: target.blue)
      unsafe Self.expand(chroma.red, source.subsampling, into: target.red)
    }
    var result = unsafe planes.readable
    unsafe result.luma = source.luma
    return unsafe result
  }

  private static func expand(
    _ source: Plane, _ subsampling: ChromaSubsampling, into target: MutablePlane
  ) {
    for y in unsafe 0..<target.size.height {
      let (from, into) = unsafe (source.row(y / subsampling.vertical), target.row(y))
      for x in unsafe 0..<target.size.width { unsafe into[x] = from[x / subsampling.horizontal] }
    }
  }

  /// Columns that are written before the next row begins. Where columns become rows, each reads
  /// another cache line, and the next row reads the same lines.
  private static let strip = 64

  private static func turn(
    _ source: Plane, _ orientation: Orientation, into target: MutablePlane
  ) {
    let stride = unsafe source.stride
    let toNextColumn = orientation.reversesColumns ? -1 : 1
    let toNextRow = orientation.reversesRows ? -stride : stride
    let (across, down) =
      orientation.rotation.swapsSides ? (toNextRow, toNextColumn) : (toNextColumn, toNextRow)
    let start =
      unsafe source.start + (orientation.reversesColumns ? source.size.width - 1 : 0)
      + (orientation.reversesRows ? (source.size.height - 1) * stride : 0)
    let size = unsafe orientation.turned(source.size)
    for left in Swift.stride(from: 0, to: size.width, by: strip) {
      let count = min(strip, size.width - left)
      for y in 0..<size.height {
        let into = unsafe target.row(y) + left
        var from = unsafe start + (left * across + y * down)
        for x in 0..<count {
          unsafe into[x] = from.pointee
          unsafe from += across
        }
      }
    }
    unsafe target.pad(beyond: size)
  }
}

extension Orientation {
  /// The subsampling of the turned picture if its chroma samples can stay whole; else nil.
  fileprivate func turned(
    _ subsampling: ChromaSubsampling, of size: ImageSize
  ) -> ChromaSubsampling? {
    if subsampling.isGrey { return subsampling }
    let sample = ImageSize(width: subsampling.horizontal, height: subsampling.vertical)
    guard keepsTiles(of: sample, in: size) else { return nil }
    let turned = turned(sample)
    let result = ChromaSubsampling(horizontal: turned.width, vertical: turned.height)
    return result.turboJPEG == nil ? nil : result
  }
}
