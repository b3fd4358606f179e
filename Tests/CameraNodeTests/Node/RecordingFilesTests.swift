import CameraProtocol
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode
@testable import Recording

extension NodeTests {
  /// Recordings that leave several files, or are paused.
  struct RecordingFilesTests {
    private static let camera = "cam=synthetic:320x240@30,format=YUYV"

    /// Times of a movie's frames, as the frames say themselves.
    private func stamps(of asset: WireAsset, in test: TestNode) throws -> [Int64] {
      let text = try output(
        of: "ffprobe",
        [
          "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of",
          "csv=p=0", "\(test.library)/\(asset.path)",
        ])
      return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
        line.split(separator: ",").first.flatMap { Double($0) }.map { Int64($0 * 1e9) }
      }
    }

    private func segments(_ id: RequestID, _ client: TestClient) async -> [WireRecordSegment] {
      await client.events.compactMap(\.event?.recording).compactMap { event in
        guard event.requestID == id.data, case .segment(let segment)? = event.body else {
          return nil
        }
        return segment
      }
    }

    private func bodies(
      _ id: RequestID, _ client: TestClient
    ) async -> [WireRecordEvent.OneOf_Body] {
      await client.events.compactMap(\.event?.recording).filter { $0.requestID == id.data }
        .compactMap(\.body)
    }

    @Test(arguments: [WireVideoCodec.h264, .mjpeg])
    func `Files follow each other without a frame missing between them`(
      _ codec: WireVideoCodec
    ) async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording {
          $0.codec = codec
          $0.segments.durationNs = 1_000_000_000
          $0.progressIntervalNs = 500_000_000
        }
        let status = try await client.camera { $0.recording.segments >= 4 }.recording
        #expect(status.durationNs >= 2_500_000_000)
        let result = try await client.stopRecording(id)
        _ = try await client.finishedRecording(id)
        let segments = await segments(id, client)
        #expect(segments.count >= 4 && result.segments == UInt32(segments.count))
        #expect(segments.map(\.number) == Array(1...UInt32(segments.count)))
        #expect(segments.dropLast().allSatisfy { $0.reason == .cut })
        #expect(result.frames == segments.reduce(0) { $0 + $1.frames })
        #expect(result.asset == segments.last?.asset)
        #expect(result.first == segments.first?.first && result.last == segments.last?.last)
        // All are found by the recording's id.
        let reply = try await client.ask(.assets(.with { $0.requestID = id.data })).last
        guard case .assets(let found)? = reply?.wire.body else { throw Unexpected(reply) }
        #expect(Set(found.assets.map(\.id)) == Set(segments.map(\.asset.id)))
        for (one, next) in zip(segments, segments.dropFirst()) {
          // On a machine that is too slow frames are dropped, and counted.
          let gap = next.first.timestamp.monotonicNs - one.last.timestamp.monotonicNs
          #expect(gap > 0 && Double(gap) < 1e9 / 30 * (Double(result.dropped) + 1.5))
        }
        for segment in segments {
          #expect(try stamps(of: segment.asset, in: test).count == Int(segment.frames))
          try output(
            of: "ffmpeg",
            [
              "-v", "error", "-xerror", "-i", "\(test.library)/\(segment.asset.path)", "-f", "null",
              "-",
            ])
        }
        let bodies = await bodies(id, client)
        guard case .started(let started)? = bodies.first else { throw Unexpected("no start") }
        #expect(started.first == result.first)
        let progress = bodies.compactMap { body -> WireRecordingStatus? in
          if case .progress(let status) = body { status } else { nil }
        }
        // At least with each file, however many frames a busy machine loses.
        #expect(progress.count >= 3 && progress.map(\.frames) == progress.map(\.frames).sorted())
        #expect(progress.allSatisfy { $0.bytes > 0 && $0.requestID == id.data })
      }
    }

    @Test func `A clip begins before its trigger, ten times`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording {
          $0.codec = .h264
          $0.keyIntervalNs = 200_000_000
          $0.clips.beforeNs = 600_000_000
          $0.clips.afterNs = 300_000_000
        }
        var moments: [Int64] = []
        for number in 1...10 {
          _ = try await client.camera { $0.recording.reachNs >= 600_000_000 }
          let moment = try await client.status().now.monotonicNs
          moments.append(moment)
          let trigger = WireRecordTriggerRequest.with {
            ($0.recording, $0.atMonotonicNs) = (id.data, moment)
          }
          let reply = try await client.ask(.recordTrigger(trigger)).last
          guard case .recording(let status)? = reply?.wire.body else { throw Unexpected(reply) }
          #expect(status.requestID == id.data)
          _ = try await client.event { event -> Bool? in
            guard case .segment(let segment)? = event.recording.body else { return nil }
            return segment.number == number ? true : nil
          }
        }
        let triggers = await segments(id, client)
        let dropped = try await client.camera().recording.dropped
        let result = try await client.stopRecording(id)
        #expect(result.segments == 10 && result.reason == .stopped)
        #expect(triggers.count == 10 && triggers.allSatisfy { $0.reason == .cut })
        for (segment, moment) in zip(triggers, moments) {
          let late = 34_000_000 * Int64(dropped + 1)
          #expect(segment.first.timestamp.monotonicNs <= moment - 600_000_000 + late, "\(segment)")
          #expect(segment.last.timestamp.monotonicNs <= moment + 300_000_000, "\(segment)")
          if segment.dropped == 0 {
            #expect(segment.last.timestamp.monotonicNs > moment + 200_000_000, "\(segment)")
          }
          #expect(try stamps(of: segment.asset, in: test).count == Int(segment.frames))
          try output(
            of: "ffmpeg",
            [
              "-v", "error", "-xerror", "-i", "\(test.library)/\(segment.asset.path)", "-f", "null",
              "-",
            ])
        }
      }
    }

    @Test func `A clip without a trigger is no movie and no failure`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording { $0.clips.beforeNs = 500_000_000 }
        _ = try await client.camera { $0.recording.reachNs > 200_000_000 }
        let result = try await client.stopRecording(id)
        #expect(!result.hasAsset && result.segments == 0 && result.reason == .stopped)
        #expect(try await client.finishedRecording(id) == result)
        #expect(try await client.assets().isEmpty)
      }
    }

    @Test func `Triggers that no clip can have are refused`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        let none = try await client.error(.recordTrigger(.init()))
        #expect(none.code == .conflict)
        let id = try await client.startRecording()
        let movie = try await client.error(.recordTrigger(.init()))
        #expect(movie.code == .conflict && movie.field == RequestField.RecordTrigger.recording)
        try await client.letRecord(frames: 1)
        _ = try await client.stopRecording(id)
        _ = try await client.startRecording { $0.clips.beforeNs = 500_000_000 }
        let now = try await client.status().now.monotonicNs
        let late = try await client.error(
          .recordTrigger(.with { $0.atMonotonicNs = now - 5_000_000_000 }))
        #expect(late.code == .frameUnavailable && late.reason == .late)
        let far = try await client.error(
          .recordTrigger(.with { $0.atMonotonicNs = now + 90_000_000_000 }))
        #expect(far.code == .invalidArgument)
        // As many as may wait for their moment.
        let ahead = WireRecordTriggerRequest.with { $0.atMonotonicNs = now + 50_000_000_000 }
        for _ in 0..<64 { _ = try await client.ask(.recordTrigger(ahead)) }
        #expect(try await client.error(.recordTrigger(ahead)).code == .busy)
        let unwatched = try await client.error(
          .recordStart(
            .with {
              $0.clips.beforeNs = 1
              $0.clips.subjectAreas = ["cam"]
            }))
        #expect(
          unwatched.code == .conflict
            && unwatched.field == RequestField.RecordStart.Clips.subjectAreas)
      }
    }

    @Test func `A change of another camera's scene makes a clip`() async throws {
      try await TestNode.run([
        Self.camera, "watch=synthetic:160x120@30,format=GREY",
      ]) { test in
        let client = test.client
        try await client.follow()
        _ = try await client.ask(
          .configure(
            .with {
              $0.camera = "watch"
              $0.subjectArea = 0.3
            }))
        let id = try await client.startRecording {
          $0.camera = "cam"
          $0.clips.beforeNs = 300_000_000
          $0.clips.afterNs = 100_000_000
          $0.clips.subjectAreas = ["watch"]
        }
        var scene: Int64 = 2
        while await segments(id, client).isEmpty {
          scene = 5 - scene
          _ = try await client.ask(
            .controlsSet(
              .with {
                $0.camera = "watch"
                $0.settings = WireControlsSetRequest.settings(["test_pattern": scene]).settings
              }))
          try await client.letPass(frames: 40, of: "watch")
        }
        let stop = WireRecordStopRequest.with { $0.camera = "cam" }
        guard case .record(let result)? = try await client.ask(.recordStop(stop)).last?.wire.body
        else { throw Unexpected("no movie") }
        #expect(result.segments >= 1 && result.frames >= 1)
      }
    }

    @Test func `No time passes in a movie while it is paused`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording { $0.codec = .h264 }
        try await client.letRecord(frames: 10)
        guard
          case .recording(let paused)? = try await client.ask(
            .recordPause(.with { $0.recording = id.data })
          ).last?.wire.body
        else { throw Unexpected("not paused") }
        #expect(paused.pause == .requested)
        // A second pause changes nothing.
        _ = try await client.ask(.recordPause(.init()))
        // What was taken before is written, and then nothing more.
        var before = paused
        while true {
          try await client.letPass(frames: 20)
          let still = try await client.camera().recording
          #expect(still.pause == .requested)
          if still.frames == before.frames, still.dropped == before.dropped { break }
          before = still
        }
        try await client.letPass(frames: 40)
        _ = try await client.ask(.recordResume(.init()))
        try await client.letRecord(frames: Int(before.frames) + 10)
        let result = try await client.stopRecording(id)
        let times = try stamps(of: result.asset, in: test)
        #expect(times.count == Int(result.frames))
        let longest = zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? 0
        #expect(Double(longest) < 1e9 / 30 * (Double(result.dropped) + 1.6))
        let apart = result.last.timestamp.monotonicNs - result.first.timestamp.monotonicNs
        #expect(apart > Int64(result.asset.durationNs) + 1_500_000_000)
        let kinds = await bodies(id, client).compactMap { body -> String? in
          switch body {
          case .paused: "paused"
          case .resumed: "resumed"
          default: nil
          }
        }
        #expect(kinds == ["paused", "resumed"])
      }
    }

    @Test func `A paused movie can be stopped`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        let id = try await client.startRecording()
        try await client.letRecord(frames: 3)
        _ = try await client.ask(.recordPause(.init()))
        #expect(try await client.stopRecording(id).frames >= 3)
        #expect(try await client.error(.recordResume(.init())).code == .conflict)
      }
    }

    @Test func `A recording may outlive its camera's loss`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording {
          $0.codec = .h264
          $0.onCameraLost = .pause
        }
        try await client.letRecord(frames: 10)
        try await client.set(["disconnect": 1])
        let lost = try await client.event { event -> WireRecordingStatus? in
          if case .paused(let status)? = event.recording.body { status } else { nil }
        }
        #expect(lost.pause == .cameraLost)
        let refused = try await client.error(.recordResume(.init()))
        #expect(refused.code == .conflict)
        try await client.set(["disconnect": 0])
        _ = try await client.event { event -> Bool? in
          if case .resumed = event.recording.body { true } else { nil }
        }
        try await client.letRecord(frames: Int(lost.frames) + 10)
        let result = try await client.stopRecording(id)
        #expect(result.reason == .stopped)
        #expect(try stamps(of: result.asset, in: test).count == Int(result.frames))
      }
    }
  }
}
