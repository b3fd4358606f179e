@testable import CameraNode
import CameraProtocol
import Foundation
import Recording
import SwiftProtobuf
import TestSupport
import Testing

extension NodeTests {
  /// Every recording has exactly one end, whatever happens to the disk and to the node.
  struct RecordingEndTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a node with this library, which may fill its disk to the last byte.
    private func run<R: Sendable>(
      _ library: String? = nil, _ body: (TestNode) async throws -> R
    ) async throws -> R {
      try await TestNode.run(
        configure: {
          $0.library = library ?? folder.path
          $0.limits.libraryReserve = 0
        }, body)
    }

    /// Starts a node again, and expects no further end of the recording.
    private func expectNoOtherEnd(_ library: String? = nil, assets: [WireAsset]) async throws {
      try await run(library) { (test) async throws in
        // This waits until the movie is recovered, if there is one.
        let listed = try await test.client.assets {
          $0.requestID = assets.first?.requestID ?? RequestID.random().data
        }
        #expect(listed == assets)
        #expect(try await test.client.recordingEvents().isEmpty)
      }
    }

    /// The file of the movie that is being recorded.
    private var movie: String {
      get throws {
        let incoming = "\(folder.path)/.incoming"
        let names = try FileManager.default.contentsOfDirectory(atPath: incoming)
        return "\(incoming)/\(try #require(names.first))"
      }
    }

    @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
    func `A movie that has filled the disk is in the library at once`() async throws {
      let disk = try SmallDisk(megabytes: 16)
      defer { disk.unmount() }
      let path = disk.folder.path
      let asset = try await run(path) { (test) async throws in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording()
        try await client.letRecord(frames: 10)
        try disk.fill()
        let result = try await client.finishedRecording(id)
        #expect(result.reason == .storageFull)
        #expect(result.frames >= 10 && result.asset.frames == result.frames)
        #expect(try packets(in: "\(path)/\(result.asset.path)") == Int(result.frames))
        #expect(result.asset.sha256 == sha256(try test.file(result.asset.path)))
        let late = try await client.error(.recordStop(.init()))
        #expect(late.message.contains("because the disk is full, and the library has the movie"))
        #expect(try await client.assets() == [result.asset])
        #expect(try await client.recordingEvents().count == 2)
        return result.asset
      }
      try disk.clear()
      try await expectNoOtherEnd(path, assets: [asset])
    }

    @Test func `A movie that cannot be stored has ended, and a later start lists it silently`()
      async throws
    {
      let camera = "\(folder.path)/cam"
      let id = try await run { (test) async throws in
        let id = try await test.client.startRecording()
        try await test.client.letRecord(frames: 3)
        // A file in the place of the camera's folder.
        try FileManager.default.removeItem(atPath: camera)
        try Data().write(to: URL(fileURLWithPath: camera))
        let error = try await test.client.error(.recordStop(WireRecordStopRequest()))
        #expect(error.code == .storageFailed)
        #expect(error.message.hasSuffix("goes into the library when the node starts again"))
        #expect(try await test.client.recordingEvents().map(\.requestID) == [id.data, id.data])
        #expect(try await test.client.recordingEvents().last?.failed == error)
        return id
      }
      try await expectNoOtherEnd(assets: [])
      try FileManager.default.removeItem(atPath: camera)
      let asset = try await run { (test) async throws in
        let asset = try #require(try await test.client.assets { $0.requestID = id.data }.first)
        #expect(asset.frames >= 3 && asset.recovered)
        #expect(try packets(in: "\(folder.path)/\(asset.path)") == Int(asset.frames))
        #expect(try await test.client.recordingEvents().isEmpty)
        return asset
      }
      try await expectNoOtherEnd(assets: [asset])
    }

    @Test(arguments: [
      ("file", "the movie was deleted while it was recorded: record another one"),
      ("library", "is gone: put its folder back, or mount its disk"),
    ])
    func `A recording whose file or library is deleted fails once`(
      what: String, remedy: String
    ) async throws {
      try await run { (test) async throws in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording()
        try await client.letRecord(frames: 3)
        try FileManager.default.removeItem(atPath: what == "file" ? movie : folder.path)
        let error = try await client.failedRecording(id)
        #expect(error.code == .storageFailed)
        #expect(error.message.hasSuffix(remedy), "\(error.message)")
        #expect(try await client.recordingEvents().count == 2)
        #expect(try await client.camera().hasRecording == false)
        let late = try await client.error(.recordStop(.init()))
        #expect(late.message.hasSuffix(remedy), "\(late.message)")
      }
      try await expectNoOtherEnd(assets: [])
    }

    @Test func `An end that could not be noted is noted when the library is back`() async throws {
      let elsewhere = folder.path + ".away"
      let id = try await run { (test) async throws in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording()
        try await client.letRecord(frames: 3)
        var mark = await client.eventCount
        try FileManager.default.moveItem(atPath: folder.path, toPath: elsewhere)
        try await client.state(from: mark) { $0.readiness == .notReadyStorageFailed }
        // The recording may have noticed it before.
        _ = try await client.ask(.recordStop(WireRecordStopRequest()))
        #expect(try await client.failedRecording(id).code == .storageFailed)
        mark = await client.eventCount
        try FileManager.default.moveItem(atPath: elsewhere, toPath: folder.path)
        try await client.state(from: mark) { $0.readiness == .ready }
        return id
      }
      try await run { (test) async throws in
        let assets = try await test.client.assets { $0.requestID = id.data }
        #expect(assets.map(\.recovered) == [true])
        #expect(try await test.client.recordingEvents().isEmpty)
      }
    }

    @Test(arguments: [
      "while frames are written", "when the file is complete", "while its copy is written",
    ])
    func `A node that is killed at any step of an end leaves one end`(step: String) async throws {
      let id = RequestID.random()
      let killed = KilledNode(library: folder.path)
      if step == "while frames are written" {
        try await killed.record(id: id, frames: 5)
      } else {
        try await killed.record(id: id) { path in
          let file = URL(fileURLWithPath: path)
          try KilledNode.movie(frames: 5).write(to: file)
          guard try UnfinishedMovie(path: path).finish()?.frames == 5 else {
            throw Unexpected(path)
          }
          if step == "while its copy is written" {
            try Data(count: 1000).write(to: URL(fileURLWithPath: path + ".part"))
          }
        }
      }
      let asset = try await run { (test) async throws in
        let assets = try await test.client.assets { $0.requestID = id.data }
        #expect(assets.map(\.frames) == [5])
        let events = try await test.client.recordingEvents()
        #expect(events.map(\.finished.reason) == [.nodeKilled])
        #expect(events.map(\.finished.asset) == assets)
        return try #require(assets.first)
      }
      try await expectNoOtherEnd(assets: [asset])
    }

    @Test(arguments: [[5, 3, 0], [5, 0], [0, 0]])
    func `A killed recording of several files has one end`(frames: [Int]) async throws {
      let id = RequestID.random()
      let killed = KilledNode(library: folder.path)
      for count in frames {
        // The next file is made ahead, and has no frame.
        if count == 0 {
          try await killed.record(id: id) { _ in }
        } else {
          try await killed.record(id: id, frames: count)
        }
      }
      try await run { (test) async throws in
        let assets = try await test.client.assets { $0.requestID = id.data }
        let events = try await test.client.recordingEvents()
        let kept = frames.filter { $0 > 0 }
        #expect(events.count == 1 && assets.count == kept.count)
        guard let end = events.first?.body else { return }
        if case .finished(let result) = end {
          #expect(result.reason == .nodeKilled && assets.contains(result.asset))
          #expect(result.frames == UInt64(kept.reduce(0, +)))
          #expect(result.segments == UInt32(kept.count))
        } else {
          #expect(kept.isEmpty)
        }
      }
    }
  }
}
