import Foundation
import Imaging
import TestSupport

/// The pictures of a small scene as an encoder of another program codes them, each behind a
/// delimiter.
struct CodedVideo {
  static let size = ImageSize(width: 160, height: 96)
  /// One in so many is a key picture.
  static let keyEvery = 10

  let standard: AccessUnit.Standard
  let pictures: [[UInt8]]

  /// - Parameters:
  ///   - options: More options of the encoder.
  ///   - filter: A filter of libavcodec that changes the stream.
  init(
    _ standard: AccessUnit.Standard = .h264, count: Int = 30, size: ImageSize = Self.size,
    options: String = "bframes=0:repeat-headers=1", filter: String = "null"
  ) throws {
    self.standard = standard
    let encoder = standard == .h264 ? "x264" : "x265"
    let keys = "keyint=\(Self.keyEvery):min-keyint=\(Self.keyEvery):scenecut=0"
    let bytes = try [UInt8](
      output(
        of: "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc=size=\(size):rate=25", "-frames:v",
          "\(count)",
          "-pix_fmt", "yuv420p", "-c:v", "lib\(encoder)", "-preset", "ultrafast",
          "-\(encoder)-params", "log-level=none:\(keys):aud=1:\(options)", "-bsf:v", filter,
          "-f", standard == .h264 ? "h264" : "hevc", "-",
        ]))
    let delimiter: [UInt8] = [0, 0, 0, 1] + (standard == .h264 ? [9] : [0x46, 1])
    let starts = bytes.indices.filter { bytes[$0...].starts(with: delimiter) } + [bytes.count]
    pictures = zip(starts, starts.dropFirst()).map { Array(bytes[$0..<$1]) }
  }

  /// The pixels of pictures in 4:2:0, as another program decodes them.
  func decoded(_ pictures: some Sequence<[UInt8]>, size: ImageSize = Self.size) throws -> [[UInt8]]
  {
    let folder = try TemporaryFolder()
    let name = standard == .h264 ? "stream.h264" : "stream.hevc"
    try folder.write(pictures.flatMap(\.self), to: name)
    let bytes = try [UInt8](
      output(
        of: "ffmpeg",
        [
          "-v", "error", "-i", folder.path + "/" + name, "-fps_mode", "passthrough", "-f",
          "rawvideo",
          "-",
        ]))
    let count = size.width * size.height * 3 / 2
    return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<$0 + count]) }
  }

  /// A picture without its parameters.
  func withoutParameters(_ picture: [UInt8]) -> [UInt8] {
    units(of: picture).filter { !isParameter($0) }.flatMap(\.self)
  }

  /// The parameters of a picture.
  func parameters(of picture: [UInt8]) -> [UInt8] {
    units(of: picture).filter(isParameter).flatMap(\.self)
  }

  private func isParameter(_ unit: [UInt8]) -> Bool {
    let header = unit[unit.firstIndex(of: 1).map { $0 + 1 } ?? 0]
    return standard == .h264
      ? [7, 8].contains(header & 0x1f) : (32...34).contains(header >> 1 & 0x3f)
  }

  /// The units of a picture with their start codes.
  func units(of picture: [UInt8]) -> [[UInt8]] {
    var starts = picture.indices.filter { picture[$0...].starts(with: [0, 0, 1]) }
    starts = starts.map { $0 > 0 && picture[$0 - 1] == 0 ? $0 - 1 : $0 } + [picture.count]
    return zip(starts, starts.dropFirst()).map { Array(picture[$0..<$1]) }
  }
}
