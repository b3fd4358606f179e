import CameraProtocol
import Foundation
import Imaging
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Photos with the flash.
  struct FlashTests {
    private static let camera = "cam=synthetic:320x240@120,format=GREY,caption=off"

    private static func request(
      _ flash: WireFlashMode, _ edit: (inout WireCaptureRequest) -> Void = { _ in }
    ) -> WireCaptureRequest {
      .outputs([.raw]) {
        $0.flash = flash
        edit(&$0)
      }
    }

    /// The mean of the part of the picture that does not move.
    private static func brightness(_ photo: Photo, _ test: TestNode) throws -> Double {
      let bytes = try test.file(photo.result.asset.path)
      let still = bytes.prefix(bytes.count * 2 / 5)
      return Double(still.reduce(0) { $0 + Int($1) }) / Double(still.count)
    }

    private static func led(_ client: TestClient) async throws -> [Int64] {
      try await client.get(["led_mode", "strobe_timeout"]).map(\.value.integer)
    }

    private static func ledIsReady(_ client: TestClient, since mark: Int) async throws {
      _ = try await client.event(from: mark) { event -> Bool? in
        guard case .control(let control)? = event.body, control.id == "led_mode" else { return nil }
        return control.value.integer == 1 ? true : nil
      }
    }

    private static func note(_ library: String) -> String { "\(library)/.brackets/cam.json" }

    @Test(arguments: [("facts=on", WireControlEffect.Basis.metadata), ("facts=off", .picture)])
    func `The photo is lit and says how that is known, and the torch burns again after it`(
      option: String, evidence: WireControlEffect.Basis
    ) async throws {
      try await TestNode.run(["\(Self.camera),settle=1-6,\(option)"]) { test in
        let client = test.client
        try await client.set([
          "test_pattern": 1, "auto_exposure": 1, "exposure_time_absolute": 20, "led_mode": 2,
        ])
        try await client.letPass(frames: 8)
        let before = try await Self.led(client)
        let photo = try await client.photo(
          Self.request(.on) { $0.prioritization = .quality })
        let settings = try #require(photo.steps.first?.settings)
        #expect(settings.flash == .on && !settings.zeroShutterLag)
        #expect(settings.prioritization == .speed)
        let resolved = photo.result.resolved
        #expect(resolved.flash == evidence && !resolved.hasShot && resolved.offsetNs > 0)
        #expect(resolved.facts.hasFlash == (evidence == .metadata))
        #expect(try await Self.led(client) == before)
        #expect(!FileManager.default.fileExists(atPath: Self.note(test.library)))
        try await client.letPass(frames: 8)
        let plain = try await client.photo(Self.request(.off))
        #expect(plain.steps.first?.settings.flash == .off)
        #expect(plain.result.resolved.flash == .unspecified)
        let ratio = try Self.brightness(photo, test) / Self.brightness(plain, test)
        // The torch had half as much light again.
        #expect((2.5...4.2).contains(ratio), "\(ratio)")
      }
    }

    @Test func `AUTO fires it in the dark, also from idle, and leaves it out in the light`()
      async throws
    {
      try await TestNode.run(["\(Self.camera),idle=100ms"]) { test in
        let client = test.client
        try await client.follow()
        try await client.set(["auto_exposure": 1, "exposure_time_absolute": 10])
        try await client.letPass(frames: 2)
        for (exposure, expected) in [(Int64(10), WireFlashMode.on), (100, .off)] {
          try await client.set(["exposure_time_absolute": exposure])
          let moment = try await client.photo().result.resolved.timestamp.monotonicNs
          try await client.state { $0.state == .idle && $0.since.monotonicNs > moment }
          let photo = try await client.photo(Self.request(.auto))
          #expect(photo.steps.first?.settings.flash == expected)
          #expect((photo.result.resolved.flash != .unspecified) == (expected == .on))
          #expect(photo.result.resolved.startNs > 0)
        }
        // A frame of the past is not lit.
        try await client.letPass(frames: 2)
        let past = try await client.photo(Self.request(.auto) { $0.pastNs = 1_000_000 })
        #expect(past.steps.first?.settings.flash == .off)
      }
    }

    @Test func `It is refused for a moment, for several pictures, a size, and without a flash`()
      async throws
    {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        let refused: [(WireErrorCode, String, (inout WireCaptureRequest) -> Void)] = [
          (.frameUnavailable, "capture.when", { $0.pastNs = 1_000_000 }),
          (.frameUnavailable, "capture.when", { $0.atMonotonicNs = 1 }),
          (.invalidArgument, "capture.flash", { $0.burst.pictures = 2 }),
          (.invalidArgument, "capture.flash", { $0.bracket.shots = [.with { $0.ev = 1 }] }),
          (.invalidArgument, "capture.flash", { $0.size = .maximum }),
          (.invalidArgument, "capture.flash", { $0.flash = .UNRECOGNIZED(9) }),
        ]
        for (code, field, edit) in refused {
          let error = try await client.error(.capture(Self.request(.on, edit)))
          #expect(error.code == code && error.field == field, "\(error)")
        }
        let off = try await client.photo(Self.request(.off) { $0.burst.pictures = 2 })
        #expect(off.result.pictures.count == 2)
        guard
          case .lease? = try await client.ask(
            .leaseAcquire(.with { $0.holder = "calibration" })
          ).last?.wire.body
        else { throw Unexpected("no lease") }
        let leased = try await client.error(.capture(Self.request(.on)))
        #expect(leased.code == .conflict && leased.field == "lease")
        #expect(!FileManager.default.fileExists(atPath: Self.note(test.library)))
      }
    }

    @Test func `Without a flash it says what to do`() async throws {
      let folder = try TemporaryFolder()
      let layout = try ImageLayout(
        size: ImageSize(width: 64, height: 32), pixelFormat: .grey, range: .full)
      let pixels = [UInt8](repeating: 90, count: layout.byteCount)
      try folder.write(try JPEGEncoder().encode(pixels, layout, quality: 80), to: "a.jpg")
      try await TestNode.run(["cam=files:\(folder.path),@30"]) { test in
        for mode in [WireFlashMode.on, .auto] {
          let error = try await test.client.error(.capture(Self.request(mode)))
          #expect(error.code == .noSuchControl && error.field == "capture.flash", "\(error)")
          #expect(error.message.contains("flash=/dev/v4l-subdev3"))
        }
      }
    }

    @Test func `A fault of the flash is the photo's only end`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        try await client.set(["inject_flash_fault": 1 << 8])
        let before = try await Self.led(client)
        let id = RequestID.random()
        try await client.send(.capture(Self.request(.on)), id: id)
        let replies = try await client.conversation(id)
        guard case .error(let error)? = replies.last?.wire.body else { throw Unexpected(replies) }
        #expect(error.code == .deviceFailed && error.message.contains("LED over-temperature"))
        #expect(try await Self.led(client) == before)
        let ends = try await client.ends(of: id)
        #expect(ends == 1 && replies.count { $0.wire.final } == 1)
      }
    }

    @Test func `A node that was killed with the LED ready puts it back at its next start`()
      async throws
    {
      let folder = try TemporaryFolder()
      let library = "\(folder.path)/library"
      // What is on the disk while the flash is fired is what a killed node leaves.
      let note = try await TestNode.run([Self.camera], configure: { $0.library = library }) {
        (test) async throws -> Data in
        let client = test.client
        try await client.follow()
        // No frame shows the light, so the flash is fired again and again.
        try await client.set(["led_mode": 2, "inject_flash_fault": 2])
        let mark = await client.eventCount
        let id = RequestID.random()
        try await client.send(.capture(Self.request(.on)), id: id)
        try await Self.ledIsReady(client, since: mark)
        let note = try Data(contentsOf: URL(fileURLWithPath: Self.note(library)))
        _ = try await client.conversation(id)
        return note
      }
      try FileManager.default.createDirectory(
        atPath: "\(library)/.brackets", withIntermediateDirectories: true)
      try note.write(to: URL(fileURLWithPath: Self.note(library)))
      try await TestNode.run([Self.camera], configure: { $0.library = library }) {
        (test) async throws in
        #expect(try await Self.led(test.client) == [2, 100_000])
        try await deletion(of: Self.note(library))
      }
    }

    @Test func `A node that stops in the middle ends the photo once`() async throws {
      let code = try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        try await client.set(["inject_flash_fault": 2])
        let mark = await client.eventCount
        let id = RequestID.random()
        try await client.send(.capture(Self.request(.on)), id: id)
        try await Self.ledIsReady(client, since: mark)
        await test.node.stop()
        let replies = try await client.conversation(id)
        guard case .error(let error)? = replies.last?.wire.body else { throw Unexpected(replies) }
        #expect(!FileManager.default.fileExists(atPath: Self.note(test.library)))
        return error.code
      }
      #expect(code == .interrupted)
    }
  }
}
