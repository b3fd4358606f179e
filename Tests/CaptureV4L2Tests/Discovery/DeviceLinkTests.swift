import Foundation
import TestSupport
import Testing

@testable import CaptureV4L2

/// The choice of a name among a node's links.
struct DeviceLinkTests {
  private static let first = "pci-0000:00:14.0-usb-0:1:1.0-video-index0"
  private static let second = "pci-0000:00:14.0-usb-0:2:1.0-video-index0"
  private static let serial = "usb-Acme_Twin_S17-video-index0"
  private static let shared = "usb-Acme_Twin-video-index0"

  private let shelf: DeviceShelf

  init() throws {
    shelf = try DeviceShelf()
    try shelf.link("by-path/\(Self.first)", to: "video0")
    try shelf.link("by-path/\(Self.second)", to: "video2")
  }

  private func identity(_ node: String) -> String? {
    shelf.links().identities(ofNode: node).first?.name
  }

  @Test func `The name with a serial number is preferred to that of the port`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1", serial: "S17"), "video0")
    try shelf.plug(DeviceShelf.Camera(port: "1-2", serial: "S18"), "video2")
    try shelf.link("by-id/\(Self.serial)", to: "video0")
    #expect(identity("video0") == Self.serial)
    #expect(identity("video2") == Self.second)
  }

  @Test func `A camera without a serial number is called by its port, alone or not`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1"), "video0")
    try shelf.link("by-id/\(Self.shared)", to: "video0")
    #expect(identity("video0") == Self.first)
    try shelf.plug(DeviceShelf.Camera(port: "1-2"), "video2")
    for node in ["video0", "video2"] {
      try shelf.link("by-id/\(Self.shared)", to: node)
      #expect(identity("video0") == Self.first)
      #expect(identity("video2") == Self.second)
    }
  }

  @Test func `A link whose name lacks the serial number does not name the device`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1", serial: "S17"), "video0")
    try shelf.link("by-id/\(Self.shared)", to: "video0")
    #expect(identity("video0") == Self.first)
  }

  @Test(
    arguments: [
      DeviceShelf.Camera(port: "1-2", serial: "S17"),
      DeviceShelf.Camera(port: "1-1", serial: "S17", interface: "03"),
    ])
  func `A serial number that two cameras have names neither`(other: DeviceShelf.Camera) throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1", serial: "S17"), "video0")
    try shelf.link("by-id/\(Self.serial)", to: "video0")
    try shelf.plug(other, "video2")
    #expect(identity("video0") == Self.first)
    #expect(identity("video2") == Self.second)
  }

  @Test func `The node for metadata does not take the name from its camera`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1", serial: "S17"), "video0")
    try shelf.plug(DeviceShelf.Camera(port: "1-1", serial: "S17", index: 1), "video1")
    try shelf.link("by-id/\(Self.serial)", to: "video0")
    try shelf.link("by-id/usb-Acme_Twin_S17-video-index1", to: "video1")
    #expect(identity("video0") == Self.serial)
    #expect(identity("video1") == "usb-Acme_Twin_S17-video-index1")
  }

  @Test func `udev's serial number counts, and so does its claim to a link`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1"), "video0")
    try shelf.plug(DeviceShelf.Camera(port: "1-2", model: "Other:Model"), "video2")
    try shelf.link("by-id/\(Self.serial)", to: "video0")
    try shelf.enter("S:v4l/by-id/\(Self.serial)", "E:ID_SERIAL_SHORT=S17", of: "video0")
    #expect(identity("video0") == Self.serial)
    try shelf.enter("S:v4l/by-id/\(Self.serial)", of: "video2")
    #expect(identity("video0") == Self.first)
  }

  @Test func `A serial number with odd characters is read as udev writes it`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1", serial: "A 1/2  b "), "video0")
    try shelf.link("by-id/usb-Acme_Twin_A_1_2_b-video-index0", to: "video0")
    #expect(identity("video0") == "usb-Acme_Twin_A_1_2_b-video-index0")
  }

  @Test func `Two devices of one port and one link for both are called by neither`() throws {
    try shelf.removeLink("by-path/\(Self.second)")
    try shelf.plug(DeviceShelf.Camera(port: "1-1", serial: "S17"), "video0")
    try shelf.plug(DeviceShelf.Camera(port: "1-1", serial: "S17"), "video2")
    #expect(identity("video0") == nil && identity("video2") == nil)
  }

  @Test func `Of two links of a kind the first in the order of names counts`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1", serial: "S17"), "video0")
    try shelf.link("by-id/usb-Zzz_Twin_S17-video-index0", to: "video0")
    try shelf.link("by-id/\(Self.serial)", to: "video0")
    try shelf.link("by-path/pci-0000:00:14.0-usbv2-0:1:1.0-video-index0", to: "video0")
    #expect(
      shelf.links().identities(ofNode: "video0").map(\.name) == [
        Self.serial, "usb-Zzz_Twin_S17-video-index0", Self.first,
        "pci-0000:00:14.0-usbv2-0:1:1.0-video-index0",
      ])
  }

  @Test func `Links that lead nowhere, in a circle or through others do no harm`() throws {
    try shelf.plug(DeviceShelf.Camera(port: "1-1"), "video0")
    try shelf.link("by-path/a-circle", to: "v4l/by-path/a-circle")
    try shelf.link("by-path/a-nothing", to: "video7")
    try shelf.removeLink("by-path/\(Self.first)")
    try shelf.link("by-path/\(Self.first)", to: "front")
    try shelf.folder.link("dev/front", to: "video0")
    #expect(identity("video0") == Self.first)
    #expect(shelf.links().link(named: "a-circle") == nil)
    #expect(shelf.links().link(named: "a-nothing") == nil)
    #expect(identity("video7") == nil)
  }
}
