import CameraProtocol

/// The order in which requests use what can serve one of them at a time. Pure.
///
/// Clients get equal shares: this is weighted fair queueing (Demers, Keshav, Shenker 1989). So a
/// client with many requests waits for those of the others, and a short request does not wait for
/// long ones.
struct RequestTurns {
  private struct Entry {
    let request: RequestID
    let client: Holder
    let cost: Double
    /// The virtual time at which the request would be done if all clients were served at once.
    let end: Double
  }

  /// The one with the earliest end first.
  private var waiting: [Entry] = []
  /// When the last request of each waiting client ends.
  private var ends: [Holder: Double] = [:]
  /// The virtual time: what each client could have had so far.
  private var now = 0.0

  /// - Parameter cost: How long the request takes beside others.
  mutating func add(_ request: RequestID, of client: Holder, cost: Double) {
    let end = max(now, ends[client] ?? now) + cost
    ends[client] = end
    let index = waiting.firstIndex { $0.end > end } ?? waiting.endIndex
    waiting.insert(Entry(request: request, client: client, cost: cost, end: end), at: index)
  }

  /// Removes the request whose turn it is; nil if none is ready.
  mutating func next(where isReady: (RequestID) -> Bool) -> RequestID? {
    guard let index = waiting.firstIndex(where: { isReady($0.request) }) else { return nil }
    let entry = waiting[index]
    now += entry.cost / Double(ends.count)
    remove(at: index)
    return entry.request
  }

  mutating func remove(_ request: RequestID) {
    if let index = waiting.firstIndex(where: { $0.request == request }) { remove(at: index) }
  }

  private mutating func remove(at index: Int) {
    let client = waiting.remove(at: index).client
    if !waiting.contains(where: { $0.client == client }) { ends[client] = nil }
    if waiting.isEmpty { now = 0 }
  }
}
