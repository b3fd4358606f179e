import Imaging
import TestSupport
import Testing

struct MosaicReadingTests {
  private let reader: PictureReader

  init() throws {
    reader = try PictureReader()
  }

  @Test(
    arguments: TestSensor.all.filter { $0.pattern != nil },
    ImageSize.each((8, 2), (7, 3), (1, 1), (66, 5)))
  func `Every sample keeps its value, and padding goes`(
    sensor: TestSensor, size: ImageSize
  ) throws {
    let plain = try ImageLayout(size: size, pixelFormat: sensor.format)
    let layout = try ImageLayout(
      size: size, pixelFormat: sensor.format, bytesPerLine: plain.bytesPerLine + 5)
    var random = SeededGenerator(for: "mosaics")
    let samples = (0..<size.width * size.height).map { _ in
      Int.random(in: 0..<(1 << sensor.bits), using: &random)
    }
    var bytes = [UInt8](repeating: 0xaa, count: layout.byteCount)
    for (index, sample) in samples.enumerated() {
      sensor.put(sample, index % size.width, index / size.width, layout, &bytes)
    }
    let mosaic = try unsafe reader.mosaic(bytes.span.bytes, layout: layout)
    #expect(mosaic.size == size && mosaic.bits == sensor.bits)
    #expect(mosaic.pattern == sensor.pattern)
    let expected = samples.flatMap {
      sensor.bits == 8 ? [UInt8($0)] : [UInt8($0 & 255), UInt8($0 >> 8)]
    }
    #expect(mosaic.bytes == expected)
  }

  @Test(arguments: [PixelFormat.y16, .z16, .grey, .yuyv, .rgb565])
  func `Only Bayer has a mosaic`(format: PixelFormat) throws {
    let layout = try ImageLayout(size: ImageSize(width: 8, height: 8), pixelFormat: format)
    let bytes = [UInt8](repeating: 0, count: layout.byteCount)
    let error = #expect(throws: ImagingError.self) {
      try unsafe reader.mosaic(bytes.span.bytes, layout: layout)
    }
    #expect(error?.code == .unsupportedFormat)
  }

  @Test func `A partly filled buffer is refused`() throws {
    let layout = try ImageLayout(
      size: ImageSize(width: 8, height: 8), pixelFormat: .bayerRGGB10P)
    let bytes = [UInt8](repeating: 0, count: layout.byteCount - 1)
    let error = #expect(throws: ImagingError.self) {
      try unsafe reader.mosaic(bytes.span.bytes, layout: layout)
    }
    #expect(error?.code == .shortInput)
  }
}
