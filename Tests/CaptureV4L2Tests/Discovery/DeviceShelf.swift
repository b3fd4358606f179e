import Capture
import Dispatch
import Foundation
import Glibc
import OperatingSystem
import TestSupport

@testable import CaptureV4L2

/// A folder with the device nodes, links and descriptions of cameras that a test puts there.
final class DeviceShelf: Sendable {
  /// A USB camera.
  struct Camera {
    /// Its port, such as "1-2".
    var port: String
    var serial: String?
    var model = "Acme:Twin"
    var interface = "00"
    var index = 0
  }

  let folder: TemporaryFolder
  private let ports = Mutex<[String: Camera]>([:])
  private let refused = Mutex<Set<String>>([])
  let names = DeviceNames()
  let probes: NodeProbes
  private let hanging = Mutex<String?>(nil)
  private let gate = DispatchSemaphore(value: 0)
  /// The nodes whose drivers were asked, and have answered.
  let (asked, answered) = (Recorded<String>(), Recorded<String>())

  /// - Parameter patience: How long a driver may take to answer.
  init(patience: Duration = .seconds(60)) throws {
    folder = try TemporaryFolder()
    probes = NodeProbes(patience: patience)
  }

  func links() -> DeviceLinks {
    DeviceLinks(
      folder: "\(folder.path)/dev", system: "\(folder.path)/sys", udev: "\(folder.path)/udev")
  }

  func discovery(patience: Duration = .zero) -> V4L2Discovery {
    V4L2Discovery(
      folder: "\(folder.path)/dev", system: "\(folder.path)/sys", udev: "\(folder.path)/udev",
      names: names, patience: patience, probes: probes
    ) { [self] path throws(SystemError) in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      asked.add(name)
      if hanging.withLock({ $0 == name }) { gate.wait() }
      defer { answered.add(name) }
      if refused.withLock({ $0.contains(name) }) {
        throw SystemError(errno: EACCES, operation: "open")
      }
      guard let camera = ports.withLock({ $0[name] }) else {
        throw SystemError(errno: FileStatus.exists(path) ? ENOTTY : ENOENT, operation: "open")
      }
      return capability(camera)
    }
  }

  func capability(_ camera: Camera) -> Capability {
    Capability(
      driver: "uvcvideo", card: "Twin", busInfo: "usb-0000:00:14.0-\(camera.port)",
      // V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_STREAMING
      flags: 0x0000_0001 | 0x0400_0000)
  }

  /// Makes the node of a camera, as the kernel does.
  func plug(_ camera: Camera, _ node: String) throws {
    let number = node.dropFirst(5)
    try folder.write("", to: "dev/\(node)")
    let port = "devices/usb1/\(camera.port)"
    let words = camera.model.split(separator: ":")
    try folder.write("\(words[0])\n", to: "\(port)/manufacturer")
    try folder.write("\(words[1])\n", to: "\(port)/product")
    try folder.write("046d\n", to: "\(port)/idVendor")
    try folder.write("\(camera.model.count)\n", to: "\(port)/idProduct")
    if let serial = camera.serial { try folder.write("\(serial)\n", to: "\(port)/serial") }
    let interface = "\(port)/\(camera.port):1.\(camera.interface)"
    try folder.write("\(camera.interface)\n", to: "\(interface)/bInterfaceNumber")
    try folder.write("81:\(number)\n", to: "sys/\(node)/dev")
    try folder.write("\(camera.index)\n", to: "sys/\(node)/index")
    try folder.link("sys/\(node)/device", to: "../../\(interface)")
    ports.withLock { $0[node] = camera }
  }

  /// Lets the driver of a node hang until `release`.
  func hang(_ node: String) { hanging.withLock { $0 = node } }

  func release() {
    hanging.withLock { $0 = nil }
    gate.signal()
  }

  /// Keeps this user from opening a node.
  func refuse(_ node: String) { refused.withLock { _ = $0.insert(node) } }

  /// Removes the node of a camera. Its links stay, as they do until udev hears of it.
  func unplug(_ node: String) throws {
    let camera = ports.withLock { $0.removeValue(forKey: node) }
    try FileManager.default.removeItem(atPath: "\(folder.path)/dev/\(node)")
    try FileManager.default.removeItem(atPath: "\(folder.path)/sys/\(node)")
    guard let camera else { return }
    try? FileManager.default.removeItem(atPath: "\(folder.path)/devices/usb1/\(camera.port)")
  }

  /// Makes a link, or moves it.
  func link(_ name: String, to node: String) throws {
    try? FileManager.default.removeItem(atPath: "\(folder.path)/dev/v4l/\(name)")
    try folder.link("dev/v4l/\(name)", to: "../../\(node)")
  }

  func removeLink(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/dev/v4l/\(name)")
  }

  /// Writes what udev writes when it has made the links of a node.
  func enter(_ lines: String..., of node: String) throws {
    let text = lines.map { "\($0)\n" }.joined()
    try folder.write(text, to: "udev/data/c81:\(node.dropFirst(5))")
  }
}
