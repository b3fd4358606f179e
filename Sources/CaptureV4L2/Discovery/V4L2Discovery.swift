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
    /// The names of all links that lead to it and to no other camera.
    package var aliases: Set<String> = []
  }

  static let deviceFolder = "/dev"

  let folder: String
  let system: String
  let udev: String
  let names: DeviceNames
  /// How long after a node was made its camera is named, if its links do not come. udev makes them
  /// within a second, unless the machine is very busy.
  let patience: Duration
  let probes: NodeProbes
  /// Asks the driver of a node.
  let ask: @Sendable (_ path: String) throws(SystemError) -> Capability
  /// Whether it waits for the links of a new camera.
  var mayWait = true
  /// What the cameras that it finds convert pictures with.
  var library: ConversionLibrary?

  var links: DeviceLinks { DeviceLinks(folder: folder, system: system, udev: udev) }

  /// The cameras of this machine, or of another folder of device nodes.
  package init(folder: String = Self.deviceFolder, converting library: ConversionLibrary? = nil) {
    self.init(
      folder: folder, system: "/sys/class/video4linux", udev: "/run/udev",
      names: folder == Self.deviceFolder ? .ofMachine : DeviceNames(),
      patience: .milliseconds(2500))
    self.library = library
  }

  /// - Parameters:
  ///   - folder: The folder of device nodes.
  ///   - system: The folder in which the kernel describes video devices.
  ///   - udev: udev's folder.
  init(
    folder: String, system: String, udev: String, names: DeviceNames, patience: Duration,
    probes: NodeProbes = .ofMachine,
    ask: @escaping @Sendable (_ path: String) throws(SystemError) -> Capability = {
      (path) throws(SystemError) in try Capability(of: DeviceNode(path: path))
    }
  ) {
    self.folder = folder
    self.system = system
    self.udev = udev
    self.names = names
    self.patience = patience
    self.probes = probes
    self.ask = ask
  }

  /// Every node that can deliver pictures, ordered by the nodes' numbers.
  ///
  /// A node that cannot be queried, usually for lack of permission, is listed with the reason.
  /// Metadata nodes, outputs and codecs are omitted.
  package func devices() -> [Device] {
    let found = nodeNames().compactMap { device(at: "\(folder)/\($0)") }
    names.see(Set(found.map(\.description.identity)))
    let links = links
    return found.map { device in
      var device = device
      device.aliases = Set(
        links.unshared(ofNode: Self.name(of: device.description.location)).map(\.name))
      return device
    }
  }

  /// The camera at a node; nil if the node is not a camera.
  func device(at path: String) -> Device? {
    let answer = probes.answer(at: path) { [ask] in
      Result { () throws(SystemError) in try ask(path) }
    }
    guard let answer else {
      return Device(
        description: description(of: path), problem: .stalled(in: "describe \(path)"))
    }
    do throws(SystemError) {
      let capability = try answer.get()
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
  /// - Throws: The reason why the first camera cannot be used; `deviceNotFound` if there is none.
  package func firstUsable() throws(CaptureError) -> V4L2Device {
    var reason: CaptureError?
    for found in devices() {
      do throws(CaptureError) {
        if let problem = found.problem { throw problem }
        return try device(of: found.description)
      } catch {
        reason = reason ?? error
      }
    }
    throw reason
      ?? CaptureError(.deviceNotFound, "there is no real camera on this machine: plug one in")
  }

  private func device(of found: DeviceDescription) throws(CaptureError) -> V4L2Device {
    let device = V4L2Device(found.identity, in: self)
    let check = probes.answer(at: found.location, times: Self.questions) {
      Result { () throws(CaptureError) in
        defer { device.close() }
        try device.open()
        try device.check(FormatRequest())
      }
    }
    guard let check else { throw .stalled(in: "open \(found.location)") }
    try check.get()
    return device
  }

  /// How many of a probe's questions an opening and a list of formats are.
  static let questions = 4

  /// The camera's description as far as it is known without opening the node.
  func description(of path: String) -> DeviceDescription {
    let name = Self.name(of: path)
    let model = FileManager.default.contents(atPath: "\(system)/\(kernelName(of: path))/name")
      .map { String(decoding: $0, as: UTF8.self).filter { !$0.isNewline } }
    let known = (try? FileStatus(at: path)).flatMap { names.name(at: $0.identity) }
    return DeviceDescription(
      identity: known ?? links.identities(ofNode: name).first?.name ?? path,
      model: model ?? name,
      location: path,
      driver: "v4l2"
    )
  }

  /// The camera's description from its driver. This waits for the links of a camera that has just
  /// been plugged in for the first time.
  func description(of path: String, capability: Capability) -> DeviceDescription {
    DeviceDescription(
      identity: identity(of: path, capability), model: capability.card, location: path,
      driver: capability.driver)
  }

  /// A short list of the cameras for error messages.
  func summary() -> String { summary(of: devices()) }

  func summary(of devices: [Device]) -> String {
    guard !devices.isEmpty else { return "there is no camera on this machine; plug one in" }
    let names = devices.prefix(4).map { "\($0.description.location) (\($0.description.model))" }
    let rest = devices.count > 4 ? " and \(devices.count - 4) more" : ""
    return "there is \(names.joined(separator: ", "))\(rest)"
  }

  /// The kernel's name for a node, which may be called otherwise in a container.
  func kernelName(of path: String) -> String {
    let name = Self.name(of: path)
    guard let number = (try? FileStatus(at: path))?.deviceNumber else { return name }
    func has(_ name: String) -> Bool {
      FileManager.default.contents(atPath: "\(system)/\(name)/dev") == Data("\(number)\n".utf8)
    }
    guard !has(name) else { return name }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: system)) ?? []
    return names.first(where: has) ?? name
  }

  /// The last part of a path.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The video nodes, one for each device.
  private func nodeNames() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let nodes = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst(5)) : nil }.sorted()
      .map {
        (name: "video\($0)", number: (try? FileStatus(at: "\(folder)/video\($0)"))?.deviceNumber)
      }
    // A node may have been made again under another name. The kernel's own one counts.
    let originals = nodes.filter { kernelName(of: "\(folder)/\($0.name)") == $0.name }
    return nodes.filter { node in
      guard let number = node.number else { return true }
      let same = originals.first { $0.number == number } ?? nodes.first { $0.number == number }
      return same?.name == node.name
    }.map(\.name)
  }
}
