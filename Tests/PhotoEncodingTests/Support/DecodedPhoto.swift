import Foundation
import Imaging
import PhotoEncoding
import TestSupport

/// An AVIF or a HEIC as other programs read it: avifdec and heif-convert, which make a PNG that
/// ffmpeg reads.
struct DecodedPhoto {
  let size: ImageSize
  private let pixels: [UInt8]

  init(_ file: [UInt8], _ format: HEIFFormat) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(file, to: "photo.\(format)")
    let png = "\(folder.path)/photo.png"
    try output(of: format == .avif ? "avifdec" : "heif-convert", [path, png])
    let image = try [UInt8](
      output(of: "ffmpeg", ["-v", "error", "-i", png, "-f", "image2pipe", "-c:v", "ppm", "-"]))
    // P6, width, height and the largest value, then red, green and blue.
    let words = image.prefix(40).split(maxSplits: 4, whereSeparator: { [10, 32].contains($0) })
      .prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 4, words[0] == "P6", let width = Int(words[1]), let height = Int(words[2])
    else { throw DecodingFailure(beginning: words) }
    size = ImageSize(width: width, height: height)
    pixels = image.suffix(3 * width * height)
  }

  /// The mean colour of the middle half of one of `count` upright bars.
  func color(ofPatch patch: Int, of count: Int) -> Color {
    let width = Double(size.width) / Double(count)
    let first = Int((Double(patch) + 0.25) * width)
    let columns = first..<max(first + 1, Int((Double(patch) + 0.75) * width))
    var sums = [0.0, 0.0, 0.0]
    for y in 0..<size.height {
      for x in columns {
        for channel in 0..<3 { sums[channel] += Double(pixels[3 * (y * size.width + x) + channel]) }
      }
    }
    let means = sums.map { $0 / Double(columns.count * size.height) }
    return Color(red: means[0], green: means[1], blue: means[2])
  }
}

/// ffmpeg did not write the picture that was asked of it.
struct DecodingFailure: Error {
  var beginning: [String]
}
