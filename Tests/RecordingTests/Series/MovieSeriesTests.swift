import EventLoop
import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import Capture
@testable import Recording

/// Recordings of more than one file, and of one that is paused. Frames come every 50 ms.
@Suite struct MovieSeriesTests {
  let folder: TemporaryFolder
  let loop = TestLoop()

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What a recording has left.
  private struct Outcome: Sendable {
    var began: [FrameMetadata] = []
    var progress = 0
    var files: [(path: String, summary: MovieSummary)] = []

    /// The times of each file's frames in milliseconds of the stream, by its own clock.
    func times() throws -> [[Int]] {
      try files.map { file in
        let start = Int((file.summary.first?.timestamp.nanoseconds ?? 0) / 1_000_000)
        return try Movie(at: file.path).milliseconds.map { $0 + start }
      }
    }
  }

  private func frames(_ times: some Sequence<Int>) throws -> [Frame] {
    try times.map { try Frame.jpeg(jpeg($0), at: Int64($0) * 1_000_000) }
  }

  /// - Parameter places: How many of the first files have a place at once.
  private func record(
    _ cut: MovieCut, limits: MovieRecorder.Limits = MovieRecorder.Limits(),
    progress: Duration? = nil, missing: Set<Int> = [],
    _ body: (MovieRecorder) throws -> Void
  ) async throws -> (MovieSummary, Outcome) {
    let outcome = OperatingSystem.Mutex(Outcome())
    let asked = OperatingSystem.Mutex(0)
    let (path, loop) = (folder.path, loop.loop)
    let ended = AsyncStream<MovieSummary>.makeStream()
    let recorder = MovieRecorder(
      loop: loop, syncLoop: loop,
      plan: MoviePlan(
        title: "cam", framesPerSecond: 20, limits: limits, cut: cut, progressInterval: progress),
      nextPlace: {
        let number = asked.withLock { asked in
          asked += 1
          return asked
        }
        return missing.contains(number) ? nil : "\(path)/\(number).mkv"
      },
      onNews: { news in
        outcome.withLock { outcome in
          switch news {
          case .began(let frame): outcome.began.append(frame)
          case .progress: outcome.progress += 1
          case .file(let path, let summary): outcome.files.append((path, summary))
          case .ended(let summary): ended.continuation.yield(summary)
          }
        }
      })
    try body(recorder)
    for await summary in ended.stream { return (summary, outcome.withLock { $0 }) }
    throw CaptureError(.interrupted, "the recording has no end")
  }

  private func moment(_ milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  // MARK: Segments

  @Test func `Every frame is in one of the files, in order`() async throws {
    let times = Array(stride(from: 1000, to: 2600, by: 50))
    let frames = try frames(times)
    let (summary, outcome) = try await record(
      .segments(MovieSegments(duration: .milliseconds(500))), progress: .milliseconds(400)
    ) { recorder in
      for frame in frames {
        recorder.receive(frame)
        loop.finish()
      }
      recorder.stop()
    }
    #expect(
      try outcome.times()
        == [10, 10, 10, 2].reduce(into: []) { files, count in
          let start = files.joined().count
          files.append(Array(times[start..<start + count]))
        })
    #expect(outcome.files.map(\.summary.reason) == [.cut, .cut, .cut, .stopped])
    #expect(outcome.began.map(\.timestamp) == [moment(1000)] && outcome.progress == 3)
    #expect(summary.reason == .stopped && summary.frames == 32 && summary.dropped == 0)
    #expect(summary.first?.timestamp == moment(1000) && summary.last?.timestamp == moment(2550))
    #expect(summary.byteCount == outcome.files.reduce(0) { $0 + $1.summary.byteCount })
    #expect(summary.duration == .milliseconds(1550))
  }

  @Test func `A file goes on while the next one has no place`() async throws {
    let frames = try frames(stride(from: 0, to: 1600, by: 50))
    let (summary, outcome) = try await record(
      .segments(MovieSegments(duration: .milliseconds(500))), missing: [2]
    ) { recorder in
      for frame in frames {
        recorder.receive(frame)
        loop.finish()
      }
      recorder.stop()
    }
    #expect(try outcome.times().map(\.count) == [20, 10, 2])
    #expect(summary.frames == 32 && summary.dropped == 0)
  }

  @Test func `Limits are those of all files together`() async throws {
    let frames = try frames(stride(from: 0, to: 3000, by: 50))
    let (summary, outcome) = try await record(
      .segments(MovieSegments(duration: .milliseconds(500))),
      limits: MovieRecorder.Limits(duration: .milliseconds(1200))
    ) { recorder in
      for frame in frames {
        recorder.receive(frame)
        loop.finish()
      }
    }
    #expect(summary.reason == .limitReached && summary.frames == 24)
    #expect(try outcome.times().map(\.count) == [10, 10, 4])
    for file in outcome.files { try FileManager.default.removeItem(atPath: file.path) }
    let limit = frames[0..<15].reduce(0) { $0 + $1.byteCount }
    let (sized, files) = try await record(
      .segments(MovieSegments(duration: .milliseconds(500))),
      limits: MovieRecorder.Limits(byteCount: limit)
    ) { recorder in
      for frame in frames {
        recorder.receive(frame)
        loop.finish()
      }
    }
    #expect(sized.reason == .limitReached && sized.byteCount == limit)
    #expect(files.files.map(\.summary.frames).reduce(0, +) == 15)
  }

  @Test func `Frames that are missing count once, in the file whose time they are of`() async throws
  {
    let frames = try frames(stride(from: 0, to: 1100, by: 50))
    let error = CaptureError(.encodingFailed, "it is damaged")
    let (summary, outcome) = try await record(
      .segments(MovieSegments(duration: .milliseconds(500)))
    ) { recorder in
      for (index, frame) in frames.enumerated() {
        if [3, 4, 15].contains(index) {
          recorder.missed(frame.metadata, error)
        } else {
          recorder.receive(frame)
        }
        loop.finish()
      }
      recorder.stop()
    }
    #expect(outcome.files.map(\.summary.dropped) == [2, 1, 0] && summary.dropped == 3)
    #expect(outcome.files.map(\.summary.frames) == [8, 9, 2])
  }

  // MARK: Clips

  private func clips(
    _ before: Int, _ after: Int, frames count: Int = 100, triggers: [Int: [Int]]
  ) async throws -> (MovieSummary, [[Int]], Outcome) {
    let frames = try frames(stride(from: 0, to: count * 50, by: 50))
    let (summary, outcome) = try await record(
      .clips(MovieClips(before: .milliseconds(before), after: .milliseconds(after)))
    ) { recorder in
      for (index, frame) in frames.enumerated() {
        recorder.receive(frame)
        loop.finish()
        for time in triggers[index * 50] ?? [] { recorder.trigger(at: moment(time)) }
        loop.finish()
      }
      recorder.stop()
    }
    return (summary, try outcome.times(), outcome)
  }

  private func times(_ range: ClosedRange<Int>) -> [Int] {
    Array(stride(from: range.lowerBound, through: range.upperBound, by: 50))
  }

  @Test func `A clip has what was before its trigger and what comes after it`() async throws {
    let (summary, files, outcome) = try await clips(500, 300, triggers: [2000: [2000]])
    #expect(files == [times(1500...2300)])
    #expect(outcome.files.first?.summary.reason == .cut)
    #expect(summary.reason == .stopped && summary.frames == 17 && summary.dropped == 0)
  }

  @Test func `A trigger during a clip makes it longer, and one behind it another clip`()
    async throws
  {
    let (summary, files, _) = try await clips(
      500, 300, triggers: [2000: [2000], 2200: [2200], 2450: [2450], 4000: [4000]])
    #expect(files == [times(1500...2750), times(3500...4300)])
    #expect(summary.frames == 26 + 17)
  }

  @Test func `A moment that has passed, or is ahead, is met too`() async throws {
    // The slack of a second lets a trigger come a little after its moment.
    let (_, files, _) = try await clips(500, 0, triggers: [2000: [1200], 2100: [3000]])
    #expect(files == [times(700...1200), times(2500...3000)])
  }

  @Test func `A clip is without the pause that was in its time`() async throws {
    let before = try frames(stride(from: 0, through: 1000, by: 50))
    let after = try frames(stride(from: 1400, through: 2400, by: 50))
    let (summary, outcome) = try await record(
      .clips(MovieClips(before: .milliseconds(800), after: .milliseconds(300)))
    ) { recorder in
      for frame in before { recorder.receive(frame) }
      loop.finish()
      recorder.resume()
      for frame in after { recorder.receive(frame) }
      loop.finish()
      recorder.trigger(at: moment(1600))
      recorder.trigger(at: moment(2300))
      recorder.stop()
    }
    // From 800 to 1000 and from 1400 to 1900, as if that followed at 1050.
    #expect(try outcome.times() == [times(800...1550), times(1500...2400)])
    #expect(outcome.files.first?.summary.last?.timestamp == moment(1900))
    #expect(summary.dropped == 0)
  }

  @Test func `The end of a recording is the end of its clip`() async throws {
    let (summary, files, outcome) = try await clips(200, 60_000, triggers: [4000: [4000]])
    #expect(files == [times(3800...4950)])
    #expect(outcome.files.first?.summary.reason == .stopped && summary.frames == 24)
  }

  @Test(arguments: [true, false])
  func `An end waits for the file of its clip`(isMade: Bool) async throws {
    let frames = try frames(stride(from: 0, to: 1000, by: 50))
    let (summary, outcome) = try await record(
      .clips(MovieClips(before: .milliseconds(200), after: .seconds(1))), missing: [1, 2]
    ) { recorder in
      for frame in frames {
        recorder.receive(frame)
        loop.finish()
      }
      recorder.trigger(at: moment(900))
      recorder.stop()
      loop.finish()
      recorder.placeChanged(isMade ? nil : RecordingError(.storageFailed, "no room"))
    }
    #expect(try outcome.times() == (isMade ? [times(700...950)] : []))
    #expect(summary.reason == (isMade ? .stopped : .storageFailed))
    #expect(summary.error?.message == (isMade ? nil : "no room"))
  }

  @Test func `Without a trigger there is no file`() async throws {
    let (summary, files, outcome) = try await clips(200, 200, triggers: [:])
    #expect(files.isEmpty && summary.frames == 0 && summary.error == nil)
    #expect(summary.reason == .stopped && outcome.began.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  // MARK: Pauses

  @Test func `Behind a pause a file is cut where it would be without`() async throws {
    let first = try frames(stride(from: 0, through: 200, by: 50))
    let after = try frames(stride(from: 5000, through: 5700, by: 50))
    let (_, outcome) = try await record(
      .segments(MovieSegments(duration: .milliseconds(500)))
    ) { recorder in
      for frame in first { recorder.receive(frame) }
      loop.finish()
      recorder.resume()
      var asked: [Int] = []
      for frame in after {
        if recorder.awaitsKey(at: frame.metadata.timestamp) {
          asked.append(Int(frame.metadata.timestamp.nanoseconds / 1_000_000))
        }
        recorder.receive(frame)
        loop.finish()
      }
      #expect(asked == [5000, 5250])
      recorder.stop()
    }
    #expect(outcome.files.map(\.summary.frames) == [10, 10])
  }

  @Test func `No time passes in a movie while it is paused, and nothing is missing`() async throws {
    let before = try frames(stride(from: 0, to: 500, by: 50))
    let after = try frames(stride(from: 7000, to: 7500, by: 50))
    let (summary, outcome) = try await record(
      .never, limits: MovieRecorder.Limits(duration: .milliseconds(800))
    ) { recorder in
      for frame in before { recorder.receive(frame) }
      loop.finish()
      recorder.resume()
      for frame in after { recorder.receive(frame) }
    }
    #expect(try outcome.times() == [Array(stride(from: 0, to: 800, by: 50))])
    #expect(summary.reason == .limitReached && summary.dropped == 0)
    #expect(summary.last?.timestamp == moment(7250) && summary.duration == .milliseconds(750))
  }
}
