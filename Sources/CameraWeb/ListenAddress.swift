import OperatingSystem

/// Where the gateway listens: `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`.
package struct ListenAddress: Hashable, Sendable {
  package let host: String
  package let port: Int

  package static let standard = ListenAddress(host: "127.0.0.1", port: 8080)

  private init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Nil for a text that is none.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }),
      let port = UInt16(digits)
    else { return nil }
    self.port = Int(port)
    let name = text[..<colon]
    if name.hasPrefix("[") {
      guard name.hasSuffix("]"), let address = IPv6Address(name.dropFirst().dropLast()) else {
        return nil
      }
      host = "\(address)"
    } else {
      guard !name.isEmpty, !name.contains(":") else { return nil }
      host = String(name)
    }
  }

  /// Whether only programs on this machine reach it.
  package var isLoopback: Bool {
    host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.allSatisfy { !$0.isLetter }
  }

  /// The address of the first page.
  package func page(port: Int, prefix: [String]) -> String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "http://\(name):\(port)" + prefix.reduce("/") { "\($0)\($1)/" }
  }
}
