import CameraProtocol

/// Shares the places for downloads out among clients. Pure.
///
/// One client may use all places while nobody else wants one. When all are used, a client that has
/// fewer than another gets a place of the one that has the most. Otherwise it gets the place of the
/// slowest download.
struct DownloadPlaces {
  enum Place: Equatable {
    case free
    /// The place of this download, which must end.
    case from(RequestID)
    /// No client has so many places that it can lose one to this client, and no download is slow.
    case none
  }

  let limit: Int
  /// The oldest first.
  private var holders: [(download: RequestID, client: Holder)] = []

  /// - Parameter limit: The most downloads that the node serves at a time.
  init(limit: Int = 64) {
    self.limit = limit
  }

  /// - Parameter slowness: The bytes that a download has sent lately if it is slow, or nil.
  mutating func take(
    for download: RequestID, of client: Holder, slowness: (RequestID) -> Int?
  ) -> Place {
    guard holders.count >= limit else {
      holders.append((download, client))
      return .free
    }
    guard let index = greediest(against: client) ?? slowest(by: slowness) else { return .none }
    let loser = holders.remove(at: index).download
    holders.append((download, client))
    return .from(loser)
  }

  /// The newest place of the client that has so many that it must give one to this client.
  private func greediest(against client: Holder) -> Int? {
    let counts = holders.reduce(into: [:]) { $0[$1.client, default: 0] += 1 }
    // A client never loses its last place, and two clients never take a place from each other in
    // turn.
    guard let greediest = counts.max(by: { $0.value < $1.value }),
      greediest.value > counts[client, default: 0] + 1
    else { return nil }
    return holders.lastIndex { $0.client == greediest.key }
  }

  /// The oldest of those that have sent the least.
  private func slowest(by slowness: (RequestID) -> Int?) -> Int? {
    holders.indices.compactMap { index in
      slowness(holders[index].download).map { (index: index, byteCount: $0) }
    }.min { $0.byteCount < $1.byteCount }?.index
  }

  func hasPlace(_ download: RequestID) -> Bool {
    holders.contains { $0.download == download }
  }

  mutating func giveBack(_ download: RequestID) {
    holders.removeAll { $0.download == download }
  }
}
