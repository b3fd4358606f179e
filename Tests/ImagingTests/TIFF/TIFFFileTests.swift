import Imaging
import TestSupport
import Testing

struct TIFFFileTests {
  @Test(arguments: Bitmap.Samples.allCases, ImageSize.each((1, 1), (37, 29), (640, 480)))
  func `A file has every sample of its picture`(samples: Bitmap.Samples, size: ImageSize) throws {
    let picture = Bitmap.noise(size, samples)
    let reader = try TIFFReader(TIFFFile.encode(picture, PhotoFacts()))
    let directories = try reader.directories()
    #expect(directories.count == 1)
    let main = directories[0]
    let channels = samples == .grey8 || samples == .grey16 ? 1 : 3
    let bits = samples == .grey8 || samples == .rgb8 ? 8 : 16
    #expect(main[254]?.numbers == [0])
    #expect(main[256]?.numbers == [size.width])
    #expect(main[257]?.numbers == [size.height])
    #expect(main[258]?.numbers == Array(repeating: bits, count: channels))
    #expect(main[259]?.numbers == [1])
    #expect(main[262]?.numbers == [channels == 1 ? 1 : 2])
    #expect(main[277]?.numbers == [channels])
    #expect(main[284]?.numbers == [1])
    let strips = try reader.blocks(273, 279, of: main)
    #expect(strips.flatMap(\.self) == picture.bytes)
    let rows = try #require(main[278]?.numbers.first)
    let lastStrip = size.height - (strips.count - 1) * rows
    #expect((1...rows).contains(lastStrip))
    #expect(strips.dropLast().allSatisfy { $0.count == rows * picture.bytesPerLine })
    #expect(strips.allSatisfy { $0.count <= 65_536 })
    // No more strips than needed.
    #expect(strips.count == 1 || (rows + 1) * picture.bytesPerLine > 65_536)
  }

  @Test(arguments: Bitmap.Samples.allCases)
  func `Colours are said to be sRGB, and numbers to be just numbers`(
    samples: Bitmap.Samples
  ) throws {
    let picture = Bitmap.noise(ImageSize(width: 4, height: 4), samples)
    let reader = try TIFFReader(TIFFFile.encode(picture, PhotoFacts()))
    let exif = try reader.directory(0x8769, of: reader.directories()[0])
    let isColor = samples == .rgb8 || samples == .rgb16
    #expect(exif[0xa001]?.numbers == [isColor ? 1 : 0xffff])
  }

  @Test func `A row that is longer than a strip is a strip`() throws {
    let picture = Bitmap.noise(ImageSize(width: 16_384, height: 3), .rgb16)
    let reader = try TIFFReader(TIFFFile.encode(picture, PhotoFacts()))
    let main = try reader.directories()[0]
    #expect(main[278]?.numbers == [1])
    let strips = try reader.blocks(273, 279, of: main)
    #expect(strips.count == 3)
    #expect(strips.flatMap(\.self) == picture.bytes)
  }

  @Test func `A file has what is known`() throws {
    let picture = Bitmap.noise(ImageSize(width: 8, height: 8), .rgb8)
    let reader = try TIFFReader(TIFFFile.encode(picture, .example))
    let main = try reader.directories()[0]
    #expect(main[0x010f]?.text == "Maker")
    #expect(main[0x0112]?.numbers == [6])
    #expect(main[700]?.type == 1)
    #expect(main[700]?.bytes == XMP.packet(.example))
    let exif = try reader.directory(0x8769, of: main)
    #expect(exif[0x829a]?.fractions == [[1, 100]])
    // These entries are only for compressed pictures.
    #expect(exif[0x9101] == nil)
    #expect(exif[0xa000]?.bytes == Array("0100".utf8))
    #expect(exif[0xa002] == nil)
    #expect(try reader.directory(0x8825, of: main)[1]?.text == "S")
  }

  @Test func `A picture without pixels is refused`() {
    let picture = Bitmap(
      size: ImageSize(width: 0, height: 8), samples: .grey8, significantBits: 8, bytes: [])
    let error = #expect(throws: ImagingError.self) { try TIFFFile.encode(picture, PhotoFacts()) }
    #expect(error?.code == .invalidSize)
  }
}

extension Bitmap {
  /// Samples at random.
  static func noise(_ size: ImageSize, _ samples: Samples) -> Bitmap {
    var random = SeededGenerator(seed: 1)
    return Bitmap(
      size: size, samples: samples, significantBits: 8 * samples.bytesPerChannel,
      bytes: (0..<(size.width * size.height * samples.bytesPerPixel)).map { _ in
        .random(in: 0...255, using: &random)
      })
  }
}
