import Foundation
import Imaging
import TestSupport
import Testing

struct PNGEncoderTests {
  /// Samples that use all values, but are smooth enough to be compressed.
  private static func bitmap(
    _ samples: Bitmap.Samples, _ width: Int, _ height: Int, significantBits: Int? = nil
  ) -> Bitmap {
    let size = ImageSize(width: width, height: height)
    let bits = 8 * samples.bytesPerChannel
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width * samples.channels {
        let value = (x * 251 + y * 769) & (1 << bits - 1)
        bytes.append(UInt8(truncatingIfNeeded: value))
        if bits == 16 { bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
      }
    }
    return Bitmap(
      size: size, samples: samples, significantBits: significantBits ?? bits, bytes: bytes)
  }

  /// The samples as ffmpeg reads them, with their low byte first.
  private static func decode(_ png: [UInt8], _ samples: Bitmap.Samples) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = try folder.write(png, to: "picture.png")
    let format =
      switch samples {
      case .grey8: "gray"
      case .grey16: "gray16le"
      case .rgb8: "rgb24"
      case .rgb16: "rgb48le"
      }
    return try [UInt8](
      output(
        of: "ffmpeg",
        [
          "-v", "error", "-xerror", "-err_detect", "crccheck+explode", "-i", path, "-f", "rawvideo",
          "-pix_fmt", format, "-",
        ]))
  }

  @Test(
    arguments: Bitmap.Samples.allCases,
    ImageSize.each((640, 480), (1, 1), (1, 7), (7, 1), (33, 17)))
  func `Every sample comes back as it was`(samples: Bitmap.Samples, size: ImageSize) throws {
    let bitmap = Self.bitmap(samples, size.width, size.height)
    let png = try PNGEncoder.encode(bitmap)
    #expect(try Self.decode(png, samples) == bitmap.bytes)
  }

  @Test(arguments: Bitmap.Samples.allCases)
  func `The header has the size and the kind of samples`(samples: Bitmap.Samples) throws {
    let chunks = try #require(PNGChunks(PNGEncoder.encode(Self.bitmap(samples, 300, 2))))
    let depth: UInt8 = samples == .grey8 || samples == .rgb8 ? 8 : 16
    let isGrey = samples == .grey8 || samples == .grey16
    #expect(chunks["IHDR"] == [0, 0, 1, 44, 0, 0, 0, 2, depth, isGrey ? 0 : 2, 0, 0, 0])
    #expect(chunks["sRGB"] == (isGrey ? nil : [0]))
  }

  @Test(
    arguments: [
      (Bitmap.Samples.grey16, 10, [10]), (.rgb16, 12, [12, 12, 12]), (.grey16, 16, nil),
      (.grey8, 8, nil), (.rgb8, 8, nil),
    ] as [(Bitmap.Samples, Int, [UInt8]?)])
  func `The bits that the camera fills are named if they are not all`(
    samples: Bitmap.Samples, bits: Int, expected: [UInt8]?
  ) throws {
    let bitmap = Self.bitmap(samples, 4, 4, significantBits: bits)
    let chunks = try #require(PNGChunks(PNGEncoder.encode(bitmap)))
    #expect(chunks["sBIT"] == expected)
  }

  @Test func `Noise is stored with little more than its own size`() throws {
    var random = SeededGenerator(for: "noise in a PNG")
    let size = ImageSize(width: 301, height: 99)
    let bytes = (0..<301 * 99 * 6).map { _ in UInt8.random(in: 0...255, using: &random) }
    let bitmap = Bitmap(size: size, samples: .rgb16, significantBits: 16, bytes: bytes)
    let png = try PNGEncoder.encode(bitmap)
    #expect(png.count < bytes.count * 101 / 100 + 1000, "\(random)")
    #expect(try Self.decode(png, .rgb16) == bytes, "\(random)")
  }

  @Test func `A picture of equal rows takes next to nothing`() throws {
    let row = (0..<640).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let bytes = (0..<480).flatMap { _ in row }
    let bitmap = Bitmap(
      size: ImageSize(width: 640, height: 480), samples: .grey16, significantBits: 16, bytes: bytes)
    #expect(try PNGEncoder.encode(bitmap).count < bytes.count / 50)
  }

  @Test func `Metadata are in their own chunks before the samples`() throws {
    let exif = Array("II*\0\u{8}\0\0\0\0\0\0\0\0\0".utf8)
    let xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>Bär</x:xmpmeta>".utf8)
    let metadata = PNGMetadata(
      exif: exif, xmp: xmp, texts: [.init("Depth unit", "metre"), .init("Depth scale", "0.001 µ")])
    let png = try PNGEncoder.encode(Self.bitmap(.grey16, 8, 8), metadata)
    let chunks = try #require(PNGChunks(png))
    #expect(chunks["eXIf"] == exif)
    #expect(chunks["iTXt"] == Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp)
    #expect(
      chunks.chunks.filter { $0.name == "tEXt" }.map(\.bytes) == [
        Array("Depth unit\0metre".utf8),
        Array("Depth scale\0".utf8) + Array("0.001 ".utf8) + [0xb5],
      ])
    #expect(
      chunks.chunks.map(\.name) == ["IHDR", "eXIf", "iTXt", "tEXt", "tEXt", "IDAT", "IEND"])
    #expect(try Self.decode(png, .grey16) == Self.bitmap(.grey16, 8, 8).bytes)
  }

  @Test(
    arguments: [
      PNGMetadata(exif: Array("Exif\0\0II*\0".utf8)),
      PNGMetadata(texts: [.init("", "text")]),
      PNGMetadata(texts: [.init(String(repeating: "k", count: 80), "text")]),
      PNGMetadata(texts: [.init(" key", "text")]),
      PNGMetadata(texts: [.init("a  key", "text")]),
      PNGMetadata(texts: [.init("key\n", "text")]),
      PNGMetadata(texts: [.init("кey", "text")]),
      PNGMetadata(texts: [.init("key", "текст")]),
      PNGMetadata(texts: [.init("key", "a\0b")]),
    ])
  func `Metadata that a PNG cannot hold are refused`(metadata: PNGMetadata) {
    let error = #expect(throws: ImagingError.self) {
      try PNGEncoder.encode(Self.bitmap(.grey8, 2, 2), metadata)
    }
    #expect(error?.code == .invalidMetadata)
  }

  @Test func `A large packet of metadata finds room in a small picture`() throws {
    let xmp = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
    let png = try PNGEncoder.encode(Self.bitmap(.grey8, 1, 1), PNGMetadata(xmp: xmp))
    #expect(try #require(PNGChunks(png))["iTXt"]?.count == 1_000_022)
  }

  @Test(arguments: ImageSize.each((0, 0), (16_385, 1)))
  func `A size beyond the limits is refused`(size: ImageSize) {
    let error = #expect(throws: ImagingError.self) {
      try PNGEncoder.encode(Self.bitmap(.grey8, size.width, size.height))
    }
    #expect(error?.code == .invalidSize)
  }
}
