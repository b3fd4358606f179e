/// Scales planes down. Each target sample is the mean of the area it covers; partly covered samples
/// count partly.
final class PlaneScaler {
  /// The source samples that one target sample covers, in one direction.
  private struct Cover {
    var first: Int
    var firstWeight: Float
    var last: Int
    /// 0 if the first sample is the only one.
    var lastWeight: Float

    init(_ index: Int, of target: Int, from source: Int) {
      let (start, end) = (index * source, (index + 1) * source)
      first = start / target
      last = (end - 1) / target
      firstWeight = 1 - Float(start % target) / Float(target)
      lastWeight = last == first ? 0 : Float(end - last * target) / Float(target)
    }

    func weight(of sample: Int) -> Float {
      sample == first ? firstWeight : sample == last ? lastWeight : 1
    }
  }

  private let buffer = PlaneBuffer()
  private var columns: [Cover] = []
  /// The weighted sums of the rows that a target row covers.
  private var sums: [Float] = []

  /// - Parameter size: At most the source's size.
  /// - Returns: Planes in this object's memory, valid until the next call. If the source already
  ///   has this size, it is returned itself.
  func scale(_ source: Planes, to size: ImageSize) -> Planes {
    guard unsafe size != source.size else { return unsafe source }
    let target = unsafe buffer.planes(size, source.subsampling)
    unsafe scale(source.luma, into: target.luma)
    if let from = unsafe source.chroma, let into = unsafe target.chroma {
      unsafe scale(from.blue, into: into.blue)
      unsafe scale(from.red, into: into.red)
    }
    return unsafe target.readable
  }

  /// - Parameter target: At most as large as the source.
  func scale(_ source: Plane, into target: MutablePlane) {
    let (from, to) = unsafe (source.size, target.size)
    columns.removeAll(keepingCapacity: true)
    for x in 0..<to.width { columns.append(Cover(x, of: to.width, from: from.width)) }
    if sums.count < from.width { sums = Array(repeating: 0, count: from.width) }
    let area = Float(from.width * from.height) / Float(to.width * to.height)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      for y in 0..<to.height {
        let rows = Cover(y, of: to.height, from: from.height)
        unsafe sums.update(repeating: 0, count: from.width)
        for row in rows.first...rows.last {
          unsafe Self.add(source.row(row), rows.weight(of: row), to: sums, count: from.width)
        }
        unsafe Self.average(sums, columns.span, scale: 1 / area, into: target.row(y))
      }
    }
  }

  private static func add(
    _ row: UnsafePointer<UInt8>,
    _ weight: Float,
    to sums: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    for x in 0..<count { unsafe sums[x] += weight * Float(row[x]) }
  }

  private static func average(
    _ sums: UnsafePointer<Float>,
    _ columns: Span<Cover>,
    scale: Float,
    into row: UnsafeMutablePointer<UInt8>
  ) {
    for x in columns.indices {
      let cover = columns[x]
      var sum = unsafe cover.firstWeight * sums[cover.first] + cover.lastWeight * sums[cover.last]
      var column = cover.first &+ 1
      while column < cover.last {
        unsafe sum += sums[column]
        column &+= 1
      }
      unsafe row[x] = UInt8(min(255, sum * scale + 0.5))
    }
  }
}
