import Foundation
import Imaging
import TestSupport
import Testing

/// JPEGs whose headers were changed at random, against an independent decoder.
struct JPEGMutationTests {
  /// djpeg takes long for larger ones.
  private static let largest = 2048

  @Test func `What djpeg decodes without a word is a picture, and what it calls corrupt is none`()
    throws
  {
    var random = SeededGenerator(for: "headers of JPEGs")
    let size = ImageSize(width: 160, height: 120)
    let whole = try TestJPEG.bars(size)
    let scan = try #require(whole.firstRange(of: [0xff, 0xda])).upperBound
    let headers = 2..<scan + 12
    let folder = try TemporaryFolder()
    var (judged, accepted) = (0, 0)
    for number in 0..<2000 {
      var jpeg = whole
      for _ in 0...Int.random(in: 0...1, using: &random) {
        jpeg[Int.random(in: headers, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let header = unsafe try? JPEGHeader(jpeg.span.bytes),
        header.size.width > Self.largest || header.size.height > Self.largest
      {
        continue
      }
      let path = try folder.write(Data(jpeg), to: "\(number).jpg")
      let words = try Self.djpeg(path)
      let error = try Self.decodingError(jpeg)
      judged += 1
      if words.isEmpty {
        accepted += 1
        #expect(error == nil, "\(path)")
      } else if Self.isDamage(words) {
        #expect(error != nil, "\(path): \(words)")
      }
    }
    #expect(judged > 1000 && accepted > 300)
  }

  /// Whether the picture is damaged for certain. Of several faults djpeg says the first, and a few
  /// stray bytes before a marker damage nothing.
  private static func isDamage(_ words: String) -> Bool {
    if let stray = words.firstMatch(of: /(\d+) extraneous bytes/), let count = Int(stray.1) {
      return count > 4
    }
    return words.contains("Corrupt") || words.contains("Premature")
  }

  private static func decodingError(_ jpeg: [UInt8]) throws -> ImagingError? {
    let decoder = try JPEGDecoder()
    do throws(ImagingError) {
      _ = try unsafe decoder.decodeRGB(jpeg.span.bytes)
      return nil
    } catch {
      return error
    }
  }

  /// What it says of a picture, or that it fails.
  private static func djpeg(_ path: String) throws -> String {
    let (program, errors) = (Process(), Pipe())
    program.executableURL = URL(filePath: "/usr/bin/djpeg")
    program.arguments = ["-outfile", "/dev/null", path]
    program.standardError = errors
    try program.run()
    let words = String(decoding: try errors.allBytes(), as: UTF8.self)
    program.waitUntilExit()
    return program.terminationStatus == 0 || !words.isEmpty ? words : "failed"
  }
}
