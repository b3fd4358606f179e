package import OperatingSystem

/// What became of a change of controls in the pictures.
package enum ControlEffect: Hashable, Sendable {
  /// How a frame was found.
  package enum Basis: Codable, Hashable, Sendable {
    /// The camera says with each frame how it took it.
    case metadata
    /// The picture looks different from those before the change.
    case picture
    /// All controls had these values before, so every frame has them.
    case unchanged
  }

  /// The first frame that the change affects.
  case frame(FrameMetadata, Basis)
  /// None was found among this many frames.
  case notSettled(frames: Int)
}

/// What a client wants to know of the effect of a change.
package struct EffectRequest: Sendable {
  /// Whether to look for the first frame that shows the change; nil leaves that to the controls:
  /// only those that shape the picture are looked for.
  package var isWanted: Bool?
  /// Whether the frame must be the very first one. Otherwise any that shows the change will do.
  package var isFirstWanted: Bool
  /// When to give up.
  package var deadline: MonotonicTime
  /// Called once if the controls were set; with nil if nobody looked.
  package var onEnd: @Sendable (ControlEffect?) -> Void

  package init(
    isWanted: Bool? = nil, isFirstWanted: Bool = true, deadline: MonotonicTime,
    onEnd: @escaping @Sendable (ControlEffect?) -> Void
  ) {
    self.isWanted = isWanted
    self.isFirstWanted = isFirstWanted
    self.deadline = deadline
    self.onEnd = onEnd
  }
}
