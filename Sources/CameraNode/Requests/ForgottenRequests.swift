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
    /// The hash of each id, which is half as long. Swift hashes with a secret of the process, so
    /// nobody can choose ids with equal hashes; and half a million hashes of 64 bits are as good as
    /// never equal by chance.
    var hashes: Set<Int> = []
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

  func contains(_ id: RequestID) -> Bool {
    let hash = id.hashValue
    return newer.hashes.contains(hash) || older.hashes.contains(hash)
  }

  /// Whether an id that is not known may be one that was dropped and that its client still repeats.
  func mayHaveDropped(at now: MonotonicTime) -> Bool { now <= droppedUntil }

  /// Adds an id. For an id that is known, a later `awaitedUntil` counts.
  mutating func insert(_ id: RequestID, awaitedUntil: MonotonicTime) {
    let hash = id.hashValue
    if older.hashes.contains(hash) {
      older.awaitedUntil = max(older.awaitedUntil, awaitedUntil)
      return
    }
    if newer.hashes.count >= limit, !newer.hashes.contains(hash) {
      droppedUntil = max(droppedUntil, older.awaitedUntil)
      (older, newer) = (newer, Generation())
    }
    newer.hashes.insert(hash)
    newer.awaitedUntil = max(newer.awaitedUntil, awaitedUntil)
  }
}
