import CPixels

/// Adds frames to the planes of a reference where only noise tells them apart.
///
/// Each difference to the reference is compared with the measured noise: alone, and in a box of
/// nine by nine samples of its kind.
final class PlaneMerger {
  private static let box = Int(CPixels_boxLength)
  private static let reach = box / 2
  /// Rows that are kept: those of a box and the one that leaves it, rounded up to a power of two.
  private static let keptRows = 16

  private let others = SampleMemory()
  private let spare = SampleMemory()
  private let differences = SampleMemory()
  private let sums = SampleMemory()
  private let magnitudes = SampleMemory()
  private let weights = SampleMemory()
  private let gains = SampleMemory()

  /// Measures the noise of a frame with the reference's layout.
  func noise(
    _ picture: UnsafePointer<UInt8>, _ reference: ReferencePlane, shift: FrameShift
  ) -> NoiseModel {
    let plane = reference.plane
    let (columns, rows) = shift.overlap(plane.size)
    let site = ImageSize(width: min(Self.box, columns.count), height: min(Self.box, rows.count))
    let lag = min(Self.reach, site.width - 1)
    let count = columns.count * plane.channels
    let rowBytes = count * plane.bytesPerSample
    var sites: [NoiseModel.Site] = []
    for y in Self.places(rows, site.height, most: 32) {
      let other = unsafe others.bytes(site.height * rowBytes)
      for row in 0..<site.height {
        unsafe take(picture, plane, y + row, columns, shift, into: other + row * rowBytes)
      }
      for x in Self.places(columns, site.width, most: 64) {
        for channel in 0..<plane.channels {
          let start = x * plane.channels + channel
          let otherStart = start - columns.lowerBound * plane.channels
          let probe = unsafe CPixels_probe(
            reference.row(y) + start * plane.bytesPerSample, plane.samplesPerRow,
            other + otherStart * plane.bytesPerSample, count, plane.isDeep, plane.channels,
            site.width, site.height, lag)
          sites.append(NoiseModel.Site(channel: channel, probe: probe))
        }
      }
    }
    let area = NoiseModel.Area(
      samples: site.width * site.height, pairs: (site.width - lag) * site.height)
    return NoiseModel(
      sites, area, channels: plane.channels, brightness: 255 / Float(reference.largest))
  }

  /// The starts of at most so many areas of this length in a range, evenly spread.
  private static func places(
    _ range: Range<Int>, _ length: Int, most: Int
  ) -> StrideTo<Int> {
    stride(
      from: range.lowerBound, to: range.upperBound - length + 1,
      by: max(box, (range.count + most - 1) / most))
  }

  /// Adds a frame with the reference's layout.
  func add(
    _ picture: UnsafePointer<UInt8>, to reference: ReferencePlane, shift: FrameShift,
    _ noise: NoiseModel
  ) {
    let plane = reference.plane
    let (columns, rows) = shift.overlap(plane.size)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let channels = plane.channels
    let samples = columns.lowerBound * channels..<columns.upperBound * channels
    let count = samples.count
    let margin = Self.reach * channels
    let padded = count + 2 * margin
    let sums: UnsafeMutablePointer<Int16> = unsafe sums.values(padded)
    let magnitudes: UnsafeMutablePointer<Int16> = unsafe magnitudes.values(padded)
    let weights: UnsafeMutablePointer<UInt8> = unsafe weights.values(count)
    let gains: UnsafeMutablePointer<Float> = unsafe gains.values(plane.samplesPerRow)
    let others = unsafe others.bytes(Self.keptRows * count * plane.bytesPerSample)
    let differences: UnsafeMutablePointer<Int16> = unsafe differences.values(
      (Self.keptRows + 1) * padded)
    // The last one stands for the rows before the first box.
    let zeros = unsafe differences + Self.keptRows * padded
    unsafe zeros.update(repeating: 0, count: padded)
    unsafe sums.update(repeating: 0, count: padded)
    unsafe magnitudes.update(repeating: 0, count: padded)

    func other(_ y: Int) -> UnsafeMutableRawPointer {
      unsafe others + y % Self.keptRows * count * plane.bytesPerSample
    }
    /// A row beyond the edge is the one as far inside it.
    func difference(_ y: Int) -> UnsafeMutablePointer<Int16> {
      unsafe differences + rows.mirrored(y) % Self.keptRows * padded
    }
    var next = rows.lowerBound
    func read(through last: Int) {
      while next <= min(last, rows.upperBound - 1) {
        if next == rows.lowerBound || next % PlaneCells.length == 0 {
          unsafe noise.fill(gains, reference.cells, row: next, of: plane)
        }
        unsafe take(picture, plane, next, columns, shift, into: other(next))
        let row = unsafe difference(next) + margin
        unsafe CPixels_differences(
          reference.row(next) + samples.lowerBound * plane.bytesPerSample, other(next),
          plane.isDeep, gains + samples.lowerBound, row, count)
        for step in 1...Self.reach {
          let (left, right) = (
            columns.mirroredInside(-step), columns.mirroredInside(columns.count - 1 + step)
          )
          for channel in 0..<channels {
            unsafe row[-step * channels + channel] = row[left * channels + channel]
            unsafe row[(columns.count - 1 + step) * channels + channel] =
              row[right * channels + channel]
          }
        }
        next += 1
      }
    }
    read(through: rows.lowerBound + Self.reach)
    for y in (rows.lowerBound - Self.reach)..<(rows.lowerBound + Self.reach) {
      unsafe CPixels_moveDown(difference(y), zeros, sums, magnitudes, padded)
    }
    var limits = noise.limits
    for y in rows {
      read(through: y + Self.reach)
      let leaving = unsafe y == rows.lowerBound ? zeros : difference(y - Self.reach - 1)
      unsafe CPixels_moveDown(difference(y + Self.reach), leaving, sums, magnitudes, padded)
      unsafe CPixels_weigh(
        sums, magnitudes, difference(y) + margin, channels, &limits, weights, count)
      unsafe reference.add(other(y), weights, row: y, samples)
    }
  }

  /// Copies the samples of a frame that belong to the reference's samples.
  private func take(
    _ picture: UnsafePointer<UInt8>, _ plane: SamplePlane, _ y: Int, _ columns: Range<Int>,
    _ shift: FrameShift, into target: UnsafeMutableRawPointer
  ) {
    let start = (columns.lowerBound + shift.x) * plane.channels
    let count = columns.count * plane.channels
    unsafe plane.take(
      picture, row: y + shift.y, start..<start + count, into: target, spare: spare.values(count))
  }
}

extension NoiseModel {
  /// The gains of a row of samples, by the brightness of their cells.
  fileprivate func fill(
    _ target: UnsafeMutablePointer<Float>, _ cells: PlaneCells, row y: Int, of plane: SamplePlane
  ) {
    let levels = unsafe cells.row(min(y / PlaneCells.length, cells.size.height - 1))
    let channels = plane.channels
    unsafe gains.withUnsafeBufferPointer { gains in
      for x in 0..<plane.size.width {
        let level = unsafe Int(levels[min(x / PlaneCells.length, cells.size.width - 1)])
        for channel in 0..<channels {
          unsafe target[x * channels + channel] = gains[256 * channel + level]
        }
      }
    }
  }
}

extension Range<Int> {
  /// The index itself, or the one as far inside the nearest end as it is outside.
  fileprivate func mirrored(_ index: Int) -> Int {
    let mirrored =
      index < lowerBound
      ? 2 * lowerBound - index : index >= upperBound ? 2 * (upperBound - 1) - index : index
    return Swift.min(Swift.max(mirrored, lowerBound), upperBound - 1)
  }

  /// The same for offsets from the lower end.
  fileprivate func mirroredInside(_ offset: Int) -> Int {
    mirrored(lowerBound + offset) - lowerBound
  }
}
