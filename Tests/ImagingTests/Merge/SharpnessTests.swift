import Imaging
import TestSupport
import Testing

struct SharpnessTests {
  private let sharpness = Sharpness()

  private func measure(_ bytes: [UInt8], _ layout: ImageLayout) throws -> Double {
    try unsafe sharpness.measure(bytes.span.bytes, layout: layout)
  }

  @Test(arguments: [0.0, 3, 6, 10])
  func `Motion blur lowers the value, also in noise`(_ noise: Double) throws {
    // With noise of 10 the values of one length have a deviation of 80; the least step is 460.
    let lengths = noise < 10 ? [1, 3, 5, 9, 15] : [1, 5, 21]
    let scene = try MergeScene(.grey, ImageSize(width: 256, height: 192))
    var random = SeededGenerator(for: "sharpness \(noise)")
    let truth = scene.clean()
    var last = Double.infinity
    for length in lengths {
      let frame = scene.noisy(scene.blurred(truth, across: length), noise, &random)
      let value = try measure(frame, scene.layout)
      #expect(value < last, "\(length) pixels")
      last = value
    }
  }

  @Test(
    arguments: PixelFormat.encodable.filter(\.isMergeable) + [.rgb565, .xbgr32])
  func `Noise is no detail`(_ format: PixelFormat) throws {
    let scene = try MergeScene(format, ImageSize(width: 256, height: 192))
    var random = SeededGenerator(for: "sharpness \(format)")
    let truth = scene.clean()
    let clean = try measure(truth, scene.layout)
    let noisy = try measure(scene.noisy(truth, 8, &random), scene.layout)
    #expect(clean > 0)
    #expect(abs(noisy - clean) < 0.25 * clean, "\(clean) became \(noisy)")
  }

  @Test func `A flat picture has no detail`() throws {
    let scene = try MergeScene(.grey, ImageSize(width: 256, height: 192))
    let flat = [UInt8](repeating: 120, count: scene.layout.byteCount)
    #expect(try measure(flat, scene.layout) == 0)
    var random = SeededGenerator(for: "sharpness flat")
    let detail = try measure(scene.clean(), scene.layout)
    #expect(try measure(scene.noisy(flat, 8, &random), scene.layout) < 0.2 * detail)
  }

  @Test func `Only luma counts`() throws {
    let size = ImageSize(width: 64, height: 48)
    for format in PixelFormat.lumaAndChroma {
      let layout = try ImageLayout(size: size, pixelFormat: format, range: .full)
      let colors = TestPicture.paint(layout) { x, _ in
        // The same luma.
        x / 4 % 2 == 0
          ? Color(red: 100, green: 100, blue: 100) : Color(red: 100, green: 109, blue: 53)
      }
      #expect(try measure(colors, layout) < 10, "\(format)")
      let greys = TestPicture.paint(layout) { x, _ in
        let value = x / 4 % 2 == 0 ? 80.0 : 120
        return Color(red: value, green: value, blue: value)
      }
      #expect(try measure(greys, layout) > 1000, "\(format)")
    }
  }

  @Test(arguments: ImageSize.each((1, 1), (3, 3), (4, 4), (5, 7), (1, 100), (67, 4)))
  func `Small pictures have a value too`(_ size: ImageSize) throws {
    for format in [PixelFormat.grey, .yuyv, .rgb565, .bayerRGGB10] {
      let scene = try MergeScene(format, size)
      #expect(try measure(scene.clean(), scene.layout) >= 0)
    }
  }

  @Test func `Bytes that are no such picture are refused`() throws {
    let size = ImageSize(width: 30, height: 20)
    let layout = try ImageLayout(size: size, pixelFormat: .yuyv)
    let short = [UInt8](repeating: 0, count: layout.byteCount - 1)
    let error = #expect(throws: ImagingError.self) { try measure(short, layout) }
    #expect(error?.code == .shortInput)
    for layout in [
      ImageLayout.compressed(.jpeg, size: size), try ImageLayout(size: size, pixelFormat: .z16),
    ] {
      let error = #expect(throws: ImagingError.self) {
        try measure([UInt8](repeating: 0, count: 5000), layout)
      }
      #expect(error?.code == .unsupportedFormat)
    }
  }
}
