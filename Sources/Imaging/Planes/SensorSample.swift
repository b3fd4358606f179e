import CPixels
import Glibc

/// The two widths in which samples of sensors are read: 8 bits for pictures that are shown, and 16
/// bits for those that keep every bit.
protocol SensorSample: FixedWidthInteger, UnsignedInteger {
  /// Reads a row. Samples of more bits lose their lowest ones, and samples of fewer bits repeat
  /// their highest ones, so that white is always the highest value.
  static func read(
    _ row: UnsafePointer<UInt8>, _ coding: SensorSamples, into samples: UnsafeMutablePointer<Self>,
    count: Int)

  /// Reads a row of Bayer as codes.
  /// - Parameters:
  ///   - codes: The code of each sample.
  ///   - words: Room for `count` samples.
  static func develop(
    _ row: UnsafePointer<UInt8>, _ coding: SensorSamples, by codes: UnsafePointer<Self>,
    words: UnsafeMutablePointer<UInt16>, into samples: UnsafeMutablePointer<Self>, count: Int)

  static func demosaic(
    _ rows: Neighbours<Self>, phase: Int, into colors: MosaicColors<Self>, count: Int)

  static func interleave(
    red: UnsafePointer<Self>, green: UnsafePointer<Self>, blue: UnsafePointer<Self>,
    into pixels: UnsafeMutablePointer<Self>, count: Int)
}

/// A row of samples and the rows above and below it.
@unsafe struct Neighbours<Sample> {
  var above: UnsafePointer<Sample>
  var row: UnsafePointer<Sample>
  var below: UnsafePointer<Sample>
}

/// Rows for a mosaic row's own colour, for green, and for the colour of its neighbours.
@unsafe struct MosaicColors<Sample> {
  var own: UnsafeMutablePointer<Sample>
  var green: UnsafeMutablePointer<Sample>
  var other: UnsafeMutablePointer<Sample>
}

extension UInt8: SensorSample {
  static func read(
    _ row: UnsafePointer<UInt8>, _ coding: SensorSamples, into samples: UnsafeMutablePointer<UInt8>,
    count: Int
  ) {
    switch coding.packing {
    case .bytes: unsafe samples.update(from: row, count: count)
    case .words: unsafe CPixels_narrow(row, Int32(coding.bits), samples, count)
    case .bigEndianWords: unsafe CPixels_firstBytes(row, samples, count)
    case .groupsOf10: unsafe CPixels_narrow10(row, samples, count)
    case .groupsOf12: unsafe CPixels_narrow12(row, samples, count)
    }
  }

  static func develop(
    _ row: UnsafePointer<UInt8>, _ coding: SensorSamples, by codes: UnsafePointer<UInt8>,
    words: UnsafeMutablePointer<UInt16>, into samples: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    if coding.packing == .bytes {
      unsafe CPixels_developBytes(row, codes, samples, count)
    } else {
      unsafe UInt16.readExactly(row, coding, into: words, count: count)
      unsafe CPixels_develop8(words, UInt16(1 << coding.bits - 1), codes, samples, count)
    }
  }

  static func demosaic(
    _ rows: Neighbours<UInt8>, phase: Int, into colors: MosaicColors<UInt8>, count: Int
  ) {
    unsafe CPixels_demosaic8(
      rows.above, rows.row, rows.below, Int32(phase), colors.own, colors.green, colors.other, count)
  }

  static func interleave(
    red: UnsafePointer<UInt8>, green: UnsafePointer<UInt8>, blue: UnsafePointer<UInt8>,
    into pixels: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    unsafe CPixels_interleave8(red, green, blue, pixels, count)
  }
}

extension UInt16: SensorSample {
  static func read(
    _ row: UnsafePointer<UInt8>, _ coding: SensorSamples,
    into samples: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    unsafe readExactly(row, coding, into: samples, count: count)
    unsafe CPixels_stretch(samples, Int32(coding.bits), count)
  }

  /// Reads a row without changing the samples' values.
  static func readExactly(
    _ row: UnsafePointer<UInt8>, _ coding: SensorSamples,
    into samples: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    switch coding.packing {
    case .bytes: unsafe CPixels_widen(row, samples, count)
    case .words: unsafe UnsafeMutableRawPointer(samples).copyMemory(from: row, byteCount: 2 * count)
    case .bigEndianWords: unsafe CPixels_swap(row, samples, count)
    case .groupsOf10: unsafe CPixels_unpack10(row, samples, count)
    case .groupsOf12: unsafe CPixels_unpack12(row, samples, count)
    }
  }

  static func develop(
    _ row: UnsafePointer<UInt8>, _ coding: SensorSamples, by codes: UnsafePointer<UInt16>,
    words: UnsafeMutablePointer<UInt16>, into samples: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    unsafe readExactly(row, coding, into: samples, count: count)
    unsafe CPixels_develop16(samples, UInt16(1 << coding.bits - 1), codes, count)
  }

  static func demosaic(
    _ rows: Neighbours<UInt16>, phase: Int, into colors: MosaicColors<UInt16>, count: Int
  ) {
    unsafe CPixels_demosaic16(
      rows.above, rows.row, rows.below, Int32(phase), colors.own, colors.green, colors.other, count)
  }

  static func interleave(
    red: UnsafePointer<UInt16>, green: UnsafePointer<UInt16>, blue: UnsafePointer<UInt16>,
    into pixels: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    unsafe CPixels_interleave16(red, green, blue, pixels, count)
  }
}

/// Makes sRGB's codes of a Bayer sensor's samples, which are linear: twice the light is twice the
/// number. The formula is that of IEC 61966-2-1. Black is the sensor's black level, and white its
/// highest sample.
///
/// It is a table that is kept between pictures.
struct SensorCurve<Code: FixedWidthInteger & UnsignedInteger> {
  private var bits = 0
  private var black = 0
  /// The code of each sample.
  private(set) var codes: [Code] = []

  /// - Parameter black: Below the highest sample.
  mutating func prepare(bits: Int, black: Int) {
    guard bits != self.bits || black != self.black else { return }
    (self.bits, self.black) = (bits, black)
    let white = 1 << bits - 1
    codes = (0...white).map { sample in
      let light = Double(max(0, sample - black)) / Double(white - black)
      let value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
      return Code((value * Double(Code.max)).rounded())
    }
  }
}
