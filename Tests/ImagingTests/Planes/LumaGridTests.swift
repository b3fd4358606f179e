import Testing

@testable import Imaging

struct LumaGridTests {
  private let reader: LumaGridReader

  init() throws {
    reader = try LumaGridReader()
  }

  /// A picture whose right part is white, and the rest black.
  private func halves(
    _ format: PixelFormat, white share: Double, _ size: ImageSize
  ) throws -> LumaGrid {
    let layout = try ImageLayout(size: size, pixelFormat: format, range: .full)
    let bytes = TestPicture.paint(layout) { x, _ in
      let value = Double(x) < (1 - share) * Double(size.width) ? 0.0 : 255
      return Color(red: value, green: value, blue: value)
    }
    return try unsafe reader.grid(bytes.span.bytes, layout: layout)
  }

  @Test(arguments: [
    PixelFormat.yuyv, .nv12, .yu12, .grey, .rgb24, .y16, .bayerRGGB10, .bayerGBRG12P,
  ])
  func `The difference is the part of the picture that looks different`(
    _ format: PixelFormat
  ) throws {
    let size = ImageSize(width: 320, height: 240)
    let black = try halves(format, white: 0, size)
    #expect(black.cells.count == 16 * 12)
    for (share, difference) in [(0, 0.0), (0.25, 0.25), (0.5, 0.5), (1, 1)] {
      let other = try halves(format, white: share, size)
      #expect(other.difference(from: black) == difference)
      #expect(black.difference(from: other) == difference)
    }
  }

  @Test(
    arguments: ImageSize.each((320, 240), (64, 48), (30, 22), (8, 8)))
  func `A JPEG has the grid of the picture that it was made of`(_ size: ImageSize) throws {
    let jpeg = try TestJPEG.bars(size, .yuyv)
    let layout = try ImageLayout(size: size, pixelFormat: .yuyv, range: .full)
    let raw = try unsafe reader.grid(TestPicture.bars(layout).span.bytes, layout: layout)
    let grid = try unsafe reader.grid(jpeg.span.bytes, layout: .compressed(.mjpeg, size: size))
    #expect(grid.cells.count == raw.cells.count)
    #expect(grid.difference(from: raw) < 0.05)
  }

  @Test func `Noise of single pixels does not change a cell`() throws {
    let layout = try ImageLayout(size: ImageSize(width: 160, height: 120), pixelFormat: .grey)
    let plain = [UInt8](repeating: 100, count: layout.byteCount)
    let noisy = plain.indices.map { UInt8($0 % 3 == 0 ? 160 : $0 % 3 == 1 ? 40 : 100) }
    let (first, second) = try unsafe (
      reader.grid(plain.span.bytes, layout: layout), reader.grid(noisy.span.bytes, layout: layout)
    )
    #expect(first.difference(from: second) == 0)
  }

  @Test func `Bytes that are no such picture are refused`() throws {
    let layout = try ImageLayout(size: ImageSize(width: 160, height: 120), pixelFormat: .yuyv)
    let short = [UInt8](repeating: 0, count: layout.byteCount - 1)
    #expect(throws: ImagingError.self) {
      try unsafe reader.grid(short.span.bytes, layout: layout)
    }
    #expect(throws: ImagingError.self) {
      try unsafe reader.grid(short.span.bytes, layout: .compressed(.mjpeg, size: layout.size))
    }
  }
}
