import OperatingSystem
import ZeroMQ

/// The address that a socket of the node listens on.
struct BindAddress {
  /// Whether only this machine can reach the address.
  let isLocal: Bool
  /// The path of an ipc socket.
  private let path: String?
  private let host: Substring
  /// Nil where the system chooses a free one.
  private let port: UInt16?

  /// - Parameters:
  ///   - key: Which of the sockets: control, events or frames.
  ///   - origin: Where the address was written, for the error.
  /// - Throws: When a node cannot listen on this address.
  init(_ text: String, key: String, origin: SettingOrigin) throws(ConfigurationError) {
    if text.hasPrefix("ipc://"), text.utf8.count > 6 {
      guard text.utf8.count - 6 <= UnixSocket.longestPath else {
        throw origin.mistake(
          "the path of \(text) has more than \(UnixSocket.longestPath) bytes: put the socket into a "
            + "folder with a shorter path")
      }
      isLocal = true
      (path, host, port) = (text, "", nil)
      return
    }
    guard text.hasPrefix("tcp://"), let colon = text.lastIndex(of: ":"),
      colon > text.index(text.startIndex, offsetBy: 5)
    else {
      throw origin.mistake(
        "\(text) is no endpoint: write tcp://127.0.0.1:5570 or ipc:///run/camerabus/\(key)"
      )
    }
    let host = text[text.index(text.startIndex, offsetBy: 6)..<colon]
    let port = text[text.index(after: colon)...]
    let address = IPv6Address(inBrackets: host)
    guard address != nil || !host.contains(where: { ":[]".contains($0) }) else {
      throw origin.mistake(
        "\(text) has no address of IPv6: write it in brackets, such as tcp://[::1]:5570 or tcp://[fe80::1%eth0]:5570"
      )
    }
    guard !host.isEmpty, port == "*" || UInt16(port) != nil else {
      throw origin.mistake(
        "\(text) has no port: write a number up to 65535, or 0 for any free one"
      )
    }
    guard host != "localhost" else {
      throw origin.mistake(
        "\(text) is a name, and sockets are bound to addresses: write tcp://127.0.0.1:\(port)"
      )
    }
    isLocal = address?.isLoopback ?? Self.isLoopback(host)
    path = nil
    self.host = address.map { "[\($0)]" } ?? host
    self.port = UInt16(port).flatMap { $0 == 0 ? nil : $0 }
  }

  /// The folder of an ipc socket, which a node does not make; nil if it is there or none is needed.
  var missingFolder: String? {
    guard let path, path != "ipc://*", !path.hasPrefix("ipc://@") else { return nil }
    let folder = Folder.parent(of: String(path.dropFirst(6)))
    return Folder.exists(folder) ? nil : folder
  }

  /// Whether two sockets cannot have these addresses at once.
  func overlaps(_ other: BindAddress) -> Bool {
    if let path { return path == other.path && path != "ipc://*" }
    guard let port, port == other.port else { return false }
    return host == other.host || contains(other) || other.contains(self)
  }

  /// Whether this is every address of a family, and the other is one of them.
  private func contains(_ other: BindAddress) -> Bool {
    host == "[::]" || ["*", "0.0.0.0"].contains(host) && !other.host.hasPrefix("[")
  }

  /// Whether the host is the loopback interface or one of its addresses. Other names do not count,
  /// because they may resolve to any address.
  private static func isLoopback(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "lo"
      || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
