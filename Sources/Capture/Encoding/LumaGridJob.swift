import Imaging

/// One frame to look at, as a few cells.
// @unchecked: `grid` belongs to the worker until the job has run, and to the frame loop after that.
// `onEnd` belongs to the frame loop.
final class LumaGridJob: EncoderTask, @unchecked Sendable {
  let frame: Frame
  private let size: ImageSize
  /// Nil if the frame is damaged.
  private(set) var grid: LumaGrid?
  private let onEnd: (LumaGridJob) -> Void

  /// - Parameter onEnd: Called once on the frame loop, unless the job is withdrawn or the pool
  ///   stops first.
  init(
    _ frame: Frame, size: ImageSize = LumaGrid.coarse, onEnd: @escaping (LumaGridJob) -> Void
  ) {
    self.frame = frame
    self.size = size
    self.onEnd = onEnd
  }

  func run(_ encoder: FrameEncoder) { grid = encoder.grid(of: frame, size: size) }

  func end() { onEnd(self) }
}
