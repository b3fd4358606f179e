import CameraProtocol
import Capture
import EventLoop
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// What readiness says about the library's disk.
  struct StorageTests {
    @Test func `A full disk shows before the first photo, and transient photos are still taken`()
      async throws
    {
      try await TestNode.run(configure: { $0.limits.libraryReserve = .max / 2 }) { test in
        let client = test.client
        _ = try #require(try await client.photo().jpeg)
        #expect(try await client.camera().readiness == .notReadyStorageFull)
        #expect(try await client.error(.capture(.init())).code == .storageFull)
        #expect(try await client.error(.recordStart(.init())).code == .storageFull)
      }
    }

    @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
    func `Readiness follows the disk, although no photo is asked for`() async throws {
      let disk = try SmallDisk(megabytes: 8)
      defer { disk.unmount() }
      try await run(on: disk.folder, reserve: 2 << 20) { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        #expect(try await client.camera().readiness == .ready)
        var mark = await client.eventCount
        try disk.fill(leaving: 1 << 20)
        try await client.state(from: mark) { $0.readiness == .notReadyStorageFull }
        #expect(try await client.error(.capture(.init())).code == .storageFull)
        let library = try await client.status().library
        #expect(library.reserveBytes == 2 << 20)
        #expect(library.freeBytes > 0 && library.freeBytes < library.reserveBytes)
        // A full disk does not interrupt the camera.
        _ = try #require(try await client.photo().jpeg)
        let full = try await client.camera()
        #expect(full.state == .running && full.interruption == .unspecified)
        mark = await client.eventCount
        try disk.clear()
        try await client.state(from: mark) { $0.readiness == .ready }
        #expect(try await client.status().library.freeBytes > library.reserveBytes)
        _ = try await client.storedPhoto()
        // A movie of a few kilobytes ends too, although it would still fit.
        let movie = try await client.startRecording()
        try await client.letRecord(frames: 1)
        try disk.fill(leaving: 1 << 20)
        #expect(try await client.finishedRecording(movie).reason == .storageFull)
      }
    }

    @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
    func `No movie begins while there is no room for a photo`() async throws {
      let disk = try SmallDisk(megabytes: 8)
      defer { disk.unmount() }
      try await run(on: disk.folder, reserve: 2 << 20) { test in
        let client = test.client
        try await client.follow()
        _ = try await client.storedPhoto()
        let mark = await client.eventCount
        // A small part of a photo has room above the reserve.
        try disk.fill(leaving: 2 << 20 + 4096)
        try await client.state(from: mark) { $0.readiness == .notReadyStorageFull }
        #expect(try await client.error(.recordStart(.init())).code == .storageFull)
      }
    }

    @Test func `Readiness says that the library's folder is gone, and when it is back`()
      async throws
    {
      let folder = try TemporaryFolder()
      let (library, elsewhere) = ("\(folder.path)/library", "\(folder.path)/elsewhere")
      try await TestNode.run(configure: { $0.library = library }) { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        #expect(try await client.camera().readiness == .ready)
        var mark = await client.eventCount
        try FileManager.default.moveItem(atPath: library, toPath: elsewhere)
        try await client.state(from: mark) { $0.readiness == .notReadyStorageFailed }
        #expect(try await client.error(.capture(.init())).code == .storageFailed)
        #expect(try await !client.status().library.hasFreeBytes)
        _ = try #require(try await client.photo().jpeg)
        mark = await client.eventCount
        try FileManager.default.moveItem(atPath: elsewhere, toPath: library)
        try await client.state(from: mark) { $0.readiness == .ready }
        _ = try await client.storedPhoto()
        // A file in the folder's place is no folder, and an empty one is no library.
        mark = await client.eventCount
        try FileManager.default.moveItem(atPath: library, toPath: elsewhere)
        #expect(FileManager.default.createFile(atPath: library, contents: nil))
        try await client.state(from: mark) { $0.readiness == .notReadyStorageFailed }
        try FileManager.default.removeItem(atPath: library)
        try FileManager.default.createDirectory(
          atPath: library, withIntermediateDirectories: false)
        let refused = try await client.error(.capture(.init()))
        #expect(refused.code == .storageFailed && refused.message.contains("mount its disk"))
        mark = await client.eventCount
        try FileManager.default.removeItem(atPath: library)
        try FileManager.default.moveItem(atPath: elsewhere, toPath: library)
        try await client.state(from: mark) { $0.readiness == .ready }
        _ = try await client.storedPhoto()
      }
    }

    @Test(.enabled(if: FrozenDisk.canBeMade, "only root may mount a disk"))
    func `Readiness says that a fault has made the disk read-only, as photos and movies do`()
      async throws
    {
      let disk = try FrozenDisk()
      defer { disk.unmount() }
      try await run(on: disk.folder) { test in
        let client = test.client
        try await client.follow()
        _ = try await client.storedPhoto()
        let movie = try await client.startRecording()
        try await client.letRecord(frames: 1)
        let mark = await client.eventCount
        try disk.breakDown()
        try await client.state(from: mark) { $0.readiness == .notReadyStorageFailed }
        let cause = "the disk of \(test.library) is mounted read-only: "
        #expect(try await client.failedRecording(movie).message.hasPrefix(cause))
        try await expectNothingIsKept(of: client, because: cause, .storageFailed)
        _ = try #require(try await client.photo().jpeg)
      }
    }

    @Test(.enabled(if: ReadOnlyMount.canBeMade, "only root may mount a folder"))
    func `Readiness says that the folder is mounted read-only, and when it is writable again`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        _ = try await client.storedPhoto()
        // The movie has no file before its first frame.
        try await client.set(["inject_stall": 1])
        let movie = try await client.startRecording()
        var mark = await client.eventCount
        let mount = try ReadOnlyMount(over: test.library)
        defer { mount.end() }
        try await client.set(["inject_stall": 0])
        try await client.state(from: mark) { $0.readiness == .notReadyStorageFailed }
        #expect(try await client.failedRecording(movie).message.contains("is mounted read-only: "))
        let cause = "the disk of \(test.library) is mounted read-only: "
        try await expectNothingIsKept(of: client, because: cause, .storageFailed)
        mark = await client.eventCount
        mount.end()
        try await client.state(from: mark) { $0.readiness == .ready }
        #expect(try await !client.status().library.hasError)
        _ = try await client.storedPhoto()
      }
    }

    @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
    func `Readiness says that the disk takes no more files`() async throws {
      let disk = try SmallDisk(megabytes: 8, files: 50)
      defer { disk.unmount() }
      try await run(on: disk.folder) { test in
        let client = test.client
        try await client.follow()
        _ = try await client.storedPhoto()
        var mark = await client.eventCount
        try disk.fillWithFiles()
        try await client.state(from: mark) { $0.readiness == .notReadyStorageFull }
        let cause = "the disk of \(test.library) has all the files that it was made for: "
        try await expectNothingIsKept(of: client, because: cause, .storageFull)
        mark = await client.eventCount
        try disk.clear()
        try await client.state(from: mark) { $0.readiness == .ready }
        _ = try await client.storedPhoto()
      }
    }

    @Test func `A link in the place of a camera's folder is not followed, and readiness shows it`()
      async throws
    {
      let elsewhere = try TemporaryFolder()
      let cameras = ["left", "right"].map { "\($0)=synthetic:320x240@60,format=MJPG" }
      try await TestNode.run(cameras) { test in
        let client = test.client
        try await client.follow()
        let mark = await client.eventCount
        let link = "\(test.library)/left"
        try FileManager.default.createSymbolicLink(
          atPath: link, withDestinationPath: elsewhere.path)
        try await client.state(of: "left", from: mark) { $0.readiness == .notReadyStorageFailed }
        let cause =
          "a folder or file of the library has the wrong kind or is a link (open \(link): "
        try await expectNothingIsKept(of: client, "left", because: cause, .storageFailed)
        #expect(try elsewhere.names.isEmpty)
        let id = RequestID.random()
        _ = try Photo(await client.ask(.capture(.with { $0.camera = "right" }), id: id))
        #expect(
          try await client.status().cameras.map(\.readiness) == [.notReadyStorageFailed, .ready])
      }
    }

    /// Runs a test with a node whose library is on a disk of its own.
    /// - Parameter reserve: The bytes that the node leaves free there.
    private func run(
      _ cameras: [String] = [TestNode.camera], on disk: TemporaryFolder, reserve: Int = 0,
      _ body: (TestNode) async throws -> Void
    ) async throws {
      try await TestNode.run(
        cameras,
        configure: {
          $0.library = "\(disk.path)/library"
          $0.limits.libraryReserve = reserve
        }, body)
    }

    /// Expects that the status, photos and recordings name the same cause.
    private func expectNothingIsKept(
      of client: TestClient, _ camera: String = "", because cause: String, _ code: WireErrorCode
    ) async throws {
      let error = try await client.status().library.error
      #expect(error.message.hasPrefix(cause) && error.code == code, "\(error)")
      #expect(try await client.error(.capture(.with { $0.camera = camera })) == error)
      #expect(try await client.error(.recordStart(.with { $0.camera = camera })) == error)
    }

    @Test(.enabled(if: FrozenDisk.canBeMade, "only root may freeze a disk"))
    func `Readiness says when as many photos as are allowed wait for the disk`() async throws {
      let disk = try FrozenDisk()
      defer { disk.unmount() }
      try await run(["cam=synthetic:320x240@60,format=MJPG"], on: disk.folder) { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        try disk.freeze()
        defer { disk.thaw() }
        let ids = (0..<PhotoPlaces.sharedLimit).map { _ in RequestID.random() }
        let own = ids.prefix(PhotoPlaces.limitPerClient)
        let mark = await client.eventCount
        try await test.withClient { other in
          for (number, id) in ids.enumerated() {
            let sender = number < own.count ? client : other
            try await sender.send(.capture(.init()), id: id)
            _ = try await sender.progress(id) { $0?.captureStep == .didProcess ? true : nil }
            if number == own.count - 1 {
              let error = try await client.error(.capture(.inline()))
              #expect(error.message.hasPrefix("this connection has 24 photos under way"))
              #expect(try await client.camera().readiness == .ready)
            }
          }
          #expect(try await other.error(.capture(.inline())).code == .busy)
          #expect(try await client.camera().readiness == .ready)
          let modest = try (0..<16).map { _ in
            try RawPeer(test.node.endpoints.control, as: "DEALER")
          }
          for peer in modest { try peer.request(.capture(.init())) }
          try await client.state(from: mark) { $0.readiness == .notReadyWaitingForProcessing }
          disk.thaw()
          for id in own { _ = try Photo(await client.conversation(id)) }
          for id in ids.dropFirst(own.count) { _ = try Photo(await other.conversation(id)) }
        }
        #expect(try await client.camera { $0.readiness == .ready }.state == .running)
      }
    }
  }
}
