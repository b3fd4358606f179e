import Testing

@testable import Imaging

struct PNGDecoderTests {
  private static let size = ImageSize(width: 7, height: 5)

  private func bitmap(_ samples: Bitmap.Samples) -> Bitmap {
    let count = Self.size.width * Self.size.height * samples.channels
    let bytes = (0..<count).flatMap { index -> [UInt8] in
      let value = UInt8(index * 255 / count)
      // The low byte comes first, and makes no difference.
      return samples.bytesPerChannel == 1 ? [value] : [value, value]
    }
    return Bitmap(
      size: Self.size, samples: samples, significantBits: 8 * samples.bytesPerChannel, bytes: bytes)
  }

  @Test(arguments: Bitmap.Samples.allCases)
  func `A PNG has the colours that were written`(samples: Bitmap.Samples) throws {
    let bitmap = bitmap(samples)
    let png = try PNGEncoder.encode(bitmap)
    #expect(PNGDecoder.isPNG(png))
    let (size, pixels) = try PNGDecoder.decodeRGB(png, maximumPixelCount: 35)
    #expect(size == Self.size)
    let high = bitmap.bytes.enumerated().filter {
      $0.offset % samples.bytesPerChannel == samples.bytesPerChannel - 1
    }.map(\.element)
    let expected = samples.channels == 3 ? high : high.flatMap { [$0, $0, $0] }
    #expect(zip(pixels, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    #expect(pixels.count == expected.count)
  }

  @Test func `What is no PNG, ends early or is too large is refused`() throws {
    let png = try PNGEncoder.encode(bitmap(.rgb8))
    #expect(!PNGDecoder.isPNG([0xff, 0xd8]) && !PNGDecoder.isPNG([]))
    for bytes in [[], [0xff, 0xd8, 0xff], Array(png.prefix(20)), Array(png.dropLast(30))] {
      let error = #expect(throws: ImagingError.self) {
        try PNGDecoder.decodeRGB(bytes, maximumPixelCount: 35)
      }
      #expect(error?.code == .corrupt && error?.message.isEmpty == false)
    }
    let error = #expect(throws: ImagingError.self) {
      try PNGDecoder.decodeRGB(png, maximumPixelCount: 34)
    }
    #expect(error?.code == .invalidSize)
  }
}
