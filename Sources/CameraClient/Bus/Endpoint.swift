import Glibc
import OperatingSystem

/// An endpoint that a client can connect to: `tcp://HOST:PORT` or `ipc://PATH`.
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// The text as it was given.
  package let description: String
  private let address: Address

  private enum Address: Hashable {
    case tcp(host: Substring, port: UInt16)
    case ipc
  }

  /// Whether it is a path on this machine.
  package var isIPC: Bool { address == .ipc }

  private var host: Substring? {
    if case .tcp(let host, _) = address { host } else { nil }
  }

  /// Whether its host is an address of IPv6.
  var isIPv6: Bool { host?.hasPrefix("[") == true }

  /// Whether its host is a name, which may have several addresses.
  var isName: Bool {
    host.map { $0.contains { !($0.isNumber || $0 == ".") } && !$0.hasPrefix("[") } ?? false
  }

  /// Whether it is a socket for which the user has no permission.
  var isForbidden: Bool {
    guard isIPC else { return false }
    return unsafe access(String(description.dropFirst(6)), W_OK) != 0 && errno == EACCES
  }

  /// Reads an endpoint.
  /// - Throws: `invalidArgument`, with the right form.
  package init(_ text: String) throws(CameraBusError) {
    guard let address = Self.address(text) else {
      throw CameraBusError(
        .invalidArgument,
        "'\(text)' is no endpoint: write tcp://HOST:PORT, such as \(CameraBus.defaultControl), or ipc://PATH"
      )
    }
    description = text
    self.address = address
  }

  /// The endpoint with the host that reaches the node's control endpoint: the node says its own
  /// address, which may be that of all its interfaces, or behind a forwarded port.
  package func reached(like control: Endpoint) -> Endpoint {
    guard case .tcp(_, let port) = address, case .tcp(let controlHost, _) = control.address
    else { return self }
    return Endpoint("tcp://\(controlHost):\(port)", .tcp(host: controlHost, port: port))
  }

  private init(_ description: String, _ address: Address) {
    self.description = description
    self.address = address
  }

  private static func address(_ text: String) -> Address? {
    guard !text.utf8.contains(0) else { return nil }
    if text.hasPrefix("ipc://") { return text.utf8.count > 6 ? .ipc : nil }
    guard text.hasPrefix("tcp://") else { return nil }
    let rest = text.dropFirst(6)
    guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]),
      port > 0
    else { return nil }
    let host = rest[..<colon]
    guard !host.isEmpty, !host.contains("/"), !host.contains(" "),
      host.contains(":") ? IPv6Address(inBrackets: host) != nil : !host.hasPrefix("[")
    else { return nil }
    return .tcp(host: host, port: port)
  }
}
