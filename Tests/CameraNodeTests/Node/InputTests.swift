import CameraProtocol
import Capture
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// Cameras that get another device.
  struct InputTests {
    private static let own = "synthetic:320x240@60,format=YUYV"

    private func input(
      _ input: String, of camera: String = "cam",
      _ edit: (inout WireConfigureRequest) -> Void = { _ in }
    ) -> WireRequest.OneOf_Body {
      .configure(
        .with {
          $0.camera = camera
          $0.input = input
          edit(&$0)
        })
    }

    private func run(
      _ cameras: [String] = [TestNode.camera], _ body: (TestNode, TestMachine) async throws -> Void
    ) async throws {
      let machine = try TestMachine(["a", "b"])
      try await TestNode.run(cameras, configure: { $0.finder = machine }) { test in
        try await body(test, machine)
      }
    }

    private func configured(
      _ request: WireRequest.OneOf_Body, _ client: TestClient
    ) async throws -> WireCameraStatus {
      let reply = try await client.ask(request).last?.wire.body
      guard case .configure(let reply)? = reply else { throw Unexpected(reply) }
      return reply.camera
    }

    @Test(arguments: ["a", "/dev/a"])
    func `A camera gets another device and its own one again`(_ name: String) async throws {
      try await run { test, _ in
        let client = test.client
        try await client.follow()
        let switched = try await configured(input(name), client)
        #expect(switched.device.identity == "a" && switched.configuredInput == Self.own)
        #expect(switched.format.size.width == 160)
        try await client.state { $0.device.identity == "a" && $0.state == .running }
        let devices = try await client.ask(.devices(WireDevicesRequest())).last?.wire.devices
        #expect(devices?.devices.map(\.camera) == ["cam", ""])
        let back = try await configured(input(Self.own), client)
        #expect(back.device.identity == Self.own && back.configuredInput.isEmpty)
        #expect(back.format.size.width == 320)
      }
    }

    @Test func `Photos and previews go on with the new device`() async throws {
      try await run { test, _ in
        let client = test.client
        await client.subscribe(frames: "frame/cam/raw/")
        let raw: @Sendable (UInt32) -> @Sendable (isolated TestClient) -> Bool? = { width in
          { $0.frames.contains { $0.header.frame.size.width == width } ? true : nil }
        }
        _ = try await client.arrival(raw(320))
        _ = try await configured(input("b"), client)
        _ = try await client.arrival(raw(160))
        let photo = try await client.ask(.capture(.with { $0.when = .next(.init()) }))
        guard case .capture(let result)? = photo.last?.wire.body else { throw Unexpected(photo) }
        #expect(result.resolved.size.width == 160)
      }
    }

    @Test func `A device that does not start leaves the camera as it was`() async throws {
      try await run { test, machine in
        let client = test.client
        try machine.set("inject_busy", of: "a", to: .boolean(true))
        try await client.follow()
        let mark = await client.eventCount
        let error = try await client.error(
          input("a") {
            $0.settings = [
              .with {
                $0.id = "brightness"
                $0.value.integer = 9
              }
            ]
          })
        #expect(error.code == .deviceBusy && error.field == "configure.input")
        let status = try await client.state(from: mark) { $0.state == .running }
        #expect(status.device.identity == Self.own && status.configuredInput.isEmpty)
        #expect(status.format.size.width == 320)
      }
    }

    @Test func `Only devices that are listed can be named`() async throws {
      try await run { test, _ in
        for name in ["c", "/etc/passwd", "synthetic:640x480@30", "files:/tmp", "v4l2:/dev/a"] {
          let error = try await test.client.error(input(name))
          #expect(error.code == .deviceNotFound && error.field == "configure.input", "\(name)")
        }
      }
    }

    @Test func `No two cameras have the same device`() async throws {
      try await run([TestNode.camera, "other=synthetic:160x120@30"]) { test, _ in
        let client = test.client
        let answers = try await withThrowingTaskGroup { group in
          for camera in ["cam", "other"] {
            group.addTask { try await client.ask(input("a", of: camera)).last?.wire.body }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        let errors = answers.compactMap { answer -> WireError? in
          if case .error(let error)? = answer { error } else { nil }
        }
        #expect(errors.map(\.code) == [.conflict])
        #expect(errors.first?.field == "configure.input")
      }
    }

    @Test func `A recording ends only if it may`() async throws {
      try await run { test, _ in
        let client = test.client
        _ = try await client.ask(.recordStart(WireRecordStartRequest()))
        let error = try await client.error(input("a"))
        #expect(error.code == .conflict && error.field == "configure.end_recording")
        let status = try await configured(input("a") { $0.endRecording = true }, client)
        #expect(!status.hasRecording && status.device.identity == "a")
      }
    }

    @Test func `The present device is no change`() async throws {
      try await run { test, _ in
        let client = test.client
        try await client.follow()
        _ = try await configured(input("a"), client)
        let since = try await configured(input("a"), client).since.monotonicNs
        #expect(try await configured(input("/dev/a"), client).since.monotonicNs == since)
      }
    }
  }
}
