import Imaging

/// A rectangle measured in blocks.
package struct BlockRect: Hashable, Sendable {
  package var columns: Range<Int>
  package var rows: Range<Int>

  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }
}

/// Paints pictures of one size and format, block by block, into the caller's memory.
struct BlockRaster: Sendable {
  private struct Plane {
    var shape: BlockFormat.Plane
    /// The offset of the plane in the picture, in bytes.
    var offset: Int
    /// The offset of the plane's bytes in a block's code.
    var codeOffset: Int

    func line(_ line: Int, column: Int) -> Int {
      offset + line * shape.bytesPerLine + column * shape.bytesPerBlock
    }
  }

  /// The picture's size in blocks, which is half its size in pixels.
  let columns: Int
  let rows: Int
  let byteCount: Int
  private let format: BlockFormat
  private let range: ImageLayout.Range
  private let planes: [Plane]

  /// - Parameter layout: Has even sides and no padding. The result is nil if the format cannot be
  ///   painted.
  init?(_ layout: ImageLayout) {
    guard let format = BlockFormat(layout.pixelFormat) else { return nil }
    let size = layout.size
    self.format = format
    range = layout.range
    columns = size.width / 2
    rows = size.height / 2
    var planes: [Plane] = []
    var (offset, codeOffset) = (0, 0)
    for shape in format.planes(width: size.width) {
      planes.append(Plane(shape: shape, offset: offset, codeOffset: codeOffset))
      offset += shape.bytesPerLine * shape.linesPerBlock * size.height / 2
      codeOffset += shape.bytesPerBlock * shape.linesPerBlock
    }
    self.planes = planes
    byteCount = offset
  }

  /// Paints the part of the rectangle that is inside the picture.
  func fill(_ rect: BlockRect, with color: RGB, in memory: inout MutableRawSpan) {
    let columns = rect.columns.clamped(to: 0..<columns)
    let rows = rect.rows.clamped(to: 0..<rows)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let code = format.code(of: color, range: range)
    for plane in planes {
      let first = rows.lowerBound * plane.shape.linesPerBlock
      let byteCount = columns.count * plane.shape.bytesPerBlock
      for line in first..<(rows.upperBound * plane.shape.linesPerBlock) {
        let start = plane.line(line, column: columns.lowerBound)
        if line < first + plane.shape.linesPerBlock {
          store(code, of: plane, line: line, at: start, in: &memory)
          memory.repeatBytes(
            at: start,
            period: plane.shape.bytesPerBlock,
            through: start + byteCount
          )
        } else {
          let model = line - plane.shape.linesPerBlock
          memory.copyBytes(
            from: plane.line(model, column: columns.lowerBound),
            to: start,
            count: byteCount
          )
        }
      }
    }
  }

  /// Paints one row of blocks.
  /// - Parameter colors: One colour per column.
  func paintRow(_ row: Int, _ colors: [RGB], in memory: inout MutableRawSpan) {
    for (column, color) in colors.enumerated() {
      let code = format.code(of: color, range: range)
      for plane in planes {
        let first = row * plane.shape.linesPerBlock
        for line in first..<(first + plane.shape.linesPerBlock) {
          store(code, of: plane, line: line, at: plane.line(line, column: column), in: &memory)
        }
      }
    }
  }

  /// Copies a row of blocks to the row below it.
  func repeatRow(_ row: Int, in memory: inout MutableRawSpan) {
    for plane in planes {
      let byteCount = plane.shape.bytesPerLine * plane.shape.linesPerBlock
      let start = plane.offset + row * byteCount
      memory.copyBytes(from: start, to: start + byteCount, count: byteCount)
    }
  }

  private func store(
    _ code: BlockFormat.Code,
    of plane: Plane,
    line: Int,
    at offset: Int,
    in memory: inout MutableRawSpan
  ) {
    let lineInBlock = line % plane.shape.linesPerBlock
    let start = plane.codeOffset + lineInBlock * plane.shape.bytesPerBlock
    for byte in 0..<plane.shape.bytesPerBlock {
      memory.storeBytes(of: code[start + byte], toByteOffset: offset + byte, as: UInt8.self)
    }
  }
}
