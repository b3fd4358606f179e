package import OperatingSystem

/// The recent past of a camera: its newest frames, oldest first. Confined to the frame loop.
package struct FrameRing {
  private var frames: [Frame?]
  private var first = 0
  package private(set) var count = 0

  /// - Parameter capacity: The most frames held, at least 2 so that a moment can lie between two.
  package init(capacity: Int) {
    frames = Array(repeating: nil, count: max(2, capacity))
  }

  package var capacity: Int { frames.count }
  package var oldest: Frame? { count > 0 ? frames[first] : nil }
  package var newest: Frame? { count > 0 ? frames[index(count - 1)] : nil }

  /// How far back the ring reaches, in nanoseconds between its oldest and newest frame.
  package var reach: Int64 {
    guard let oldest, let newest else { return 0 }
    return max(
      0, newest.metadata.timestamp.nanoseconds - oldest.metadata.timestamp.nanoseconds)
  }

  /// Adds the newest frame; a full ring removes the oldest.
  package mutating func append(_ frame: Frame) {
    if count == frames.count { removeOldest() }
    frames[index(count)] = frame
    count += 1
  }

  /// Removes the oldest frame; false when there is none.
  @discardableResult
  package mutating func removeOldest() -> Bool {
    guard count > 0 else { return false }
    frames[first] = nil
    first = index(1)
    count -= 1
    return true
  }

  package mutating func removeAll() {
    while removeOldest() {}
  }

  /// The frames on both sides of a moment: the last at or before it and the first after it. Not all
  /// stamps are in the frames' order, because the time of dequeueing stands in for a false one.
  package func neighbours(of moment: MonotonicTime) -> (before: Frame?, after: Frame?) {
    var (before, after): (Frame?, Frame?)
    for offset in 0..<count {
      guard let frame = frames[index(offset)] else { continue }
      let time = frame.metadata.timestamp
      if time <= moment {
        if before.map({ $0.metadata.timestamp <= time }) ?? true { before = frame }
      } else if after.map({ $0.metadata.timestamp > time }) ?? true {
        after = frame
      }
    }
    return (before, after)
  }

  /// The oldest frame with this number or a higher one.
  package func first(from sequence: UInt64) -> Frame? {
    for offset in 0..<count {
      if let frame = frames[index(offset)], frame.metadata.sequence >= sequence { return frame }
    }
    return nil
  }

  /// The frames with these numbers that it has.
  package func frames(_ sequences: ClosedRange<UInt64>) -> [Frame] {
    (0..<count).compactMap { frames[index($0)] }.filter {
      sequences.contains($0.metadata.sequence)
    }
  }

  /// The newest frames, at most so many, the latest last.
  package func newest(_ most: Int) -> [Frame] {
    (max(0, count - most)..<count).compactMap { frames[index($0)] }
  }

  /// The oldest of the newest frames whose exposure certainly began at or after a moment.
  package func firstExposed(since moment: MonotonicTime) -> Frame? {
    var first: Frame?
    for offset in (0..<count).reversed() {
      guard let frame = frames[index(offset)], frame.metadata.exposure.earliestStart >= moment
      else { break }
      first = frame
    }
    return first
  }

  private func index(_ offset: Int) -> Int { (first + offset) % frames.count }
}
