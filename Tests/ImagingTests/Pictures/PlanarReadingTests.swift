import TestSupport
import Testing

@testable import Imaging

struct PlanarReadingTests {
  private let reader: PictureReader
  private let size = ImageSize(width: 320, height: 48)

  init() throws {
    reader = try PictureReader()
  }

  private func planar(
    _ bytes: [UInt8], _ layout: ImageLayout, scaledTo target: ImageSize? = nil,
    turned orientation: Orientation = .upright, zoom: Double = 1,
    as subsampling: ChromaSubsampling? = nil
  ) throws(ImagingError) -> PlanarPicture {
    try unsafe reader.planar(
      bytes.span.bytes, layout: layout, scaledTo: target, turned: orientation, zoom: Zoom(zoom),
      as: subsampling)
  }

  /// The colour of a pixel, by the formulas of BT.601 in full range.
  private func color(_ picture: PlanarPicture, _ x: Int, _ y: Int) -> Color {
    let luma = Double(picture.bytes[y * picture.size.width + x])
    let chroma = picture.subsampling.chromaSize(picture.size)
    guard chroma.width > 0 else { return Color(red: luma, green: luma, blue: luma) }
    let place =
      picture.size.width * picture.size.height
      + y / picture.subsampling.vertical * chroma.width + x / picture.subsampling.horizontal
    let cb = Double(picture.bytes[place]) - 128
    let cr = Double(picture.bytes[place + chroma.width * chroma.height]) - 128
    return Color(
      red: luma + 1.402 * cr, green: luma - 0.344136 * cb - 0.714136 * cr, blue: luma + 1.772 * cb)
  }

  private func expectBars(_ picture: PlanarPicture, isGrey: Bool, within tolerance: Double = 4) {
    let count = Color.bars.count
    for (index, bar) in Color.bars.enumerated() {
      let x = (2 * index + 1) * picture.size.width / (2 * count)
      let found = color(picture, x, picture.size.height / 2)
      #expect(found.distance(to: isGrey ? bar.grey : bar) <= tolerance, "bar \(index): \(found)")
    }
  }

  @Test(arguments: PixelFormat.encodable, [nil, ChromaSubsampling.yuv420, .yuv444])
  func `Colour bars keep their colours in every format and subsampling`(
    format: PixelFormat, subsampling: ChromaSubsampling?
  ) throws {
    for matrix in [ImageLayout.Matrix.bt601, .bt709] where matrix == .bt601 || format != .grey {
      let layout = try ImageLayout(
        size: size, pixelFormat: format, bytesPerLine: 1000, matrix: matrix)
      let bars = TestPicture.bars(layout, padding: 0xaa)
      let picture = try planar(bars, layout, as: subsampling)
      #expect(picture.size == size)
      #expect(picture.subsampling == subsampling ?? format.encodedSubsampling)
      expectBars(picture, isGrey: format.isGrey, within: 5)
      let target = ImageSize(width: 97, height: 21)
      let small = try planar(bars, layout, scaledTo: target, as: subsampling)
      #expect(small.size == target)
      expectBars(small, isGrey: format.isGrey, within: 6)
    }
  }

  @Test(arguments: [ChromaSubsampling.yuv422, .yuv420, .yuv444, .yuv440, .grey])
  func `A JPEG keeps its chroma unless another is wanted`(subsampling: ChromaSubsampling) throws {
    let jpeg = try TestJPEG.bars(size, .nv12)
    let layout = ImageLayout.compressed(.mjpeg, size: size)
    let own = try planar(jpeg, layout)
    #expect(own.subsampling == .yuv420)
    expectBars(own, isGrey: false)
    let other = try planar(jpeg, layout, as: subsampling)
    #expect(other.subsampling == subsampling)
    expectBars(other, isGrey: subsampling == .grey)
    let scaled = try planar(jpeg, layout, scaledTo: ImageSize(width: 100, height: 40))
    #expect(scaled.size == ImageSize(width: 100, height: 40))
    expectBars(scaled, isGrey: false, within: 6)
  }

  @Test(arguments: PixelFormat.varied, Orientation.allCases)
  func `Turned pictures are those of the encoder`(
    format: PixelFormat, orientation: Orientation
  ) throws {
    for size in ImageSize.each((64, 48), (45, 29)) {
      let layout = try ImageLayout(size: size, pixelFormat: format, range: .full)
      let picture = TestPicture.paint(layout) { x, y in Color.bars[(x / 16 + y / 16 * 3) % 8] }
      let planes = try planar(picture, layout, turned: orientation)
      let four = try planar(picture, layout, turned: orientation, as: .yuv420)
      #expect(planes.size == orientation.turned(size) && four.size == planes.size)
      #expect(four.subsampling == .yuv420)
      let jpeg = try Picture(
        JPEGEncoder().encode(picture, layout, turned: orientation, quality: 100))
      for (x, y) in [(6, 6), (22, 9), (20, 24)] {
        let expected = jpeg.color(x, y)
        #expect(color(planes, x, y).distance(to: expected) <= 8)
        #expect(color(four, x, y).distance(to: expected) <= 8)
      }
    }
  }

  @Test(arguments: PixelFormat.varied)
  func `Zoom keeps the middle, also where every square of a mosaic is a pixel`(
    format: PixelFormat
  ) throws {
    let layout = try ImageLayout(size: size, pixelFormat: format)
    let (red, blue) = (Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255))
    // A fifth of the width is red.
    let picture = TestPicture.paint(layout) { x, _ in (128..<192).contains(x) ? red : blue }
    for target in [nil, ImageSize(width: 32, height: 6)] {
      let zoomed = try planar(picture, layout, scaledTo: target, zoom: 4)
      let edges = [1, zoomed.size.width / 2, zoomed.size.width - 2].map {
        color(zoomed, $0, zoomed.size.height / 2)
      }
      // A fourth of the picture is kept, from column 120 to 200.
      for (found, expected) in zip(edges, [blue, red, blue]) {
        #expect(found.distance(to: format.isGrey ? expected.grey : expected) <= 12)
      }
    }
  }

  @Test func `Grey gets grey chroma where chroma is wanted`() throws {
    let layout = try ImageLayout(size: size, pixelFormat: .y16)
    let bars = TestPicture.bars(layout)
    #expect(try planar(bars, layout).bytes.count == 320 * 48)
    let picture = try planar(bars, layout, as: .yuv420)
    #expect(picture.bytes.suffix(160 * 24 * 2).allSatisfy { $0 == 128 })
  }

  @Test func `What cannot be read is refused`() throws {
    let layout = try ImageLayout(size: size, pixelFormat: .rgb565)
    let bytes = [UInt8](repeating: 0, count: layout.byteCount)
    let error = #expect(throws: ImagingError.self) { try planar(bytes, layout) }
    #expect(error?.code == .unsupportedFormat)
    let short = #expect(throws: ImagingError.self) {
      try planar([1], ImageLayout(size: size, pixelFormat: .yuyv))
    }
    #expect(short?.code == .shortInput)
  }
}
