import EventLoop
import OperatingSystem

/// Notices when a camera has gone silent. It needs one timer per silence limit instead of one per
/// frame.
// @unchecked: confined to its loop.
final class Watchdog: @unchecked Sendable {
  enum Feed { case first, again }

  private let loop: EventLoop
  private let limit: Int64
  private let onSilence: @Sendable (Int64) -> Void
  private var timer: LoopTimer?
  private var last: MonotonicTime
  private var fed = false

  /// - Parameters:
  ///   - limit: the longest silence allowed, in nanoseconds, also before the first frame.
  ///   - onSilence: called once, with the length of the silence.
  init(loop: EventLoop, limit: Int64, onSilence: @escaping @Sendable (Int64) -> Void) {
    self.loop = loop
    self.limit = limit
    self.onSilence = onSilence
    last = .now
    arm()
  }

  /// A good frame came. Bad ones do not count as signs of life.
  func feed(_ time: MonotonicTime) -> Feed {
    last = time
    defer { fed = true }
    return fed ? .again : .first
  }

  func cancel() {
    timer?.cancel()
    timer = nil
  }

  private func arm() {
    let due = MonotonicTime(nanoseconds: last.nanoseconds + limit)
    timer = loop.schedule(at: due) { [weak self] in self?.check() }
  }

  private func check() {
    let silence = MonotonicTime.now.nanoseconds - last.nanoseconds
    if silence < limit { arm() } else { onSilence(silence) }
  }
}
