/// What became of every frame of a camera's stream since the node started.
package struct FrameCounters: Hashable, Sendable {
  /// Frames that reached the ring.
  package var delivered: UInt64 = 0
  /// Frames that did not, by reason.
  package var lost: [FrameLoss: UInt64] = Dictionary(
    uniqueKeysWithValues: FrameLoss.allCases.map { ($0, 0) }
  )

  package init() {}

  mutating func count(_ frames: Int, _ reason: FrameLoss) {
    lost[reason, default: 0] += UInt64(frames)
  }
}
