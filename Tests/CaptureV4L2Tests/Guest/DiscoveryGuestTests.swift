import Capture
import Testing

@testable import CaptureV4L2

extension GuestTests {
  @Suite struct Discovery {
    @Test("Cameras are listed in the order of their nodes, each with its own identity")
    func list() throws {
      let devices = V4L2Discovery().devices()
      #expect(
        devices.map(\.description.location) == [camera, secondCamera, loopback]
      )
      #expect(
        devices.map(\.description.identity) == [
          "platform:vivid-000", "platform:vivid-001", "platform:v4l2loopback-000",
        ]
      )
      #expect(devices.map(\.description.driver) == ["vivid", "vivid", "v4l2 loopback"])
      #expect(devices.allSatisfy { $0.problem == nil })
    }

    @Test("The first usable camera is the first that offers a picture")
    func first() throws {
      #expect(try V4L2Discovery().firstUsable().identification.location == camera)
    }

    @Test(
      "A camera is found by its identity, its node's name and its path",
      arguments: ["platform:vivid-001", "video1", "/dev/video1", "/dev/../dev/video1"]
    )
    func specification(text: String) throws {
      let device = V4L2Device(text)
      try device.open()
      defer { device.close() }
      #expect(device.identification.location == secondCamera)
      #expect(device.identification.identity == "platform:vivid-001")
      #expect(device.identification.model == "vivid")
    }

    @Test("The error for a missing camera lists the existing ones")
    func missing() {
      let error = #expect(throws: CaptureError.self) { try V4L2Device("/dev/video42").open() }
      #expect(
        error?.message
          == "there is no /dev/video42: there is /dev/video0 (vivid), /dev/video1 (vivid), "
          + "/dev/video9 (Loopback)"
      )
    }

    @Test("A loopback device without a feeder says that it needs one")
    func unfed() throws {
      let device = V4L2Device(loopback)
      try device.open()
      defer { device.close() }
      #expect(try device.formats().isEmpty)
      let error = #expect(throws: CaptureError.self) { try device.configure(FormatRequest()) }
      #expect(error?.code == .unsuitableDevice)
      #expect(error?.message.contains("a program that feeds it") == true)
    }

    @Test("A survey has each camera's formats, and the programs that have it open")
    func survey() throws {
      let devices = V4L2Discovery().survey()
      #expect(devices.map(\.description.location) == [camera, secondCamera, loopback])
      #expect(devices.allSatisfy { $0.authorization == .authorized && $0.holders.isEmpty })
      let device = V4L2Device(camera)
      try device.open()
      defer { device.close() }
      #expect(try devices[0].formats == device.formats() + device.otherFormats())
      #expect(devices[0].mounting == DeviceMounting(), "vivid does not say how it is built in")
      #expect(devices[2].formats.isEmpty, "nobody feeds it")
    }
  }
}
