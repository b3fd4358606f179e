import CVideo4Linux
import FoundationEssentials
import OperatingSystem

extension V4L2Discovery {
  /// The node of the metadata of the camera at a node; nil if it has none that can be opened.
  ///
  /// `uvcvideo` makes it right after the camera's own (uvc_driver.c, uvc_register_terms).
  func metadataNode(of path: String, capability: Capability) -> String? {
    guard capability.driver == "uvcvideo", let name = path.split(separator: "/").last,
      let index = VideoFacts.index(in: "\(system)/\(name)")
    else { return nil }
    let siblings = "\(system)/\(name)/device/video4linux"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: siblings)) ?? []
    guard let next = names.first(where: { VideoFacts.index(in: "\(system)/\($0)") == index + 1 })
    else { return nil }
    let node = "\(folder)/\(next)"
    guard let found = try? Capability(of: DeviceNode(path: node)), found.isMetadata,
      found.busInfo == capability.busInfo
    else { return nil }
    return node
  }
}
