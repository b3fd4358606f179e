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
