import CPixels

/// Scales planes, and enlarges their middle. Each target sample is the mean of the area that it
/// covers; partly covered samples count partly.
///
/// An area is at least as large as one sample. So a larger picture is interpolated between two
/// samples in each direction, and a smaller one loses no detail.
final class PlaneScaler {
  private let buffer = PlaneBuffer()
  private var columns: [CPixels_Cover] = []
  /// The weighted sums of the rows that a target row covers.
  private var sums: [Float] = []

  /// - Parameters:
  ///   - size: At most the source's size.
  ///   - zoom: 1 or more: the middle of the source that is scaled is smaller by this.
  /// - Returns: Planes in this object's memory, valid until the next call. If the source already
  ///   has this size, and is not zoomed, it is returned itself.
  func scale(_ source: Planes, to size: ImageSize, zoom: Zoom = 1) -> Planes {
    guard unsafe size != source.size || zoom != 1 else { return unsafe source }
    let target = unsafe buffer.planes(size, source.subsampling)
    unsafe scale(source.luma, into: target.luma, zoom: zoom)
    if let from = unsafe source.chroma, let into = unsafe target.chroma {
      unsafe scale(from.blue, into: into.blue, zoom: zoom)
      unsafe scale(from.red, into: into.red, zoom: zoom)
    }
    return unsafe target.readable
  }

  func scale(_ source: Plane, into target: MutablePlane, zoom: Zoom = 1) {
    let (from, to) = unsafe (source.size, target.size)
    columns.removeAll(keepingCapacity: true)
    for x in 0..<to.width {
      columns.append(CPixels_Cover(x, of: to.width, from: from.width, zoom: zoom.horizontal))
    }
    guard let left = columns.first?.first, let right = columns.last?.last else { return }
    let (start, count) = (Int(left), Int(right - left) + 1)
    if sums.count < from.width { sums = Array(repeating: 0, count: from.width) }
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      for y in 0..<to.height {
        let rows = CPixels_Cover(y, of: to.height, from: from.height, zoom: zoom.vertical)
        unsafe (sums + start).update(repeating: 0, count: count)
        for row in rows.first...rows.last {
          unsafe CPixels_addWeighted(
            source.row(Int(row)) + start, rows.weight(of: row), sums + start, count)
        }
        unsafe columns.withUnsafeBufferPointer { columns in
          unsafe CPixels_average(sums, columns.baseAddress, target.row(y), columns.count)
        }
      }
    }
  }
}

extension CPixels_Cover {
  /// The samples of a source that one sample of the target covers, in one direction.
  init(_ index: Int, of target: Int, from source: Int, zoom: Double) {
    let step = Double(source) / (zoom * Double(target))
    let middle = Double(source) / 2 + (Double(index) + 0.5 - Double(target) / 2) * step
    let reach = max(1, step) / 2
    // Without the rounding errors that would let it touch one more sample.
    let start = Self.rounded(max(0, middle - reach))
    let end = Self.rounded(min(Double(source), middle + reach))
    let first = min(Int(start), source - 1)
    let last = min(max(first, Int(end.rounded(.up)) - 1), source - 1)
    let share = 1 / (end - start)
    self.init(
      first: Int32(first), last: Int32(last),
      firstWeight: Float((min(end, Double(first + 1)) - start) * share),
      lastWeight: last == first ? 0 : Float((end - Double(last)) * share),
      weight: Float(share))
  }

  func weight(of sample: Int32) -> Float {
    sample == first ? firstWeight : sample == last ? lastWeight : weight
  }

  private static func rounded(_ position: Double) -> Double {
    (position * 0x1p24).rounded() * 0x1p-24
  }
}
