import Capture
import Foundation
import Testing

@testable import CaptureV4L2

extension GuestTests {
  @Suite struct Faults {
    private static let small = FormatRequest("YUYV", 320, 180, 10)

    @Test(
      "A fault while streaming ends the stream with its reason, and a restart works",
      arguments: ["inject_fatal_streaming_error", "inject_vidioc_qbuf_error"]
    )
    func streaming(fault: String) async throws {
      let running = try RunningCamera(camera, Self.small)
      _ = try await running.nextFrame()
      try ControlPanel(camera).press(fault)
      #expect(try await running.nextFailure().code == .deviceFailed)
      try running.restart()
      _ = try await running.nextFrame()
    }

    @Test(
      "A fault while starting is reported, and the next start works",
      arguments: ["inject_vidioc_reqbufs_error", "inject_vidioc_streamon_error"]
    )
    func starting(fault: String) async throws {
      let device = V4L2Device(camera)
      try device.open()
      defer { device.close() }
      _ = try device.configure(Self.small)
      try ControlPanel(camera).press(fault)
      let error = #expect(throws: CaptureError.self) { try device.startStreaming() }
      #expect(error?.code == .deviceFailed)
      try device.startStreaming()
    }

    @Test("A busy camera is reported, and can be used once it is free")
    func busy() async throws {
      let device = V4L2Device(camera)
      try device.open()
      defer { device.close() }
      do {
        let running = try RunningCamera(camera, Self.small)
        _ = try await running.nextFrame()
        let error = #expect(throws: CaptureError.self) {
          _ = try device.configure(FormatRequest("NV12", 640, 360))
          try device.startStreaming()
        }
        #expect(error?.code == .deviceBusy)
        #expect(error?.message.contains(camera) == true)
      }
      _ = try device.configure(FormatRequest("NV12", 640, 360))
      try device.startStreaming()
    }

    @Test("A disconnected camera fails, closes without hanging and can be opened again")
    func disconnected() async throws {
      do {
        let running = try RunningCamera(camera, Self.small)
        _ = try await running.nextFrame()
        _ = try running.device.setValue(.boolean(true), of: ControlID(rawValue: "disconnect"))
        #expect(try await running.nextFailure().code == .deviceNotFound)
        let error = #expect(throws: CaptureError.self) { try running.device.controls() }
        #expect(error?.code == .deviceNotFound)
        running.device.close()
      }
      let again = try RunningCamera(camera, Self.small)
      _ = try await again.nextFrame()
    }

    @Test("A camera that is unplugged while streaming is found again by its identity")
    func unplugged() async throws {
      let running = try RunningCamera("platform:vivid-000", Self.small)
      _ = try await running.nextFrame()
      try Self.driver("unbind")
      #expect(try await running.nextFailure().code == .deviceNotFound)
      running.stop()
      running.device.close()
      let error = #expect(throws: CaptureError.self) { try running.device.open() }
      #expect(error?.code == .deviceNotFound)
      try Self.driver("bind")
      try running.device.open()
      #expect(running.device.identification.identity == "platform:vivid-000")
      _ = try running.device.configure(Self.small)
      try running.restart()
      _ = try await running.nextFrame()
    }

    private static func driver(_ action: String) throws {
      let file = try FileHandle(
        forWritingTo: URL(filePath: "/sys/bus/platform/drivers/vivid/\(action)")
      )
      try file.write(contentsOf: Data("vivid.0".utf8))
      try file.close()
    }
  }
}
