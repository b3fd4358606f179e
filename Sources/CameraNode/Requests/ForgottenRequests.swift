import CameraProtocol
import HeapModule
import OperatingSystem

/// The ids of requests that were served and whose answers are no longer kept, so that none is
/// served a second time. Pure.
///
/// An id is kept at least as long as a client may wait for its answer. After that it is removed
/// when there are more than `limit` ids: the one that clients stopped waiting for first goes first.
struct ForgottenRequests {
  private struct Entry: Comparable {
    var awaitedUntil: MonotonicTime
    var id: RequestID

    static func < (left: Entry, right: Entry) -> Bool { left.awaitedUntil < right.awaitedUntil }
  }

  private let limit: Int
  private var ids: Set<RequestID> = []
  private var entries = Heap<Entry>()

  init(limit: Int) {
    self.limit = limit
  }

  func contains(_ id: RequestID) -> Bool { ids.contains(id) }

  /// Whether one more id fits without removing one that a client may still wait for.
  func hasRoom(at now: MonotonicTime) -> Bool {
    guard ids.count >= limit, let next = entries.min else { return true }
    return next.awaitedUntil < now
  }

  mutating func insert(_ id: RequestID, awaitedUntil: MonotonicTime, at now: MonotonicTime) {
    guard ids.insert(id).inserted else { return }
    entries.insert(Entry(awaitedUntil: awaitedUntil, id: id))
    // There may be more than `limit`: several requests can be admitted by `hasRoom` before the
    // first of them ends.
    while ids.count > limit, let next = entries.min, next.awaitedUntil < now {
      entries.removeMin()
      ids.remove(next.id)
    }
  }
}
