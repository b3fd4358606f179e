@testable import CameraNode
import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  /// Requests to stop a recording that has not started yet, or has ended.
  struct RecordingStopTests {
    @Test(arguments: [true, false])
    func `A stop that comes right behind its start waits for it`(isNamed: Bool) async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.letPass(frames: 1)
        for _ in 0..<4 {
          let (start, stop) = (RequestID.random(), RequestID.random())
          try await client.send(.recordStart(WireRecordStartRequest()), id: start)
          try await client.send(
            .recordStop(.with { if isNamed { $0.recording = start.data } }), id: stop)
          guard case .recordStarted? = try await client.final(start) else {
            throw Unexpected("no recording")
          }
          switch try await client.final(stop) {
          case .record(let result): #expect(result.recording == start.data)
          case .error(let error): #expect(error.code == .frameUnavailable, "\(error)")
          case let other: throw Unexpected(other)
          }
          #expect(try await !client.camera().hasRecording)
        }
      }
    }

    @Test func `A stop right behind a start that fails says why nothing was started`() async throws
    {
      try await TestNode.run(configure: { $0.limits.libraryReserve = .max / 2 }) { test in
        let client = test.client
        try await client.letPass(frames: 1)
        let stop = RequestID.random()
        try await client.send(.recordStart(WireRecordStartRequest()), id: .random())
        try await client.send(.recordStop(WireRecordStopRequest()), id: stop)
        guard case .error(let error)? = try await client.final(stop) else {
          throw Unexpected("no error")
        }
        #expect(error.code == .conflict)
        #expect(
          error.message.contains(
            "cam does not record: its last recording was not started: the disk of "))
      }
    }

    @Test func `A stop after a recording that has ended says why it ended`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let never = try await client.error(.recordStop(WireRecordStopRequest()))
        #expect(never.message == "cam does not record: start a recording first")
        let limited = try await client.startRecording { $0.maximumDurationNs = 100_000_000 }
        let first = try await client.finishedRecording(limited).asset.path
        let late = try await client.error(.recordStop(WireRecordStopRequest()))
        #expect(
          late.message == "cam does not record: its last recording ended because it reached its "
            + "limit, and the library has the movie \(first); start another one")
        _ = try await client.startRecording()
        try await client.letRecord(frames: 1)
        _ = try await client.ask(.sessionStop(WireSessionStopRequest()))
        let stopped = try await client.error(.recordStop(WireRecordStopRequest()))
        #expect(stopped.message.contains("ended because it was stopped, and the library has"))
        #expect(stopped.code == .conflict)
      }
    }
  }
}
