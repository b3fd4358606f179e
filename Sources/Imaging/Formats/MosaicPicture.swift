/// The colours of the four pixels in a colour sensor's smallest square: the upper row from left to
/// right, then the lower one.
package enum BayerPattern: String, Hashable, Sendable, CaseIterable {
  case rggb, grbg, gbrg, bggr
}

/// The samples of a colour sensor in memory of their own, one colour a pixel, as raw photo files
/// are made of them.
package struct MosaicPicture: Hashable, Sendable {
  package let size: ImageSize
  /// The colours of the pixels in the upper left corner.
  package let pattern: BayerPattern
  /// How many bits the sensor's samples have: 8, 10, 12, 14 or 16. The highest sample is all ones.
  package let bits: Int
  /// The sample that stands for black, as far as that is known; otherwise 0.
  package let black: Int
  /// Row after row without padding. Samples of 8 bits take one byte. Samples of more bits take two,
  /// with the low byte first and zeros above the highest bit.
  package let bytes: [UInt8]

  package init(size: ImageSize, pattern: BayerPattern, bits: Int, black: Int = 0, bytes: [UInt8]) {
    precondition([8, 10, 12, 14, 16].contains(bits), "samples have 8, 10, 12, 14 or 16 bits")
    precondition(
      bytes.count == size.width * size.height * (bits == 8 ? 1 : 2),
      "a mosaic has all its samples")
    self.size = size
    self.pattern = pattern
    self.bits = bits
    self.black = black
    self.bytes = bytes
  }

  package var bytesPerSample: Int { bits == 8 ? 1 : 2 }
  package var bytesPerLine: Int { size.width * bytesPerSample }
}
