import Glibc

/// The states of a descriptor that a caller waits for. Errors and hang-ups end every wait, also one
/// with an empty set.
public struct Interest: OptionSet, Hashable, Sendable {
  /// The set as bits.
  public let rawValue: UInt8

  /// The set with these bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// There are bytes to read, or the end of the data (`POLLIN`).
  public static let readable = Interest(rawValue: 1)
  /// Writing would not block (`POLLOUT`).
  public static let writable = Interest(rawValue: 2)
  /// Exceptional data can be read (`POLLPRI`). For V4L2 this is an event.
  public static let priority = Interest(rawValue: 4)

  /// The set in the form of poll(2).
  var pollEvents: Int16 {
    var events: Int32 = 0
    if contains(.readable) { events |= POLLIN }
    if contains(.writable) { events |= POLLOUT }
    if contains(.priority) { events |= POLLPRI }
    return Int16(events)
  }
}

/// A source of work whose descriptor alone does not show whether there is work, such as a ZeroMQ
/// socket.
///
/// Before the loop sleeps until `descriptor` is readable, it checks that `hasWork()` is false. So
/// the descriptor may signal a change once and need not stay readable. All calls come on the loop's
/// thread.
public protocol EventSource: AnyObject {
  /// Becomes readable when `hasWork()` may have become true. It does not change while the loop has
  /// the source.
  var descriptor: Int32 { get }
  /// Whether the loop should call `process()`. The loop asks before every sleep, so this must be
  /// cheap.
  func hasWork() -> Bool
  /// Called once a round while the descriptor is readable. `hasWork()` may have become true.
  func descriptorBecameReadable()
  /// Does some of the work. The loop calls this again for the rest, after others have had their
  /// turn.
  func process()
}

extension EventSource {
  /// Does nothing. This suits a source whose `hasWork()` needs no hint.
  public func descriptorBecameReadable() {}
}
