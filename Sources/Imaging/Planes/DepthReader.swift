import CPixels

/// Reads distances, and shows them in colours. It keeps its memory between pictures.
///
/// A smaller picture has some of the distances, because a mean of two is the distance of nothing.
final class DepthReader {
  private var columns: [Int] = []
  private var distances: [UInt16] = []
  private var values: [UInt8] = []

  /// Reads rows of a picture, or of its scaled middle.
  /// - Parameters:
  ///   - source: At least `layout.byteCount` bytes of distances.
  ///   - size: The size of the scaled picture.
  ///   - zoom: 1 or more: the middle that is scaled is smaller by this.
  ///   - rows: The wanted rows of the scaled picture.
  ///   - body: Receives each row's distances.
  func read(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, scaledTo size: ImageSize, zoom: Zoom,
    rows: Range<Int>, _ body: (_ y: Int, _ distances: UnsafePointer<UInt16>) -> Void
  ) {
    let isWhole = size.width == layout.size.width && zoom == 1
    columns.removeAll(keepingCapacity: true)
    if !isWhole {
      for x in 0..<size.width {
        columns.append(Self.place(of: x, size.width, in: layout.size.width, zoom.horizontal))
      }
    }
    if distances.count < size.width { distances = Array(repeating: 0, count: size.width) }
    for y in rows {
      let start = Self.place(of: y, size.height, in: layout.size.height, zoom.vertical)
      let row = unsafe UnsafeRawPointer(source + start * layout.bytesPerLine)
      unsafe distances.withUnsafeMutableBufferPointer { distances in
        guard let target = distances.baseAddress else { return }
        if isWhole {
          unsafe UnsafeMutableRawPointer(target).copyMemory(from: row, byteCount: 2 * size.width)
        } else {
          for x in 0..<size.width {
            unsafe target[x] = row.loadUnaligned(fromByteOffset: 2 * columns[x], as: UInt16.self)
          }
        }
        unsafe body(y, target)
      }
    }
  }

  /// Reads rows as red, green and blue. The parameters are those of `read`.
  /// - Parameter pixels: Room for these rows, without padding.
  func readColors(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, scaledTo size: ImageSize, zoom: Zoom,
    rows: Range<Int>, into pixels: UnsafeMutablePointer<UInt8>
  ) {
    if values.count < size.width { values = Array(repeating: 0, count: size.width) }
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let values = values.baseAddress else { return }
      unsafe read(source, layout, scaledTo: size, zoom: zoom, rows: rows) { y, distances in
        unsafe CPixels_lookUp(distances, DepthColors.values, values, size.width)
        let row = unsafe pixels + 3 * size.width * (y - rows.lowerBound)
        unsafe CPixels_paint(values, DepthColors.palette, row, size.width)
      }
    }
  }

  /// Reads a whole picture as grey: the nearer, the brighter, and black where the distance is not
  /// known.
  func readNearness(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, into plane: MutablePlane
  ) {
    let size = layout.size
    unsafe read(source, layout, scaledTo: size, zoom: 1, rows: 0..<size.height) { y, distances in
      unsafe CPixels_lookUp(distances, DepthColors.values, plane.row(y), size.width)
    }
  }

  /// The sample that is nearest to the middle of a scaled one.
  private static func place(of index: Int, _ target: Int, in source: Int, _ zoom: Double) -> Int {
    let step = Double(source) / (zoom * Double(target))
    let middle = Double(source) / 2 + (Double(index) + 0.5 - Double(target) / 2) * step
    return min(max(Int(middle.rounded(.down)), 0), source - 1)
  }
}
