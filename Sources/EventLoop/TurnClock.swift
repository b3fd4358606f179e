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

  /// In nanoseconds, without the present turn.
  var longestTurn: Int64 { longest.load(ordering: .relaxed) }

  /// What the loop does, as a clause.
  var activity: String {
    guard !moment.isMultiple(of: 2) else { return "it sleeps although there is work" }
    let part = Part(rawValue: part.load(ordering: .relaxed)) ?? .starting
    let note = note.withLock { $0 }
    return "it \(part.words)" + (note.map { "; the last request was \($0())" } ?? "")
  }
}
