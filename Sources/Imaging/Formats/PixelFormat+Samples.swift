/// The samples of a sensor's format, which has one for each pixel.
struct SensorSamples: Hashable, Sendable {
  enum Meaning: Hashable, Sendable {
    /// The brightness behind a filter of one colour.
    case colors(BayerPattern)
    /// The brightness, in more than 8 bits.
    case brightness
    /// The distance in millimetres; 0 where it is not known.
    case distance
  }

  enum Packing: Hashable, Sendable {
    case bytes
    /// Two bytes, the low one first. Unused high bits are zero.
    case words
    /// Two bytes, the high one first.
    case bigEndianWords
    /// MIPI's RAW10: the high bytes of four samples, then a byte with their low bits, of which the
    /// first sample has the lowest.
    case groupsOf10
    /// MIPI's RAW12: the high bytes of two samples, then a byte with their low bits.
    case groupsOf12

    var shape: PixelShape {
      switch self {
      case .bytes: .packed(bytesPerPixel: 1)
      case .words, .bigEndianWords: .packed(bytesPerPixel: 2)
      case .groupsOf10: .grouped(pixels: 4, bytes: 5)
      case .groupsOf12: .grouped(pixels: 2, bytes: 3)
      }
    }
  }

  var meaning: Meaning
  var bits: Int
  var packing: Packing
}

extension PixelFormat {
  private static let samples: [PixelFormat: SensorSamples] = {
    let patterns: [BayerPattern] = [.bggr, .gbrg, .grbg, .rggb]
    let mosaics: [(bits: Int, packing: SensorSamples.Packing, formats: [PixelFormat])] = [
      (8, .bytes, [bayerBGGR8, bayerGBRG8, bayerGRBG8, bayerRGGB8]),
      (10, .words, [bayerBGGR10, bayerGBRG10, bayerGRBG10, bayerRGGB10]),
      (10, .groupsOf10, [bayerBGGR10P, bayerGBRG10P, bayerGRBG10P, bayerRGGB10P]),
      (12, .words, [bayerBGGR12, bayerGBRG12, bayerGRBG12, bayerRGGB12]),
      (12, .groupsOf12, [bayerBGGR12P, bayerGBRG12P, bayerGRBG12P, bayerRGGB12P]),
      (16, .words, [bayerBGGR16, bayerGBRG16, bayerGRBG16, bayerRGGB16]),
    ]
    var table = [
      y10: SensorSamples(meaning: .brightness, bits: 10, packing: .words),
      y12: SensorSamples(meaning: .brightness, bits: 12, packing: .words),
      y16: SensorSamples(meaning: .brightness, bits: 16, packing: .words),
      y16BigEndian: SensorSamples(meaning: .brightness, bits: 16, packing: .bigEndianWords),
      y10P: SensorSamples(meaning: .brightness, bits: 10, packing: .groupsOf10),
      z16: SensorSamples(meaning: .distance, bits: 16, packing: .words),
    ]
    for (bits, packing, formats) in mosaics {
      for (pattern, format) in zip(patterns, formats) {
        table[format] = SensorSamples(meaning: .colors(pattern), bits: bits, packing: packing)
      }
    }
    return table
  }()

  /// Nil for formats with several samples in a pixel, and for grey of 8 bits.
  var sensorSamples: SensorSamples? { Self.samples[self] }

  /// The samples of a sensor are delivered as the driver has them: Bayer, grey of more than 8 bits,
  /// and distances.
  package var isSensorData: Bool { sensorSamples != nil }

  /// The colours of the sensor's filters; nil unless the format is Bayer.
  package var bayerPattern: BayerPattern? {
    guard case .colors(let pattern) = sensorSamples?.meaning else { return nil }
    return pattern
  }

  /// How many bits each sample has in Bayer, grey of more than 8 bits and distances; nil for other
  /// formats.
  package var sampleBits: Int? { sensorSamples?.bits }

  /// Whether the pixels are grey of more than 8 bits.
  package var isDeepGrey: Bool { sensorSamples?.meaning == .brightness }

  /// Whether the pixels are distances in millimetres.
  package var isDepth: Bool { sensorSamples?.meaning == .distance }
}
