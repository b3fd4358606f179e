/// A picture as cells, each with the mean of its luma.
package struct LumaGrid: Hashable, Sendable {
  /// A few cells, which are enough to tell one scene from another.
  package static let coarse = ImageSize(width: 16, height: 12)
  /// More of them, which show a small change too.
  package static let fine = ImageSize(width: 32, height: 24)
  /// A cell has changed if its mean differs by this much of 255. Noise and compression change it by
  /// less, because they cancel out over a cell's pixels.
  static let distinction = 26

  /// In rows.
  package let cells: [UInt8]

  package init(cells: [UInt8]) {
    self.cells = cells
  }

  /// Which part of the picture looks different from another one: 0...1.
  package func difference(from other: LumaGrid) -> Double {
    guard cells.count == other.cells.count, !cells.isEmpty else { return 1 }
    let changed = zip(cells, other.cells).count { abs(Int($0) - Int($1)) >= Self.distinction }
    return Double(changed) / Double(cells.count)
  }

  /// By how much each cell is brighter than in another grid of the same size.
  package func differences(from other: LumaGrid) -> [Int] {
    zip(cells, other.cells).map { Int($0) - Int($1) }
  }
}

/// Makes grids of pictures in every format of which a JPEG can be made. Cells of distances are
/// brighter where they are nearer. It keeps its memory between pictures. Use one per thread.
package final class LumaGridReader {
  private let decoder: JPEGDecoder
  private let splitter: PlaneSplitter
  private let scaler = PlaneScaler()
  private let buffer = PlaneBuffer()

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    decoder = try JPEGDecoder()
    splitter = try PlaneSplitter()
  }

  /// A JPEG is decoded at an eighth of its size, if that has enough pixels.
  /// - Parameters:
  ///   - image: As many bytes as the layout says.
  ///   - size: The cells, unless the picture has fewer pixels.
  /// - Throws: `shortInput`, `unsupportedFormat`; for a JPEG `notJPEG`, `truncated`, `corrupt`.
  package func grid(
    _ image: RawSpan, layout: ImageLayout, size wanted: ImageSize = LumaGrid.coarse
  ) throws(ImagingError) -> LumaGrid {
    if layout.pixelFormat.isCompressed {
      let header = try decoder.header(image)
      let size = wanted.clamped(to: header.size)
      return unsafe grid(try decoder.decodePlanes(image, header, atLeast: size), wanted)
    }
    try layout.check(image)
    return try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
      guard let source = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else {
        return LumaGrid(cells: [])
      }
      return unsafe grid(
        try splitter.brightness(source, layout, for: wanted.clamped(to: layout.size)), wanted)
    }
  }

  private func grid(_ planes: Planes, _ wanted: ImageSize) -> LumaGrid {
    let size = unsafe wanted.clamped(to: planes.size)
    let target = unsafe buffer.planes(size, .grey).luma
    unsafe scaler.scale(planes.luma, into: target)
    var cells: [UInt8] = []
    for y in 0..<size.height {
      unsafe cells += UnsafeBufferPointer(start: target.row(y), count: size.width)
    }
    return LumaGrid(cells: cells)
  }
}
