/// The brightness of a picture in a coarse grid, to tell whether two pictures differ.
package struct LumaGrid: Hashable, Sendable {
  package static let (columns, rows) = (32, 24)

  /// Row by row, 0 to 255.
  package private(set) var cells: [UInt8]

  package init(cells: [UInt8]) {
    precondition(cells.count == Self.columns * Self.rows, "a grid has all its cells")
    self.cells = cells
  }

  /// Samples nine pixels for each cell.
  init(_ picture: RawSpan, _ sampler: LumaSampler) {
    let (width, height) = (Double(sampler.size.width), Double(sampler.size.height))
    let reach = min(width / Double(Self.columns), height / Double(Self.rows)) / 3
    cells = []
    cells.reserveCapacity(Self.columns * Self.rows)
    for row in 0..<Self.rows {
      for column in 0..<Self.columns {
        let x = (Double(column) + 0.5) * width / Double(Self.columns)
        let y = (Double(row) + 0.5) * height / Double(Self.rows)
        cells.append(UInt8(clamping: sampler.mean(of: picture, x: x, y: y, reach: reach)))
      }
    }
  }

  /// By how much each cell is brighter than in another grid.
  package func differences(from other: LumaGrid) -> [Int] {
    zip(cells, other.cells).map { Int($0) - Int($1) }
  }
}

/// Measures the brightness of pictures in any format. Use one per thread.
package final class LumaMeter {
  private var decoder: JPEGDecoder?

  package init() {}

  /// Nil for a picture that cannot be read.
  package func grid(of picture: RawSpan, _ layout: ImageLayout) -> LumaGrid? {
    guard layout.pixelFormat.isCompressed else {
      return LumaSampler(layout, byteCount: picture.byteCount).map { LumaGrid(picture, $0) }
    }
    return try? compressed(picture)
  }

  private func compressed(_ image: RawSpan) throws(ImagingError) -> LumaGrid {
    if decoder == nil { decoder = try JPEGDecoder() }
    guard let decoder else { preconditionFailure("the decoder was just made") }
    let size = ImageSize(width: LumaGrid.columns, height: LumaGrid.rows)
    let luma = try unsafe decoder.decodePlanes(image, decoder.header(image), atLeast: size).luma
    let count = unsafe luma.stride * luma.size.height
    let bytes = unsafe RawSpan(_unsafeStart: luma.start, byteCount: count)
    return LumaGrid(bytes, unsafe LumaSampler(size: luma.size, bytesPerLine: luma.stride))
  }
}
