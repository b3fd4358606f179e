import Imaging

extension PixelFormat {
  /// Red and green on even lines, green and blue on odd ones, 8 bits a pixel (`RGGB`).
  static let bayerRGGB8 = PixelFormat(rawValue: 0x4247_4752)
  /// The same mosaic, 10 bits a pixel in two bytes (`RG10`).
  static let bayerRGGB10 = PixelFormat(rawValue: 0x3031_4752)
  /// Distances, two bytes a pixel (`Z16 `).
  static let depth16 = PixelFormat(rawValue: 0x2036_315A)
}
