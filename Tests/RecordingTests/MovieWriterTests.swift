import Foundation
import Imaging
import Recording
import TestSupport
import Testing

@Suite struct MovieWriterTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A movie has all appended JPEGs unchanged`() throws {
    let jpegs = try (0..<30).map { try jpeg($0) }
    let writer = try write(jpegs, at: (0..<30).map { Int64($0) * 40_000_000 })
    try writer.finish()

    let movie = try Movie(at: folder.movie)
    #expect(movie.packets.count == 30 && writer.extent.frameCount == 30)
    #expect(movie.packets.compactMap { Int($0.size) } == jpegs.map(\.count))
    #expect(writer.extent.byteCount == jpegs.joined().count)
    #expect(try Movie.frames(at: folder.movie) == Array(jpegs.joined()))
    try Movie.play(folder.movie)
  }

  @Test func `A movie has its format, title and time of creation`() throws {
    try write([jpeg(1), jpeg(2)], at: [0, 40_000_000]).finish()
    let movie = try Movie(at: folder.movie)
    let stream = try #require(movie.streams.first)
    #expect(movie.streams.count == 1)
    #expect(stream.codecName == "mjpeg" && stream.width == 160 && stream.height == 120)
    #expect(stream.colorRange == "pc")
    #expect(stream.avgFrameRate == "25/1")
    #expect(movie.format.tags["title"] == "front")
    #expect(movie.format.tags["creation_time"] == "2026-05-04T10:11:12.345678Z")
    #expect(movie.format.duration.flatMap(Double.init) == 0.08, "the last frame is shown for 40 ms")
  }

  @Test func `Irregular times are kept to the millisecond`() throws {
    let times: [Int64] = [
      0, 33_366_700, 66_733_399, 500_499_999, 500_500_000 + 1_000_000, 3_600_000_000_000,
    ]
    let writer = try write(times.indices.map { try jpeg($0) }, at: times)
    try writer.finish()
    #expect(try Movie(at: folder.movie).milliseconds == [0, 33, 67, 500, 502, 3_600_000])
    #expect(writer.extent.duration == .seconds(3600))
  }

  @Test func `A time that does not increase becomes one millisecond after the last`() throws {
    let times: [Int64] = [0, 100_000, 200_000, 40_000_000, 40_000_000, 10_000_000, -5, 80_000_000]
    try write(times.indices.map { try jpeg($0) }, at: times).finish()
    #expect(try Movie(at: folder.movie).milliseconds == [0, 1, 2, 40, 41, 42, 43, 80])
  }

  @Test(arguments: [16, 160])
  func `An unfinished movie has every appended frame, however small`(
    side: Int
  ) throws {
    let size = ImageSize(width: side, height: side)
    let writer = try MovieWriter(
      path: folder.movie,
      size: size,
      createdAt: 0,
      title: "front",
      framesPerSecond: 2
    )
    for index in 0..<5 {
      try writer.append(jpeg(index, size: size), at: Int64(index) * 500_000_000)
      #expect(try Movie(at: folder.movie).packets.count == index + 1)
    }
    try Movie.play(folder.movie)
    try writer.finish()
    #expect(try Movie(at: folder.movie).packets.count == 5)
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
  func `A movie that fills its disk ends with the last complete frame and plays`() throws {
    let disk = try SmallDisk(megabytes: 1)
    defer { disk.unmount() }
    let writer = try open(disk.folder.movie)
    let picture = try jpeg(1)
    let error = #expect(throws: RecordingError.self) {
      for index in 0... { try writer.append(picture, at: Int64(index) * 40_000_000) }
    }
    #expect(error?.code == .storageFull)
    #expect(writer.extent.frameCount > 10)
    #expect(throws: RecordingError.self) { try writer.finish() }
    #expect(try Movie(at: disk.folder.movie).packets.count == writer.keptExtent.frameCount)
    try Movie.play(disk.folder.movie)
  }

  @Test func `A finished writer accepts no frames, and finishing it again is harmless`() throws {
    let writer = try write([jpeg(1)], at: [0])
    try writer.finish()
    try writer.finish()
    let error = #expect(throws: RecordingError.self) {
      try writer.append(jpeg(2), at: 1)
    }
    #expect(error?.code == .muxerFailed)
    #expect(try Movie(at: folder.movie).packets.count == 1)
  }

  @Test func `The error for a full disk says so`() throws {
    let error = #expect(throws: RecordingError.self) {
      let writer = try open("/dev/full")
      for index in 0..<10 { try writer.append(jpeg(index), at: Int64(index)) }
      try writer.finish()
    }
    #expect(error?.code == .storageFull)
    #expect(error?.message.contains("/dev/full") == true)
  }

  @Test(arguments: ["/nowhere/movie.mkv", ""])
  func `A path where no file can be created is refused`(name: String) throws {
    let path = folder.path + name
    let error = #expect(throws: RecordingError.self) { try open(path) }
    #expect(error?.code == .storageFailed)
    #expect(error?.message.contains("\(path) has no folder, or is one") == true)
  }

  private func open(_ path: String) throws -> MovieWriter {
    try MovieWriter(
      path: path,
      size: .small,
      createdAt: 1_777_889_472_345_678_901,
      title: "front",
      framesPerSecond: 25
    )
  }

  /// Writes the pictures at these times in nanoseconds, without finishing the movie.
  private func write(_ jpegs: [[UInt8]], at times: [Int64]) throws -> MovieWriter {
    let writer = try open(folder.movie)
    for (jpeg, time) in zip(jpegs, times) { try writer.append(jpeg, at: time) }
    return writer
  }
}
