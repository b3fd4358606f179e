import FoundationEssentials
import Glibc
import OperatingSystem

/// The names that udev gives to device nodes, as links in `/dev/v4l/by-id` and `/dev/v4l/by-path`,
/// at one moment.
///
/// Links in by-id have the vendor, the model and the serial number in their names. Two cameras that
/// are alike in these want the same link, and udev gives it to the one that was plugged in last. So
/// such a link says nothing about a device, unless it has a serial number and is the only one.
struct DeviceLinks {
  /// A link that leads to a node.
  struct Link: Hashable {
    enum Kind: String, CaseIterable {
      /// Names the device.
      case byID = "by-id"
      /// Names the port.
      case byPath = "by-path"
    }

    let kind: Kind
    let name: String
    /// The node that it leads to ("video0").
    let node: String

    /// As udev's entries have it.
    fileprivate var claim: String { "v4l/\(kind.rawValue)/\(name)" }
  }

  /// The links that lead to a video node, the best kind first.
  private let links: [Link]
  /// By the kernel's names for the devices.
  private let facts: [String: VideoFacts]
  /// The kernel's names for the nodes, which may be called otherwise in a container.
  private let kernelNames: [String: String]

  /// Reads the present links.
  /// - Parameters:
  ///   - folder: The folder of device nodes (/dev).
  ///   - system: The folder in which the kernel describes video devices.
  ///   - udev: udev's folder (/run/udev).
  init(folder: String, system: String, udev: String) {
    let facts = Dictionary(
      uniqueKeysWithValues: Self.names(in: system).map {
        ($0, VideoFacts(in: "\(system)/\($0)", udev: udev))
      })
    self.facts = facts
    var nodes: [FileStatus.Identity: String] = [:]
    var kernelNames: [String: String] = [:]
    for node in Self.names(in: folder) where node.hasPrefix("video") {
      guard let file = try? FileStatus(at: "\(folder)/\(node)") else { continue }
      nodes[file.identity] = nodes[file.identity] ?? node
      guard let number = file.deviceNumber, facts[node]?.number != number else { continue }
      kernelNames[node] = facts.first { $0.value.number == number }?.key
    }
    self.kernelNames = kernelNames
    links = Link.Kind.allCases.flatMap { kind -> [Link] in
      let place = "\(folder)/v4l/\(kind.rawValue)"
      return Self.names(in: place).compactMap { name in
        // A link without an end, or that leads nowhere, has no file. One may lead to the node by
        // way of other links.
        guard let file = try? FileStatus(at: "\(place)/\(name)"), let node = nodes[file.identity]
        else { return nil }
        return Link(kind: kind, name: name, node: node)
      }
    }
  }

  /// The kernel's name for a node.
  private func kernelName(_ node: String) -> String { kernelNames[node] ?? node }

  /// The facts about a node's device.
  func facts(of node: String) -> VideoFacts? { facts[kernelName(node)] }

  /// The link of this name, whether the device may be called by it or not.
  func link(named name: String, _ kind: Link.Kind? = nil) -> Link? {
    links.first { $0.name == name && (kind == nil || $0.kind == kind) }
  }

  /// The links of a node that lead to no other one at another time.
  func unshared(ofNode node: String) -> [Link] {
    links.filter { $0.node == node && !isShared($0) }
  }

  /// What a node may be called, the most stable name first: by-id if its serial number makes the
  /// device unique, then by-path.
  func identities(ofNode node: String) -> [Link] {
    unshared(ofNode: node).filter { link in
      guard link.kind == .byID else { return true }
      guard let serial = facts(of: node)?.serial else { return false }
      return link.name.contains("_\(serial)-")
    }
  }

  /// Whether another camera of the same USB device comes before it. Bus info does not tell the two
  /// apart.
  func isBesideAnother(_ node: String) -> Bool {
    guard let own = facts(of: node), let usbDevice = own.usbDevice, let interface = own.interface
    else {
      return false
    }
    return facts.contains { name, other in
      name != kernelName(node) && other.usbDevice == usbDevice && other.index == own.index
        && other.interface.map { $0 < interface } == true
    }
  }

  /// Whether more than one device of the machine could have the link.
  func isShared(_ link: Link) -> Bool { !rivals(for: link).isEmpty }

  /// The other nodes that could have the link, in the order of their names.
  func rivals(for link: Link) -> [String] {
    let others = facts.filter { $0.key != kernelName(link.node) }
    let own = facts(of: link.node)
    return others.filter { name, other in
      if other.entry?.links.contains(link.claim) == true { return true }
      guard let own else { return false }
      switch link.kind {
      case .byID: return own.sharesID(with: other)
      case .byPath:
        // Two that share a path have one link. If each has its own, they do not share it.
        return own.sharesPath(with: other)
          && !links.contains { $0.kind == .byPath && kernelName($0.node) == name }
      }
    }.keys.sorted()
  }

  /// Whether there is a link to the node that names its port.
  func hasPath(_ node: String) -> Bool { links.contains { $0.node == node && $0.kind == .byPath } }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}
