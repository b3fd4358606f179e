import CameraProtocol
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  struct StopTests {
    @Test func `A photo whose frame is chosen is stored although the node stops`() async throws {
      let folder = try TemporaryFolder()
      let node = try await Node.start(
        try .test(["cam=synthetic:3840x2160@30,format=YUYV"], library: folder.path), log: .silent)
      let endpoints = node.endpoints
      let photo = try await TestClient.with(
        control: endpoints.control, events: endpoints.events, frames: endpoints.frames
      ) { client in
        let id = RequestID.random()
        try await client.send(.capture(WireCaptureRequest()), id: id)
        _ = try await client.progress(id) { body in
          body?.captureStep == .didCapture ? true : nil
        }
        await node.stop()
        return try Photo(await client.conversation(id))
      }
      try await TestNode.run(configure: { $0.library = folder.path }) { test in
        let assets = try await test.client.assets()
        #expect(assets == [photo.result.asset])
      }
    }

    @Test func `A node that stops keeps the movie it records, and answers waiting requests`()
      async throws
    {
      let folder = try TemporaryFolder()
      let configuration = try NodeConfiguration.test([TestNode.camera], library: folder.path)
      let node = try await Node.start(configuration, log: .silent)
      let endpoints = node.endpoints
      let id = RequestID.random()
      let result = try await TestClient.with(
        control: endpoints.control, events: endpoints.events, frames: endpoints.frames
      ) { client in
        try await client.follow()
        let recording = try await client.startRecording()
        try await client.letRecord(frames: 5)
        let moment = try await client.status().now.monotonicNs + 1_000_000_000_000
        try await client.send(
          .capture(.inline { $0.atMonotonicNs = moment }), id: id, remaining: .seconds(3600))
        _ = try await client.progress(id) { $0.map { _ in true } }
        await node.stop()
        guard case .error(let error)? = try await client.final(id) else { throw Unexpected(nil) }
        #expect(error.code == .interrupted)
        #expect(error.message.contains("the node stops"), "\(error.message)")
        return try await client.finishedRecording(recording)
      }
      #expect(result.reason == .nodeStopped)
      let path = "\(folder.path)/\(result.asset.path)"
      #expect(try packets(in: path) == Int(result.frames))

      try await TestNode.run(configure: { $0.library = folder.path }) { test in
        let assets = try await test.client.assets()
        #expect(assets == [result.asset])
      }
    }

    @Test func `Every request under way when a node stops has one answer and one last event`()
      async throws
    {
      let folder = try TemporaryFolder()
      let node = try await Node.start(
        try .test([TestNode.camera], library: folder.path), log: .silent)
      let endpoints = node.endpoints
      try await TestClient.with(
        control: endpoints.control, events: endpoints.events, frames: endpoints.frames
      ) { client in
        try await client.follow()
        let recording = try await client.startRecording()
        try await client.letPass(frames: 2)
        let moment = try await client.status().now.monotonicNs + 1_000_000_000_000
        var ids: [RequestID] = []
        // As many as one client may have.
        for number in 0..<12 {
          let id = RequestID.random()
          ids.append(id)
          // A third of the photos wait for their frame; the others are at any step.
          let request = WireCaptureRequest.inline {
            if number.isMultiple(of: 3) { $0.atMonotonicNs = moment }
            $0.transient = number.isMultiple(of: 2)
          }
          try await client.send(.capture(request), id: id, remaining: .seconds(3600))
        }
        for id in ids { _ = try await client.progress(id) { $0.map { _ in true } } }
        await node.stop()
        for id in ids { _ = try await client.final(id) }
        _ = try await client.finishedRecording(recording)
        for id in ids {
          let finals = await client.replies.count { $0.wire.id == id.data && $0.wire.final }
          #expect(finals == 1)
          // The last events come after the last replies.
          let end = try await client.event { $0.end(of: id) }
          #expect(try await client.final(id)?.isResult == end)
          let ends = await client.events.compactMap(\.event).count { $0.end(of: id) != nil }
          #expect(ends == 1)
        }
        let ends = await client.events.compactMap(\.event).count { event in
          guard case .recording(let recording)? = event.body else { return false }
          if case .started? = recording.body { return false }
          return true
        }
        #expect(ends == 1)
      }
    }

    @Test(.enabled(if: FrozenDisk.canBeMade, "only root may freeze a disk"))
    func `What waits for the library when a node stops is refused instead of done`() async throws {
      let disk = try FrozenDisk()
      defer { disk.unmount() }
      var configuration = try NodeConfiguration.test(
        [TestNode.camera], library: "\(disk.folder.path)/library")
      configuration.limits.libraryReserve = 0
      let node = try await Node.start(configuration, log: .silent)
      let endpoints = node.endpoints
      try await TestClient.with(
        control: endpoints.control, events: endpoints.events, frames: endpoints.frames
      ) { client in
        let assets = [
          try await client.storedPhoto().result.asset.id,
          try await client.storedPhoto().result.asset.id,
        ]
        try disk.freeze()
        defer { disk.thaw() }
        let (begun, waiting) = (RequestID.random(), RequestID.random())
        try await client.send(
          .protect(
            .with {
              $0.assets = assets
              $0.protected = true
            }), id: begun)
        try await client.send(.delete(.with { $0.assets = assets }), id: waiting)
        async let end: Void = node.stop()
        // The node refuses a new request as soon as it stops.
        while case .status? = try await client.ask(.status(.init())).last?.wire.body {}
        disk.thaw()
        // The first change may have begun before the node was stopped, but not the second.
        for id in [begun, waiting] {
          switch try await client.final(id) {
          case .error(let error)?: #expect(error.code == .interrupted)
          case .protect(let reply)?: #expect(reply.results.last?.error.code == .interrupted)
          case .delete(let reply)?: #expect(reply.results.last?.error.code == .interrupted)
          case let other: throw Unexpected(other)
          }
        }
        await end
      }
    }

    @Test func `Stopping a node twice is harmless`() async throws {
      let folder = try TemporaryFolder()
      let node = try await Node.start(
        try .test([TestNode.camera], library: folder.path), log: .silent)
      await node.stop()
      await node.stop()
    }
  }
}

extension WireEvent {
  /// Whether the photo succeeded, if this is its last event; otherwise nil.
  fileprivate func end(of id: RequestID) -> Bool? {
    guard case .capture(let capture)? = body, capture.requestID == id.data else { return nil }
    return switch capture.body {
    case .completed: true
    case .failed: false
    default: nil
    }
  }
}

extension WireReply.OneOf_Body {
  fileprivate var isResult: Bool { if case .capture = self { true } else { false } }
}
