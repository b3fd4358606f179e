import CameraProtocol
import OperatingSystem

/// The ids of requests that were served and whose answers are no longer kept, so that none is
/// served a second time. Pure.
///
/// No number of ids makes the node refuse a new request. The ids are kept in two generations: when
/// the newer one is full, the older one is dropped, so at least the newest `limit` ids are known. A
/// client may still repeat a request whose id was dropped. Its repetition names the epoch, which a
/// new request never does, so it is enough to remember until when such repetitions may come.
struct ForgottenRequests {
  private struct Generation {
    var ids: Set<RequestID> = []
    /// After this moment no client repeats a request with an id of this generation.
    var awaitedUntil = MonotonicTime(nanoseconds: 0)
  }

  private let limit: Int
  private var newer = Generation()
  private var older = Generation()
  /// After this moment no client repeats a request whose id was dropped.
  private var droppedUntil = MonotonicTime(nanoseconds: 0)

  /// - Parameter limit: The most ids of one generation; at least 1.
  init(limit: Int) {
    self.limit = limit
  }

  func contains(_ id: RequestID) -> Bool { newer.ids.contains(id) || older.ids.contains(id) }

  /// Whether an id that is not known may be one that was dropped and that its client still repeats.
  func mayHaveDropped(at now: MonotonicTime) -> Bool { now <= droppedUntil }

  /// Adds an id. For an id that is known, a later `awaitedUntil` counts.
  mutating func insert(_ id: RequestID, awaitedUntil: MonotonicTime) {
    if older.ids.contains(id) {
      older.awaitedUntil = max(older.awaitedUntil, awaitedUntil)
      return
    }
    if newer.ids.count >= limit, !newer.ids.contains(id) {
      droppedUntil = max(droppedUntil, older.awaitedUntil)
      (older, newer) = (newer, Generation())
    }
    newer.ids.insert(id)
    newer.awaitedUntil = max(newer.awaitedUntil, awaitedUntil)
  }
}
