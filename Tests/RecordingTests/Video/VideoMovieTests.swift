import Capture
import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import Imaging
@testable import Recording

@Suite struct VideoMovieTests {
  static let formats = [MovieFormat(.mp4, .h264), MovieFormat(.matroska, .h264)]

  let folder: TemporaryFolder
  var path: String { folder.path + "/movie" }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes the frames, without finishing the movie.
  private func write(_ frames: [Frame], _ format: MovieFormat) throws -> MovieWriter {
    let first = try #require(frames.first)
    let second = frames.dropFirst().first ?? first
    let interval = (second.metadata.timestamp - first.metadata.timestamp) / .seconds(1)
    let rate = interval > 0 ? 1 / interval : nil
    let writer = try MovieWriter(
      path: path, size: first.layout.size, createdAt: 1_777_889_472_345_678_901, title: "front",
      framesPerSecond: rate, format: format,
      parameters: first.withBytes { AccessUnit($0, .h264)?.parameters(of: $0) ?? [] })
    for frame in frames {
      let time = frame.metadata.timestamp.nanoseconds
      try frame.withBytes { (bytes) throws(RecordingError) in
        try writer.append(
          bytes, at: time - first.metadata.timestamp.nanoseconds,
          stamp: MovieFrameStamp(
            sequence: frame.metadata.sequence, monotonic: time,
            wall: time + 1_777_889_472_000_000_000),
          isKey: frame.metadata.dependence == .key)
      }
    }
    return writer
  }

  private func stamps() throws -> [MovieFrameStamp?] {
    let reader = try #require(try MovieReader(path: path))
    var stamps: [MovieFrameStamp?] = []
    while try reader.withNextFrame({ stamps.append($0.stamp) }) {}
    return stamps
  }

  @Test(arguments: formats)
  func `A movie plays in another program, with each frame at its time`(format: MovieFormat) throws {
    let scene = try Scene(interval: 33_366_700)
    // Some were lost, also one that would have been a key picture.
    let missing = Set([3, 14, 15, 16, 17] + (24..<40))
    try write(scene.coded(75, without: missing), format).finish()
    let movie = try Movie(at: path)
    let stream = try #require(movie.streams.first)
    #expect(stream.codecName == "h264" && stream.width == 160 && stream.height == 120)
    #expect(movie.format.tags["title"] == "front")
    let step = format.container == .mp4 ? 2000.0 : 1_000_000
    let times = movie.packets.compactMap { Double($0.ptsTime) }
    let kept = (0..<75).filter { !missing.contains($0) }
    #expect(times.count == kept.count)
    for (index, time) in zip(kept, times) {
      #expect(abs(time * 1e9 - Double(index * 33_366_700)) <= step)
    }
    let decoded = try decodedLuma(of: path, size: .small)
    #expect(decoded.count == kept.count)
    #expect(meanDifference(try #require(decoded.last), scene.luma(74)) < 4)
    #expect(try stamps().map { $0?.sequence } == kept.map { UInt64($0 + 1) })
    #expect(try stamps().last??.monotonic == 7_000_000_001 + 74 * 33_366_700)
  }

  @Test(arguments: formats)
  func `A movie that is cut off anywhere plays up to its last second, after it was completed`(
    format: MovieFormat
  ) throws {
    let scene = try Scene()
    _ = try write(scene.coded(110), format)
    let whole = try folder.read("movie")
    var random = SeededGenerator(for: "A movie that is cut off anywhere")
    for _ in 0..<20 {
      let count = Int.random(in: 0...whole.count, using: &random)
      try folder.write(whole.prefix(count), to: "movie")
      guard let contents = try UnfinishedMovie(path: path, minimumFreeBytes: 0).finish() else {
        continue
      }
      #expect(contents.format == format && contents.size == .small)
      let decoded = try decodedLuma(of: path, size: .small)
      #expect(decoded.count == contents.frames, "cut at \(count) of \(whole.count)")
      #expect(contents.duration == .nanoseconds(Int64(contents.frames - 1) * scene.interval))
      #expect(contents.startedAt == 1_777_889_479_000_000_001)
      #expect(try stamps().count == contents.frames)
      // Nothing changes a second time.
      #expect(try UnfinishedMovie(path: path, minimumFreeBytes: 0).finish() == contents)
    }
    try folder.write(whole, to: "movie")
    let frames = try #require(try UnfinishedMovie(path: path, minimumFreeBytes: 0).finish()?.frames)
    #expect(frames >= (format.container == .mp4 ? 97 : 110))
  }

  @Test func `A fragment whose bytes never reached the disk is cut off`() throws {
    _ = try write(Scene().coded(110), MovieFormat(.mp4, .h264))
    var bytes = try folder.read("movie")
    let fragments = try Fragments(ofFileAt: path, byteCount: bytes.count)
    #expect(fragments.starts.count >= 3)
    let last = try #require(fragments.starts.last)
    for index in last + 800..<fragments.end { bytes[index] = 0 }
    try folder.write(bytes, to: "movie")
    let frames = try #require(try UnfinishedMovie(path: path, minimumFreeBytes: 0).finish()?.frames)
    #expect(try decodedLuma(of: path, size: .small).count == frames && frames < 110)
    #expect(try folder.read("movie").count == last)
  }

  @Test(
    .enabled(if: SmallDisk.canBeMade, "only root may mount a disk"), arguments: formats)
  func `A movie that fills its disk ends with what is complete, and says how much that is`(
    format: MovieFormat
  ) throws {
    let disk = try SmallDisk(megabytes: 1)
    defer { disk.unmount() }
    let frames = try Scene(.yuyv, size: ImageSize(width: 320, height: 240)).coded(
      500, VideoKind(settings: VideoSettings(quality: 100)))
    let path = disk.folder.path + "/movie"
    let writer = try MovieWriter(
      path: path, size: frames[0].layout.size, createdAt: 0, title: "front", framesPerSecond: 25,
      format: format,
      parameters: frames[0].withBytes { AccessUnit($0, .h264)?.parameters(of: $0) ?? [] })
    let error = #expect(throws: RecordingError.self) {
      for index in 0... {
        let frame = frames[index % 500]
        try frame.withBytes { (bytes) throws(RecordingError) in
          try writer.append(
            bytes, at: Int64(index) * 40_000_000, isKey: frame.metadata.dependence == .key)
        }
      }
    }
    #expect(error?.code == .storageFull)
    _ = try? writer.finish()
    let kept = writer.keptExtent.frameCount
    #expect(kept > 10)
    #expect(try decodedLuma(of: path, size: frames[0].layout.size).count == kept)
  }

  @Test func `A remark in a picture never looks like a start code`() throws {
    var random = SeededGenerator(for: "A remark in a picture")
    for _ in 0..<200 {
      // Many zeros, as in real numbers.
      func number() -> UInt64 {
        .random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...64, using: &random)
      }
      let stamp = MovieFrameStamp(
        sequence: number(), monotonic: Int64(bitPattern: number()),
        wall: Int64(bitPattern: number()))
      var bytes: [UInt8] = []
      FrameStampRemark.append(stamp, to: &bytes)
      let unit = try #require(unsafe AccessUnit(bytes.span.bytes, .h264))
      #expect(unit.units.count == 1 && unit.units[0].bytes == 4..<bytes.count)
      let length = bytes.count - 4
      let kept = [0, 0, 0, UInt8(length)] + bytes[4...]
      #expect(unsafe FrameStampRemark.find(in: kept.span.bytes) == stamp)
    }
  }
}
