import CPixels

/// One plane of the reference with the weighted sums of all frames. It takes four bytes for each
/// sample of 8 bits, and seven for each of 16, and keeps them between pictures.
final class ReferencePlane {
  private(set) var plane = SamplePlane(size: ImageSize(width: 0, height: 0), stride: 0)
  /// At least 255. A brighter sample of another frame counts as this bright.
  private(set) var largest = 255
  let cells = PlaneCells()
  private let samples = SampleMemory()
  private let sums = SampleMemory()
  private let weightSums = SampleMemory()
  private let spare = SampleMemory()

  /// Copies the plane out of the reference.
  func begin(_ picture: UnsafePointer<UInt8>, _ plane: SamplePlane) {
    self.plane = plane
    let (width, height) = (plane.samplesPerRow, plane.size.height)
    _ = unsafe samples.bytes(plane.bytesPerRow * height)
    _ = unsafe sums.bytes(2 * plane.bytesPerRow * height)
    _ = unsafe weightSums.bytes(width * height)
    largest = 255
    for y in 0..<height {
      unsafe plane.take(picture, row: y, 0..<width, into: row(y), spare: spare.values(width))
      unsafe CPixels_startSums(row(y), plane.isDeep, sumRow(y), weightRow(y), width)
      guard plane.isDeep else { continue }
      largest = unsafe max(largest, Int(CPixels_largest(row(y), true, width)))
    }
    cells.start(plane)
    for y in 0..<height { unsafe cells.add(row(y), row: y, of: plane, largest: largest) }
  }

  func row(_ y: Int) -> UnsafeMutableRawPointer {
    unsafe samples.bytes(plane.bytesPerRow * plane.size.height) + y * plane.bytesPerRow
  }

  /// Adds weighted samples of another frame.
  /// - Parameters:
  ///   - others: As many as there are samples in the range.
  ///   - weights: As many.
  func add(
    _ others: UnsafeRawPointer, _ weights: UnsafePointer<UInt8>, row y: Int, _ samples: Range<Int>
  ) {
    let start = samples.lowerBound
    unsafe CPixels_addToSums(
      others, plane.isDeep, weights, sumRow(y) + 2 * start * plane.bytesPerSample,
      weightRow(y) + start, samples.count)
  }

  /// Writes the weighted means into a picture of the reference's layout. Other bytes of it stay as
  /// they are.
  func finish(into picture: UnsafeMutablePointer<UInt8>) {
    let width = plane.samplesPerRow
    for y in 0..<plane.size.height {
      let means = unsafe row(y)
      unsafe CPixels_divideSums(sumRow(y), weightRow(y), plane.isDeep, means, width)
      unsafe plane.put(means, into: picture, row: y)
    }
  }

  private func sumRow(_ y: Int) -> UnsafeMutableRawPointer {
    unsafe sums.bytes(2 * plane.bytesPerRow * plane.size.height) + 2 * y * plane.bytesPerRow
  }

  private func weightRow(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe weightSums.values(plane.samplesPerRow * plane.size.height) + y * plane.samplesPerRow
  }
}
