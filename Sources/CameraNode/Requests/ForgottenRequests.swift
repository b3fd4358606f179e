import CameraProtocol
import HeapModule
import OperatingSystem

/// The ids of requests that are done and whose answers are no longer kept, so that none is done a
/// second time. Pure.
///
/// An id is remembered at least until nobody can be waiting for its answer; beyond that there is
/// room for a number of them, and those that nobody has waited for the longest go first.
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

  /// Whether one more can be remembered without letting go of one that somebody may still wait for.
  func hasRoom(at now: MonotonicTime) -> Bool {
    guard ids.count >= limit, let next = entries.min else { return true }
    return next.awaitedUntil < now
  }

  mutating func insert(_ id: RequestID, awaitedUntil: MonotonicTime, at now: MonotonicTime) {
    guard ids.insert(id).inserted else { return }
    entries.insert(Entry(awaitedUntil: awaitedUntil, id: id))
    // More than that may be there where many requests ended after the room had been asked for.
    while ids.count > limit, let next = entries.min, next.awaitedUntil < now {
      entries.removeMin()
      ids.remove(next.id)
    }
  }
}
