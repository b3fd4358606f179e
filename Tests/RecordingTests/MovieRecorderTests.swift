import Dispatch
import EventLoop
import Foundation
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture
@testable import Recording

@Suite struct MovieRecorderTests {
  let folder: TemporaryFolder
  let loop = TestLoop()

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A recording ends when it is stopped, with every frame it received`() async throws {
    let frames = try (0..<20).map { index in
      try Frame.jpeg(jpeg(index), at: 5_000_000_000 + Int64(index) * 50_000_000, wallClockOffset: 7)
    }
    let summary = await record { recorder in
      for frame in frames { recorder.receive(frame) }
      recorder.stop()
    }
    #expect(summary.reason == .stopped && summary.error == nil)
    #expect(summary.frames == 20 && summary.dropped == 0)
    #expect(summary.byteCount == frames.reduce(0) { $0 + $1.byteCount })
    #expect(summary.duration == .milliseconds(950) && summary.startedAt == 5_000_000_007)
    #expect(try Movie(at: folder.movie).milliseconds == (0..<20).map { $0 * 50 })
  }

  @Test func `A second stop and frames after the first one change nothing`() async throws {
    let (first, late) = (try Frame.jpeg(jpeg(1), at: 0), try Frame.jpeg(jpeg(2), at: 1_000_000))
    let summary = await record { recorder in
      recorder.receive(first)
      recorder.stop(.cameraLost)
      recorder.receive(late)
      recorder.stop(.nodeStopped)
    }
    #expect(summary.reason == .cameraLost && summary.frames == 1)
    loop.finish()
    #expect(try Movie(at: folder.movie).packets.count == 1)
  }

  @Test func `A recording without frames makes no file`() async throws {
    let summary = await record { $0.stop() }
    #expect(summary.frames == 0 && summary.startedAt == nil && summary.error == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.movie))
  }

  @Test func `A recording ends by itself at its maximum duration`() async throws {
    let frames = try (0..<10).map { try Frame.jpeg(jpeg($0), at: Int64($0) * 100_000_000) }
    let summary = await record(limits: MovieRecorder.Limits(duration: .milliseconds(500))) {
      recorder in
      for frame in frames { recorder.receive(frame) }
    }
    #expect(summary.reason == .limitReached && summary.error == nil)
    #expect(summary.frames == 5 && summary.duration == .milliseconds(400))
  }

  @Test func `Frames without pictures also bring a movie to its duration`() async throws {
    let frames = try (0..<10).map { try Frame.jpeg(jpeg($0), at: Int64($0) * 100_000_000) }
    let error = CaptureError(.encodingFailed, "it is damaged")
    let summary = await record(limits: MovieRecorder.Limits(duration: .milliseconds(500))) {
      recorder in
      for frame in frames.prefix(2) { recorder.receive(frame) }
      for frame in frames.dropFirst(2) { recorder.missed(frame.metadata, error) }
    }
    #expect(summary.reason == .limitReached && summary.error == nil)
    #expect(summary.frames == 2 && summary.dropped >= 4)
  }

  @Test func `A recording of which no frame has a picture ends with the reason`() async throws {
    let frames = try (0..<10).map { try Frame.jpeg(jpeg($0), at: Int64($0) * 100_000_000) }
    let error = CaptureError(.encodingFailed, "it is damaged")
    let summary = await record { recorder in
      for frame in frames { recorder.missed(frame.metadata, error) }
    }
    #expect(summary.frames == 0)
    #expect(summary.error == RecordingError(.notEncodable, "it is damaged"))
    #expect(!FileManager.default.fileExists(atPath: folder.movie))
  }

  @Test func `A recording ends by itself before it exceeds its maximum size`() async throws {
    let frames = try (0..<10).map { try Frame.jpeg(jpeg($0), at: Int64($0) * 100_000_000) }
    let limit = frames[0..<4].reduce(0) { $0 + $1.byteCount }
    let summary = await record(limits: MovieRecorder.Limits(byteCount: limit)) { recorder in
      for frame in frames { recorder.receive(frame) }
    }
    #expect(summary.reason == .limitReached && summary.frames == 4 && summary.byteCount == limit)
  }

  /// The frames' times in milliseconds, the moments, and the times of the movie's frames.
  @Test(arguments: [
    ([100, 200, 300, 400, 500, 600], 240, 460, [200, 300, 400, 500]),
    ([100, 200, 300, 400, 500, 600], 260, 440, [300, 400]),
    // In the middle between two, the earlier one.
    ([100, 200, 300, 400, 500, 600], 250, 450, [200, 300, 400]),
    // The stream begins after the moment.
    ([300, 400, 500, 600], 100, 480, [300, 400, 500]),
    // The stream stands still over both moments.
    ([100, 200, 900, 1000], 300, 400, [200]),
    ([100, 200, 900, 1000], 700, 800, [900]),
  ])
  func `The first and the last frame are those nearest the moments`(
    times: [Int], from: Int, until: Int, expected: [Int]
  ) async throws {
    let frames = try times.enumerated().map { index, time in
      try Frame.jpeg(jpeg(index), at: Int64(time) * 1_000_000)
    }
    let summary = await record(
      limits: MovieRecorder.Limits(from: .milliseconds(from), until: .milliseconds(until))
    ) { recorder in
      for frame in frames { recorder.receive(frame) }
    }
    #expect(summary.reason == .limitReached && summary.dropped == 0)
    #expect(summary.first?.timestamp == .milliseconds(expected.first ?? -1))
    #expect(summary.last?.timestamp == .milliseconds(expected.last ?? -1))
    #expect(
      try Movie(at: folder.movie).milliseconds == expected.map { $0 - (expected.first ?? 0) })
  }

  @Test func `What comes before the first frame is not missing from the movie`() async throws {
    let frames = try (0..<6).map { try Frame.jpeg(jpeg($0), at: Int64($0) * 100_000_000) }
    let error = CaptureError(.encodingFailed, "it is damaged")
    let limits = MovieRecorder.Limits(from: .milliseconds(290), until: .milliseconds(410))
    let summary = await record(limits: limits) { recorder in
      for frame in frames.prefix(2) { recorder.missed(frame.metadata, error) }
      for frame in frames.dropFirst(2) { recorder.receive(frame) }
    }
    #expect(summary.frames == 2 && summary.dropped == 0)
  }

  @Test func `A stop at a moment keeps the frame nearest to it`() async throws {
    let frames = try (0..<6).map { try Frame.jpeg(jpeg($0), at: Int64($0) * 100_000_000) }
    let ahead = await record { recorder in
      recorder.receive(frames[0])
      recorder.stop(at: .milliseconds(260))
      // A later end changes nothing.
      recorder.stop(at: .milliseconds(460))
      for frame in frames.dropFirst() { recorder.receive(frame) }
    }
    #expect(ahead.reason == .stopped && ahead.frames == 4)
    try FileManager.default.removeItem(atPath: folder.movie)
    let passed = await record { recorder in
      for frame in frames.prefix(4) { recorder.receive(frame) }
      recorder.stop(at: .milliseconds(100))
      for frame in frames.dropFirst(4) { recorder.receive(frame) }
    }
    #expect(passed.reason == .stopped && passed.frames == 4)
    try FileManager.default.removeItem(atPath: folder.movie)
    let never = await record(limits: MovieRecorder.Limits(from: .milliseconds(300))) { recorder in
      recorder.receive(frames[0])
      recorder.stop(at: .milliseconds(200))
      for frame in frames.dropFirst() { recorder.receive(frame) }
    }
    #expect(never.reason == .stopped && never.frames == 0)
  }

  @Test func `A movie that cannot be encoded any more also ends at its moment`() async throws {
    let frames = try (0..<6).map { try Frame.jpeg(jpeg($0), at: Int64($0) * 100_000_000) }
    let error = CaptureError(.encodingFailed, "it is damaged")
    let limits = MovieRecorder.Limits(until: .milliseconds(390))
    let summary = await record(limits: limits) { recorder in
      for frame in frames.prefix(2) { recorder.receive(frame) }
      for frame in frames.dropFirst(2) { recorder.missed(frame.metadata, error) }
    }
    #expect(summary.reason == .limitReached && summary.frames == 2)
  }

  @Test func `A file says the exact time of its first frame`() async throws {
    let frame = try Frame.jpeg(jpeg(1), at: 5_000_000_123, wallClockOffset: 1000)
    _ = await record { recorder in
      recorder.receive(frame)
      recorder.stop()
    }
    let tags = try Movie(at: folder.movie).format.tags
    #expect(tags["CAMERABUS_MONOTONIC_NS"] == "5000000123")
    #expect(tags["CAMERABUS_WALL_NS"] == "5000001123")
  }

  @Test func `A recording ends before the disk is full and reports it`() async throws {
    let frame = try Frame.jpeg(jpeg(1), at: 0)
    let summary = await record(limits: MovieRecorder.Limits(minimumFreeBytes: .max)) { recorder in
      recorder.receive(frame)
    }
    #expect(summary.reason == .storageFull && summary.frames == 0)
    #expect(summary.error?.code == .storageFull)
    #expect(summary.error?.message.contains(folder.path) == true)
    #expect(!FileManager.default.fileExists(atPath: folder.movie))
  }

  @Test func `A recording that cannot be written reports the reason`() async throws {
    let frame = try Frame.jpeg(jpeg(1), at: 0)
    let summary = await record(path: folder.path) { recorder in recorder.receive(frame) }
    #expect(summary.reason == .storageFailed && summary.frames == 0)
    #expect(summary.error?.code == .storageFailed)
  }

  @Test func `Frames of another size end the recording and keep the earlier frames`() async throws {
    let size = ImageSize(width: 320, height: 240)
    let (small, large) = (
      try Frame.jpeg(jpeg(1), at: 0),
      try Frame.jpeg(jpeg(2, size: size), at: 1_000_000, size: size)
    )
    let summary = await record { recorder in
      recorder.receive(small)
      recorder.receive(large)
    }
    #expect(summary.error?.code == .unsuitableFrame && summary.frames == 1)
    #expect(try Movie(at: folder.movie).packets.count == 1)
  }

  @Test func `Frames for which a slow disk has no room are dropped and counted, without waiting`()
    async throws
  {
    let bound = WaitingPictures.maximumFrames
    let frames = try (0..<bound + 8).map { try Frame.jpeg(jpeg($0), at: Int64($0) * 10_000_000) }
    let summary = await record { recorder in
      loop.loop.whileBlocked {
        for frame in frames { recorder.receive(frame) }
        #expect(recorder.progress == MovieRecorder.Progress(frames: 0, byteCount: 0, dropped: 8))
      }
      recorder.stop()
    }
    #expect(summary.frames == bound && summary.dropped == 8)
    #expect(try Movie(at: folder.movie).milliseconds == (0..<bound).map { $0 * 10 })
  }

  @Test func `Frames that were lost before they came here count too`() async throws {
    let frames = try [5, 6, 9, 10, 14].map { ordinal in
      let frame = try Frame.jpeg(jpeg(ordinal), at: Int64(ordinal) * 10_000_000)
      var draft = FrameDraft.single(frame.byteCount, frame.layout)
      draft.ordinal = UInt64(ordinal)
      frame.withBytes { draft.copyBytes(of: $0) }
      return draft.seal(
        layout: frame.layout, metadata: frame.metadata, byteCount: frame.byteCount)
    }
    let summary = await record { recorder in
      for frame in frames { recorder.receive(frame) }
      recorder.stop()
    }
    #expect(summary.frames == 5 && summary.dropped == 2 + 3)
  }

  @Test func `The number of waiting bytes is bounded`() async throws {
    let bytes = [UInt8](repeating: 0, count: 1 << 20)
    let bound = WaitingPictures.maximumBytes
    let big = try Frame.blank(byteCount: bound - bytes.count + 1)
    let small = try Frame.jpeg(bytes, at: 1)
    // The recording ends with the first frame, so nothing is written.
    let summary = await record(limits: MovieRecorder.Limits(byteCount: 1)) { recorder in
      loop.loop.whileBlocked {
        recorder.receive(big)
        recorder.receive(small)
      }
    }
    #expect(summary.reason == .limitReached && summary.dropped == 1)
  }

  @Test func `Progress reports the content of the file`() async throws {
    let frame = try Frame.jpeg(jpeg(1), at: 0)
    _ = await record { recorder in
      recorder.receive(frame)
      loop.finish()
      let expected = MovieRecorder.Progress(
        frames: 1, byteCount: frame.byteCount, dropped: 0, files: 1)
      #expect(recorder.progress == expected)
      recorder.stop()
    }
  }

  /// Makes a recorder, calls `body` with it and waits until the recording has ended.
  private func record(
    path: String? = nil,
    limits: MovieRecorder.Limits = MovieRecorder.Limits(),
    _ body: (MovieRecorder) -> Void
  ) async -> MovieSummary {
    let path = path ?? folder.movie
    return await withCheckedContinuation { continuation in
      body(
        MovieRecorder(
          loop: loop.loop,
          syncLoop: loop.loop,
          plan: MoviePlan(title: "front", framesPerSecond: 20, limits: limits),
          nextPlace: { path }
        ) { if case .ended(let summary) = $0 { continuation.resume(returning: summary) } }
      )
    }
  }
}

extension MonotonicTime {
  fileprivate static func milliseconds(_ count: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(count) * 1_000_000)
  }
}
