package import Capture
package import OperatingSystem

/// Which frames a movie has whose first and last ones are those nearest two moments.
///
/// A frame is known to be nearest to the beginning only when the next one has come, so the last one
/// before the beginning is held back. Pure.
struct MovieSpan {
  /// The moment of the first frame, until that is known.
  private var from: MonotonicTime?
  private var until: MonotonicTime?
  /// Why the movie ends at `until`.
  private var reason = MovieSummary.EndReason.limitReached
  private var held: Frame?
  /// The timestamp of the newest frame in the movie.
  private var last: MonotonicTime?
  private var isOver = false

  /// - Parameters:
  ///   - from: The moment of the first frame; nil for the next one.
  ///   - until: The moment of the last frame; nil for no end.
  init(from: MonotonicTime? = nil, until: MonotonicTime? = nil) {
    (self.from, self.until) = (from, until)
  }

  /// Whether a frame without a picture that was taken at `time` counts, because it lies inside.
  func has(_ time: MonotonicTime) -> Bool { !isOver && from.map { time >= $0 } ?? true }

  /// Takes the next frame.
  /// - Parameter write: Called with each frame that belongs to the movie, in their order.
  /// - Returns: Why the movie is over, if it is.
  mutating func take(
    _ frame: Frame, write: (Frame) -> Void
  ) -> MovieSummary.EndReason? {
    guard !isOver else { return nil }
    let time = frame.metadata.timestamp
    if let from {
      guard time >= from else {
        held = frame
        return nil
      }
      self.from = nil
      if let held, from - held.metadata.timestamp <= time - from {
        last = held.metadata.timestamp
        write(held)
      }
      held = nil
    }
    guard let until, time >= until else {
      last = time
      write(frame)
      return nil
    }
    if last.map({ time - until < until - $0 }) ?? true { write(frame) }
    isOver = true
    return reason
  }

  /// A frame without a picture was taken at `time`.
  /// - Returns: Why the movie is over, if it is.
  mutating func miss(_ time: MonotonicTime) -> MovieSummary.EndReason? {
    guard !isOver, let until, time >= until else { return nil }
    isOver = true
    return reason
  }

  /// Lets the movie end with the frame nearest `moment`, if it does not end before.
  /// - Returns: Whether it ends now, because that frame has passed, or because it has not begun
  ///   then.
  mutating func end(at moment: MonotonicTime, _ reason: MovieSummary.EndReason) -> Bool {
    if let until, until <= moment { return false }
    (until, self.reason) = (moment, reason)
    return last.map { $0 >= moment } ?? false || from.map { $0 >= moment } ?? false
  }
}

/// Waits for the frames about the beginning of a movie that lies ahead, so that none is encoded for
/// it before.
// @unchecked: confined to the frame loop.
package final class MovieGate: FrameConsumer, @unchecked Sendable {
  /// How many intervals before the beginning it opens.
  private static let intervals: Int64 = 3
  private let moment: MonotonicTime
  private let open: @Sendable () -> Void
  private var opening: MonotonicTime
  private weak var pipeline: FramePipeline?

  /// - Parameters:
  ///   - moment: The beginning of the movie.
  ///   - open: Called once, on the frame loop, some frames before it.
  package init(at moment: MonotonicTime, open: @escaping @Sendable () -> Void) {
    (self.moment, opening, self.open) = (moment, moment, open)
  }

  /// Waits for the frames of a camera.
  package func wait(in pipeline: FramePipeline) {
    self.pipeline = pipeline
    opening = moment - .nanoseconds(pipeline.interval * Self.intervals)
    pipeline.add(self)
  }

  /// Does not open any more.
  package func close() {
    pipeline?.remove(self)
    pipeline = nil
  }

  package func receive(_ frame: Frame) {
    guard pipeline != nil, frame.metadata.timestamp >= opening else { return }
    close()
    open()
  }
}
