import Glibc

/// An IPv6 address as people write it: `fe80::1`, and with a scope `fe80::1%eth0`.
package struct IPv6Address: Hashable, Sendable, CustomStringConvertible {
  /// In its shortest form, which is the same for every way to write it.
  package let description: String
  private let bytes: [UInt8]

  /// Nil if the text is no address.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count == 1 || !parts[1].isEmpty else { return nil }
    var address = in6_addr()
    guard unsafe inet_pton(AF_INET6, String(first), &address) == 1 else { return nil }
    var shortest = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard
      unsafe inet_ntop(AF_INET6, &address, &shortest, socklen_t(INET6_ADDRSTRLEN)) != nil
    else { return nil }
    let name = String(
      decoding: shortest.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    description = parts.count == 1 ? name : "\(name)%\(parts[1])"
    bytes = unsafe withUnsafeBytes(of: address) { unsafe Array($0) }
  }

  /// The address in the brackets of an endpoint's host; nil if there are none.
  package init?(inBrackets host: some StringProtocol) {
    guard host.hasPrefix("["), host.hasSuffix("]"), host.count > 2 else { return nil }
    self.init(host.dropFirst().dropLast())
  }

  /// The IPv4 address for which it stands (`::ffff:10.0.0.7`); nil if it stands for none.
  package var mapped: String? {
    let prefix = [UInt8](repeating: 0, count: 10) + [255, 255]
    guard bytes.starts(with: prefix) else { return nil }
    return bytes[12...].map { "\($0)" }.joined(separator: ".")
  }

  /// Whether it holds on one link alone, so that it needs a scope (fe80::/10).
  package var isOfLink: Bool { bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

  package var isMulticast: Bool { bytes[0] == 0xFF }

  package var isLoopback: Bool { description == "::1" || mapped?.hasPrefix("127.") == true }
}
