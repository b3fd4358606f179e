import FoundationEssentials

/// The stable names that udev gives to device nodes, as links in `/dev/v4l/by-id` and
/// `/dev/v4l/by-path`.
struct DeviceLinks {
  /// The most stable kind first: by-id identifies the device, by-path the port it is plugged into.
  private static let kinds = ["by-id", "by-path"]
  let folder: String

  /// The most stable name of the node, if it has one.
  func identity(ofNode name: String) -> String? {
    for kind in Self.kinds {
      let links = names(in: kind)
      if let link = links.first(where: { nodeName(of: $0, in: kind) == name }) { return link }
    }
    return nil
  }

  /// The node ("video0") that currently has this stable name.
  func nodeName(ofIdentity identity: String) -> String? {
    guard !identity.contains("/") else { return nil }
    return Self.kinds.lazy.compactMap { nodeName(of: identity, in: $0) }.first
  }

  private func names(in kind: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(kind)")) ?? []).sorted()
  }

  private func nodeName(of link: String, in kind: String) -> String? {
    let target = try? FileManager.default.destinationOfSymbolicLink(
      atPath: "\(folder)/\(kind)/\(link)"
    )
    return target?.split(separator: "/").last.map(String.init)
  }
}
