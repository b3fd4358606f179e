import Capture
import Foundation
import TestSupport
import Testing

@testable import CaptureV4L2

@Suite struct V4L2DiscoveryTests {
  private let folder: TemporaryFolder
  private let discovery: V4L2Discovery

  init() throws {
    folder = try TemporaryFolder()
    discovery = V4L2Discovery(
      folder: folder.path, system: "\(folder.path)/sys", udev: "\(folder.path)/udev",
      names: DeviceNames(), patience: .zero)
  }

  @Test("Files that only look like nodes are not cameras")
  func plainFile() throws {
    try folder.write("", to: "video0")
    try folder.write("", to: "video1x")
    #expect(discovery.devices().isEmpty)
    let error = #expect(throws: CaptureError.self) { try discovery.firstUsable() }
    #expect(error?.message == "there is no real camera on this machine: plug one in")
  }

  @Test("A node that cannot be opened is listed with the reason, in numeric order")
  func unusable() throws {
    try folder.link("video10", to: "missing")
    try folder.link("video9", to: "missing")
    let devices = discovery.devices()
    #expect(
      devices.map(\.description.location) == ["video9", "video10"].map { "\(folder.path)/\($0)" }
    )
    #expect(devices.allSatisfy { $0.problem?.code == .deviceNotFound })
    let error = #expect(throws: CaptureError.self) { try discovery.firstUsable() }
    #expect(error == devices[0].problem)
  }

  @Test func `A device that was not found once is looked for again, and is no path`() {
    let name = "platform:vivid-000"
    let error = #expect(throws: CaptureError.self) {
      // A device that was never found is where its name is, for want of anything else.
      try discovery.resolve(
        name, after: V4L2Discovery.Predecessor(description: discovery.description(of: name)))
    }
    #expect(error?.message.contains("no camera is called '\(name)'") == true)
  }

  @Test("A node that cannot be opened is described by its links and the kernel")
  func description() throws {
    try folder.write("", to: "video4")
    try folder.link("v4l/by-path/platform-camera-video-index0", to: "../../video4")
    try folder.write("HD Pro Webcam C920\n", to: "sys/video4/name")
    let description = discovery.description(of: "\(folder.path)/video4")
    #expect(description.identity == "platform-camera-video-index0")
    #expect(description.model == "HD Pro Webcam C920")
    #expect(description.location == "\(folder.path)/video4")
  }

  @Test("Without links the bus and the node's index identify a camera")
  func busIdentity() throws {
    try folder.write("0\n", to: "sys/video6/index")
    try folder.write("2\n", to: "sys/video7/index")
    let capability = Capability(
      driver: "uvcvideo", card: "Depth Camera", busInfo: "usb-0000:00:14.0-1", flags: 0)
    let identities = ["video6", "video7"].map {
      discovery.description(of: "\(folder.path)/\($0)", capability: capability).identity
    }
    #expect(identities == ["usb-0000:00:14.0-1", "usb-0000:00:14.0-1-video-index2"])
  }

  @Test("An identity, a link's path and a node's path all resolve to the node")
  func resolution() throws {
    let node = try folder.write("", to: "video4")
    try folder.link("v4l/by-id/usb-Camera-video-index0", to: "../../video4")
    #expect(try discovery.resolve("usb-Camera-video-index0").path == node)
    let link = "\(folder.path)/v4l/by-id/usb-Camera-video-index0"
    #expect(try discovery.resolve(link).path == node)
    #expect(try discovery.resolve(node).path == node)
  }

  @Test("The error for an unknown name lists the existing cameras")
  func unknown() {
    let error = #expect(throws: CaptureError.self) { try discovery.resolve("front-door") }
    #expect(error?.code == .deviceNotFound)
    #expect(
      error?.message
        == "no camera is called 'front-door': there is no camera on this machine; plug one in"
    )
  }

  @Test("A file that is not a V4L2 device is refused")
  func noCamera() {
    let device = V4L2Device("/dev/null")
    let error = #expect(throws: CaptureError.self) { try device.open() }
    #expect(error?.code == .unsuitableDevice)
    #expect(error?.message.hasPrefix("/dev/null is no V4L2 camera: ") == true)
  }

  @Test("A missing node is reported")
  func missing() {
    let device = V4L2Device("/dev/video4711")
    let error = #expect(throws: CaptureError.self) { try device.open() }
    #expect(error?.code == .deviceNotFound)
    #expect(error?.message.hasPrefix("there is no /dev/video4711: ") == true)
  }

  @Test("A folder is not a camera")
  func directory() {
    let device = V4L2Device(folder.path)
    let error = #expect(throws: CaptureError.self) { try device.open() }
    #expect(error?.code == .unsuitableDevice)
  }

  @Test("A call that needs an open device fails while it is closed")
  func closed() {
    let device = V4L2Device("/dev/video0")
    let error = #expect(throws: CaptureError.self) { try device.controls() }
    #expect(error?.code == .notRunning)
  }
}
