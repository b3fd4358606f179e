import Capture
import FoundationEssentials
import OperatingSystem

extension V4L2Discovery {
  /// Where a specification leads.
  struct Resolution: Hashable {
    /// The device's node.
    var path: String
    /// What the device at this node is, unless the specification says only where it is.
    var description: DeviceDescription?
  }

  /// The device that a specification has led to before.
  struct Predecessor: Hashable {
    var description: DeviceDescription
    /// The identities of the devices that were there beside it.
    var others: Set<String> = []
  }

  /// The node for a specification.
  ///
  /// Links and identities lead to the device that they led to before, for as long as it is there,
  /// wherever its link leads now.
  ///
  /// - Parameters:
  ///   - specification: A path ("/dev/video0", "/dev/v4l/by-id/…"), a node's name ("video0") or an
  ///     identity (a link's name, or bus info).
  ///   - last: The device of the last time. Its node is checked first, because opening every camera
  ///     is slow and would wake programs that wait for one of them to be closed.
  /// - Throws: `deviceNotFound`, with the existing cameras, or if a link leads to another camera
  ///   now; `unsuitableDevice` for a link that several cameras share.
  func resolve(
    _ specification: String, after last: Predecessor? = nil
  ) throws(CaptureError) -> Resolution {
    guard let (name, kind) = stableName(in: specification) else {
      return Resolution(path: URL(filePath: specification).resolvingSymlinksInPath().path)
    }
    let before = last?.description
    let isNode = name.hasPrefix("video") && Int(name.dropFirst(5)) != nil
    // Before a device was opened, its node may be all that is known of it.
    if !isNode, let before, before.identity != before.location,
      let device = device(called: before.identity, at: [before.location])
    {
      return Resolution(path: device.location, description: device)
    }
    let links = links
    let link = links.link(named: name, kind)
    let target = link.map { "\(folder)/\($0.node)" }
    // Opening every camera is not needed for a link that names the device it leads to.
    if before?.identity != name,
      link == nil && kind == nil || names.all.contains(name) || target.map(isCalled(name)) == true,
      let device = device(called: name, at: [target].compactMap(\.self))
    {
      return Resolution(path: device.location, description: device)
    }
    if let link, let target {
      // The device of this name is not there.
      guard !names.all.contains(name) else { throw .isAnother(link, name, target) }
      return try follow(link, to: target, in: links, after: last)
    }
    guard kind == nil else {
      return Resolution(path: URL(filePath: specification).resolvingSymlinksInPath().path)
    }
    let found = devices()
    guard let match = found.first(where: { $0.description.location == "\(folder)/\(name)" }) else {
      throw CaptureError(
        .deviceNotFound, "no camera is called '\(name.prefix(80))': \(summary(of: found))")
    }
    return Resolution(path: match.description.location)
  }

  /// A link that leads to a device of another name, such as a link in by-id of a camera without a
  /// serial number.
  private func follow(
    _ link: DeviceLinks.Link, to target: String, in links: DeviceLinks, after last: Predecessor?
  ) throws(CaptureError) -> Resolution {
    let description = device(at: target)?.description
    let rivals = links.rivals(for: link)
    guard rivals.isEmpty else {
      let nodes = ([link.node] + rivals).sorted().joined(separator: ", ")
      throw CaptureError(
        .unsuitableDevice,
        "'\(link.name)' may be any of \(nodes), which have no serial numbers of their own: name the "
          + "camera by its port, with a link of \(folder)/v4l/by-path")
    }
    if let description, let last, last.others.contains(description.identity) {
      throw .isAnother(link, last.description.identity, target)
    }
    return Resolution(path: target, description: description)
  }

  /// The camera of this identity, wherever it is.
  /// - Parameter places: The nodes to look at first.
  private func device(called identity: String, at places: [String]) -> DeviceDescription? {
    // What cannot be opened is called by its path, which may be no path at all.
    for place in places {
      if let device = device(at: place), device.description.identity == identity {
        return device.description
      }
    }
    return devices().first { $0.description.identity == identity }?.description
  }

  private func isCalled(_ identity: String) -> (_ path: String) -> Bool {
    { path in device(at: path)?.description.identity == identity }
  }

  /// The name of a link or an identity in a specification, with the kind of link if it says so; nil
  /// for any other path.
  private func stableName(
    in specification: String
  ) -> (name: String, kind: DeviceLinks.Link.Kind?)? {
    guard specification.contains("/") else { return (specification, nil) }
    for kind in DeviceLinks.Link.Kind.allCases {
      let prefix = "\(folder)/v4l/\(kind.rawValue)/"
      if specification.hasPrefix(prefix) {
        return (String(specification.dropFirst(prefix.count)), kind)
      }
    }
    return nil
  }
}

extension CaptureError {
  fileprivate static func isAnother(
    _ link: DeviceLinks.Link, _ identity: String, _ target: String
  ) -> CaptureError {
    CaptureError(
      .deviceNotFound,
      "'\(link.name)' leads to another camera now (\(target)), and \(identity) is gone: plug it in "
        + "again, or name the other one")
  }
}
