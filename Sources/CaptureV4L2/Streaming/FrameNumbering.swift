/// Numbers a stream's frames from 1 by the driver's sequence numbers, so that lost frames take
/// numbers too.
struct FrameNumbering: Hashable, Sendable {
  private var driver: UInt32?
  private(set) var last: UInt64 = 0

  /// Takes the next buffer's number and returns the number of frames missing before it.
  ///
  /// A driver's numbers may start anywhere and wrap around. Numbers that stand still or start over
  /// count as no gap.
  mutating func advance(to number: UInt32) -> Int {
    let step = driver.map { number &- $0 } ?? 1
    driver = number
    let isPlausible = (1..<1 << 31).contains(step)
    last += isPlausible ? UInt64(step) : 1
    return isPlausible ? Int(step) - 1 : 0
  }
}
