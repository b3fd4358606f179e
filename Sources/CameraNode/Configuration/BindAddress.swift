/// Where a socket of the node listens.
struct BindAddress {
  /// Only this machine can reach it.
  let isLocal: Bool

  /// - Parameter option: the option or key it comes from, for the error.
  /// - Throws: when it is no endpoint that a node can listen on.
  init(_ text: String, option: String) throws(ConfigurationError) {
    if text.hasPrefix("ipc://"), text.utf8.count > 6 {
      isLocal = true
      return
    }
    guard text.hasPrefix("tcp://"), let colon = text.lastIndex(of: ":"),
      colon > text.index(text.startIndex, offsetBy: 5)
    else {
      throw ConfigurationError(
        "--\(option) \(text) is no endpoint: write tcp://127.0.0.1:5570 or ipc:///run/camerabus/\(option)"
      )
    }
    let host = text[text.index(text.startIndex, offsetBy: 6)..<colon]
    let port = text[text.index(after: colon)...]
    guard !host.isEmpty, port == "*" || UInt16(port) != nil else {
      throw ConfigurationError(
        "--\(option) \(text) has no port: write a number up to 65535, or 0 for any free one"
      )
    }
    guard host != "localhost" else {
      throw ConfigurationError(
        "--\(option) \(text) is a name, and sockets are bound to addresses: write tcp://127.0.0.1:\(port)"
      )
    }
    isLocal = Self.isLoopback(host)
  }

  /// The addresses of the machine's own network; names are none, for anything may be behind them.
  private static func isLoopback(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "[::1]" || host == "lo"
      || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
