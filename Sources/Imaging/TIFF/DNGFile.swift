/// Makes raw photo files of a colour sensor's samples (DNG 1.4), without compression and bit by
/// bit.
package enum DNGFile {
  /// - Parameters:
  ///   - colorMatrix: How the sensor sees.
  /// - Throws: `invalidSize`.
  package static func encode(
    _ picture: MosaicPicture, _ facts: PhotoFacts, colorMatrix: ColorMatrix = .sRGB
  ) throws(ImagingError) -> [UInt8] {
    var directory = facts.directory(.uncalibrated)
    try directory.setPicture(
      picture.bytes, size: picture.size, samplesPerPixel: 1,
      bitsPerSample: UInt16(8 * picture.bytesPerSample),
      // A mosaic of colours.
      photometricInterpretation: 32_803)
    // DNG demands an orientation.
    directory[.orientation] = .short((facts.orientation ?? .upright).exifValue)
    directory[.cfaRepeatPatternDim] = .shorts([2, 2])
    directory[.cfaPattern] = .bytes(picture.pattern.planes)
    directory[.cfaPlaneColor] = .bytes([0, 1, 2])
    // Rows and columns at right angles.
    directory[.cfaLayout] = .short(1)
    directory[.dngVersion] = .bytes([1, 4, 0, 0])
    directory[.dngBackwardVersion] = .bytes([1, 1, 0, 0])
    directory[.uniqueCameraModel] = .ascii(facts.uniqueModel)
    let whiteLevel = (1 << picture.bits) - 1
    directory[.blackLevel] = .long(max(0, min(picture.black, whiteLevel - 1)))
    directory[.whiteLevel] = .long(whiteLevel)
    directory[.colorMatrix1] = .signedRationals(colorMatrix.rationals)
    // D65.
    directory[.calibrationIlluminant1] = .short(21)
    // The sensor sees grey as equal parts. Without this, developers balance each picture by its own
    // colours, and the same wall has another colour in each.
    directory[.asShotNeutral] = .rationals([Rational(1), Rational(1), Rational(1)])
    // Pictures are as bright as their samples are.
    directory[.baselineExposure] = .signedRationals([Rational(0)])
    directory[.xmp] = .bytes(XMP.packet(facts))
    return TIFFWriter.write([directory])
  }
}

extension BayerPattern {
  /// The pattern as DNG numbers its colours: 0 for red, 1 for green and 2 for blue.
  fileprivate var planes: [UInt8] {
    switch self {
    case .rggb: [0, 1, 1, 2]
    case .grbg: [1, 0, 2, 1]
    case .gbrg: [1, 2, 0, 1]
    case .bggr: [2, 1, 1, 0]
    }
  }
}

extension PhotoFacts {
  /// The camera's maker and model. DNG demands one.
  fileprivate var uniqueModel: String {
    let names = [make, model].compactMap { $0?.asciiText(maximumCount: Self.maximumNameCount) }
    return names.isEmpty ? "Unknown camera" : names.joined(separator: " ")
  }
}

/// How a colour sensor sees: CIE XYZ under daylight (D65) to the sensor's red, green and blue.
package struct ColorMatrix: Hashable, Sendable {
  /// Nine factors, row after row: the first row makes red.
  package let factors: [Double]

  /// Nil unless there are nine factors between -1000 and 1000.
  package init?(_ factors: [Double]) {
    guard factors.count == 9, factors.allSatisfy({ (-1000...1000).contains($0) }) else {
      return nil
    }
    self.factors = factors
  }

  private init(sRGB factors: [Double]) { self.factors = factors }

  /// A sensor whose colours are those of sRGB (IEC 61966-2-1). It stands for sensors whose colours
  /// are not known.
  package static let sRGB = ColorMatrix(
    sRGB: [
      3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259,
      1.0572252,
    ])
}

extension ColorMatrix {
  /// The factors in ten-thousandths, as DNG files usually have them.
  var rationals: [Rational<Int32>] {
    factors.map { Rational(Int32(($0 * 10_000).rounded()), 10_000) }
  }
}
