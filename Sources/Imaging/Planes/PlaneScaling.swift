/// Scaling down by the mean of all source samples that fall into a target sample.
enum PlaneScaling {
  /// - Parameters:
  ///   - kind: expands the result to full range as this kind of plane; nil leaves it as it is.
  ///   - sums: as many words as the target is wide.
  static func scale(
    _ source: Planes.Plane,
    _ sourceSize: ImageSize,
    to target: UnsafeMutablePointer<UInt8>,
    _ targetSize: ImageSize,
    expandsAs kind: PlaneKind?,
    sums: UnsafeMutablePointer<UInt32>
  ) {
    for y in 0..<targetSize.height {
      let rows = span(y, targetSize.height, sourceSize.height)
      unsafe sums.update(repeating: 0, count: targetSize.width)
      for row in rows {
        let line = unsafe source.start + row * source.stride
        for x in 0..<targetSize.width {
          var sum: UInt32 = 0
          for column in span(x, targetSize.width, sourceSize.width) {
            sum &+= UInt32(unsafe line[column])
          }
          unsafe sums[x] &+= sum
        }
      }
      let line = unsafe target + y * targetSize.width
      for x in 0..<targetSize.width {
        let count = UInt32(rows.count * span(x, targetSize.width, sourceSize.width).count)
        let mean = UInt8(truncatingIfNeeded: unsafe (sums[x] &+ count / 2) / count)
        unsafe line[x] =
          switch kind {
          case nil: mean
          case .luma: RangeExpansion.luma(mean)
          case .chroma: RangeExpansion.chroma(mean)
          }
      }
    }
  }

  @inline(__always)
  private static func span(_ index: Int, _ target: Int, _ source: Int) -> Range<Int> {
    let first = index &* source / target
    return unsafe Range(uncheckedBounds: (first, max(first &+ 1, (index &+ 1) &* source / target)))
  }
}
