import CameraProtocol
import OperatingSystem
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// Streams that begin at a moment.
  struct SessionMomentTests {
    private static let interval: Int64 = 20_000_000

    /// Runs `body` with a camera whose frames begin with its stream, every 20 ms.
    private func run(_ body: (TestNode) async throws -> Void) async throws {
      try await TestNode.run(["cam=synthetic:160x120@50,free=on"], body)
    }

    /// How far a moment is from a multiple of the interval after another one.
    private static func distance(_ moment: Int64, from other: Int64) -> Int64 {
      let apart = (moment - other) % interval
      return abs(apart) > interval / 2 ? interval - abs(apart) : abs(apart)
    }

    private func start(_ client: TestClient, at moment: Int64) async throws -> WireCameraStatus {
      let reply = try await client.ask(.sessionStart(.with { $0.atMonotonicNs = moment })).last
      guard case .session(let status)? = reply?.wire.body else { throw Unexpected(reply) }
      return status
    }

    @Test func `A stream that runs begins again at the moment`() async throws {
      try await run { test in
        let client = test.client
        try await client.letPass(frames: 2)
        for _ in 0..<2 {
          let moment = (MonotonicTime.now + .seconds(2)).nanoseconds
          let status = try await start(client, at: moment)
          #expect(status.state == .running)
          try await client.letPass(frames: 4)
          let pace = try await client.camera().pace
          #expect(abs(pace.intervalNs - Double(Self.interval)) < 1000)
          // The stream begins when a thread wakes up, which a busy machine delays.
          #expect(Self.distance(pace.newest.monotonicNs, from: moment) < Self.interval / 2)
          #expect(pace.newest.monotonicNs > moment)
        }
      }
    }

    @Test func `A stopped camera begins at the moment`() async throws {
      try await run { test in
        let client = test.client
        _ = try await client.ask(.sessionStop(WireSessionStopRequest()))
        #expect(try await !client.camera().hasPace)
        let moment = (MonotonicTime.now + .seconds(2)).nanoseconds
        _ = try await start(client, at: moment)
        #expect(MonotonicTime.now.nanoseconds >= moment)
        try await client.letPass(frames: 4)
        #expect(try await client.camera().pace.newest.monotonicNs > moment)
      }
    }

    @Test func `A moment that has passed is late, and the camera runs`() async throws {
      try await run { test in
        let client = test.client
        let moment = (MonotonicTime.now - .seconds(1)).nanoseconds
        let error = try await client.error(.sessionStart(.with { $0.atMonotonicNs = moment }))
        #expect(error.code == .frameUnavailable && error.reason == .late)
        #expect(error.field == RequestField.SessionStart.atMonotonicNs)
        try await client.letPass(frames: 2)
        #expect(try await client.camera().state == .running)
      }
    }

    @Test func `A moment too far ahead is refused`() async throws {
      try await run { test in
        let moment = (MonotonicTime.now + .seconds(60)).nanoseconds
        let error = try await test.client.error(
          .sessionStart(.with { $0.atMonotonicNs = moment }))
        #expect(error.code == .invalidArgument)
        #expect(error.field == RequestField.SessionStart.atMonotonicNs)
      }
    }

    @Test func `A camera that records is left alone`() async throws {
      try await run { test in
        let client = test.client
        try await client.letPass(frames: 1)
        let recording = try await client.startRecording()
        let moment = (MonotonicTime.now + .milliseconds(500)).nanoseconds
        let error = try await client.error(.sessionStart(.with { $0.atMonotonicNs = moment }))
        #expect(error.code == .conflict && error.reason == .recording)
        try await client.letRecord(frames: 2)
        #expect(try await client.stopRecording(recording).reason == .stopped)
      }
    }
  }
}
