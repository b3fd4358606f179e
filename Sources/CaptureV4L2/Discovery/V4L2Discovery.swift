package import Capture
import FoundationEssentials
import Glibc
import OperatingSystem

/// The cameras for which the kernel has device nodes.
package struct V4L2Discovery: Sendable {
  /// A camera, with the reason if it cannot be used.
  package struct Device: Hashable, Sendable {
    package var description: DeviceDescription
    package var authorization = DeviceAuthorization.authorized
    package var problem: CaptureError?
  }

  static let deviceFolder = "/dev"

  let folder: String
  let system: String
  private var links: DeviceLinks { DeviceLinks(folder: "\(folder)/v4l") }

  /// - Parameters:
  ///   - folder: The folder of device nodes.
  ///   - system: The folder in which the kernel describes video devices.
  package init(folder: String = Self.deviceFolder, system: String = "/sys/class/video4linux") {
    self.folder = folder
    self.system = system
  }

  /// Every node that can deliver pictures, ordered by the nodes' numbers.
  ///
  /// A node that cannot be queried, usually for lack of permission, is listed with the reason.
  /// Metadata nodes, outputs and codecs are omitted.
  package func devices() -> [Device] {
    nodeNames().compactMap { device(at: "\(folder)/\($0)") }
  }

  /// The camera at a node; nil if the node is not a camera.
  private func device(at path: String) -> Device? {
    do throws(SystemError) {
      let capability = try Capability(of: DeviceNode(path: path))
      guard capability.shortcoming == nil else { return nil }
      return Device(description: description(of: path, capability: capability))
    } catch {
      guard error.errno != ENOTTY else { return nil }
      let authorizations: [Int32: DeviceAuthorization] = [EACCES: .denied, EPERM: .restricted]
      return Device(
        description: description(of: path),
        authorization: authorizations[error.errno] ?? .authorized,
        problem: CaptureError(
          error, on: path, remedy: NodeRemedy.lookUp(for: error, on: path)))
    }
  }

  /// The first camera that opens and offers a picture, for the specification `auto`. It is closed
  /// again. The result names it by its identity, so the same camera is found at any port later.
  /// - Throws: the reason why the first camera cannot be used; `deviceNotFound` if there is none.
  package func firstUsable() throws(CaptureError) -> V4L2Device {
    var reason: CaptureError?
    for found in devices() {
      do throws(CaptureError) {
        if let problem = found.problem { throw problem }
        let device = V4L2Device(found.description.identity)
        defer { device.close() }
        try device.open()
        try device.check(FormatRequest())
        return device
      } catch {
        reason = reason ?? error
      }
    }
    throw reason
      ?? CaptureError(.deviceNotFound, "there is no real camera on this machine: plug one in")
  }

  /// The node for a specification.
  ///
  /// - Parameters:
  ///   - specification: A path ("/dev/video0", "/dev/v4l/by-id/…"), a node's name ("video0") or an
  ///     identity (a link's name, or bus info).
  ///   - last: The last known node. It is checked first, because opening every camera is slow and
  ///     would wake programs that wait for one of them to be closed.
  /// - Throws: `deviceNotFound`, with the existing cameras.
  func path(for specification: String, lastAt last: String? = nil) throws(CaptureError) -> String {
    if specification.contains("/") {
      return URL(filePath: specification).resolvingSymlinksInPath().path
    }
    if let name = links.nodeName(ofIdentity: specification) { return "\(folder)/\(name)" }
    // What cannot be opened is called by its path, which may be no path at all.
    if let last, let device = device(at: last), device.problem == nil,
      device.description.identity == specification
    {
      return last
    }
    let found = devices()
    let match = found.first {
      $0.description.identity == specification
        || $0.description.location == "\(folder)/\(specification)"
    }
    guard let match else {
      throw CaptureError(
        .deviceNotFound,
        "no camera is called '\(specification.prefix(80))': \(summary(of: found))"
      )
    }
    return match.description.location
  }

  /// The camera's description as far as it is known without opening the node.
  func description(of path: String) -> DeviceDescription {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let model = FileManager.default.contents(atPath: "\(system)/\(name)/name")
      .map { String(decoding: $0, as: UTF8.self).filter { !$0.isNewline } }
    return DeviceDescription(
      identity: links.identity(ofNode: name) ?? path,
      model: model ?? name,
      location: path,
      driver: "v4l2"
    )
  }

  /// The camera's description from its driver.
  func description(of path: String, capability: Capability) -> DeviceDescription {
    var description = description(of: path)
    description.model = capability.card
    description.driver = capability.driver
    if description.identity == path {
      description.identity = busIdentity(of: path, capability.busInfo)
    }
    return description
  }

  /// A short list of the cameras for error messages.
  func summary() -> String { summary(of: devices()) }

  private func summary(of devices: [Device]) -> String {
    guard !devices.isEmpty else { return "there is no camera on this machine; plug one in" }
    let names = devices.prefix(4).map { "\($0.description.location) (\($0.description.model))" }
    let rest = devices.count > 4 ? " and \(devices.count - 4) more" : ""
    return "there is \(names.joined(separator: ", "))\(rest)"
  }

  /// All nodes of a device share its bus info, so later nodes add their index.
  private func busIdentity(of path: String, _ busInfo: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let index = index(of: name), index > 0 else { return busInfo }
    return "\(busInfo)-video-index\(index)"
  }

  /// The node's number among those of its device, from 0.
  func index(of name: String) -> Int? {
    FileManager.default.contents(atPath: "\(system)/\(name)/index")
      .flatMap { Int(String(decoding: $0, as: UTF8.self).filter(\.isNumber)) }
  }

  private func nodeNames() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst(5)) : nil }
    return numbers.sorted().map { "video\($0)" }
  }
}
