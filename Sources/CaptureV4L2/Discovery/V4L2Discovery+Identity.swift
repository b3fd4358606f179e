import Capture
import FoundationEssentials
import OperatingSystem

extension V4L2Discovery {
  /// What a camera is called: by a link that is its own, else by its bus info. The first answer
  /// holds for as long as the process runs.
  func identity(of path: String, _ capability: Capability) -> String {
    let name = Self.name(of: path)
    let kernelName = kernelName(of: path)
    let facts = VideoFacts(in: "\(system)/\(kernelName)", udev: udev)
    let bus = busIdentity(facts.index, capability.busInfo)
    // Two cameras of one USB device have the same bus info.
    let place = [bus, facts.interface].compactMap(\.self).joined(separator: "#")
    let product = facts.products.sorted() + [facts.serial ?? ""]
    let device = DeviceNames.Device(
      place: place,
      product: facts.products.isEmpty
        ? "\(capability.driver) \(capability.card)" : product.joined(separator: " "))
    let node = try? FileStatus(at: path).identity
    if let known = names.name(of: device, at: node) { return known }
    let isFinal = awaitLinks(of: path)
    let links = links
    var choices = links.identities(ofNode: name).map {
      DeviceNames.Choice(name: $0.name, isPortable: $0.kind == .byID)
    }
    if !links.isBesideAnother(name) { choices.append(DeviceNames.Choice(name: bus)) }
    guard isFinal else { return choices.first?.name ?? place }
    return names.name(device, at: node, choices, last: place)
  }

  /// All nodes of a device share its bus info, so later nodes add their index.
  private func busIdentity(_ index: Int?, _ busInfo: String) -> String {
    guard let index, index > 0 else { return busInfo }
    return "\(busInfo)-video-index\(index)"
  }

  /// Waits for the links of a node that was made a moment ago.
  /// - Returns: Whether the camera can be named now. False only if this may not wait.
  private func awaitLinks(of path: String) -> Bool {
    guard let node = try? FileStatus(at: path) else { return true }
    let age = Duration.nanoseconds(WallTime.nowNanoseconds - node.modifiedAt)
    let left = patience - max(age, .zero)
    guard left > .zero else { return true }
    let data = "\(udev)/data"
    let links = "\(folder)/v4l"
    let wait = LinkWait(folders: [folder, links, "\(links)/by-id", "\(links)/by-path", data])
    guard mayWait else { return hasLinks(path, node) }
    wait.wait(until: .now + left) { hasLinks(path, node) }
    // Nothing tells which of the links is the last one.
    if !FileStatus.exists(data) { wait.wait(until: .now + Self.gap) { false } }
    return true
  }

  /// How much later than its first link the last link of a node may come.
  private static let gap = Duration.milliseconds(200)

  /// Whether all links of a node have been made.
  ///
  /// udev writes its entry behind them. Where that cannot be seen, such as in a container, the link
  /// that every camera has stands for all.
  private func hasLinks(_ path: String, _ node: FileStatus) -> Bool {
    guard FileStatus.exists("\(udev)/data") else {
      return links.hasPath(Self.name(of: path))
    }
    let facts = VideoFacts(in: "\(system)/\(kernelName(of: path))", udev: udev)
    // An older entry is that of a device which had the number before.
    guard let entry = facts.entry, entry.modifiedAt >= node.modifiedAt else { return false }
    return entry.links.filter { $0.hasPrefix("v4l/") }.allSatisfy {
      FileStatus.exists("\(folder)/\($0)")
    }
  }
}
