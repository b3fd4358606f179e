import Imaging

/// One frame to look at.
// @unchecked: `grid` belongs to the worker until the job has run, and to the frame loop after that.
// `onEnd` belongs to the frame loop.
final class LumaGridJob: EncoderTask, @unchecked Sendable {
  let frame: Frame
  /// Nil if the frame is damaged.
  private(set) var grid: LumaGrid?
  private let onEnd: (LumaGridJob) -> Void

  /// - Parameter onEnd: called once on the frame loop, unless the job is withdrawn or the pool
  ///   stops first.
  init(_ frame: Frame, onEnd: @escaping (LumaGridJob) -> Void) {
    self.frame = frame
    self.onEnd = onEnd
  }

  func run(_ encoder: FrameEncoder) { grid = encoder.grid(of: frame) }

  func end() { onEnd(self) }
}
