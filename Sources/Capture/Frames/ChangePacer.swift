import EventLoop
import OperatingSystem

/// Tells of controls that change, of each at most a few times a second: some drivers change one with every frame.
///
/// The first change is told at once, the last one always; of those in between, some.
// @unchecked: confined to its loop.
final class ChangePacer: @unchecked Sendable {
  private struct Pause {
    let timer: LoopTimer
    var hasChanged = false
  }

  private let loop: EventLoop
  private let interval: Duration
  private let tell: @Sendable (ControlID) -> Void
  /// Of the controls that were told of less than an interval ago.
  private var pauses: [ControlID: Pause] = [:]

  init(
    loop: EventLoop, interval: Duration = .milliseconds(250),
    tell: @escaping @Sendable (ControlID) -> Void
  ) {
    self.loop = loop
    self.interval = interval
    self.tell = tell
  }

  func changed(_ control: ControlID) {
    guard pauses[control] == nil else {
      pauses[control]?.hasChanged = true
      return
    }
    tell(control)
    pauses[control] = Pause(
      timer: loop.schedule(at: .now + interval) { [weak self] in self?.endPause(of: control) })
  }

  func cancel() {
    for pause in pauses.values { pause.timer.cancel() }
    pauses = [:]
  }

  private func endPause(of control: ControlID) {
    guard let pause = pauses[control], pause.hasChanged else {
      pauses[control] = nil
      return
    }
    pauses[control]?.hasChanged = false
    tell(control)
    pause.timer.again(at: .now + interval)
  }
}
