import Imaging
import TestSupport
import Testing

struct BitmapReadingTests {
  private let reader: PictureReader
  private let size = ImageSize(width: 64, height: 48)

  init() throws {
    reader = try PictureReader()
  }

  private func bitmap(
    _ bytes: [UInt8], _ layout: ImageLayout, scaledTo target: ImageSize? = nil,
    turned orientation: Orientation = .upright, zoom: Double = 1
  ) throws(ImagingError) -> Bitmap {
    try unsafe reader.bitmap(
      bytes.span.bytes, layout: layout, scaledTo: target, turned: orientation, zoom: Zoom(zoom))
  }

  /// Noise in rows with padding.
  private func noise(
    _ format: PixelFormat, _ size: ImageSize, range: ImageLayout.Range = .full,
    matrix: ImageLayout.Matrix = .bt601
  ) throws -> (bytes: [UInt8], layout: ImageLayout) {
    let plain = try ImageLayout(size: size, pixelFormat: format)
    let layout = try ImageLayout(
      size: size, pixelFormat: format, bytesPerLine: plain.bytesPerLine + 4, range: range,
      matrix: matrix)
    var random = SeededGenerator(for: "bitmaps")
    return ((0..<layout.byteCount).map { _ in .random(in: 0...255, using: &random) }, layout)
  }

  private func words(_ bitmap: Bitmap) -> [Int] {
    stride(from: 0, to: bitmap.bytes.count, by: 2).map {
      Int(bitmap.bytes[$0]) | Int(bitmap.bytes[$0 + 1]) << 8
    }
  }

  @Test(arguments: PixelFormat.encodable + [.z16, .mjpeg])
  func `Every format has the samples that keep what the camera says`(format: PixelFormat) throws {
    let (bytes, layout) =
      format.isCompressed
      ? (try TestJPEG.bars(size), ImageLayout.compressed(format, size: size))
      : try noise(format, size)
    let bitmap = try bitmap(bytes, layout)
    #expect(bitmap.size == size)
    switch format {
    case .grey: #expect(bitmap.samples == .grey8)
    case .z16: #expect(bitmap.samples == .grey16)
    case _ where format.isDeepGrey: #expect(bitmap.samples == .grey16)
    case _ where format.bayerPattern != nil && format.sampleBits != 8:
      #expect(bitmap.samples == .rgb16)
    default: #expect(bitmap.samples == .rgb8)
    }
    // The codes of a mosaic are on a curve, and so none of the camera's numbers.
    let bits = format.bayerPattern == nil ? format.sampleBits ?? 8 : format.sampleBits == 8 ? 8 : 16
    #expect(bitmap.significantBits == bits)
  }

  @Test(
    arguments: PixelFormat.lumaAndChroma, [ImageLayout.Range.full, .limited])
  func `Luma and chroma become colours by the formulas of the recommendations`(
    format: PixelFormat, range: ImageLayout.Range
  ) throws {
    for matrix in [ImageLayout.Matrix.bt601, .bt709] {
      for size in ImageSize.each((320, 24), (33, 17)) {
        // Many colours, each in a square, so that chroma is the same with any subsampling.
        func color(_ x: Int, _ y: Int) -> Color {
          let (x, y) = (x / 4, y / 4)
          return Color(
            red: Double(x * 37 % 256), green: Double(x * 11 % 256 ^ y * 61 % 256),
            blue: Double((x + y) * 73 % 256))
        }
        let layout = try ImageLayout(
          size: size, pixelFormat: format, bytesPerLine: 700, range: range, matrix: matrix)
        let bitmap = try bitmap(TestPicture.paint(layout) { color($0, $1) }, layout)
        for y in 0..<size.height {
          for x in 0..<size.width {
            #expect(bitmap.color(x, y).distance(to: color(x, y)) <= 3)
          }
        }
      }
    }
  }

  @Test(arguments: [PixelFormat.rgb24, .bgr24])
  func `RGB and BGR keep every bit`(format: PixelFormat) throws {
    let size = ImageSize(width: 37, height: 5)
    let (bytes, layout) = try noise(format, size)
    let order = format == .rgb24 ? [0, 1, 2] : [2, 1, 0]
    let expected = (0..<size.height).flatMap { y -> [UInt8] in
      (0..<size.width).flatMap { x -> [UInt8] in
        let start = y * layout.bytesPerLine + 3 * x
        return order.map { bytes[start + $0] }
      }
    }
    #expect(try bitmap(bytes, layout).bytes == expected)
  }

  @Test func `Grey keeps every bit, also in limited range`() throws {
    let (bytes, layout) = try noise(.grey, size)
    let expected = (0..<48).flatMap { y -> ArraySlice<UInt8> in
      let start = y * layout.bytesPerLine
      return bytes[start..<start + 64]
    }
    #expect(try bitmap(bytes, layout).bytes == expected)
    let limited = try ImageLayout(size: size, pixelFormat: .grey, range: .limited)
    let codes = (0..<limited.byteCount).map { [16, 235, 126, 0, 255][$0 % 5] as UInt8 }
    #expect(try bitmap(codes, limited).bytes == codes)
  }

  @Test(arguments: TestSensor.all.filter { $0.pattern == nil })
  func `Deep grey fills 16 bits and keeps its own`(sensor: TestSensor) throws {
    let size = ImageSize(width: 33, height: 3)
    let plain = try ImageLayout(size: size, pixelFormat: sensor.format)
    let layout = try ImageLayout(
      size: size, pixelFormat: sensor.format, bytesPerLine: plain.bytesPerLine + 7)
    let most = 1 << sensor.bits - 1
    let samples = (0..<99).map { $0 == 98 ? most : $0 * 7919 & most }
    var bytes = [UInt8](repeating: 0xaa, count: layout.byteCount)
    for (index, sample) in samples.enumerated() {
      sensor.put(sample, index % 33, index / 33, layout, &bytes)
    }
    let found = words(try bitmap(bytes, layout))
    #expect(found.map { $0 >> (16 - sensor.bits) } == samples)
    #expect((found[0], found[98]) == (0, 65_535))
    for (word, sample) in zip(found, samples) {
      #expect(abs(Double(word) - Double(sample) * 65_535 / Double(most)) <= 33)
    }
  }

  @Test func `Distances are exact, also in a smaller picture`() throws {
    let (bytes, layout) = try noise(.z16, size)
    func distance(_ x: Int, _ y: Int) -> Int {
      let start = y * layout.bytesPerLine + 2 * x
      return Int(bytes[start]) | Int(bytes[start + 1]) << 8
    }
    let whole = words(try bitmap(bytes, layout))
    let all = (0..<48).flatMap { y in (0..<64).map { x in distance(x, y) } }
    #expect(whole == all)
    let half = words(try bitmap(bytes, layout, scaledTo: ImageSize(width: 32, height: 16)))
    let some = (0..<16).flatMap { y in (0..<32).map { x in distance(2 * x + 1, 3 * y + 1) } }
    #expect(half == some)
    let zoomed = words(try bitmap(bytes, layout, zoom: 2))
    let middle = (0..<48).flatMap { y in (0..<64).map { x in distance(16 + x / 2, 12 + y / 2) } }
    #expect(zoomed == middle)
  }

  @Test(
    arguments: [PixelFormat.grey, .y12, .rgb24, .bayerRGGB8, .bayerGRBG10],
    ImageSize.each((16, 12), (21, 13), (64, 6)))
  func `A smaller picture has the means of the areas`(
    format: PixelFormat, target: ImageSize
  ) throws {
    let (bytes, layout) = try noise(format, size)
    let whole = try bitmap(bytes, layout)
    let scaled = try bitmap(bytes, layout, scaledTo: target)
    #expect(scaled.size == target && scaled.samples == whole.samples)
    #expect(scaled.significantBits == whole.significantBits)
    let isWide = whole.samples.bytesPerChannel == 2
    let (from, to) = (
      isWide ? words(whole) : whole.bytes.map(Int.init),
      isWide ? words(scaled) : scaled.bytes.map(Int.init)
    )
    let channels = whole.samples.channels
    func shares(_ index: Int, _ target: Int, _ source: Int) -> [(Int, Double)] {
      let (start, end) = (
        Double(index * source) / Double(target), Double((index + 1) * source) / Double(target)
      )
      return (Int(start)..<min(source, Int(end.rounded(.up)))).map {
        ($0, (min(end, Double($0 + 1)) - max(start, Double($0))) / (end - start))
      }
    }
    let tolerance = isWide ? 3.0 : 1
    for (x, y) in [(0, 0), (target.width - 1, target.height - 1), (7, 5)] {
      for channel in 0..<channels {
        var mean = 0.0
        for (row, share) in shares(y, target.height, 48) {
          for (column, part) in shares(x, target.width, 64) {
            mean += share * part * Double(from[(row * 64 + column) * channels + channel])
          }
        }
        let found = Double(to[(y * target.width + x) * channels + channel])
        #expect(abs(found - mean) <= tolerance)
      }
    }
  }

  @Test(arguments: PixelFormat.lumaAndChroma, [ImageLayout.Matrix.bt601, .bt709])
  func `A smaller picture of luma and chroma keeps its colours`(
    format: PixelFormat, matrix: ImageLayout.Matrix
  ) throws {
    let size = ImageSize(width: 320, height: 48)
    let layout = try ImageLayout(size: size, pixelFormat: format, matrix: matrix)
    let target = ImageSize(width: 97, height: 21)
    let bitmap = try bitmap(TestPicture.bars(layout), layout, scaledTo: target)
    #expect(bitmap.size == target)
    for (index, bar) in Color.bars.enumerated() {
      let x = (2 * index + 1) * target.width / (2 * Color.bars.count)
      #expect(bitmap.color(x, 10).distance(to: bar) <= 4)
    }
  }

  @Test(
    arguments: [PixelFormat.grey, .z16, .y10P, .rgb24, .bayerBGGR8, .bayerRGGB12P, .nv12],
    Orientation.allCases)
  func `A turned bitmap has the same pixels in other places`(
    format: PixelFormat, orientation: Orientation
  ) throws {
    let size = ImageSize(width: 6, height: 4)
    let (bytes, layout) = try noise(format, size)
    let (upright, turned) = (
      try bitmap(bytes, layout), try bitmap(bytes, layout, turned: orientation)
    )
    #expect(turned.size == orientation.turned(size))
    #expect(turned.samples == upright.samples)
    let length = upright.samples.bytesPerPixel
    for (sourceX, sourceY) in (0..<4).flatMap({ y in (0..<6).map { ($0, y) } }) {
      var (x, y, width, height) = (sourceX, sourceY, 6, 4)
      for _ in 0..<(orientation.rotation.rawValue / 90) {
        (x, y, width, height) = (height - 1 - y, x, height, width)
      }
      if orientation.isMirrored { x = width - 1 - x }
      let (from, to) = ((sourceY * 6 + sourceX) * length, (y * width + x) * length)
      #expect(upright.bytes[from..<from + length] == turned.bytes[to..<to + length])
    }
  }

  @Test(arguments: [PixelFormat.yuyv, .grey])
  func `A JPEG becomes what libturbojpeg makes of it`(format: PixelFormat) throws {
    let jpeg = try TestJPEG.bars(size, format)
    let layout = ImageLayout.compressed(.mjpeg, size: size)
    let bitmap = try bitmap(jpeg, layout)
    #expect(bitmap.samples == (format == .grey ? .grey8 : .rgb8))
    let pixels = try Picture(jpeg).pixels
    let expected =
      format == .grey ? stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] } : pixels
    #expect(bitmap.bytes == expected)
    let target = ImageSize(width: 30, height: 20)
    let small = try self.bitmap(jpeg, layout, scaledTo: target, turned: Orientation(.quarter))
    #expect(small.size == ImageSize(width: 20, height: 30))
    // The last bar is black and comes to the bottom. The first one is white.
    #expect(small.bytes.suffix(6).allSatisfy { $0 < 12 })
    #expect(small.bytes.prefix(6).allSatisfy { $0 > 243 })
  }

  @Test func `Zoom keeps the middle`() throws {
    for format in [PixelFormat.yuyv, .rgb24, .bayerRGGB10, .grey, .y16, .z16] {
      let layout = try ImageLayout(size: size, pixelFormat: format, range: .full)
      let picture =
        format == .z16
        ? (0..<64 * 48).flatMap { (24..<40).contains($0 % 64) ? [255, 255] : [0, 0] as [UInt8] }
        : TestPicture.paint(layout) { x, _ in
          (24..<40).contains(x)
            ? Color(red: 255, green: 255, blue: 255) : Color(red: 0, green: 0, blue: 0)
        }
      let bitmap = try bitmap(picture, layout, zoom: 5)
      #expect(bitmap.size == size)
      #expect(bitmap.bytes.allSatisfy { $0 >= 254 }, "\(format)")
    }
  }

  @Test func `What cannot be read is refused`() throws {
    for format in [PixelFormat.rgb565, .xbgr32] {
      let (bytes, layout) = try noise(format, size)
      let error = #expect(throws: ImagingError.self) { try bitmap(bytes, layout) }
      #expect(error?.code == .unsupportedFormat)
    }
    for format in PixelFormat.varied + [.z16] {
      let (bytes, layout) = try noise(format, size)
      let error = #expect(throws: ImagingError.self) { try bitmap(Array(bytes.dropLast()), layout) }
      #expect(error?.code == .shortInput)
      let empty = #expect(throws: ImagingError.self) {
        try bitmap(bytes, layout, scaledTo: ImageSize(width: 0, height: 4))
      }
      #expect(empty?.code == .invalidSize)
    }
    let error = #expect(throws: ImagingError.self) {
      try bitmap([1, 2, 3], .compressed(.mjpeg, size: size))
    }
    #expect(error?.code == .notJPEG)
  }
}

extension Bitmap {
  /// The colour of a pixel of 8-bit colours.
  fileprivate func color(_ x: Int, _ y: Int) -> Color {
    let place = 3 * (y * size.width + x)
    return Color(
      red: Double(bytes[place]), green: Double(bytes[place + 1]), blue: Double(bytes[place + 2]))
  }
}
