import CameraProtocol
import Capture
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Cameras that a node makes of devices which come and go.
  struct AdoptionTests {
    private func run(
      _ rule: String = "usb-*=driver=test", cameras: [String] = [TestNode.camera],
      patience: Duration = .milliseconds(1), present: [String] = [],
      _ body: (TestNode, TestMachine) async throws -> Void
    ) async throws {
      let machine = try TestMachine(present)
      let rule = try AdoptionRule(argument: rule)
      try await TestNode.run(
        cameras,
        configure: {
          $0.finder = machine
          $0.adoptions = [rule]
          $0.limits.adoptionPatience = patience
        }
      ) { test in try await body(test, machine) }
    }

    /// Waits for the first state, from event `start`, of a camera that was adopted with the device.
    private func adopted(
      _ device: String, from start: Int = 0, _ client: TestClient
    ) async throws -> WireCameraStatus {
      try await client.event(from: start) { event in
        guard case .state(let status)? = event.body, status.device.identity == device,
          status.adoption == .adopted, status.readiness == .ready
        else { return nil }
        return status
      }
    }

    private func status(_ client: TestClient) async throws -> [WireCameraStatus] {
      let reply = try await client.ask(.status(WireStatusRequest())).last?.wire.body
      guard case .status(let status)? = reply else { throw Unexpected(reply) }
      return status.cameras
    }

    @Test func `Devices that are there at the start are cameras at once`() async throws {
      try await run(cameras: [], present: ["a", "b"]) { test, _ in
        let cameras = try await status(test.client)
        #expect(Set(cameras.map(\.device.identity)) == ["a", "b"])
        #expect(cameras.allSatisfy { $0.adoption == .adopted && $0.state == .running })
        let reply = try await test.client.ask(.devices(WireDevicesRequest())).last?.wire.devices
        #expect(Set(reply?.devices.map(\.camera) ?? []) == Set(cameras.map(\.name)))
      }
    }

    @Test func `A device that comes is a camera with frames and photos`() async throws {
      try await run { test, machine in
        let client = test.client
        try await client.follow()
        await client.subscribe(frames: "frame/")
        try machine.plug("a")
        let camera = try await adopted("a", client).name
        _ = try await client.arrival { client in
          client.frames.contains { $0.topic == "frame/\(camera)/preview/" } ? true : nil
        }
        let photo = try await client.ask(
          .capture(
            .with {
              $0.camera = camera
              $0.when = .next(.init())
            }))
        guard case .capture(let result)? = photo.last?.wire.body else { throw Unexpected(photo) }
        #expect(result.asset.camera == camera)
        #expect(try await status(client).map(\.name) == ["cam", camera])
      }
    }

    @Test func `A camera whose device has gone is interrupted, ends, and returns`() async throws {
      try await run(cameras: []) { test, machine in
        let client = test.client
        try await client.follow()
        try machine.plug("a")
        let first = try await adopted("a", client)
        let mark = await client.eventCount
        let recording = try await client.startRecording()
        try await client.letRecord(frames: 2)
        _ = try await client.ask(.leaseAcquire(.with { $0.camera = first.name }))
        try machine.unplug("a")
        let last = try await client.state(of: first.name, from: mark) { $0.adoption == .ended }
        #expect(last.state == .stopped && !last.hasLease && !last.hasRecording)
        let states = await client.events.dropFirst(mark).compactMap(\.event).compactMap { event in
          if case .state(let status)? = event.body { status } else { nil }
        }
        #expect(states.contains { $0.interruption == .deviceDisconnected })
        #expect(states.last?.adoption == .ended)
        #expect(try await client.finishedRecording(recording).reason == .cameraLost)
        let error = try await client.error(.capture(.with { $0.camera = first.name }))
        #expect(error.code == .noSuchCamera)
        #expect(try await status(client).isEmpty)
        let again = await client.eventCount
        try machine.plug("a")
        #expect(try await adopted("a", from: again, client).name == first.name)
        #expect(try await !status(client).contains { $0.hasLease })
      }
    }

    @Test func `A device that comes back in time keeps its camera`() async throws {
      try await run(patience: .seconds(600)) { test, machine in
        let client = test.client
        try await client.follow()
        try machine.plug("a")
        let name = try await adopted("a", client).name
        var mark = await client.eventCount
        try machine.unplug("a")
        try await client.state(of: name, from: mark) {
          $0.interruption == .deviceDisconnected && $0.state == .interrupted
        }
        // The node has looked when it tells this.
        _ = try await client.event(from: mark) { event in
          if case .devices(let news)? = event.body, !news.disappeared.isEmpty { true } else { nil }
        }
        #expect(try await status(client).map(\.name) == ["cam", name])
        mark = await client.eventCount
        try machine.plug("a")
        #expect(try await adopted("a", from: mark, client).name == name)
        let hasEnded = await client.events.compactMap(\.event).contains {
          $0.state.adoption == .ended
        }
        #expect(!hasEnded)
      }
    }

    @Test func `No two cameras have the same device`() async throws {
      try await run("usb-*=identity=a", present: ["a", "b"]) { test, machine in
        let client = test.client
        let name = try #require(try await status(client).last?.name)
        func input(_ device: String, of camera: String) -> WireRequest.OneOf_Body {
          .configure(
            .with {
              $0.camera = camera
              $0.input = device
            })
        }
        let taken = try await client.error(input("a", of: "cam"))
        #expect(taken.code == .conflict && taken.message.contains(name))
        let bound = try await client.error(input("b", of: name))
        #expect(bound.code == .conflict && bound.field == "configure.input")
        #expect(try await status(client).map(\.device.identity).last == "a")
      }
    }

    @Test func `The device of a camera that has another input is not adopted`() async throws {
      try await run("usb-*=identity=b") { test, machine in
        let client = test.client
        try await client.follow()
        try machine.plug("c")
        _ = try await client.event { event in
          if case .devices? = event.body { true } else { nil }
        }
        _ = try await client.ask(
          .configure(
            .with {
              $0.camera = "cam"; $0.input = "c"
            }))
        try machine.plug("b")
        let name = try await adopted("b", client).name
        #expect(try await status(client).map(\.name) == ["cam", name])
      }
    }

    @Test func `Devices come and go and leave nothing behind`() async throws {
      try await run { test, machine in
        let client = test.client
        try await client.follow()
        for _ in 0..<12 {
          var mark = await client.eventCount
          try machine.plug("a")
          let name = try await adopted("a", from: mark, client).name
          mark = await client.eventCount
          try machine.unplug("a")
          try await client.state(of: name, from: mark) { $0.adoption == .ended }
        }
        #expect(try await status(client).map(\.name) == ["cam"])
      }
    }
  }
}
