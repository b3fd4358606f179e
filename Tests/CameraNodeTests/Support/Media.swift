import CaptureSynthetic
import Digest
import Foundation
import Imaging
import OperatingSystem
import TestSupport

/// A JPEG of the synthetic camera, decoded.
struct DecodedPhoto {
  let size: ImageSize
  /// The frame number and time that the picture shows.
  let strip: FrameStrip?

  init(_ jpeg: [UInt8]) throws {
    let (size, pixels) = try unsafe JPEGDecoder().decodeRGB(jpeg.span.bytes)
    self.size = size
    let layout = try ImageLayout(size: size, pixelFormat: .rgb24)
    strip = unsafe FrameStrip.read(pixels.span.bytes, layout: layout)
  }
}

func sha256(_ bytes: [UInt8]) -> Data {
  unsafe Data(SHA256.hash(of: bytes.span.bytes).bytes)
}

/// The number of video packets in a movie, counted by ffprobe.
func packets(in path: String) throws -> Int? {
  let printed = try output(
    of: "ffprobe",
    [
      "-v", "error", "-count_packets", "-select_streams", "v:0", "-show_entries",
      "stream=nb_read_packets", "-of", "csv=p=0", path,
    ])
  return Int(String(decoding: printed, as: UTF8.self).filter(\.isNumber))
}
