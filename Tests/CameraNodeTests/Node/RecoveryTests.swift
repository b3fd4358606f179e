import CameraProtocol
import Foundation
import Glibc
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Recovery of movies that were cut off when a node was killed.
  struct RecoveryTests {
    @Test func `A movie that was cut off is saved and marked, and its end is published once`()
      async throws
    {
      let folder = try TemporaryFolder()
      let id = RequestID.random()
      try await KilledNode(library: folder.path).record(id: id, frames: 12)
      let asset = try await TestNode.run(configure: { $0.library = folder.path }) {
        (test) async throws in
        let asset = try #require(try await test.client.assets { $0.requestID = id.data }.first)
        #expect(asset.recovered && asset.camera == "cam" && asset.requestID == id.data)
        #expect(asset.frames == 12 && asset.durationNs == 11 * 40_000_000)
        #expect(asset.size.width == 160 && asset.createdWallNs == KilledNode.firstFrame)
        #expect(try packets(in: "\(folder.path)/\(asset.path)") == 12)
        #expect(asset.sha256 == sha256(try test.file(asset.path)))
        let events = try await test.client.recordingEvents()
        let result = WireRecordResult.with {
          $0.asset = asset
          $0.frames = 12
          $0.reason = .nodeKilled
          $0.recording = id.data
        }
        #expect(
          events == [
            .with {
              $0.requestID = id.data
              $0.finished = result
            }
          ])
        return asset
      }
      try await TestNode.run(configure: { $0.library = folder.path }) { (test) async throws in
        #expect(try await test.client.assets() == [asset])
        #expect(try await test.client.recordingEvents().isEmpty)
      }
    }

    @Test func `A movie without a complete frame is removed, and its end is published`()
      async throws
    {
      let folder = try TemporaryFolder()
      let killed = KilledNode(library: folder.path)
      let ids = [RequestID.random(), .random(), .random()]
      try await killed.record(id: ids[0]) { _ in }
      try await killed.record(id: ids[1]) { try Data().write(to: URL(fileURLWithPath: $0)) }
      try await killed.record(id: ids[2], frames: 0)
      try await TestNode.run(configure: { $0.library = folder.path }) { (test) async throws in
        for id in ids { #expect(try await test.client.assets { $0.requestID = id.data }.isEmpty) }
        let events = try await test.client.recordingEvents()
        #expect(events.map(\.requestID) == ids.map(\.data))
        #expect(events.map(\.failed.code) == Array(repeating: .frameUnavailable, count: 3))
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/.incoming") == [])
      }
    }

    @Test func `A movie of a camera that no longer exists is saved without an event`()
      async throws
    {
      let folder = try TemporaryFolder()
      let id = RequestID.random()
      try await KilledNode(library: folder.path).record("gone", id: id, frames: 3)
      try await TestNode.run(configure: { $0.library = folder.path }) { (test) async throws in
        #expect(try await test.client.assets { $0.requestID = id.data }.map(\.frames) == [3])
        #expect(try await test.client.recordingEvents(of: "gone").isEmpty)
      }
    }

    @Test func `A movie with a damaged beginning is set aside, and its event says where`()
      async throws
    {
      let folder = try TemporaryFolder()
      let id = RequestID.random()
      try await KilledNode(library: folder.path).record(id: id) { path in
        let bytes = Data(count: 1000) + Data([0xff, 0xd8, 0xff]) + Data(count: 1000)
        try bytes.write(to: URL(fileURLWithPath: path))
      }
      try await TestNode.run(configure: { $0.library = folder.path }) { (test) async throws in
        #expect(try await test.client.assets { $0.requestID = id.data }.isEmpty)
        let error = try #require(try await test.client.recordingEvents().first).failed
        #expect(error.code == .storageFailed)
        let kept = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/set-aside")
        #expect(error.message.contains("\(folder.path)/set-aside/\(try #require(kept.first))"))
      }
    }

    /// A movie of a killed node whose recovery waits until the file is released.
    private func heldMovie(in folder: TemporaryFolder, id: RequestID) async throws -> HeldFile {
      try await KilledNode(library: folder.path).record(id: id, frames: 5)
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/.incoming").first)
      return try HeldFile("\(folder.path)/.incoming/\(name)")
    }

    @Test func `While a movie is recovered, only look-ups of that recording wait`()
      async throws
    {
      let folder = try TemporaryFolder()
      let recording = RequestID.random()
      let movie = try await heldMovie(in: folder, id: recording)
      try await TestNode.run(configure: { $0.library = folder.path }) { (test) async throws in
        let client = test.client
        let id = RequestID.random()
        try await client.send(.assets(.with { $0.requestID = recording.data }), id: id)
        let cancelled = RequestID.random()
        try await client.send(.assets(.with { $0.requestID = recording.data }), id: cancelled)
        #expect(try await client.cancel(cancelled) == .cancelled)
        guard case .error(let error)? = try await client.final(cancelled) else {
          throw Unexpected(nil)
        }
        #expect(error.code == .cancelled)
        _ = try await client.storedPhoto()
        _ = try await client.movie(frames: 2)
        #expect(try await client.assets().count == 2)
        #expect(await client.replies.allSatisfy { $0.wire.id != id.data })
        movie.release()
        guard case .assets(let assets)? = try await client.final(id) else {
          throw Unexpected(nil)
        }
        #expect(assets.assets.map(\.frames) == [5])
      }
    }

    @Test func `A node that stops does not claim that a movie it was recovering is missing`()
      async throws
    {
      let folder = try TemporaryFolder()
      let recording = RequestID.random()
      let movie = try await heldMovie(in: folder, id: recording)
      try await TestNode.run(configure: { $0.library = folder.path }) { (test) async throws in
        let client = test.client
        let id = RequestID.random()
        try await client.send(.assets(.with { $0.requestID = recording.data }), id: id)
        async let stopped: Void = test.node.stop()
        // A node that refuses new requests has told the recovery to end.
        while true {
          let last = try await client.ask(
            .replay(
              .with {
                $0.ranges = [
                  .with {
                    $0.topic = "event/cam/state/"
                    $0.first = 1
                  }
                ]
              })
          ).last?.wire
          if last?.error.code == .interrupted { break }
        }
        movie.release()
        guard case .error(let error)? = try await client.final(id) else { throw Unexpected(nil) }
        #expect(error.code == .interrupted)
        await stopped
      }
    }

    @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
    func `A movie whose copy has no room on the disk is saved when there is room`() async throws {
      let disk = try SmallDisk(megabytes: 100)
      defer { disk.unmount() }
      let folder = disk.folder
      let id = RequestID.random()
      try await KilledNode(library: folder.path).record(id: id, frames: 5)
      try disk.fill(leaving: 1 << 20)
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.library = folder.path
        configuration.limits.recoveryPause = .milliseconds(10)
      }
      func expectWait(_ test: TestNode) async throws {
        let error = try await test.client.error(.assets(.with { $0.requestID = id.data }))
        #expect(error.code == .storageFull)
        #expect(error.message.hasPrefix("the movie of this recording waits: the disk of"))
        #expect(try await test.client.recordingEvents().isEmpty)
      }
      try await TestNode.run(configure: configure) { (test) async throws in
        try await expectWait(test)
      }
      try await TestNode.run(configure: configure) { (test) async throws in
        try await expectWait(test)
        try await test.client.follow()
        try disk.clear()
        #expect(try await test.client.finishedRecording(id).reason == .nodeKilled)
        #expect(try await test.client.assets { $0.requestID = id.data }.map(\.frames) == [5])
      }
    }
  }
}
