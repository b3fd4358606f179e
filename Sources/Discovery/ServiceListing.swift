import OperatingSystem

/// The services that a browser has found, and which nodes they are. A pure value.
///
/// What it keeps is bounded, because anybody in the network can announce anything.
struct ServiceListing {
  /// One service on one interface and in one family of addresses.
  struct Key: Hashable {
    let interface: Int32
    let family: Int32
    let name: String
    let domain: String
  }

  /// The most services. A node has one for each interface and family.
  static let mostServices = 1024
  /// The most nodes that are listed.
  static let mostNodes = 256
  /// The most endpoints of a node that are listed.
  static let mostEndpoints = 16

  private enum Service {
    /// Its name is known, and the rest is being asked for.
    case expected
    case resolved(NodeAnnouncement, endpoint: FoundEndpoint?)
  }

  private var services: [Key: Service] = [:]
  /// Whether there were more than it keeps.
  private(set) var isTruncated = false

  /// Takes a service of which only the name is known.
  /// - Returns: Whether to ask for the rest: not of one that is known already, nor of too many.
  mutating func expect(_ key: Key) -> Bool {
    guard services[key] == nil else { return false }
    guard services.count < Self.mostServices else {
      isTruncated = true
      return false
    }
    services[key] = .expected
    return true
  }

  /// - Parameter endpoint: Nil for an address that leads nowhere.
  mutating func resolve(
    _ key: Key, _ announcement: NodeAnnouncement, at endpoint: FoundEndpoint?
  ) {
    guard services[key] != nil else { return }
    services[key] = .resolved(announcement, endpoint: endpoint)
  }

  mutating func remove(_ key: Key) { services[key] = nil }

  mutating func removeAll() { services = [:] }

  /// The nodes by name. A service that says something else on another interface is another node:
  /// another machine may have taken its name there.
  var nodes: [FoundNode] {
    struct Identity: Hashable {
      let name, domain: String
      let announcement: NodeAnnouncement
    }
    var endpoints: [Identity: Set<FoundEndpoint>] = [:]
    for case (let key, .resolved(let announcement, let endpoint?)) in services {
      let identity = Identity(name: key.name, domain: key.domain, announcement: announcement)
      endpoints[identity, default: []].insert(endpoint)
    }
    return endpoints.map { identity, endpoints in
      FoundNode(
        serviceName: identity.name, announcement: identity.announcement,
        endpoints: endpoints.sorted().prefix(Self.mostEndpoints).map(\.description))
    }.sorted { ($0.name, $0.endpoints[0]) < ($1.name, $1.endpoints[0]) }
  }
}

/// A node that announces itself.
package struct FoundNode: Hashable, Sendable {
  /// The name of the service: the node's, or another one if that is taken.
  package let serviceName: String
  package let announcement: NodeAnnouncement
  /// The control endpoints, at least one, those that reach furthest first.
  package let endpoints: [String]

  /// The node's name; if it says none, the service's; in any case one that can be shown.
  package var name: String {
    announcement.name
      ?? NodeAnnouncement.shown(serviceName, atMost: NodeAnnouncement.serviceNameByteCount)
      ?? "?"
  }
}

/// A control endpoint that a service has.
struct FoundEndpoint: Hashable, Comparable, CustomStringConvertible {
  /// How far it reaches, and so how it is sorted.
  private enum Reach: Int {
    case ipv4, ipv6, link
  }

  let description: String
  private let reach: Reach

  /// - Parameters:
  ///   - address: An address of IPv4 or IPv6.
  ///   - interface: The name of the interface on which it was found.
  /// - Returns: Nil for an address that no other machine has, such as loopback, and for port 0.
  init?(address: String, port: UInt16, interface: String?) {
    guard port > 0 else { return nil }
    if let ipv6 = IPv6Address(address) {
      let text = ipv6.description
      let isOfLink = ipv6.isOfLink
      guard !ipv6.isLoopback, text != "::", !ipv6.isMulticast, ipv6.mapped == nil,
        !isOfLink || interface != nil
      else { return nil }
      reach = isOfLink ? .link : .ipv6
      let scope = isOfLink ? interface.map { "%\($0)" } ?? "" : ""
      description = "tcp://[\(text)\(scope)]:\(port)"
    } else {
      let parts = address.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
      guard parts.count == 4, !parts.contains(nil), let first = parts[0], (1..<224).contains(first),
        first != 127
      else { return nil }
      reach = .ipv4
      description = "tcp://\(address):\(port)"
    }
  }

  static func < (left: FoundEndpoint, right: FoundEndpoint) -> Bool {
    (left.reach.rawValue, left.description) < (right.reach.rawValue, right.description)
  }
}
