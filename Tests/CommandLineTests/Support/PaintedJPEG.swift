import Imaging
import TestSupport

/// JPEGs that a test paints.
enum PaintedJPEG {
  typealias Pixel = ReadPicture.Pixel

  static let bars = [
    Pixel(red: 235, green: 235, blue: 235), Pixel(red: 230, green: 210, blue: 30),
    Pixel(red: 20, green: 200, blue: 220), Pixel(red: 40, green: 190, blue: 40),
    Pixel(red: 200, green: 30, blue: 180), Pixel(red: 210, green: 20, blue: 20),
    Pixel(red: 20, green: 40, blue: 200), Pixel(red: 10, green: 10, blue: 10),
  ]

  /// - Parameter exif: The value of EXIF's orientation tag.
  static func paint(
    _ width: Int, _ height: Int, exif: UInt8? = nil, _ color: (_ x: Int, _ y: Int) -> Pixel
  ) throws -> [UInt8] {
    let layout = try ImageLayout(
      size: ImageSize(width: width, height: height), pixelFormat: .rgb24, range: .full)
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let pixel = color(x, y)
        bytes += [UInt8(pixel.red), UInt8(pixel.green), UInt8(pixel.blue)]
      }
    }
    let jpeg = try JPEGEncoder().encode(bytes, layout, quality: 100)
    guard let exif else { return jpeg }
    // One directory with one entry of type SHORT.
    let tiff: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, exif, 0, 0]
      + [0, 0, 0, 0]
    let payload = Array("Exif\0\0".utf8) + tiff
    return Array(jpeg[..<2]) + [0xff, 0xe1, 0, UInt8(payload.count + 2)] + payload
      + Array(jpeg[2...])
  }

  /// Upright bars of equal width.
  static func bars(_ width: Int, _ height: Int) throws -> [UInt8] {
    try paint(width, height) { x, _ in bars[x * bars.count / width] }
  }
}
