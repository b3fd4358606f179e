/// Which of its addresses a name is reached by. libzmq knows the first of one family only, so a
/// name with addresses of both is tried with one after the other.
struct AddressFamily: Hashable, Sendable {
  private let isName: Bool
  /// Whether IPv6 comes next: at first only for an address of it. libzmq then also takes a name
  /// that has addresses of IPv4 alone.
  private(set) var isIPv6: Bool

  init(of endpoint: Endpoint) {
    (isName, isIPv6) = (endpoint.isName, endpoint.isIPv6)
  }

  /// - Returns: Whether the other family comes next.
  mutating func attemptFailed() -> Bool {
    if isName { isIPv6.toggle() }
    return isName
  }
}
