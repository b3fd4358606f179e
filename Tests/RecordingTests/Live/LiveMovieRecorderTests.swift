import EventLoop
import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import Capture
@testable import Recording

/// Movies around moments of one camera's pictures, which come every 50 ms.
@Suite struct LiveMovieRecorderTests {
  let folder: TemporaryFolder
  let loop = TestLoop()

  init() throws {
    folder = try TemporaryFolder()
  }

  private func recorder(before: Int, after: Int) -> LiveMovieRecorder {
    LiveMovieRecorder(
      loop: loop.loop, syncLoop: loop.loop, plan: MoviePlan(title: "cam", framesPerSecond: 20),
      kind: MovieClips(before: .milliseconds(before), after: .milliseconds(after)))
  }

  private func frame(_ time: Int) throws -> Frame {
    try Frame.jpeg(jpeg(time), at: Int64(time) * 1_000_000)
  }

  private func moment(_ milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  /// The times of a movie's frames in milliseconds of the stream.
  private func times(_ name: String, _ summary: MovieSummary) throws -> [Int] {
    let start = Int((summary.first?.timestamp.nanoseconds ?? 0) / 1_000_000)
    return try Movie(at: "\(folder.path)/\(name).mkv").milliseconds.map { $0 + start }
  }

  /// A movie that is being made.
  private struct Ending: Sendable {
    let stream: AsyncStream<MovieSummary>
    var summary: MovieSummary {
      get async throws {
        for await summary in stream { return summary }
        throw CaptureError(.interrupted, "the movie has no end")
      }
    }
  }

  private func begin(
    _ recorder: LiveMovieRecorder, at time: Int, _ name: String
  ) -> Ending {
    let (stream, end) = AsyncStream<MovieSummary>.makeStream()
    recorder.begin(at: moment(time), path: "\(folder.path)/\(name).mkv") { summary in
      end.yield(summary)
      end.finish()
    }
    return Ending(stream: stream)
  }

  @Test func `Movies around moments that lie close together have all frames each`() async throws {
    let recorder = recorder(before: 300, after: 200)
    var endings: [(Int, Ending)] = []
    for time in stride(from: 0, through: 3000, by: 50) {
      recorder.receive(try frame(time))
      loop.finish()
      if [1000, 1100, 1150, 2000].contains(time) {
        endings.append((time, begin(recorder, at: time, "\(time)")))
      }
    }
    for (time, ending) in endings {
      let summary = try await ending.summary
      #expect(
        try times("\(time)", summary)
          == Array(stride(from: time - 300, through: time + 200, by: 50)))
      #expect(summary.frames == 11 && summary.dropped == 0 && summary.error == nil)
    }
    #expect(recorder.reach >= .milliseconds(300) && recorder.reach < .seconds(2))
  }

  @Test func `A movie has what there is before its moment and until the stream ends`() async throws
  {
    let recorder = recorder(before: 1000, after: 1000)
    for time in stride(from: 0, through: 200, by: 50) { recorder.receive(try frame(time)) }
    let ending = begin(recorder, at: 200, "short")
    for time in [250, 300] { recorder.receive(try frame(time)) }
    recorder.end()
    let summary = try await ending.summary
    #expect(try times("short", summary) == [0, 50, 100, 150, 200, 250, 300])
    loop.finish()
    #expect(recorder.reach == .zero)
    // The next stream's pictures do not come into it, and later movies begin with them.
    for time in stride(from: 5000, through: 5100, by: 50) { recorder.receive(try frame(time)) }
    let next = begin(recorder, at: 5100, "next")
    recorder.end()
    #expect(try times("next", try await next.summary) == [5000, 5050, 5100])
  }

  @Test func `A movie whose camera delivers nothing more ends by itself`() async throws {
    let recorder = recorder(before: 100, after: 100)
    let start = Int(MonotonicTime.now.nanoseconds / 1_000_000)
    for time in [start - 50, start] { recorder.receive(try frame(time)) }
    let summary = try await begin(recorder, at: start, "still").summary
    #expect(try times("still", summary) == [start - 50, start])
  }

  @Test func `A moment without any picture has no movie`() async throws {
    let recorder = recorder(before: 100, after: 100)
    let start = Int(MonotonicTime.now.nanoseconds / 1_000_000)
    let summary = try await begin(recorder, at: start - 5000, "none").summary
    #expect(summary.frames == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/none.mkv"))
  }

  @Test func `Frames that are missing in a movie are counted`() async throws {
    let recorder = recorder(before: 200, after: 200)
    for time in stride(from: 0, through: 1000, by: 50) {
      let frame = try frame(time)
      var draft = FrameDraft.single(frame.byteCount, frame.layout)
      draft.ordinal = UInt64(time / 50 + 1)
      frame.withBytes { draft.copyBytes(of: $0) }
      // Two of the movie and one from before it.
      guard ![100, 550, 750].contains(time) else { continue }
      recorder.receive(
        draft.seal(layout: frame.layout, metadata: frame.metadata, byteCount: frame.byteCount))
    }
    let summary = try await begin(recorder, at: 700, "gaps").summary
    #expect(summary.dropped == 2 && summary.frames == 7)
  }
}
