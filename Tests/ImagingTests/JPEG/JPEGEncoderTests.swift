import Imaging
import TestSupport
import Testing

struct JPEGEncoderTests {
  private let encoder: JPEGEncoder
  private let size = ImageSize(width: 320, height: 48)

  init() throws {
    encoder = try JPEGEncoder()
  }

  private func expectBars(
    _ jpeg: [UInt8],
    _ colors: [Color] = Color.bars,
    size: ImageSize,
    within tolerance: Double = 4
  ) throws {
    let picture = try Picture(jpeg)
    #expect(picture.size == size)
    for (index, color) in colors.enumerated() {
      let found = picture.barColor(index, of: colors.count)
      #expect(found.distance(to: color) <= tolerance, "bar \(index): \(found), not \(color)")
    }
  }

  @Test(arguments: PixelFormat.colored, [ImageLayout.Range.full, .limited])
  func `Colour bars keep their colours in every format and range`(
    format: PixelFormat,
    range: ImageLayout.Range
  ) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format, range: range)
    try expectBars(encoder.encode(TestPicture.bars(layout), layout), size: size)
  }

  @Test(arguments: [.grey] + PixelFormat.deepGreys, [ImageLayout.Range.full, .limited])
  func `Grey pictures keep their greys`(format: PixelFormat, range: ImageLayout.Range) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format, range: range)
    let jpeg = try encoder.encode(TestPicture.bars(layout), layout)
    try expectBars(jpeg, Color.bars.map(\.grey), size: size)
    #expect(try JPEGHeader.read(jpeg).componentCount == 1)
  }

  @Test(arguments: PixelFormat.lumaAndChroma, [ImageLayout.Range.full, .limited])
  func `Colour bars in Rec. 709 keep their colours`(
    format: PixelFormat,
    range: ImageLayout.Range
  ) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format, range: range, matrix: .bt709)
    try expectBars(encoder.encode(TestPicture.bars(layout), layout), size: size, within: 5)
  }

  @Test(arguments: PixelFormat.encodable, [ImageSize(width: 40, height: 99)])
  func `Every row stays in its place`(format: PixelFormat, size: ImageSize) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format, bytesPerLine: 256)
    func color(_ band: Int) -> Color { Color.bars[band % Color.bars.count] }
    // Bands of 12 rows end inside the strips of the encoder.
    let picture = TestPicture.paint(layout) { _, y in color(y / 12) }
    let decoded = try Picture(encoder.encode(picture, layout))
    for y in stride(from: 6, to: size.height, by: 12) {
      let expected = format.isGrey ? color(y / 12).grey : color(y / 12)
      #expect(decoded.color(20, y).distance(to: expected) <= 8, "row \(y)")
    }
  }

  @Test(arguments: PixelFormat.encodable)
  func `The padding of rows does not show`(format: PixelFormat) throws {
    let plain = try ImageLayout(size: size, pixelFormat: format)
    let padded = try ImageLayout(
      size: size,
      pixelFormat: format,
      bytesPerLine: plain.bytesPerLine + 36
    )
    let expected = try encoder.encode(TestPicture.bars(plain), plain)
    #expect(try encoder.encode(TestPicture.bars(padded, padding: 0xaa), padded) == expected)
  }

  @Test(arguments: PixelFormat.encodable, ImageSize.each((33, 17), (32, 17), (33, 16), (1, 1)))
  func `Odd sizes keep their last column and row`(
    format: PixelFormat,
    size: ImageSize
  ) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format)
    let color = Color(red: 180, green: 60, blue: 40)
    let picture = try Picture(encoder.encode(TestPicture.bars(layout, [color]), layout))
    #expect(picture.size == size)
    // A single sample behind a filter says nothing of the other colours.
    if format.bayerPattern != nil, size.width == 1 { return }
    let expected = format.isGrey ? color.grey : color
    let (right, bottom) = (size.width - 1, size.height - 1)
    for (x, y) in [(0, 0), (right, 0), (0, bottom), (right, bottom)] {
      #expect(picture.color(x, y).distance(to: expected) <= 4, "at \(x), \(y)")
    }
  }

  @Test(
    arguments: PixelFormat.encodable,
    ImageSize.each((160, 24), (100, 31), (97, 33), (320, 20), (64, 48)))
  func `Scaled pictures keep their colours`(
    format: PixelFormat,
    target: ImageSize
  ) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format)
    let jpeg = try encoder.encode(TestPicture.bars(layout), layout, scaledTo: target)
    let isGrey = format.isGrey
    try expectBars(
      jpeg,
      isGrey ? Color.bars.map(\.grey) : Color.bars,
      size: target,
      within: 6
    )
  }

  @Test func `A picture is never scaled up`() throws {
    let layout = try ImageLayout(size: size, pixelFormat: .yuyv)
    let larger = ImageSize(width: 640, height: 24)
    let jpeg = try encoder.encode(TestPicture.bars(layout), layout, scaledTo: larger)
    #expect(try Picture(jpeg).size == ImageSize(width: 320, height: 24))
  }

  @Test(arguments: PixelFormat.encodable)
  func `The JPEG has the source's chroma subsampling`(format: PixelFormat) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format)
    let jpeg = try encoder.encode(TestPicture.bars(layout), layout)
    let subsampling = try JPEGHeader.read(jpeg).subsampling
    switch format {
    case _ where format.isGrey: #expect(subsampling == .grey)
    case .nv12, .nv21, .yu12, .yv12: #expect(subsampling == .yuv420)
    case _ where format.bayerPattern != nil: #expect(subsampling == .yuv420)
    default: #expect(subsampling == .yuv422)
    }
  }

  @Test func `A used encoder makes the same JPEG as a new one`() throws {
    let layouts = try [
      ImageLayout(size: size, pixelFormat: .yuyv),
      ImageLayout(size: ImageSize(width: 64, height: 33), pixelFormat: .nv12, matrix: .bt709),
      ImageLayout(size: ImageSize(width: 401, height: 99), pixelFormat: .rgb24),
      ImageLayout(size: size, pixelFormat: .yuyv),
    ]
    for layout in layouts {
      let picture = TestPicture.bars(layout)
      let target = ImageSize(width: 50, height: 30)
      let expected = try JPEGEncoder().encode(picture, layout, scaledTo: target)
      #expect(try encoder.encode(picture, layout, scaledTo: target) == expected)
    }
  }

  @Test func `Lower quality takes fewer bytes`() throws {
    let layout = try ImageLayout(size: size, pixelFormat: .yuyv)
    let picture = TestPicture.bars(layout)
    let byteCounts = try [20, 60, 95].map { quality in
      try encoder.encode(picture, layout, quality: quality).count
    }
    #expect(byteCounts == byteCounts.sorted())
    #expect(Set(byteCounts).count == 3)
  }
}
