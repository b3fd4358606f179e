import CAvahi
import Glibc
import OperatingSystem

/// Where an announced node is reached: its port, on which of the machine's addresses.
package struct AnnouncedPlace: Hashable, Sendable {
  /// The addresses on which a socket listens.
  enum Addresses: Hashable {
    /// All of IPv4.
    case allIPv4
    /// All of both families. libzmq listens for both where an address of IPv6 is that of all.
    case all
    case ipv4(String)
    case ipv6(IPv6Address)
  }

  let addresses: Addresses
  let port: UInt16

  init(_ addresses: Addresses, port: UInt16) {
    self.addresses = addresses
    self.port = port
  }

  /// - Parameter endpoint: The control endpoint as libzmq has bound it, with an address and a port.
  /// - Returns: Nil if no other machine can reach it.
  package init?(_ endpoint: String) {
    guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":"),
      let port = UInt16(endpoint[endpoint.index(after: colon)...]), port > 0
    else { return nil }
    let host = endpoint[endpoint.index(endpoint.startIndex, offsetBy: 6)..<colon]
    if let address = IPv6Address(inBrackets: host) {
      guard !address.isLoopback else { return nil }
      self.init(address.description == "::" ? .all : .ipv6(address), port: port)
    } else {
      guard !host.isEmpty, !host.hasPrefix("127."), !host.hasPrefix("[") else { return nil }
      self.init(host == "0.0.0.0" || host == "*" ? .allIPv4 : .ipv4(String(host)), port: port)
    }
  }

  /// The interface and the family that Avahi announces it on. An address that no interface has now
  /// is announced on all of them.
  var avahiTerms: (interface: AvahiIfIndex, family: AvahiProtocol) {
    let every = AvahiIfIndex(AVAHI_IF_UNSPEC)
    let (ipv4, ipv6) = (AvahiProtocol(AVAHI_PROTO_INET), AvahiProtocol(AVAHI_PROTO_INET6))
    return switch addresses {
    case .allIPv4: (every, ipv4)
    case .all: (every, AvahiProtocol(AVAHI_PROTO_UNSPEC))
    case .ipv4(let address): (HostName.interface(of: address).map(AvahiIfIndex.init) ?? every, ipv4)
    case .ipv6(let address):
      (HostName.interface(of: "\(address)").map(AvahiIfIndex.init) ?? every, ipv6)
    }
  }
}
