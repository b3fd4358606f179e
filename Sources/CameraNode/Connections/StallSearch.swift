import ZeroMQ

/// Finds the connections that take nothing although something waits for them: those that look the
/// same in several looks.
struct StallSearch {
  static let interval = Duration.milliseconds(50)
  private static let looks = 5

  private var candidates: [PeerConnection: PeerConnection.Backlog]
  private var count = 1

  init(_ connections: [PeerConnection]) {
    candidates = connections.reduce(into: [:]) { candidates, connection in
      guard let backlog = connection.backlog, backlog.waiting > 0 else { return }
      candidates[connection] = backlog
    }
  }

  /// Looks once more.
  /// - Returns: The connections, after the last look; nil before.
  mutating func look() -> [PeerConnection]? {
    candidates = candidates.filter { $0.key.backlog == $0.value }
    count += 1
    return count < Self.looks ? nil : Array(candidates.keys)
  }
}
