import CPixels

/// Makes red, green and blue from Bayer mosaics, in samples of 8 or 16 bits. It keeps its memory
/// between pictures.
///
/// The colours are the sensor's own, without white balance, with sRGB's curve (`SensorCurve`). A
/// missing colour is the mean of its neighbours' codes.
final class MosaicReader<Sample: SensorSample> {
  /// The samples that are added on each side of a row: two, and one that completes an odd row.
  private static var margin: Int { 3 }
  /// Rows that are read before their colours are made, so that they stay in the caches.
  private static var band: Int { 16 }

  /// The rows of a band and one more on each side. Each has samples more on each side.
  private var samples: [Sample] = []
  /// A row each of a colour.
  private var colors: [Sample] = []
  private var curve = SensorCurve<Sample>()
  /// A row before it has codes.
  private var words: [UInt16] = []

  /// - Parameters:
  ///   - source: At least `layout.byteCount` bytes of Bayer.
  ///   - rows: The wanted rows.
  ///   - pixels: Room for these rows, without padding.
  func read(
    _ source: UnsafePointer<UInt8>, _ layout: ImageLayout, _ mosaic: Mosaic, rows: Range<Int>,
    into pixels: UnsafeMutablePointer<Sample>
  ) {
    let width = layout.size.width
    unsafe withRows(Self.band + 2, of: layout, mosaic) { (row, read, red, green, blue) in
      for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.band) {
        let end = min(start + Self.band, rows.upperBound)
        for y in start - 1...end {
          unsafe read(source, y, row(y - start + 1))
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

  /// Reads a row of the source, and beyond the edges the nearest samples of the same colours.
  fileprivate typealias Read = (
    _ source: UnsafePointer<UInt8>, _ y: Int, _ row: UnsafeMutablePointer<Sample>
  ) -> Void

  /// Calls `body` with the addresses of the first sample in each row, with what reads a row, and
  /// with the addresses of rows for the colours.
  fileprivate func withRows(
    _ count: Int, of layout: ImageLayout, _ mosaic: Mosaic,
    _ body: (
      _ row: (Int) -> UnsafeMutablePointer<Sample>, _ read: Read,
      _ red: UnsafeMutablePointer<Sample>, _ green: UnsafeMutablePointer<Sample>,
      _ blue: UnsafeMutablePointer<Sample>
    ) -> Void
  ) {
    let (width, coding) = (layout.size.width, mosaic.coding)
    let stride = width + 2 * Self.margin
    curve.prepare(bits: coding.bits, black: layout.black?.level(ofBits: coding.bits) ?? 0)
    if words.count < width { words = Array(repeating: 0, count: width) }
    if samples.count < count * stride { samples = Array(repeating: 0, count: count * stride) }
    if colors.count < 3 * width { colors = Array(repeating: 0, count: 3 * width) }
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe colors.withUnsafeMutableBufferPointer { colors in
        guard let first = samples.baseAddress, let red = colors.baseAddress else {
          return
        }
        unsafe words.withUnsafeMutableBufferPointer { words in
          unsafe curve.codes.withUnsafeBufferPointer { codes in
            guard let words = words.baseAddress, let codes = codes.baseAddress else { return }
            unsafe body(
              { unsafe first + $0 * stride + Self.margin },
              { source, y, row in
                let start =
                  unsafe source + Self.mirrored(y, layout.size.height) * layout.bytesPerLine
                unsafe Sample.develop(
                  start, coding, by: codes, words: words, into: row, count: width)
                unsafe Self.extend(row, beyond: width)
              }, red, red + width, red + 2 * width)
          }
        }
      }
    }
  }

  private static func extend(_ row: UnsafeMutablePointer<Sample>, beyond width: Int) {
    for distance in 1...margin {
      let right = width - 1 + distance
      unsafe row[-distance] = row[mirrored(-distance, width)]
      unsafe row[right] = row[mirrored(right, width)]
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
    unsafe withRows(4, of: layout, mosaic) { (row, read, red, green, blue) in
      for y in 0..<half.height {
        for place in 0..<4 {
          unsafe read(source, 2 * y + place - 1, row(place))
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
