import CPixels

/// Finds out by how many whole pixels a frame is shifted against the reference: first by cells,
/// then by pixels near the best shift of cells.
final class FrameAligner {
  /// In pixels, in each direction.
  static let reach = 32
  /// Pixels around the best shift of cells.
  private static let fineReach = 3
  /// The pixels that are compared: enough to tell a shift from noise.
  private static let comparedPixels = 65_536
  /// A picture with fewer pixels across or down is not aligned, because chance would decide.
  private static let leastLength = 32
  /// A shift must make the difference smaller than this share of the difference without a shift.
  /// Otherwise chance would shift a picture without detail.
  private static let improvement = 0.98

  private let cells = PlaneCells()
  private let samples = SampleMemory()
  private let spare = SampleMemory()

  /// - Parameter picture: A picture with the reference's layout.
  func shift(_ picture: UnsafePointer<UInt8>, _ reference: ReferencePlane) -> FrameShift {
    let plane = reference.plane
    guard min(plane.size.width, plane.size.height) >= Self.leastLength else { return .none }
    cells.start(plane)
    let row = unsafe samples.bytes(plane.bytesPerRow)
    for y in 0..<plane.size.height {
      unsafe take(picture, plane, y, into: row)
      unsafe cells.add(row, row: y, of: plane, largest: reference.largest)
    }
    return unsafe fineShift(picture, reference, near: coarseShift(reference))
  }

  private func coarseShift(_ reference: ReferencePlane) -> FrameShift {
    let size = cells.size
    // At least half of the picture overlaps.
    let reach = (
      x: min(Self.reach / PlaneCells.length, size.width / 4),
      y: min(Self.reach / PlaneCells.length, size.height / 4)
    )
    let spacing = max(1, size.width * size.height / Self.comparedPixels)
    var best = (shift: FrameShift.none, distance: Double.infinity)
    for shift in Self.shifts(reach.x, reach.y, by: 1) {
      let (columns, rows) = shift.overlap(size)
      var (sum, count) = (0, 0)
      for y in stride(from: rows.lowerBound, to: rows.upperBound, by: spacing) {
        count += columns.count
        unsafe sum += Int(
          CPixels_distance(
            reference.cells.row(y) + columns.lowerBound,
            cells.row(y + shift.y) + (columns.lowerBound + shift.x), false, columns.count))
      }
      let distance = Double(sum) / Double(count)
      if distance < best.distance { best = (shift, distance) }
    }
    return FrameShift(
      x: best.shift.x * PlaneCells.length, y: best.shift.y * PlaneCells.length)
  }

  private func fineShift(
    _ picture: UnsafePointer<UInt8>, _ reference: ReferencePlane, near coarse: FrameShift
  ) -> FrameShift {
    let plane = reference.plane
    var candidates = Self.shifts(Self.fineReach, Self.fineReach, by: plane.period).map {
      Distance(shift: FrameShift(x: coarse.x + $0.x, y: coarse.y + $0.y))
    }.filter { abs($0.shift.x) <= Self.reach && abs($0.shift.y) <= Self.reach }
    if !candidates.contains(where: { $0.shift == .none }) {
      candidates.append(Distance(shift: .none))
    }
    let row = unsafe samples.bytes(plane.bytesPerRow)
    let spacing = max(1, min(8, plane.size.width * plane.size.height / Self.comparedPixels))
    for y in stride(from: 0, to: plane.size.height, by: spacing) {
      unsafe take(picture, plane, y, into: row)
      for index in candidates.indices {
        let shift = candidates[index].shift
        let (columns, rows) = shift.overlap(plane.size)
        guard rows.contains(y - shift.y) else { continue }
        let count = columns.count * plane.channels
        let start = columns.lowerBound * plane.channels * plane.bytesPerSample
        let otherStart = start + shift.x * plane.channels * plane.bytesPerSample
        candidates[index].sum += unsafe Int(
          CPixels_distance(
            reference.row(y - shift.y) + start, row + otherStart, plane.isDeep, count))
        candidates[index].count += count
      }
    }
    let unshifted = candidates.first { $0.shift == .none }?.mean ?? 0
    let best = candidates.min { $0.mean < $1.mean }
    guard let best, best.mean < Self.improvement * unshifted else { return .none }
    return best.shift
  }

  /// The difference of two frames at one shift.
  private struct Distance {
    var shift: FrameShift
    var sum = 0
    var count = 0

    var mean: Double { count == 0 ? .infinity : Double(sum) / Double(count) }
  }

  /// All shifts up to a reach, none first.
  private static func shifts(_ x: Int, _ y: Int, by step: Int) -> [FrameShift] {
    func steps(_ reach: Int) -> [Int] {
      stride(from: -(reach / step * step), through: reach, by: step).sorted { abs($0) < abs($1) }
    }
    return steps(y).flatMap { y in steps(x).map { x in FrameShift(x: x, y: y) } }
  }

  private func take(
    _ picture: UnsafePointer<UInt8>, _ plane: SamplePlane, _ y: Int,
    into target: UnsafeMutableRawPointer
  ) {
    unsafe plane.take(
      picture, row: y, 0..<plane.samplesPerRow, into: target,
      spare: spare.values(plane.samplesPerRow))
  }
}
