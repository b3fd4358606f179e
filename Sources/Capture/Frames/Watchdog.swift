import EventLoop
import OperatingSystem

/// Notices when a camera has gone silent for longer than its ``StallPatience``. It needs a few
/// timers per silence limit instead of one per frame.
final class Watchdog {
  enum Feed { case first, again }

  private let loop: EventLoop
  private let onSilence: @Sendable (Duration) -> Void
  private var timer: LoopTimer?
  private var silence: Silence
  private var patience: StallPatience
  private var fed = false

  /// - Parameters:
  ///   - onSilence: Called once, with the length of the silence.
  init(
    loop: EventLoop, patience: StallPatience, onSilence: @escaping @Sendable (Duration) -> Void
  ) {
    self.loop = loop
    self.patience = patience
    self.onSilence = onSilence
    silence = Silence(limit: patience.beforeFirst, begin: .now)
    arm()
  }

  /// A good frame came. Bad ones do not count as signs of life.
  func feed(_ time: MonotonicTime) -> Feed {
    silence.interrupt(at: time)
    guard !fed else { return .again }
    fed = true
    setLimit()
    return .first
  }

  /// The camera exposes so long from now on.
  func expect(exposure: Duration?) {
    patience.exposure = exposure
    setLimit()
  }

  /// Frames come that are of no use until there is a key picture; or they are of use again.
  func expect(keyPicture isAwaited: Bool) {
    guard patience.awaitsKey != isAwaited else { return }
    patience.awaitsKey = isAwaited
    setLimit()
  }

  private func setLimit() {
    guard let timer else { return }
    silence.set(limit: fed ? patience.betweenFrames : patience.beforeFirst, at: .now)
    timer.cancel()
    arm()
  }

  func cancel() {
    timer?.cancel()
    timer = nil
  }

  private func arm() {
    timer = loop.schedule(at: silence.nextLook) { [weak self] in self?.check() }
  }

  private func check() {
    guard let length = silence.look(at: .now) else { return arm() }
    timer = nil
    onSilence(length)
  }
}
