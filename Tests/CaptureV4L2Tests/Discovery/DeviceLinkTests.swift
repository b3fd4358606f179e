import TestSupport
import Testing

@testable import CaptureV4L2

@Suite struct DeviceLinkTests {
  private let folder: TemporaryFolder
  private let links: DeviceLinks

  init() throws {
    folder = try TemporaryFolder()
    try folder.link("by-path/pci-0000:00:14.0-usb-0:1:1.0-video-index0", to: "../../video0")
    try folder.link("by-path/pci-0000:00:14.0-usb-0:2:1.0-video-index0", to: "../../video2")
    try folder.link("by-id/usb-046d_HD_Pro_Webcam_C920-video-index0", to: "../../video0")
    links = DeviceLinks(folder: folder.path)
  }

  @Test("The device's own name is preferred to the name of its port")
  func byID() {
    #expect(links.identity(ofNode: "video0") == "usb-046d_HD_Pro_Webcam_C920-video-index0")
  }

  @Test("A device without its own name has the name of its port")
  func byPath() {
    #expect(links.identity(ofNode: "video2") == "pci-0000:00:14.0-usb-0:2:1.0-video-index0")
  }

  @Test("A node without links has no identity")
  func none() {
    #expect(links.identity(ofNode: "video7") == nil)
    #expect(DeviceLinks(folder: "\(folder.path)/missing").identity(ofNode: "video0") == nil)
  }

  @Test("Both kinds of names resolve to the node")
  func node() {
    #expect(links.nodeName(ofIdentity: "usb-046d_HD_Pro_Webcam_C920-video-index0") == "video0")
    #expect(links.nodeName(ofIdentity: "pci-0000:00:14.0-usb-0:2:1.0-video-index0") == "video2")
    #expect(links.nodeName(ofIdentity: "usb-unknown") == nil)
    #expect(links.nodeName(ofIdentity: "../by-id/usb-046d_HD_Pro_Webcam_C920-video-index0") == nil)
  }
}
