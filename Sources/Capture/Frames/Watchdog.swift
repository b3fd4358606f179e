import EventLoop
import OperatingSystem

/// Notices when a camera has gone silent. It needs a few timers per silence limit instead of one
/// per frame.
// @unchecked: confined to its loop.
final class Watchdog: @unchecked Sendable {
  enum Feed { case first, again }

  private let loop: EventLoop
  private let onSilence: @Sendable (Int64) -> Void
  private var timer: LoopTimer?
  private var silence: Silence
  private var fed = false

  /// - Parameters:
  ///   - limit: the longest silence allowed, in nanoseconds, also before the first frame.
  ///   - onSilence: called once, with the length of the silence.
  init(loop: EventLoop, limit: Int64, onSilence: @escaping @Sendable (Int64) -> Void) {
    self.loop = loop
    self.onSilence = onSilence
    silence = Silence(limit: limit, begin: .now)
    arm()
  }

  /// A good frame came. Bad ones do not count as signs of life.
  func feed(_ time: MonotonicTime) -> Feed {
    silence.interrupt(at: time)
    defer { fed = true }
    return fed ? .again : .first
  }

  func cancel() {
    timer?.cancel()
    timer = nil
  }

  private func arm() {
    timer = loop.schedule(at: silence.nextLook) { [weak self] in self?.check() }
  }

  private func check() {
    if let length = silence.look(at: .now) { onSilence(length) } else { arm() }
  }
}
