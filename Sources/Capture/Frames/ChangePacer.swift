import EventLoop
import OperatingSystem

/// Reports changes of controls, each control at most a few times a second, because some drivers
/// change one with every frame.
///
/// The first change is reported at once and the last one always, but not all in between.
// @unchecked: confined to its loop.
final class ChangePacer: @unchecked Sendable {
  private struct Pause {
    let timer: LoopTimer
    var hasChanged = false
  }

  private let loop: EventLoop
  private let interval: Duration
  private let report: @Sendable (ControlID) -> Void
  /// For controls that were reported less than an interval ago.
  private var pauses: [ControlID: Pause] = [:]

  init(
    loop: EventLoop, interval: Duration = .milliseconds(250),
    report: @escaping @Sendable (ControlID) -> Void
  ) {
    self.loop = loop
    self.interval = interval
    self.report = report
  }

  func changed(_ control: ControlID) {
    guard pauses[control] == nil else {
      pauses[control]?.hasChanged = true
      return
    }
    report(control)
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
    report(control)
    pause.timer.again(at: .now + interval)
  }
}
