import CPixels

/// Scales bitmaps, and enlarges their middle, as `PlaneScaler` does with planes: each sample of the
/// target is the mean of the area that it covers.
final class BitmapScaler {
  private var columns: [CPixels_Cover] = []
  /// The weighted sums of the rows that a target row covers.
  private var sums: [Float] = []

  /// - Parameters:
  ///   - size: At most the source's size.
  ///   - zoom: 1 or more: the middle of the source that is scaled is smaller by this.
  func scale(_ source: Bitmap, to size: ImageSize, zoom: Zoom) -> Bitmap {
    guard size != source.size || zoom != 1 else { return source }
    columns.removeAll(keepingCapacity: true)
    for x in 0..<size.width {
      columns.append(
        CPixels_Cover(x, of: size.width, from: source.size.width, zoom: zoom.horizontal))
    }
    let channels = source.samples.channels
    let count = source.size.width * channels
    if sums.count < count { sums = Array(repeating: 0, count: count) }
    return unsafe Bitmap(size, source.samples, significantBits: source.significantBits) { target in
      unsafe source.bytes.withUnsafeBytes { bytes in
        guard let first = bytes.baseAddress else { return }
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          guard let sums = sums.baseAddress else { return }
          for y in 0..<size.height {
            let rows = CPixels_Cover(
              y, of: size.height, from: source.size.height, zoom: zoom.vertical)
            unsafe sums.update(repeating: 0, count: count)
            for row in rows.first...rows.last {
              let samples = unsafe first + Int(row) * source.bytesPerLine
              unsafe Self.add(
                samples, source.samples, weight: rows.weight(of: row), to: sums, count: count)
            }
            let row = unsafe target + y * size.width * source.samples.bytesPerPixel
            unsafe average(sums, source.samples, into: row)
          }
        }
      }
    }
  }

  private static func add(
    _ row: UnsafeRawPointer, _ samples: Bitmap.Samples, weight: Float,
    to sums: UnsafeMutablePointer<Float>, count: Int
  ) {
    if samples.bytesPerChannel == 1 {
      unsafe CPixels_addWeighted(
        row.assumingMemoryBound(to: UInt8.self), weight, sums, count)
    } else {
      unsafe CPixels_addWeighted16(
        row.assumingMemoryBound(to: UInt16.self), weight, sums, count)
    }
  }

  private func average(
    _ sums: UnsafePointer<Float>, _ samples: Bitmap.Samples, into row: UnsafeMutableRawPointer
  ) {
    unsafe columns.withUnsafeBufferPointer { columns in
      if samples.bytesPerChannel == 1 {
        unsafe CPixels_averagePixels8(
          sums, columns.baseAddress, samples.channels,
          row.assumingMemoryBound(to: UInt8.self), columns.count)
      } else {
        unsafe CPixels_averagePixels16(
          sums, columns.baseAddress, samples.channels,
          row.assumingMemoryBound(to: UInt16.self), columns.count)
      }
    }
  }
}
