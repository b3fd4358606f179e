import Glibc

/// What of a descriptor somebody waits for. Errors and hang-ups wake every interest, the empty one too.
public struct Interest: OptionSet, Hashable, Sendable {
  /// The set as bits.
  public let rawValue: UInt8

  /// The set with these bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// There is something to read, or the end of it (`POLLIN`).
  public static let readable = Interest(rawValue: 1)
  /// Writing would not block (`POLLOUT`).
  public static let writable = Interest(rawValue: 2)
  /// Something out of the ordinary is to be fetched (`POLLPRI`): for V4L2 an event.
  public static let priority = Interest(rawValue: 4)

  /// The same as poll(2) says it.
  var pollEvents: Int16 {
    var events: Int32 = 0
    if contains(.readable) { events |= POLLIN }
    if contains(.writable) { events |= POLLOUT }
    if contains(.priority) { events |= POLLPRI }
    return Int16(events)
  }
}
