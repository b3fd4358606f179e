import Foundation
import TestSupport

/// A movie as ffprobe, an independent program, reads it.
struct Movie: Decodable {
  struct Stream: Decodable {
    let codecName: String
    let width: Int
    let height: Int
    let colorRange: String
    let avgFrameRate: String
  }

  struct Packet: Decodable {
    let ptsTime: String
    let size: String
  }

  struct Format: Decodable {
    let duration: String?
    let tags: [String: String]
  }

  let streams: [Stream]
  let packets: [Packet]
  let format: Format

  /// The packets' times in whole milliseconds.
  var milliseconds: [Int] {
    packets.compactMap { Double($0.ptsTime) }.map { Int(($0 * 1000).rounded()) }
  }

  init(at path: String) throws {
    let text = try output(
      of: "ffprobe",
      ["-v", "error", "-show_streams", "-show_packets", "-show_format", "-of", "json", path]
    )
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(Movie.self, from: text)
  }

  /// The bytes of all frames, unchanged, one after the other.
  static func frames(at path: String) throws -> [UInt8] {
    [UInt8](
      try output(of: "ffmpeg", ["-v", "error", "-i", path, "-c", "copy", "-f", "mjpeg", "-"]))
  }

  /// Decodes every frame. Throws at the first failure.
  static func play(_ path: String) throws {
    try output(of: "ffmpeg", ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
  }
}
