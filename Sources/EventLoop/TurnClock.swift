import CLinux
import OperatingSystem
import struct Synchronization.Atomic

/// Measures the turns of a loop: what it does between two sleeps. The loop's thread writes, and any
/// thread reads.
final class TurnClock: Sendable {
  /// The part of a turn.
  enum Part: UInt8 {
    case starting, sockets, queue, timers, descriptors

    var words: String {
      switch self {
      case .starting: "begins"
      case .sockets: "handles messages"
      case .queue: "runs queued work"
      case .timers: "fires timers"
      case .descriptors: "handles ready descriptors"
      }
    }
  }

  /// How often the loop has begun or ended a turn. Odd during a turn.
  private let changes = Atomic<UInt64>(0)
  private let began = Atomic<Int64>(0)
  private let longest = Atomic<Int64>(0)
  private let part = Atomic<UInt8>(Part.starting.rawValue)
  private let note = Mutex<(@Sendable () -> String)?>(nil)

  /// After this the loop looks at its descriptors, whatever else there is to do.
  private static let longEnough: Int64 = 5_000_000

  // MARK: On the loop's thread

  /// Whether the turn has lasted long enough.
  var isLong: Bool {
    MonotonicTime.now.nanoseconds - began.load(ordering: .relaxed) > Self.longEnough
  }

  func begin() {
    began.store(MonotonicTime.now.nanoseconds, ordering: .relaxed)
    changes.wrappingAdd(1, ordering: .releasing)
  }

  func end() {
    let length = MonotonicTime.now.nanoseconds - began.load(ordering: .relaxed)
    if length > longest.load(ordering: .relaxed) { longest.store(length, ordering: .relaxed) }
    changes.wrappingAdd(1, ordering: .releasing)
  }

  func enter(_ part: Part) { self.part.store(part.rawValue, ordering: .relaxed) }

  func note(_ text: @escaping @Sendable () -> String) { note.withLock { $0 = text } }

  // MARK: On any thread

  /// Another number whenever a turn begins or ends.
  var moment: UInt64 { changes.load(ordering: .acquiring) }

  /// Without the present turn.
  var longestTurn: Duration { .nanoseconds(longest.load(ordering: .relaxed)) }

  /// What the loop does, as a clause.
  var activity: String {
    guard !moment.isMultiple(of: 2) else { return "it sleeps although there is work" }
    let part = Part(rawValue: part.load(ordering: .relaxed)) ?? .starting
    let note = note.withLock { $0 }
    return "it \(part.words)" + (note.map { "; the last request was \($0())" } ?? "")
  }
}

/// How long the kernel lets a thread run before another thread gets the same core.
public enum TimeSlice: Sendable {
  /// The system's default of some milliseconds, for threads that compute.
  case ordinary
  /// A third of a millisecond, for threads that wake often, do little, and that others wait for.
  ///
  /// Such a thread runs as soon as it wakes. With an ordinary slice it would wait until a thread
  /// that computes has used up its own. Its share of the core stays the same, and it needs no
  /// permission. Linux supports this since 6.12; an older kernel ignores it.
  case short

  /// Below the kernel's own minimum of 0.7 ms. With 0.1 ms a program's own short threads interrupt
  /// one another.
  private static let shortNanoseconds: UInt64 = 300_000

  /// Gives the calling thread such slices. Threads that it starts do not inherit them.
  func apply() {
    if self == .short { CLinux_setSlice(Self.shortNanoseconds, 0) }
  }

  /// Gives short slices to all threads that the calling thread starts in `body`.
  package static func shortForThreadsStarted<Result>(in body: () -> Result) -> Result {
    let previous = CLinux_slice(0)
    CLinux_setSlice(shortNanoseconds, 1)
    defer { CLinux_setSlice(previous, 1) }
    return body()
  }
}
