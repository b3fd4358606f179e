import CameraProtocol
import Capture
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Photos whose depth cannot be taken.
  struct DepthRefusalTests {
    private static let cameras = [
      "cam=synthetic:320x240@60,format=MJPG,depth=tof", "tof=synthetic:160x120@30,format=Z16",
    ]

    private func set(
      _ settings: KeyValuePairs<String, Int64>, of camera: String = "tof", _ client: TestClient
    ) async throws {
      var request = WireControlsSetRequest.settings(settings)
      request.camera = camera
      let reply = try await client.ask(.controlsSet(request)).last
      guard case .controls? = reply?.wire.body else { throw Unexpected(reply) }
    }

    @Test(arguments: [
      (
        WireCaptureRequest.pair { ($0.transient, $0.inlineLimit) = (true, 1 << 20) },
        "capture.depth"
      ),
      (WireCaptureRequest.pair { $0.deferred = true }, "capture.depth"),
      (WireCaptureRequest.pair { $0.size = .maximum }, "capture.depth"),
      (WireCaptureRequest.pair { $0.depth.matte.nearM = 2 }, "capture.depth.matte.far_m"),
      (WireCaptureRequest.pair { $0.depth.matte.nearM = .nan }, "capture.depth.matte.near_m"),
      (WireCaptureRequest.pair { $0.depth.matte.nearM = -0.001 }, "capture.depth.matte.near_m"),
      (WireCaptureRequest.pair { $0.depth.matte.farM = .infinity }, "capture.depth.matte.far_m"),
      (WireCaptureRequest.pair { $0.depth.matte.farM = 65.536 }, "capture.depth.matte.far_m"),
      (WireCaptureRequest.pair { $0.camera = "tof" }, "capture.depth"),
    ])
    func `What cannot have depth is refused with the field`(
      request: WireCaptureRequest, field: String
    ) async throws {
      try await TestNode.run(Self.cameras) { test in
        let error = try await test.client.error(.capture(request))
        #expect(error.code == .invalidArgument && error.field == field && !error.retryable)
        #expect(try await test.client.assets().isEmpty)
      }
    }

    @Test func `A depth camera that does not stream distances makes the photo fail beforehand`()
      async throws
    {
      try await TestNode.run(Self.cameras) { test in
        let client = test.client
        func refusal() async throws -> WireError {
          let error = try await client.error(.capture(.pair()))
          #expect(error.message.contains("tof"))
          return error
        }
        _ = try await client.ask(
          .configure(.with { ($0.camera, $0.pixelFormat) = ("tof", "YUYV") }))
        let format = try await refusal()
        #expect(format.code == .unsupportedFormat && format.field == "capture.depth")
        #expect(format.message.contains("YUYV") && format.message.contains("Z16"))

        _ = try await client.ask(.sessionStop(.with { $0.camera = "tof" }))
        let stopped = try await refusal()
        #expect(stopped.reason == .sessionStopped && stopped.camera == "tof")
        _ = try await client.ask(
          .configure(.with { ($0.camera, $0.pixelFormat) = ("tof", "Z16") }))
        _ = try await client.ask(.sessionStart(.with { $0.camera = "tof" }))
        _ = try await client.photo(.pair())

        try await client.follow()
        try await set(["disconnect": 1], client)
        try await client.state(of: "tof") { $0.state == .interrupted }
        let gone = try await refusal()
        #expect(gone.code == .deviceNotFound && gone.retryable)
        #expect(try await client.assets().count == 3)
        // Without depth the photo is as before.
        _ = try await client.photo(.with { $0.camera = "cam" })
      }
    }

    @Test func `A depth camera that is to be adopted may come and go`() async throws {
      let machine = try TestMachine([])
      let rule = try AdoptionRule(argument: "tof=driver=test,format=Z16")
      try await TestNode.run(
        Array(Self.cameras.prefix(1)),
        configure: {
          $0.finder = machine
          $0.adoptions = [rule]
          $0.limits.adoptionPatience = .milliseconds(1)
        }
      ) { test in
        let client = test.client
        try await client.follow()
        let absent = try await client.error(.capture(.pair()))
        #expect(absent.code == .deviceNotFound && absent.retryable)
        #expect(absent.field == "capture.depth" && absent.message.contains("tof"))
        try machine.plug("a")
        try await client.state(of: "tof") { $0.readiness == .ready }
        let photo = try await client.photo(.pair())
        #expect(photo.result.pictures.first?.depth.camera == "tof")
        try machine.unplug("a")
        try await client.state(of: "tof") { $0.adoption == .ended }
        #expect(try await client.error(.capture(.pair())).code == .deviceNotFound)
      }
    }

    @Test func `A burst whose depth camera is unplugged fails once, and says what it has`()
      async throws
    {
      try await TestNode.run(Self.cameras) { test in
        let client = test.client
        try await client.follow("event/cam/")
        let id = RequestID.random()
        try await client.send(
          .capture(.pair { $0.burst.pictures = 100 }), id: id,
          remaining: .seconds(60))
        _ = try await client.progress(id) { body -> Bool? in
          guard case .captureProgress(let progress)? = body else { return nil }
          return progress.part == .matte && progress.picture == 2 ? true : nil
        }
        try await set(["disconnect": 1], client)
        let replies = try await client.conversation(id)
        guard case .error(let error)? = replies.last?.wire.body else {
          throw Unexpected(replies.last)
        }
        let count = try await client.assets { $0.limit = 300 }.count
        #expect(count > 0 && count < 300)
        #expect(error.message.contains("the depth camera tof"))
        #expect(error.message.hasSuffix("; \(count) of 300 files are in the library"))
        #expect(replies.count { $0.wire.final } == 1)
        // The burst does not go on, and nothing of it is left.
        #expect(try await client.photo(.with { $0.camera = "cam" }).result.byteCount > 0)
        let ends = try await client.arrival { client in
          client.events.count { event in
            guard case .capture(let capture)? = event.event?.body, capture.requestID == id.data
            else { return false }
            if case .failed? = capture.body { return true }
            if case .completed? = capture.body { return true }
            return false
          }
        }
        #expect(ends == 1)
      }
    }

    @Test func `A depth camera that sends nothing makes the photo fail when its time is over`()
      async throws
    {
      try await TestNode.run(Self.cameras) { test in
        let client = test.client
        try await set(["inject_stall": 1], client)
        // So late that none of the frames before can be the nearest.
        let moment = try await client.status().now.monotonicNs + 200_000_000
        let error = try await client.error(
          .capture(.pair { $0.atMonotonicNs = moment }),
          remaining: .milliseconds(700))
        #expect(error.code == .deadlineExceeded && error.message.contains("the depth camera tof"))
        #expect(error.message.hasSuffix("; 1 of 3 files are in the library"))
      }
    }

    @Test func `A photo is ended by its first camera too`() async throws {
      try await TestNode.run([
        "cam=synthetic:320x240@60,format=MJPG,depth=tof", "tof=synthetic:160x120@2,format=Z16",
      ]) { test in
        let client = test.client
        let id = RequestID.random()
        // Its pictures wait half a second each for their distances.
        try await client.send(
          .capture(.pair { $0.burst.pictures = 100 }), id: id,
          remaining: .seconds(60))
        _ = try await client.progress(id) { body -> Bool? in
          guard case .captureProgress(let progress)? = body else { return nil }
          return progress.step == .didCapture && progress.picture == 2 ? true : nil
        }
        try await set(["disconnect": 1], of: "cam", client)
        let replies = try await client.conversation(id)
        guard case .error(let error)? = replies.last?.wire.body else {
          throw Unexpected(replies.last)
        }
        #expect(error.code == .interrupted && !error.message.contains("tof"))
        #expect(error.message.hasSuffix("of 300 files are in the library"))
        // The requests to the depth camera have ended with it.
        _ = try await client.photo(.inline { $0.camera = "tof" })
      }
    }
  }
}
