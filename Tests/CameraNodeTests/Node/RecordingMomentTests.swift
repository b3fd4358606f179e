import CameraProtocol
import Imaging
import OperatingSystem
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// Movies whose first and last frames are those nearest two moments.
  struct RecordingMomentTests {
    private static func ahead(_ time: Duration) -> Int64 { (MonotonicTime.now + time).nanoseconds }

    @Test func `A movie begins and ends with the frames nearest two moments`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 2)
        let (from, until) = (Self.ahead(.seconds(2)), Self.ahead(.milliseconds(2500)))
        let recording = try await client.startRecording {
          ($0.fromMonotonicNs, $0.untilMonotonicNs) = (from, until)
        }
        let status = try await client.camera().recording
        #expect(status.started.monotonicNs == from)
        let movie = try await client.finishedRecording(recording)
        #expect(movie.reason == .limitReached)
        let interval = try await test.interval()
        for (frame, moment) in [(movie.first, from), (movie.last, until)] {
          // Frames may come late on a busy machine, and then are missing.
          let slack = interval * (Int64(movie.dropped) + 1) / 2
          #expect(abs(frame.timestamp.monotonicNs - moment) <= slack + 1_000_000)
          #expect(frame.earliestStartNs <= frame.timestamp.monotonicNs)
          #expect(frame.latestEndNs >= frame.timestamp.monotonicNs)
          #expect(frame.timestampMark != .unspecified)
        }
        #expect(movie.asset.createdWallNs == movie.first.timestamp.wallNs)
      }
    }

    @Test func `A movie whose first frame has passed is refused, and the camera stays free`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.letPass(frames: 2)
        let late = WireRecordStartRequest.with { $0.fromMonotonicNs = Self.ahead(.seconds(-1)) }
        let error = try await client.error(.recordStart(late))
        #expect(error.code == .frameUnavailable && error.reason == .late)
        #expect(error.field == RequestField.RecordStart.fromMonotonicNs)
        #expect(try await client.movie(frames: 1).frames >= 1)
        #expect(try await client.assets().count == 1)
      }
    }

    @Test func `A movie does not begin whose end has passed`() async throws {
      try await TestNode.run { test in
        let past = Self.ahead(.seconds(-1))
        let error = try await test.client.error(.recordStart(.with { $0.untilMonotonicNs = past }))
        #expect(error.code == .frameUnavailable && error.reason == .late)
        #expect(error.field == RequestField.RecordStart.untilMonotonicNs)
      }
    }

    @Test func `A moment too far ahead is refused`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.letPass(frames: 1)
        let far = Self.ahead(.seconds(120))
        let start = try await client.error(.recordStart(.with { $0.fromMonotonicNs = far }))
        #expect(start.code == .invalidArgument)
        #expect(start.field == RequestField.RecordStart.fromMonotonicNs)
        _ = try await client.startRecording()
        let stop = try await client.error(.recordStop(.with { $0.atMonotonicNs = far }))
        #expect(stop.code == .invalidArgument)
        #expect(stop.field == RequestField.RecordStop.atMonotonicNs)
        try await client.letRecord(frames: 1)
        #expect(try await client.stopRecording().reason == .stopped)
      }
    }

    @Test func `A stop at a moment is answered when the frame nearest to it is in the movie`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.letPass(frames: 1)
        let recording = try await client.startRecording()
        let moment = Self.ahead(.milliseconds(1500))
        let movie = try await client.stopRecording(recording, at: moment)
        #expect(movie.reason == .stopped)
        let interval = try await test.interval()
        let slack = interval * (Int64(movie.dropped) + 1) / 2 + 1_000_000
        #expect(abs(movie.last.timestamp.monotonicNs - moment) <= slack)
      }
    }

    @Test func `A stop at once ends a recording before the moment of another stop`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.letPass(frames: 1)
        let recording = try await client.startRecording()
        try await client.letRecord(frames: 1)
        let later = RequestID.random()
        let moment = Self.ahead(.seconds(50))
        try await client.send(.recordStop(.with { $0.atMonotonicNs = moment }), id: later)
        let now = try await client.stopRecording(recording)
        guard case .record(let result)? = try await client.final(later) else {
          throw Unexpected("no movie")
        }
        #expect(now == result && now.last.timestamp.monotonicNs < moment)
      }
    }

    @Test func `A recording that is stopped before its beginning leaves nothing`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.letPass(frames: 1)
        let from = Self.ahead(.seconds(50))
        let recording = try await client.startRecording { $0.fromMonotonicNs = from }
        let stop = WireRecordStopRequest.with { $0.recording = recording.data }
        #expect(try await client.error(.recordStop(stop)).code == .frameUnavailable)
        #expect(try await client.assets().isEmpty)
        #expect(try await client.movie(frames: 1).frames >= 1)
      }
    }

    @Test func `A session that ends also ends a recording that waits for a moment`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        let waiting = try await client.startRecording {
          $0.fromMonotonicNs = Self.ahead(.seconds(50))
        }
        _ = try await client.ask(.sessionStop(WireSessionStopRequest()))
        #expect(try await client.failedRecording(waiting).code == .frameUnavailable)
        _ = try await client.ask(.sessionStart(WireSessionStartRequest()))
        try await client.letPass(frames: 1)
        let recording = try await client.startRecording()
        try await client.letRecord(frames: 1)
        let later = RequestID.random()
        try await client.send(
          .recordStop(.with { $0.atMonotonicNs = Self.ahead(.seconds(50)) }), id: later)
        _ = try await client.ask(.sessionStop(WireSessionStopRequest()))
        #expect(try await client.finishedRecording(recording).frames >= 1)
        guard case .record? = try await client.final(later) else { throw Unexpected("no movie") }
      }
    }
  }
}

extension TestNode {
  /// Nanoseconds between frames.
  fileprivate func interval() async throws -> Int64 {
    let rate = try await client.camera().format.frameRate
    return Int64(1e9 / rate)
  }
}
