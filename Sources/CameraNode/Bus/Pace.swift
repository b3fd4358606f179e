import OperatingSystem

/// How far apart moments are, on an average that forgets the old ones.
struct Pace {
  /// A long time before there were two.
  var interval: Duration { .nanoseconds(nanoseconds) }
  private var nanoseconds: Int64 = 3_600_000_000_000
  private var last: MonotonicTime?

  mutating func add(_ moment: MonotonicTime) {
    if let last { nanoseconds += (moment.nanoseconds - last.nanoseconds - nanoseconds) / 16 }
    last = moment
  }
}
