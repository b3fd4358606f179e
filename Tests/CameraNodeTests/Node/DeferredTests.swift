import CameraProtocol
import CaptureSynthetic
import Foundation
import Logging
import MediaLibrary
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Photos whose files are made later.
  struct DeferredTests {
    private static func deferred(
      _ formats: [WirePhotoFormat], _ edit: (inout WireCaptureRequest) -> Void = { _ in }
    ) -> WireCaptureRequest {
      .outputs(formats) {
        $0.deferred = true
        edit(&$0)
      }
    }

    @Test func `A proxy comes at once, and its files follow with an event`() async throws {
      try await TestNode.run(configure: { $0.encodesPhotos() }) { test in
        try await test.client.follow()
        let id = RequestID.random()
        let photo = try await test.client.photo(Self.deferred([.heic, .png]), id: id)
        let settings = try #require(photo.steps.first?.settings)
        #expect(
          settings.deferred && settings.files.map(\.mediaType) == ["image/heic", "image/png"])
        let processed = try #require(photo.steps.last)
        #expect(processed.proxy && processed.mediaType == "image/jpeg" && processed.file == 0)
        let proxy = photo.result.asset
        #expect(proxy.mediaType == "image/jpeg" && proxy.requestID == id.data)
        #expect(proxy.deferral == .pending && proxy.replaces.isEmpty)
        #expect(
          try DecodedPhoto(test.file(proxy.path)).strip?.number
            == photo.result.resolved.frameSequence)

        let event = try await test.client.deferredEvent(of: proxy.id)
        #expect(event.requestID == id.data)
        let picture = event.finished
        #expect(picture.resolved.frameSequence == photo.result.resolved.frameSequence)
        #expect(picture.files.map(\.mediaType) == ["image/heic", "image/png"])
        for file in picture.files {
          #expect(file.asset.replaces == proxy.id && file.asset.requestID == id.data)
          #expect(file.asset.deferral == .unspecified)
          #expect(sha256(try test.file(file.asset.path)) == file.sha256)
        }
        let assets = try await test.client.assets()
        #expect(assets.count == 3)
        #expect(assets.first { $0.id == proxy.id }?.deferral == .done)
        #expect(try await test.client.deferred() == 0)
        #expect(try test.kept() == [])
      }
    }

    @Test func `A burst has a proxy and files of each picture`() async throws {
      try await TestNode.run { test in
        try await test.client.follow()
        let photo = try await test.client.photo(Self.deferred([.png]) { $0.burst.pictures = 5 })
        let proxies = photo.result.pictures.map(\.files)
        #expect(proxies.allSatisfy { $0.count == 1 && $0[0].asset.deferral == .pending })
        for (index, proxy) in proxies.enumerated() {
          let event = try await test.client.deferredEvent(of: proxy[0].asset.id)
          #expect(
            event.finished.resolved.frameSequence
              == photo.result.pictures[index].resolved.frameSequence)
          let text = String(
            decoding: try test.file(event.finished.files[0].asset.path), as: Unicode.ASCII.self)
          #expect(text.contains("<camerabus:burstIndex>\(index + 1)</camerabus:burstIndex>"))
        }
      }
    }

    @Test func `Its files have the quality that was asked for`() async throws {
      try await TestNode.run { test in
        try await test.client.follow()
        let photo = try await test.client.photo(
          Self.deferred([.tiff]) { $0.prioritization = .quality })
        #expect(photo.steps.first?.settings.prioritization == .quality)
        #expect(photo.result.resolved.prioritization == .speed)
        let event = try await test.client.deferredEvent(of: photo.result.asset.id)
        #expect(event.finished.resolved.prioritization == .quality)
        #expect(event.finished.resolved.mergedFrames > 1)
      }
    }

    @Test func `What does not fit is refused`() async throws {
      try await TestNode.run { test in
        let transient = try await test.client.error(
          .capture(
            Self.deferred([.png]) {
              $0.transient = true
              $0.inlineLimit = 1 << 20
            }))
        #expect(transient.code == .invalidArgument && transient.field == "capture.deferred")
        let depth = try await test.client.error(
          .capture(Self.deferred([.png]) { $0.depth = WireCaptureRequest.Depth() }))
        #expect(depth.code == .invalidArgument && depth.field == "capture.depth")
        let flash = try await test.client.error(
          .capture(Self.deferred([.png]) { $0.flash = .on }))
        #expect(flash.code == .invalidArgument && flash.field == "capture.flash")
        let error = try await test.client.error(
          .assets(.with { $0.deferral = .UNRECOGNIZED(9) }))
        #expect(error.code == .invalidArgument && error.field == "assets.deferral")
      }
    }

    @Test func `Under pressure the files wait, and those of a deleted proxy are not made`()
      async throws
    {
      let sensors = try SimulatedSensors()
      try await TestNode.run(configure: { Self.watch(sensors, &$0) }) { test in
        try await test.client.follow()
        try sensors.set(celsius: 86)
        try await Self.awaitHeat(test)
        let first = try await test.client.photo(Self.deferred([.png])).result.asset
        let second = try await test.client.photo(Self.deferred([.png])).result.asset
        #expect(try await test.client.deferred() == 2)
        let pending = try await test.client.assets { $0.deferral = .pending }
        #expect(pending.map(\.id) == [second.id, first.id])
        _ = try await test.client.delete([first.id])
        #expect(try await test.client.deferred() == 1)
        #expect(try test.kept().count == 1)
        _ = try await test.client.protect([second.id], true)
        try sensors.set(celsius: 40)
        let event = try await test.client.deferredEvent(of: second.id)
        #expect(event.finished.files[0].asset.protected)
        #expect(try await test.client.assets { $0.deferral = .pending }.isEmpty)
        #expect(try await test.client.assets { $0.deferral = .done }.map(\.id) == [second.id])
      }
    }

    @Test func `A node that is stopped makes the files at its next start`() async throws {
      let (folder, sensors) = (try TemporaryFolder(), try SimulatedSensors())
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.library = "\(folder.path)/library"
        Self.watch(sensors, &configuration)
      }
      let proxies = try await TestNode.run(configure: configure) { test in
        try await test.client.follow()
        try sensors.set(celsius: 86)
        try await Self.awaitHeat(test)
        let photo = try await test.client.photo(
          Self.deferred([.png, .jpeg]) { $0.burst.pictures = 3 })
        return photo.result.pictures.map { ($0.files[0].asset.id, $0.resolved) }
      }
      try await TestNode.run(configure: configure) { test in
        try await test.client.follow()
        // They wait for the pressure again.
        #expect(try await test.client.deferred() == 3)
        try sensors.set(celsius: 40)
        for (proxy, resolved) in proxies {
          let picture = try await test.client.deferredEvent(of: proxy).finished
          #expect(picture.files.map(\.mediaType) == ["image/png", "image/jpeg"])
          #expect(picture.resolved.timestamp == resolved.timestamp)
          #expect(
            try DecodedPhoto(test.file(picture.files[1].asset.path)).strip?.number
              == resolved.frameSequence)
        }
        // The library's answer comes after what was asked of it before.
        #expect(try await test.client.assets().count == 9)
        #expect(try test.kept() == [])
      }
    }

    @Test func `What was kept is damaged or gone: the proxy stays, and an event says why`()
      async throws
    {
      let sensors = try SimulatedSensors()
      func configure(_ configuration: inout NodeConfiguration) {
        Self.watch(sensors, &configuration)
        configuration.limits.recoveryPause = .milliseconds(10)
      }
      try await TestNode.run(configure: configure) { test in
        try await test.client.follow()
        try sensors.set(celsius: 86)
        try await Self.awaitHeat(test)
        let damaged = try await test.client.photo(Self.deferred([.png])).result.asset
        let path = "\(test.library)/.deferred/\(try #require(test.kept().first))"
        let kept = try Data(contentsOf: URL(fileURLWithPath: path))
        try (Data("CameraBus photo 1\n????".utf8) + kept.dropFirst(22)).write(
          to: URL(fileURLWithPath: path))
        let gone = try await test.client.photo(Self.deferred([.png])).result.asset
        let id = gone.id.map { String(format: "%02x", $0) }.joined()
        try FileManager.default.removeItem(atPath: "\(test.library)/.deferred/\(id).photo")
        try sensors.set(celsius: 40)
        let first = try await test.client.deferredEvent(of: damaged.id)
        #expect(first.failed.code == .storageFailed)
        let second = try await test.client.deferredEvent(of: gone.id)
        #expect(second.failed.code == .storageFailed)
        let assets = try await test.client.assets()
        #expect(assets.map(\.deferral) == [.failed, .failed])
        #expect(assets.allSatisfy { $0.condition == .intact })
        #expect(try test.kept() == [])
      }
    }

    @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
    func `On a full disk the files wait for room`() async throws {
      let lines = Recorded<String>()
      try await onHotMachine(log: .adding(to: lines)) { test, disk, sensors in
        let proxy = try await test.client.photo(Self.deferred([.tiff])).result.asset
        try disk.fill(leaving: 1 << 20)
        try sensors.set(celsius: 40)
        await lines.wait { $0.contains { $0.hasPrefix("the files of the photo") } }
        #expect(try await test.client.deferred() == 1)
        try disk.clear()
        let event = try await test.client.deferredEvent(of: proxy.id)
        #expect(event.finished.files.count == 1)
      }
    }

    /// Files are larger than the frames that they are made of.
    @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
    func `What a disk has taken can be finished on it`() async throws {
      let camera = "cam=synthetic:1280x720@30,format=YUYV"
      try await onHotMachine([camera]) { test, _, sensors in
        let client = test.client
        var proxies: [Data] = []
        while true {
          let reply = try await client.ask(.capture(Self.deferred([.png, .tiff]))).last?.wire
          guard case .capture(let result)? = reply?.body else {
            #expect(reply?.error.code == .storageFull)
            break
          }
          proxies.append(result.asset.id)
        }
        #expect(proxies.count > 1)
        try sensors.set(celsius: 40)
        for proxy in proxies {
          #expect(try await client.deferredEvent(of: proxy).finished.files.count == 2)
        }
        #expect(try await client.deferred() == 0)
      }
    }

    /// Runs a node on a small disk, whose deferred photos wait until the machine is cooler.
    private func onHotMachine(
      _ cameras: [String] = [TestNode.camera], log: Logger = .silent,
      _ body: (TestNode, SmallDisk, SimulatedSensors) async throws -> Void
    ) async throws {
      let (disk, sensors) = (try SmallDisk(megabytes: 100), try SimulatedSensors())
      defer { disk.unmount() }
      let folder = disk.folder
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.library = folder.path
        configuration.limits.recoveryPause = .milliseconds(10)
        Self.watch(sensors, &configuration)
      }
      try await TestNode.run(cameras, configure: configure, log: log) { test in
        try await test.client.follow()
        try sensors.set(celsius: 86)
        try await Self.awaitHeat(test)
        try await body(test, disk, sensors)
      }
    }

    private static func watch(
      _ sensors: SimulatedSensors, _ configuration: inout NodeConfiguration
    ) {
      configuration.pressure = .folder(sensors.root)
      configuration.limits.pressure = PressureWatch.Pace(
        interval: .milliseconds(20), hold: .milliseconds(60))
    }

    private static func awaitHeat(_ test: TestNode) async throws {
      let level: WirePressureLevel = try await test.client.event { event in
        guard case .pressure(let pressure)? = event.body else { return nil }
        return pressure.level == .serious ? pressure.level : nil
      }
      #expect(level == .serious)
    }
  }
}

extension TestClient {
  /// The event of a proxy's end.
  func deferredEvent(of proxy: Data) async throws -> WireDeferredEvent {
    try await arrival { client in
      client.events.lazy.filter { $0.topic.hasSuffix("/deferred/") }
        .compactMap { try? WireEvent(serializedBytes: $0.payload).deferred }
        .first { $0.proxy == proxy }
    }
  }

  /// Photos whose files are still to be made.
  func deferred() async throws -> UInt32 { try await status().library.deferredPhotos }
}

extension TestNode {
  /// The files that are kept for photos.
  func kept() throws -> [String] {
    let folder = "\(library)/.deferred"
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
  }
}
