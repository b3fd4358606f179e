import CameraProtocol
import Capture
import OperatingSystem

/// The shots that are prepared or being taken. Pure.
struct ShotTable {
  /// One camera's part of a shot.
  struct Key: Hashable {
    var camera: String
    var shot: RequestID
  }

  /// What is reserved for it.
  struct Entry {
    enum Stage { case preparing, prepared, committed }

    /// The id of the request that prepared it, under which its place is kept.
    let reservation: RequestID
    let lease: RequestID
    /// Whether the lease is the shot's own, which ends with it.
    let ownsLease: Bool
    /// What is taken, of a moment that the commit names.
    let order: CaptureOrder
    /// How wrong the wall clock may be, nanoseconds, and what it was when the shot was prepared;
    /// nil if the commit names no moment of it.
    let wall: (error: Int64, sample: WallClockSample)?
    /// The cameras that have a place for it.
    var cameras: [Camera] = []
    var stage = Stage.preparing
  }

  private var entries: [Key: Entry] = [:]

  subscript(key: Key) -> Entry? {
    get { entries[key] }
    set { entries[key] = newValue }
  }

  /// Ends those under a lease that has ended, but for those that are being taken.
  /// - Returns: What has ended.
  mutating func end(under lease: RequestID) -> [(key: Key, entry: Entry)] {
    let ended = entries.filter { $0.value.lease == lease && $0.value.stage != .committed }
    for key in ended.keys { entries[key] = nil }
    return ended.map { (key: $0.key, entry: $0.value) }
  }
}
