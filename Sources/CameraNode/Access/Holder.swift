/// Whose share of the node's memory, requests, photos and downloads something takes.
enum Holder: Hashable, Sendable {
  /// Without keys each connection has a share of its own.
  case connection(ClientAddress)
  /// All connections of a key, or of a user over ipc, have one together.
  case peer(String)

  /// For the errors that it gets.
  var words: String {
    switch self {
    case .connection: "this connection"
    case .peer: "your key"
    }
  }
}

extension Holder {
  /// Whether both are the same client. Without keys a client that connects again is another holder,
  /// and cannot be told from others.
  func isSame(client other: Holder) -> Bool {
    switch (self, other) {
    case (.peer, _), (_, .peer): self == other
    case (.connection, .connection): true
    }
  }
}
