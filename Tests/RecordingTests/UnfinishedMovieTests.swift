import Foundation
import OperatingSystem
import Testing
import TestSupport
import Words

@testable import Recording

@Suite struct UnfinishedMovieTests {
  let folder: TemporaryFolder
  let draft: Draft

  init() throws {
    folder = try TemporaryFolder()
    draft = try Draft(frames: 30, in: folder)
  }

  /// The place where a movie is cut off.
  enum Cut: CaseIterable {
    case beforeAnything, inTheFirstBytes, inTheHead, beforeTheFirstCluster, inTheFirstFrame
    case afterTheFirstFrame, inAClusterHead, inABlockHead, inAFrame, beforeTheLastByte, nowhere

    func offset(in draft: Draft) -> Int {
      switch self {
      case .beforeAnything: 0
      case .inTheFirstBytes: 7
      case .inTheHead: draft.frames[0].lowerBound / 2
      case .beforeTheFirstCluster: draft.frames[0].lowerBound - 20
      case .inTheFirstFrame: draft.frames[0].upperBound - 100
      case .afterTheFirstFrame: draft.frames[0].upperBound
      case .inAClusterHead: draft.frames[9].upperBound + 3
      case .inABlockHead: draft.frames[10].lowerBound - 2
      case .inAFrame: draft.frames[10].lowerBound + 1000
      case .beforeTheLastByte: draft.bytes.count - 1
      case .nowhere: draft.bytes.count
      }
    }
  }

  @Test(arguments: Cut.allCases)
  func `A movie that was cut off is recovered with every complete frame`(cut: Cut) throws {
    try check(cutAt: cut.offset(in: draft))
  }

  @Test func `A movie can be cut off anywhere`() throws {
    var random = SeededGenerator(for: "cut movies")
    for _ in 0..<20 {
      let offset = Int.random(in: 0...draft.bytes.count, using: &random)
      try check(cutAt: offset, "\(random)")
    }
  }

  /// Cuts the movie off, recovers it, and plays it.
  private func check(cutAt offset: Int, _ comment: Comment? = nil) throws {
    let expected = draft.frames(within: offset)
    try folder.writeMovie(draft.bytes.prefix(offset))
    let contents = try UnfinishedMovie(path: folder.movie).finish()
    #expect(try folder.names == ["movie.mkv"], comment)
    guard expected > 0 else {
      #expect(contents == nil, comment)
      return #expect(try folder.readMovie().count == offset, comment)
    }
    let duration = Duration.nanoseconds(Draft.interval) * (expected - 1)
    #expect(contents?.size == .small && contents?.frames == expected, comment)
    #expect(contents?.duration == duration, comment)
    let movie = try Movie(at: folder.movie)
    #expect(movie.milliseconds == (0..<expected).map { $0 * 40 }, comment)
    #expect(movie.format.duration.flatMap(Double.init) == Double(expected) * 0.04, comment)
    #expect(try Movie.frames(at: folder.movie) == Array(draft.jpegs.prefix(expected).joined()))
    try Movie.play(folder.movie)
  }

  @Test(arguments: [true, false])
  func `A recovered movie equals the finished one in metadata, index and length`(isFinished: Bool)
    throws
  {
    try folder.writeMovie(draft.finished)
    let finished = try Movie(at: folder.movie)
    if !isFinished { try folder.writeMovie(draft.bytes) }
    #expect(try UnfinishedMovie(path: folder.movie).finish()?.frames == 30)
    try checkFinished()
    let movie = try Movie(at: folder.movie)
    #expect(movie.format.tags == finished.format.tags)
    #expect(movie.streams.first?.avgFrameRate == "25/1")
    #expect(movie.format.tags["creation_time"] == "2026-05-04T10:11:12.345678Z")
  }

  @Test func `A recovered movie has the numbers and exact times of its frames`() throws {
    let stamps = (0..<5).map { index in
      MovieFrameStamp(
        sequence: UInt64(index * 2 + 7), monotonic: 1_000_000_123 + Int64(index) * 33_333_333,
        wall: 1_777_889_472_345_678_901 + Int64(index) * 33_333_333)
    }
    let writer = try MovieWriter(
      path: folder.movie, size: .small, createdAt: stamps[0].wall, title: "front",
      framesPerSecond: 30)
    for (index, stamp) in stamps.enumerated() {
      let picture = try jpeg(index)
      let time = stamp.monotonic - stamps[0].monotonic
      unsafe try writer.append(picture.span.bytes, at: time, stamp: stamp)
    }
    try Movie.play(folder.movie)
    let contents = try #require(try UnfinishedMovie(path: folder.movie).finish())
    #expect(contents.startedAt == stamps[0].wall)
    #expect(contents.duration == .nanoseconds(4 * 33_333_333))
    let reader = try #require(try MovieReader(path: folder.movie))
    var read: [MovieFrameStamp?] = []
    while try reader.withNextFrame({ read.append($0.stamp) }) {}
    #expect(read == stamps)
    #expect(try Movie(at: folder.movie).milliseconds == [0, 33, 67, 100, 133])
    try Movie.play(folder.movie)
  }

  @Test func `Times in a damaged movie that no movie has are passed over`() throws {
    let writer = try MovieWriter(
      path: folder.movie, size: .small, createdAt: 1_777_889_472_345_678_901, title: "front",
      framesPerSecond: 30)
    for index in 0..<3 {
      let picture = try jpeg(index)
      let time = Int64(index) * 40_000_000
      let stamp = MovieFrameStamp(sequence: UInt64(index), monotonic: time, wall: time)
      unsafe try writer.append(picture.span.bytes, at: time, stamp: stamp)
    }
    var bytes = Data(try folder.readMovie())
    // The date, which is in nanoseconds since 2001, and the exact time of the second frame.
    let date = try #require(bytes.range(of: Data([0x44, 0x61, 0x88])))
    bytes.replaceSubrange(
      date.upperBound..<date.upperBound + 8, with: [0x7f] + [UInt8](repeating: 0xff, count: 7))
    let first = try #require(bytes.range(of: Data("CBFRAME1".utf8)))
    let second = try #require(
      bytes.range(of: Data("CBFRAME1".utf8), in: first.upperBound..<bytes.endIndex))
    let time = second.upperBound + 8
    bytes.replaceSubrange(time..<time + 8, with: [0x80] + [UInt8](repeating: 0, count: 7))
    try folder.writeMovie(bytes)
    let contents = try #require(try UnfinishedMovie(path: folder.movie).finish())
    #expect(contents.frames == 3)
    #expect(contents.duration == .milliseconds(80))
    try Movie.play(folder.movie)
  }

  @Test func `A movie whose index was being written is recovered`() throws {
    let index = (draft.bytes.count + draft.finished.count) / 2
    try folder.writeMovie(draft.finished.prefix(index))
    #expect(try UnfinishedMovie(path: folder.movie).finish()?.frames == 30)
    try checkFinished()
  }

  /// Except for the random numbers in its head, the movie equals the one that its writer would have
  /// finished.
  private func checkFinished() throws {
    let bytes = try folder.readMovie()
    #expect(bytes.count == draft.finished.count)
    let head = draft.frames[0].lowerBound
    #expect(bytes.dropFirst(head) == draft.finished.dropFirst(head))
    let cues: [UInt8] = [0x1c, 0x53, 0xbb, 0x6b]
    #expect(bytes[draft.bytes.count...].starts(with: cues), "the index is behind the frames")
  }

  @Test func `Frames lost in a power cut are left out, and later frames are kept`()
    throws
  {
    var bytes = draft.bytes
    let lost = draft.frames[9].lowerBound + 100..<draft.frames[11].lowerBound + 100
    bytes.replaceSubrange(lost, with: repeatElement(0, count: lost.count))
    try folder.writeMovie(bytes + repeatElement(0, count: 10_000))
    #expect(try UnfinishedMovie(path: folder.movie).finish()?.frames == 27)
    let kept = Array(0..<9) + Array(12..<30)
    #expect(try Movie(at: folder.movie).milliseconds == kept.map { $0 * 40 })
    #expect(try Movie.frames(at: folder.movie) == Array(kept.map { draft.jpegs[$0] }.joined()))
    try Movie.play(folder.movie)
  }

  @Test func `A movie with a damaged head is left unchanged, because it has frames`() throws {
    let damaged = repeatElement(0, count: 4096) + draft.bytes.dropFirst(4096)
    try folder.writeMovie(damaged)
    let error = #expect(throws: RecordingError.self) {
      try UnfinishedMovie(path: folder.movie).finish()
    }
    #expect(error?.code == .unreadable)
    #expect(error?.message.contains(folder.movie) == true)
    #expect(try folder.readMovie() == Array(damaged))
  }

  @Test(arguments: [false, true])
  func `A pipe or link in a movie's place is not read, because it may have no end`(
    isPipe: Bool
  ) throws {
    let path = "\(folder.path)/odd.mkv"
    if isPipe {
      _ = try folder.makePipe("odd.mkv")
    } else {
      try folder.link("odd.mkv", to: "/dev/zero")
    }
    let error = #expect(throws: RecordingError.self) { try UnfinishedMovie(path: path).finish() }
    #expect(error?.code == .unreadable)
  }

  @Test func `A file without frames is not a movie`() throws {
    try folder.writeMovie(repeatElement(0, count: 3 << 20))
    #expect(try UnfinishedMovie(path: folder.movie).finish() == nil)
  }

  @Test func `A disk without room for the copy leaves the movie unchanged`() throws {
    try folder.writeMovie(draft.bytes)
    let error = #expect(throws: RecordingError.self) {
      try UnfinishedMovie(path: folder.movie, minimumFreeBytes: .max / 2).finish()
    }
    #expect(error?.code == .storageFull)
    let need = "in reserve, and the movie needs \(draft.bytes.count.byteWords)"
    #expect(error?.message.contains(need) == true)
    #expect(try folder.names == ["movie.mkv"])
    #expect(try folder.readMovie() == draft.bytes)
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
  func `A disk that fills up during the copy leaves the movie unchanged`() throws {
    let disk = try SmallDisk(megabytes: 1)
    defer { disk.unmount() }
    let large = try Draft(frames: 80, in: folder)
    #expect((600 << 10..<1 << 20).contains(large.bytes.count), "it fits once and not twice")
    try disk.folder.writeMovie(large.bytes)
    // A negative reserve passes the check of free space, so that the disk itself fills up.
    let error = #expect(throws: RecordingError.self) {
      try UnfinishedMovie(path: disk.folder.movie, minimumFreeBytes: -(10 << 20)).finish()
    }
    #expect(error?.code == .storageFull)
    #expect(try disk.folder.names == ["movie.mkv"])
    #expect(try disk.folder.readMovie() == large.bytes)
  }

  @Test func `A cancelled recovery leaves the movie unchanged and can be repeated`() throws {
    try folder.writeMovie(draft.bytes)
    var frames = 0
    let error = #expect(throws: RecordingError.self) {
      try UnfinishedMovie(path: folder.movie).finish {
        frames += 1
        return frames > 10
      }
    }
    #expect(error?.code == .cancelled)
    #expect(try folder.names == ["movie.mkv"])
    #expect(try folder.readMovie() == draft.bytes)
    #expect(try UnfinishedMovie(path: folder.movie).finish()?.frames == 30)
  }

  @Test func `A copy left behind by a killed process is ignored`() throws {
    try folder.writeMovie(draft.bytes)
    try Data(draft.bytes.prefix(100_000)).write(
      to: URL(filePath: folder.movie + UnfinishedMovie.copySuffix))
    #expect(try UnfinishedMovie(path: folder.movie).finish()?.frames == 30)
    #expect(try folder.names == ["movie.mkv"])
    try checkFinished()
  }

  @Test func `A movie without a file has no frames`() throws {
    #expect(try UnfinishedMovie(path: folder.path + "/none.mkv").finish() == nil)
  }
}
