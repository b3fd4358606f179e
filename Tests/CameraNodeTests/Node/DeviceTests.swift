import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  struct DeviceTests {
    @Test func `The devices have the simulated cameras with their formats`() async throws {
      try await TestNode.run { test in
        guard
          case .devices(let reply) = try await test.client.ask(.devices(WireDevicesRequest()))
            .last?.wire.body
        else { throw Unexpected("no devices") }
        let device = try #require(reply.devices.first { $0.camera == "cam" })
        #expect(device.authorization == .authorized)
        #expect(!device.hasError && device.holders.isEmpty)
        #expect(!device.hasRotation && device.position == .unspecified)
        #expect(device.device.driver == "synthetic")
        #expect(device.formats.contains { $0.pixelFormat == "YUYV" })
      }
    }
  }
}
