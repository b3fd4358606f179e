import CPixels

/// A plane in cells of four by four pixels, each with the mean of its samples of all kinds: enough
/// to find out by how much a frame is shifted, and how bright an area is.
final class PlaneCells {
  static let length = 4

  /// In cells. Pixels beyond the last whole cell have none, but a plane has at least one cell.
  private(set) var size = ImageSize(width: 0, height: 0)
  private let memory = SampleMemory()
  private let columns = SampleMemory()

  /// Prepares for the rows of a plane.
  func start(_ plane: SamplePlane) {
    size = ImageSize(
      width: max(1, plane.size.width / Self.length), height: max(1, plane.size.height / Self.length)
    )
    _ = unsafe memory.values(size.width * size.height, of: UInt8.self)
    unsafe columns.values(plane.samplesPerRow, of: UInt32.self)
      .update(repeating: 0, count: plane.samplesPerRow)
  }

  /// Adds the next row.
  /// - Parameter largest: The sample that becomes 255 in the cells.
  func add(_ samples: UnsafeRawPointer, row y: Int, of plane: SamplePlane, largest: Int) {
    let height = min(Self.length, plane.size.height)
    let cell = y / height
    guard cell < size.height else { return }
    let columns: UnsafeMutablePointer<UInt32> = unsafe columns.values(plane.samplesPerRow)
    unsafe CPixels_addColumns(samples, plane.isDeep, columns, plane.samplesPerRow)
    guard y % height == height - 1 else { return }
    let perCell = min(Self.length, plane.size.width) * plane.channels
    let scale = 255 / (Float(largest) * Float(perCell * height))
    unsafe CPixels_reduce(columns, perCell, scale, mutableRow(cell), size.width)
    unsafe columns.update(repeating: 0, count: plane.samplesPerRow)
  }

  private func mutableRow(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe memory.values(size.width * size.height) + y * size.width
  }

  func row(_ y: Int) -> UnsafePointer<UInt8> { unsafe UnsafePointer(mutableRow(y)) }
}
