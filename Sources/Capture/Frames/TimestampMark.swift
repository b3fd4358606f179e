/// What a frame's timestamp marks, from the best to the worst.
package enum TimestampMark: Codable, Hashable, Sendable {
  /// The start of the exposure. Believed only where there is evidence for it.
  case exposureStart
  /// The end of the frame: its last pixel was read out.
  case frameEnd
  /// The arrival of the frame's first bytes. The exposure of its first pixels was over by then.
  case arrival
  /// The driver gives no usable time, so the timestamp is the time of the dequeue.
  case dequeue
}
