import Capture
import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import CaptureV4L2

/// That a name stays with its device, whatever happens to the links.
struct DeviceNameTests {
  private static let paths = ["0:1", "0:2"].map { "pci-0000:00:14.0-usb-\($0):1.0-video-index0" }
  private static let twin = "usb-Acme_Twin-video-index0"

  private let shelf: DeviceShelf

  init() throws { shelf = try DeviceShelf() }

  private func plugTwins() throws {
    try plug(0)
    try plug(1)
    try shelf.link("by-id/\(Self.twin)", to: "video1")
  }

  private func plug(_ number: Int, serial: String? = nil) throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-\(number + 1)", serial: serial), "video\(number)")
    try shelf.link("by-path/\(Self.paths[number])", to: "video\(number)")
  }

  private func node(_ specification: String, after last: V4L2Discovery.Predecessor? = nil) throws
    -> String?
  {
    try shelf.discovery().resolve(specification, after: last).path.split(separator: "/").last.map(
      String.init)
  }

  private func identities() -> [String] {
    shelf.discovery().devices().map(\.description.identity)
  }

  @Test func `Twins keep their names when their shared link moves`() throws {
    try plugTwins()
    #expect(identities() == Self.paths)
    try shelf.link("by-id/\(Self.twin)", to: "video0")
    #expect(identities() == Self.paths)
    for (number, path) in Self.paths.enumerated() { #expect(try node(path) == "video\(number)") }
  }

  @Test func `A link that now leads to another port's device does not take its name along`() throws
  {
    try plugTwins()
    #expect(identities() == Self.paths)
    try shelf.link("by-path/\(Self.paths[0])", to: "video1")
    #expect(identities() == Self.paths)
    #expect(try node(Self.paths[0]) == "video0")
    let path = "\(shelf.folder.path)/dev/v4l/by-path/\(Self.paths[0])"
    #expect(try node(path) == "video0")
    try shelf.unplug("video0")
    for specification in [Self.paths[0], path] {
      let error = #expect(throws: CaptureError.self) { try node(specification) }
      #expect(error?.code == .deviceNotFound)
    }
  }

  @Test func `A link of a device that has gone does not name the next one`()
    throws
  {
    try plug(0)
    #expect(identities() == [Self.paths[0]])
    try shelf.unplug("video0")
    try shelf.plug(DeviceShelf.Camera(port: "1-2"), "video0")
    #expect(identities() == ["usb-0000:00:14.0-1-2"])
  }

  @Test func `A device that is back at its port has its name before its links`() throws {
    try plug(0)
    #expect(identities() == [Self.paths[0]])
    try shelf.unplug("video0")
    try shelf.removeLink("by-path/\(Self.paths[0])")
    try shelf.plug(DeviceShelf.Camera(port: "1-1"), "video5")
    #expect(identities() == [Self.paths[0]])
    #expect(try node(Self.paths[0]) == "video5")
  }

  @Test func `A device that had no links keeps its bus info when they come`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1"), "video0")
    #expect(identities() == ["usb-0000:00:14.0-1-1"])
    try shelf.link("by-path/\(Self.paths[0])", to: "video0")
    #expect(identities() == ["usb-0000:00:14.0-1-1"])
    #expect(try node(Self.paths[0]) == "video0", "it is found by both")
  }

  @Test func `A device that cannot be opened for a while keeps its name`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1"), "video0")
    #expect(identities() == ["usb-0000:00:14.0-1-1"])
    try shelf.link("by-path/\(Self.paths[0])", to: "video0")
    shelf.refuse("video0")
    let device = try #require(shelf.discovery().devices().first)
    #expect(device.authorization == .denied)
    #expect(device.description.identity == "usb-0000:00:14.0-1-1")
  }

  @Test func `A camera with two nodes has the kernel's one alone`() throws {
    // Plain files have no device numbers, so this looks at two nodes that every machine has.
    let copies = try TemporaryFolder()
    try copies.link("video3", to: "/dev/null")
    try copies.link("video7", to: "/dev/null")
    try copies.link("video5", to: "/dev/zero")
    try copies.write("1:3\n", to: "sys/video7/dev")
    let discovery = V4L2Discovery(
      folder: copies.path, system: "\(copies.path)/sys", udev: "\(copies.path)/udev",
      names: DeviceNames(), patience: .zero
    ) { path in
      Capability(
        driver: "uvcvideo", card: "Twin", busInfo: path, flags: 0x0000_0001 | 0x0400_0000)
    }
    let places = discovery.devices().map(\.description.location)
    #expect(places == ["\(copies.path)/video5", "\(copies.path)/video7"])
  }

  @Test func `One of two without a link has its bus info`() throws {
    try plug(0)
    try shelf.plug(DeviceShelf.Camera(port: "1-2"), "video1")
    #expect(identities() == [Self.paths[0], "usb-0000:00:14.0-1-2"])
  }

  @Test func `Two cameras in one USB device have two names without links`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1"), "video0")
    let second = DeviceShelf.Camera(port: "1-1", interface: "03")
    try shelf.plug(second, "video1")
    // Whichever is asked for first.
    let node = "\(shelf.folder.path)/dev/video1"
    let name = shelf.discovery().identity(of: node, shelf.capability(second))
    #expect(name == "usb-0000:00:14.0-1-1#03")
    #expect(identities() == ["usb-0000:00:14.0-1-1", "usb-0000:00:14.0-1-1#03"])
  }

  @Test func `A serial number is the same camera at another port`() throws {
    let name = "usb-Acme_Twin_S17-video-index0"
    try plug(0, serial: "S17")
    try shelf.link("by-id/\(name)", to: "video0")
    #expect(identities() == [name])
    try shelf.unplug("video0")
    try plug(1, serial: "S17")
    try shelf.link("by-id/\(name)", to: "video1")
    #expect(identities() == [name])
    #expect(try node(name) == "video1")
  }

  @Test func `A camera keeps its serial number's name when another one with it comes`() throws {
    let name = "usb-Acme_Twin_S17-video-index0"
    try plug(0, serial: "S17")
    try shelf.link("by-id/\(name)", to: "video0")
    #expect(identities() == [name])
    try plug(1, serial: "S17")
    try shelf.link("by-id/\(name)", to: "video1")
    #expect(identities() == [name, Self.paths[1]])
    #expect(try node(name) == "video0")
  }

  // MARK: Links of the configuration

  @Test func `A link without a serial number works while it can be only one camera's`() throws {
    try plug(0)
    try shelf.link("by-id/\(Self.twin)", to: "video0")
    let path = "\(shelf.folder.path)/dev/v4l/by-id/\(Self.twin)"
    for specification in [Self.twin, path] { #expect(try node(specification) == "video0") }
    #expect(shelf.discovery().devices()[0].aliases == [Self.twin, Self.paths[0]])
    try plug(1)
    for specification in [Self.twin, path] {
      let error = #expect(throws: CaptureError.self) { try node(specification) }
      #expect(error?.code == .unsuitableDevice)
      #expect(error?.message.contains("may be any of video0, video1") == true)
    }
    #expect(shelf.discovery().devices()[0].aliases == [Self.paths[0]])
  }

  @Test func `A link goes on leading to the device that it led to, while that is there`() throws {
    try plug(0)
    try shelf.link("by-id/\(Self.twin)", to: "video0")
    let first = try #require(try shelf.discovery().resolve(Self.twin).description)
    try plug(1)
    try shelf.link("by-id/\(Self.twin)", to: "video1")
    let others = Set(identities()).subtracting([first.identity])
    let last = V4L2Discovery.Predecessor(description: first, others: others)
    #expect(try node(Self.twin, after: last) == "video0")
    // Its twin that is left is not taken for it.
    try shelf.unplug("video0")
    let error = #expect(throws: CaptureError.self) { try node(Self.twin, after: last) }
    #expect(error?.code == .deviceNotFound)
    #expect(error?.message.contains("leads to another camera now") == true)
  }

  @Test func `A camera without a serial number may be moved to another port`() throws {
    try plug(0)
    try shelf.link("by-id/\(Self.twin)", to: "video0")
    let first = try #require(try shelf.discovery().resolve(Self.twin).description)
    try shelf.unplug("video0")
    try plug(1)
    try shelf.link("by-id/\(Self.twin)", to: "video1")
    let device = V4L2Device(Self.twin, in: shelf.discovery())
    #expect(device.identification.identity == Self.paths[1])
    #expect(shelf.names.present.isEmpty, "nobody has looked at all devices")
    let last = V4L2Discovery.Predecessor(description: first, others: shelf.names.present)
    #expect(try node(Self.twin, after: last) == "video1")
    // And back again, though the name of that port is known.
    #expect(identities() == [Self.paths[1]])
    let second = try #require(try shelf.discovery().resolve(Self.twin).description)
    let others = shelf.names.present.subtracting([second.identity])
    try shelf.unplug("video1")
    try plug(0)
    try shelf.link("by-id/\(Self.twin)", to: "video0")
    #expect(
      try node(
        Self.twin, after: V4L2Discovery.Predecessor(description: second, others: others))
        == "video0")
  }

  @Test func `Links that lead nowhere or in a circle are errors`() throws {
    try plug(0)
    try shelf.link("by-id/circle", to: "v4l/by-id/circle")
    try shelf.link("by-id/nothing", to: "video7")
    for name in ["circle", "nothing"] {
      let error = #expect(throws: CaptureError.self) { try node(name) }
      #expect(error?.message.hasPrefix("no camera is called '\(name)'") == true)
      let device = V4L2Device("\(shelf.folder.path)/dev/v4l/by-id/\(name)")
      #expect(throws: CaptureError.self) { try device.open() }
    }
  }
}

/// That a new device is named when its links are there.
struct LinkWaitTests {
  private static let path = "pci-0000:00:14.0-usb-0:1:1.0-video-index0"
  private static let serial = "usb-Acme_Twin_S17-video-index0"
  private static let long = Duration.seconds(60)

  private let shelf: DeviceShelf
  private let camera = DeviceShelf.Camera(port: "1-1", serial: "S17")

  init() throws { shelf = try DeviceShelf() }

  /// Plugs the camera in and names it, while `body` runs a moment later.
  private func name(
    patience: Duration = long, _ body: @escaping @Sendable () throws -> Void
  ) throws -> String? {
    try shelf.plug(camera, "video0")
    let thread = Thread {
      Thread.sleep(forTimeInterval: 0.3)
      try? body()
    }
    thread.start()
    return shelf.discovery(patience: patience).devices().first?.description.identity
  }

  @Test func `A camera is named when its link is there, though the folders come with it`() throws {
    let shelf = shelf
    let name = try name { try shelf.link("by-path/\(Self.path)", to: "video0") }
    #expect(name == Self.path)
  }

  @Test func `Without udev's entry the last link counts too, which comes a moment later`() throws {
    let shelf = shelf
    let name = try name {
      try shelf.link("by-path/\(Self.path)", to: "video0")
      Thread.sleep(forTimeInterval: 0.05)
      try shelf.link("by-id/\(Self.serial)", to: "video0")
    }
    #expect(name == Self.serial)
  }

  @Test func `udev's entry tells when all links are there`() throws {
    let shelf = shelf
    try shelf.enter(of: "video9")
    let name = try name {
      try shelf.link("by-path/\(Self.path)", to: "video0")
      Thread.sleep(forTimeInterval: 0.3)
      try shelf.link("by-id/\(Self.serial)", to: "video0")
      try shelf.enter("S:v4l/by-id/\(Self.serial)", of: "video0")
    }
    #expect(name == Self.serial)
  }

  @Test func `The entry of the device that had the node before does not count`() throws {
    let shelf = shelf
    try shelf.enter(of: "video0")
    let old = Date(timeIntervalSinceNow: -10)
    try FileManager.default.setAttributes(
      [.modificationDate: old], ofItemAtPath: "\(shelf.folder.path)/udev/data/c81:0")
    let name = try name {
      try shelf.link("by-path/\(Self.path)", to: "video0")
      try shelf.enter("S:v4l/by-path/\(Self.path)", of: "video0")
    }
    #expect(name == Self.path)
  }

  @Test func `Without links the wait ends`() throws {
    #expect(try name(patience: .milliseconds(500)) {} == "usb-0000:00:14.0-1-1")
  }

  @Test func `A camera that has been there for long is named at once`() throws {
    try shelf.plug(camera, "video0")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -61)],
      ofItemAtPath: "\(shelf.folder.path)/dev/video0")
    let devices = shelf.discovery(patience: Self.long).devices()
    #expect(devices.map(\.description.identity) == ["usb-0000:00:14.0-1-1"])
  }

  @Test func `A look that must not wait gives no lasting name`() throws {
    try shelf.plug(camera, "video0")
    var look = shelf.discovery(patience: Self.long)
    look.mayWait = false
    #expect(look.devices().map(\.description.identity) == ["usb-0000:00:14.0-1-1"])
    try shelf.link("by-path/\(Self.path)", to: "video0")
    #expect(look.devices().map(\.description.identity) == [Self.path])
  }
}
