package import Capture
import CVideo4Linux
package import EventLoop
import FoundationEssentials
package import OperatingSystem

extension V4L2Discovery: DeviceFinder {
  package func look() -> [FoundDevice] {
    devices().map(FoundDevice.init)
  }

  package func hurry() { probes.hurry() }

  package func device(_ identity: String) -> any CameraDevice {
    V4L2Device(identity, converting: library)
  }

  package func watch(
    on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) -> @Sendable () -> Void {
    let watch = try DeviceFolderWatch(on: loop, onChange)
    return { watch.cancel() }
  }
}

extension FoundDevice {
  init(_ found: V4L2Discovery.Device) {
    self.init(
      found.description, found.authorization, problem: found.problem, aliases: found.aliases)
  }
}

extension V4L2Discovery {
  /// Every camera with all that is known of it. This opens each one, and looks at every process, so
  /// it may take long; a camera that streams goes on.
  package func survey() -> [FoundDevice] {
    devices().map { found in
      let path = found.description.location
      var device = FoundDevice(found)
      device.holders = NodeHolders(of: path).holders.map(\.words)
      guard found.problem == nil else { return device }
      let answer = probes.answer(at: path, times: Self.questions) { Self.facts(of: path) }
      guard let answer else {
        device.problem = .stalled(in: "list the formats of \(path)")
        return device
      }
      if let (mounting, formats) = answer {
        (device.mounting, device.formats) = (mounting, formats)
      }
      return device
    }
  }

  private static func facts(of path: String) -> (DeviceMounting, [CameraFormat])? {
    guard let camera = try? OpenCamera(path: path) else { return nil }
    let formats = (try? camera.formats(including: FormatRequest()).offers) ?? []
    return (MountingControls.read(of: camera), formats + ((try? camera.otherFormats()) ?? []))
  }
}

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
