import CameraNode
import CameraProtocol
import EventLoop
import Foundation
import OperatingSystem
import SwiftProtobuf
import Testing

extension NodeTests {
  struct RecordingTests {
    /// Compares a movie's file with the node's result.
    private func check(_ result: WireRecordResult, in test: TestNode) throws {
      let asset = result.asset
      #expect(result.frames > 0)
      #expect(try packets(in: "\(test.library)/\(asset.path)") == Int(result.frames))
      #expect(asset.frames == result.frames)
      #expect(asset.mediaType == "video/x-matroska")
      #expect(asset.sha256 == sha256(try test.file(asset.path)))
    }

    @Test(arguments: ["YUYV", "MJPG"])
    func `A movie has as many frames and lasts as long as its answer says`(format: String)
      async throws
    {
      try await TestNode.run(["cam=synthetic:320x240@60,format=\(format)"]) { test in
        let client = test.client
        try await client.follow()
        let before = MonotonicTime.now
        let id = try await client.startRecording()
        try await client.state { $0.recording.requestID == id.data }
        try await client.letRecord(frames: 10)
        let result = try await client.stopRecording()
        #expect(result.recording == id.data)
        #expect(result.reason == .stopped)
        #expect(result.frames >= 5)
        try check(result, in: test)
        let asset = result.asset
        #expect(asset.requestID == id.data)
        let interval: Int64 = 16_666_667
        // A busy machine may lose some.
        #expect(result.isWhole(at: 60))
        #expect(asset.durationNs >= Int64(result.frames - 1) * interval - interval / 2)
        #expect(asset.durationNs < MonotonicTime.now.nanoseconds - before.nanoseconds)
        #expect(try await client.finishedRecording(id) == result)
        #expect(try await client.assets() == [asset])
        #expect(try await !client.camera().hasRecording)
      }
    }

    @Test func `A movie ends by itself at its limits, and encoding stops with it`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        // Subscribe once, so that the stream that the movie shares exists and has a counter.
        await client.subscribe(frames: "frame/cam/full/")
        _ = try await client.arrival { $0.frames.first }
        await client.unsubscribe(frames: "frame/cam/full/")
        _ = try await client.camera { $0.streams.allSatisfy { $0.subscribers == 0 } }

        let timed = try await client.startRecording { $0.maximumDurationNs = 200_000_000 }
        let result = try await client.finishedRecording(timed)
        #expect(result.reason == .limitReached)
        #expect(result.frames <= 13, "a fifth of a second at 60 Hz")
        #expect(result.asset.durationNs < 200_000_000)
        try check(result, in: test)

        try await client.letPass(frames: 3)
        let encoded = try await client.camera().streams.map(\.encoded)
        try await client.letPass(frames: 5)
        #expect(try await client.camera().streams.map(\.encoded) == encoded)
        #expect(encoded.allSatisfy { $0 > 0 })

        let sized = try await client.startRecording { $0.maximumBytes = 100_000 }
        let small = try await client.finishedRecording(sized)
        #expect(small.reason == .limitReached)
        #expect(small.asset.byteCount < 110_000)
        try check(small, in: test)
      }
    }

    @Test func `A camera records one movie at a time, even when two clients ask at once`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let ids = [RequestID.random(), .random()]
        for id in ids { try await client.send(.recordStart(WireRecordStartRequest()), id: id) }
        var started = 0
        for id in ids {
          switch try await client.final(id) {
          case .recordStarted: started += 1
          case .error(let error): #expect(error.code == .conflict)
          case let other: throw Unexpected(other)
          }
        }
        #expect(started == 1)
        #expect(
          try await client.error(.recordStart(WireRecordStartRequest())).code == .conflict)
        try await client.letRecord(frames: 2)
        try check(try await client.stopRecording(), in: test)
        #expect(try await client.error(.recordStop(WireRecordStopRequest())).code == .conflict)
      }
    }

    @Test func `A repeated start starts nothing, and a repeated stop has the same result`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let id = try await client.startRecording()
        let again = try await test.withClient {
          try await $0.ask(.recordStart(WireRecordStartRequest()), id: id).last?.wire
        }
        #expect(again?.recordStarted.recording == id.data)
        try await client.letRecord(frames: 3)
        let stop = RequestID.random()
        let result = try await client.ask(.recordStop(WireRecordStopRequest()), id: stop)
        let same = try await test.withClient {
          try await $0.ask(.recordStop(WireRecordStopRequest()), id: stop)
        }
        #expect(same.last?.wire == result.last?.wire)
        #expect(try await client.assets().count == 1)
      }
    }

    @Test func `A lost camera completes its movie`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording()
        try await client.letRecord(frames: 5)
        try await client.set(["disconnect": 1])
        let result = try await client.finishedRecording(id)
        #expect(result.reason == .cameraLost)
        try check(result, in: test)
        #expect(try await client.assets().map(\.id) == [result.asset.id])
      }
    }

    @Test func `A stop that names its recording ends no other`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let first = try await client.startRecording()
        try await client.letRecord(frames: 2)
        #expect(try await client.stopRecording(first).recording == first.data)
        let second = try await client.startRecording()
        try await client.letRecord(frames: 2)
        let endings = [
          (first, "cam no longer makes this recording, which ended because it was stopped, and"),
          (.random(), "cam does not make this recording, or no longer: if the library kept"),
        ]
        for (other, words) in endings {
          let error = try await client.error(.recordStop(.with { $0.recording = other.data }))
          #expect(error.code == .conflict)
          #expect(error.field == "record_stop.recording")
          #expect(error.message.hasPrefix(words))
        }
        #expect(try await client.camera().recording.requestID == second.data)
        #expect(try await client.stopRecording(second).recording == second.data)
        let ended = try await client.error(.recordStop(.with { $0.recording = second.data }))
        #expect(ended.code == .conflict)
      }
    }

    @Test func `A change of format that would end a movie is refused, and the movie goes on`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let id = try await client.startRecording()
        try await client.letRecord(frames: 2)
        let other = try await client.error(.configure(.with { $0.pixelFormat = "GREY" }))
        #expect(other.code == .conflict && other.reason == .recording)
        #expect(other.field == "configure.end_recording")
        let impossible = try await client.error(
          .configure(
            .with {
              $0.pixelFormat = "H264"
              $0.endRecording = true
            }))
        #expect(impossible.code == .unsupportedFormat)
        // Nothing would change, so nothing is in the way.
        let same = try await client.ask(.configure(.with { $0.pixelFormat = "YUYV" }))
        #expect(same.last?.wire.configure.camera.recording.requestID == id.data)
        let written = try await client.camera().recording.frames
        try await client.letRecord(frames: Int(written) + 2)
        let result = try await client.stopRecording(id)
        #expect(result.reason == .stopped && result.isWhole(at: 60))
        try check(result, in: test)
      }
    }

    @Test func `A recording that is asked for while the format changes is refused, or it lasts`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        for format in ["GREY", "YUYV", "GREY", "YUYV"] {
          let (change, start) = (RequestID.random(), RequestID.random())
          try await client.send(.configure(.with { $0.pixelFormat = format }), id: change)
          try await client.send(.recordStart(WireRecordStartRequest()), id: start)
          switch try await client.final(start) {
          case .error(let error): #expect([.busy, .notRunning].contains(error.code), "\(error)")
          case .recordStarted:
            try await client.letRecord(frames: 2)
            #expect(try await client.stopRecording(start).reason == .stopped)
          case let other: throw Unexpected(other)
          }
          guard case .configure? = try await client.final(change) else {
            throw Unexpected("not configured")
          }
        }
      }
    }

    @Test func `A change of format that may end a movie completes it`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording()
        try await client.letRecord(frames: 5)
        let change = WireConfigureRequest.with {
          $0.endRecording = true
          ($0.size.width, $0.size.height) = (640, 480)
        }
        let changed = try await client.ask(.configure(change)).last?.wire.configure.camera
        #expect(changed?.hasRecording == false)
        #expect(changed?.format.size.width == 640)
        let result = try await client.finishedRecording(id)
        #expect(result.reason == .stopped)
        #expect(result.asset.size.width == 320)
        try check(result, in: test)
        let next = try await client.movie(frames: 3)
        #expect(next.asset.size.width == 640)
        try check(next, in: test)
      }
    }

    @Test func `A stopped session completes its movie`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording()
        try await client.letRecord(frames: 5)
        let stopped = try await client.ask(.sessionStop(WireSessionStopRequest())).last
        #expect(stopped?.wire.session.state == .stopped)
        #expect(stopped?.wire.session.hasRecording == false, "its movie is complete")
        #expect(try await client.assets().map(\.requestID) == [id.data])
        let result = try await client.finishedRecording(id)
        #expect(result.reason == .stopped)
        try check(result, in: test)
      }
    }

    @Test func `A recording without frames makes no movie`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.letPass(frames: 1)
        try await client.set(["inject_stall": 1])
        _ = try await client.startRecording()
        let error = try await client.error(.recordStop(WireRecordStopRequest()))
        #expect(error.code == .frameUnavailable)
        #expect(try await client.assets().isEmpty)
      }
    }
  }
}
