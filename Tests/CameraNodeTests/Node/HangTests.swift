import CameraProtocol
import Capture
import Dispatch
import FoundationEssentials
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Drivers that do not come back from a call.
  struct HangTests {
    // Such a node leaves its threads to the end of the process, which the leak sanitizer finds.
    @Test(
      .enabled(if: ProcessInfo.processInfo.environment["CAMERABUS_SANITIZER"] != "address"),
      arguments: ["open", "close"])
    func `A driver that hangs costs its camera alone, and not the end of the node`(
      _ call: String
    ) async throws {
      let gate = DispatchSemaphore(value: 0)
      let machine = try TestMachine([]) { if $0 == call, $1 == "bad" { gate.wait() } }
      let folder = try TemporaryFolder()
      var configuration = try NodeConfiguration.test([TestNode.camera], library: folder.path)
      configuration.finder = machine
      configuration.adoptions = [try AdoptionRule(argument: "usb-*=driver=test")]
      (configuration.limits.driverCall, configuration.limits.driverEnd) = (
        .milliseconds(500), .milliseconds(50)
      )
      let node = try await Node.start(configuration, log: .silent)
      let endpoints = node.endpoints
      try await TestClient.with(
        control: endpoints.control, events: endpoints.events, frames: endpoints.frames
      ) { client in
        try await client.follow()
        try machine.plug("bad")
        if call == "close" {
          let name = try await client.event { event -> String? in
            guard case .state(let status)? = event.body, status.device.identity == "bad",
              status.state == .running
            else { return nil }
            return status.name
          }
          try await client.send(.sessionStop(.with { $0.camera = name }), id: .random())
        }
        let camera = try await client.event { event -> WireCameraStatus? in
          guard case .state(let status)? = event.body, status.device.identity == "bad",
            status.state == .interrupted || call == "close"
          else { return nil }
          return status
        }
        let error = try await client.error(
          .controlsList(.with { $0.camera = camera.name }), remaining: .seconds(3600))
        #expect(error.code == .deviceFailed)
        #expect(error.message.contains("asked to \(call)"))
        if call == "open" {
          #expect(camera.interruption == .deviceStalled)
          #expect(camera.error.message == error.message)
        }
        let photo = try await client.ask(.capture(.with { $0.camera = "cam" }))
        guard case .capture? = photo.last?.wire.body else { throw Unexpected(photo) }
      }
      await node.stop()
      gate.signal()
    }

    @Test(.timeLimit(.minutes(1)))
    func `The cameras of a node are closed at the same time`() async throws {
      let (closings, gate) = (Recorded<String>(), DispatchSemaphore(value: 0))
      // Each waits until both have begun.
      let machine = try TestMachine(["a", "b"]) { call, device in
        guard call == "close" else { return }
        closings.add(device)
        if closings.events.count == 2 { for _ in 1...2 { gate.signal() } }
        gate.wait()
      }
      try await TestNode.run(
        [],
        configure: {
          $0.finder = machine
          if let rule = try? AdoptionRule(argument: "usb-*=driver=test") { $0.adoptions = [rule] }
          $0.limits.driverEnd = .seconds(3600)
        }
      ) { _ in }
      #expect(Set(closings.events) == ["a", "b"])
    }
  }
}
