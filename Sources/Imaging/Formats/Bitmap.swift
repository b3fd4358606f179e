/// A picture's samples in memory of their own, as lossless files are made of them.
package struct Bitmap: Hashable, Sendable {
  package enum Samples: Hashable, Sendable, CaseIterable {
    case grey8, grey16, rgb8, rgb16

    package var channels: Int { self == .grey8 || self == .grey16 ? 1 : 3 }
    package var bytesPerChannel: Int { self == .grey8 || self == .rgb8 ? 1 : 2 }
    package var bytesPerPixel: Int { channels * bytesPerChannel }
  }

  package let size: ImageSize
  package let samples: Samples
  /// How many of a sample's bits the camera fills: 8, or 10 to 16. Grey of fewer bits than 16 fills
  /// 16, because its highest bits are repeated in the lowest ones.
  package let significantBits: Int
  /// Row after row without padding. Samples of 16 bits have their low byte first.
  package let bytes: [UInt8]

  package init(size: ImageSize, samples: Samples, significantBits: Int, bytes: [UInt8]) {
    precondition(
      bytes.count == size.width * size.height * samples.bytesPerPixel,
      "a bitmap has all its samples")
    self.size = size
    self.samples = samples
    self.significantBits = significantBits
    self.bytes = bytes
  }

  /// Colours are sRGB's. Grey and distances have the camera's own numbers, whose meaning is not
  /// known.
  package var colorSpace: ColorSpace { samples.channels == 3 ? .sRGB : .uncalibrated }

  package var bytesPerLine: Int { size.width * samples.bytesPerPixel }
}
