import Glibc
import Imaging
import Testing

/// A sensor's format, painted by the words of its definition in the kernel's documentation.
struct TestSensor: CustomTestStringConvertible {
  enum Packing {
    case bytes, words, bigEndianWords
    /// In groups of 4 and 2 samples.
    case raw10, raw12
  }

  var format: PixelFormat
  var bits: Int
  var packing: Packing
  var pattern: BayerPattern?

  var testDescription: String { format.name }

  static let all: [TestSensor] = {
    let patterns: [BayerPattern] = [.bggr, .gbrg, .grbg, .rggb]
    let mosaics: [(Int, Packing, [PixelFormat])] = [
      (8, .bytes, [.bayerBGGR8, .bayerGBRG8, .bayerGRBG8, .bayerRGGB8]),
      (10, .words, [.bayerBGGR10, .bayerGBRG10, .bayerGRBG10, .bayerRGGB10]),
      (10, .raw10, [.bayerBGGR10P, .bayerGBRG10P, .bayerGRBG10P, .bayerRGGB10P]),
      (12, .words, [.bayerBGGR12, .bayerGBRG12, .bayerGRBG12, .bayerRGGB12]),
      (12, .raw12, [.bayerBGGR12P, .bayerGBRG12P, .bayerGRBG12P, .bayerRGGB12P]),
      (16, .words, [.bayerBGGR16, .bayerGBRG16, .bayerGRBG16, .bayerRGGB16]),
    ]
    let greys: [TestSensor] = [
      TestSensor(format: .y10, bits: 10, packing: .words),
      TestSensor(format: .y12, bits: 12, packing: .words),
      TestSensor(format: .y16, bits: 16, packing: .words),
      TestSensor(format: .y16BigEndian, bits: 16, packing: .bigEndianWords),
      TestSensor(format: .y10P, bits: 10, packing: .raw10),
    ]
    return greys
      + mosaics.flatMap { bits, packing, formats in
        zip(patterns, formats).map { pattern, format in
          TestSensor(format: format, bits: bits, packing: packing, pattern: pattern)
        }
      }
  }()

  /// Stores the sample that a pixel of this colour has. The sensors behind a mosaic count light.
  func put(_ color: Color, _ x: Int, _ y: Int, _ layout: ImageLayout, _ bytes: inout [UInt8]) {
    let value = [color.grey.red, color.red, color.green, color.blue][channel(x, y) + 1] / 255
    let share = pattern == nil ? value : Self.light(value)
    put(Int((share * Double(1 << bits - 1)).rounded()), x, y, layout, &bytes)
  }

  /// The light of a code of sRGB, both from 0 to 1 (IEC 61966-2-1).
  static func light(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// The code of a share of light, both from 0 to 1.
  static func code(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  /// What a picture shows of a sample, of `most`.
  func shown(_ sample: Int, black: Int = 0, most: Int) -> Int {
    let light = Double(max(sample - black, 0)) / Double(1 << bits - 1 - black)
    return Int((Self.code(light) * Double(most)).rounded())
  }

  /// 0, 1 and 2 for red, green and blue; -1 for grey.
  func channel(_ x: Int, _ y: Int) -> Int {
    guard let pattern else { return -1 }
    let letter = Array(pattern.rawValue)[y % 2 * 2 + x % 2]
    return letter == "r" ? 0 : letter == "g" ? 1 : 2
  }

  /// Stores a sample.
  func put(_ sample: Int, _ x: Int, _ y: Int, _ layout: ImageLayout, _ bytes: inout [UInt8]) {
    let row = y * layout.bytesPerLine
    func code(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) }
    switch packing {
    case .bytes: bytes[row + x] = code(sample)
    case .words:
      (bytes[row + 2 * x], bytes[row + 2 * x + 1]) = (code(sample), code(sample >> 8))
    case .bigEndianWords:
      (bytes[row + 2 * x], bytes[row + 2 * x + 1]) = (code(sample >> 8), code(sample))
    case .raw10:
      let (group, place) = (row + x / 4 * 5, x % 4)
      bytes[group + place] = code(sample >> 2)
      bytes[group + 4] &= ~(3 << (2 * place))
      bytes[group + 4] |= code(sample & 3) << (2 * place)
    case .raw12:
      let (group, place) = (row + x / 2 * 3, x % 2)
      bytes[group + place] = code(sample >> 4)
      bytes[group + 2] &= ~(15 << (4 * place))
      bytes[group + 2] |= code(sample & 15) << (4 * place)
    }
  }
}
