import CPixels

/// Makes red, green and blue from Bayer mosaics, in samples of 8 or 16 bits. It keeps its memory
/// between pictures.
///
/// The values are the sensor's: linear, without white balance and gamma. So pictures look dark and
/// greenish, and every value can be traced to a sample.
final class MosaicReader<Sample: SensorSample> {
  /// The samples that are added on each side of a row: two, and one that completes an odd row.
  private static var margin: Int { 3 }
  /// Rows that are read before their colours are made, so that they stay in the caches.
  private static var band: Int { 16 }

  /// The rows of a band and one more on each side. Each has samples more on each side.
  private var samples: [Sample] = []
  /// A row each of a colour.
  private var colors: [Sample] = []

  /// - Parameters:
  ///   - source: At least `layout.byteCount` bytes of Bayer.
  ///   - rows: The wanted rows.
  ///   - pixels: Room for these rows, without padding.
  func read(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, _ mosaic: Mosaic, rows: Range<Int>,
    into pixels: UnsafeMutablePointer<Sample>
  ) {
    let width = layout.size.width
    unsafe withRows(Self.band + 2, of: width) { (row, red, green, blue) in
      for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.band) {
        let end = min(start + Self.band, rows.upperBound)
        for y in start - 1...end {
          unsafe Self.read(source, layout, mosaic, y, into: row(y - start + 1))
        }
        for y in start..<end {
          let place = y - start + 1
          let neighbours = unsafe Neighbours<Sample>(
            above: row(place - 1), row: row(place), below: row(place + 1))
          let hasRed = mosaic.hasRed(y)
          let target = unsafe MosaicColors(
            own: hasRed ? red : blue, green: green, other: hasRed ? blue : red)
          unsafe Sample.demosaic(neighbours, phase: mosaic.phase(y), into: target, count: width)
          unsafe Sample.interleave(
            red: red, green: green, blue: blue,
            into: pixels + 3 * width * (y - rows.lowerBound), count: width)
        }
      }
    }
  }

  /// Calls `body` with the addresses of the first sample in each row, and of rows for the colours.
  fileprivate func withRows(
    _ count: Int, of width: Int,
    _ body: (
      _ row: (Int) -> UnsafeMutablePointer<Sample>, _ red: UnsafeMutablePointer<Sample>,
      _ green: UnsafeMutablePointer<Sample>, _ blue: UnsafeMutablePointer<Sample>
    ) -> Void
  ) {
    let stride = width + 2 * Self.margin
    if samples.count < count * stride { samples = Array(repeating: 0, count: count * stride) }
    if colors.count < 3 * width { colors = Array(repeating: 0, count: 3 * width) }
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe colors.withUnsafeMutableBufferPointer { colors in
        guard let first = samples.baseAddress, let red = colors.baseAddress else {
          return
        }
        unsafe body({ unsafe first + $0 * stride + Self.margin }, red, red + width, red + 2 * width)
      }
    }
  }

  /// Reads a row, and beyond the edges the nearest samples of the same colours.
  fileprivate static func read(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, _ mosaic: Mosaic, _ y: Int,
    into row: UnsafeMutablePointer<Sample>
  ) {
    let size = layout.size
    let start = unsafe source + mirrored(y, size.height) * layout.bytesPerLine
    unsafe Sample.read(start, mosaic.coding, into: row, count: size.width)
    for distance in 1...margin {
      let right = size.width - 1 + distance
      unsafe row[-distance] = row[mirrored(-distance, size.width)]
      unsafe row[right] = row[mirrored(right, size.width)]
    }
  }

  private static func mirrored(_ place: Int, _ count: Int) -> Int {
    guard count > 1 else { return 0 }
    let period = 2 * (count - 1)
    let step = abs(place) % period
    return min(step, period - step)
  }
}

extension MosaicReader<UInt8> {
  /// The size of a picture with one pixel for each square of four samples.
  static func halfSize(_ size: ImageSize) -> ImageSize {
    ImageSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
  }

  /// Makes one pixel of each square of four samples, which is much faster.
  /// - Parameter pixels: Room for a picture of `halfSize`, without padding.
  func readHalf(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, _ mosaic: Mosaic,
    into pixels: UnsafeMutablePointer<UInt8>
  ) {
    let half = Self.halfSize(layout.size)
    unsafe withRows(4, of: layout.size.width) { (row, red, green, blue) in
      for y in 0..<half.height {
        for place in 0..<4 {
          unsafe Self.read(source, layout, mosaic, 2 * y + place - 1, into: row(place))
        }
        let hasRed = mosaic.hasRed(0)
        unsafe CPixels_bin(
          row(0), row(1), row(2), row(3), Int32(mosaic.phase(0)), hasRed ? red : blue, green,
          hasRed ? blue : red, half.width)
        unsafe CPixels_interleave8(red, green, blue, pixels + 3 * half.width * y, half.width)
      }
    }
  }
}

/// A Bayer format: how its samples are stored, and which colours they have.
struct Mosaic {
  let coding: SensorSamples
  private let red: (column: Int, row: Int)

  /// Nil unless the format is Bayer.
  init?(_ format: PixelFormat) {
    guard let coding = format.sensorSamples, case .colors(let pattern) = coding.meaning else {
      return nil
    }
    self.coding = coding
    red =
      switch pattern {
      case .rggb: (0, 0)
      case .grbg: (1, 0)
      case .gbrg: (0, 1)
      case .bggr: (1, 1)
      }
  }

  /// Whether a row has red besides green. The others have blue.
  func hasRed(_ y: Int) -> Bool { y & 1 == red.row }

  /// The lowest bit of the columns at which a row has red or blue.
  func phase(_ y: Int) -> Int { hasRed(y) ? red.column : 1 - red.column }
}
