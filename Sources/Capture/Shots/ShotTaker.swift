import EventLoop
import OperatingSystem

/// Takes the pictures of one plan: changes the controls for each and waits for the frame that shows
/// it. Confined to the session's thread.
final class ShotTaker {
  typealias Setting = CaptureSession.Setting
  /// Puts back what the shot before has changed, and makes the changes for the next.
  typealias Change = ([Setting], [Setting], EffectRequest) throws(CaptureError) -> Void

  /// How often the flash is fired for a photo, if no frame shows its light.
  private static let mostStrobes = 3

  private let plan: ShotPlan
  private let watch: ShotWatch
  private let access: ControlAccess
  private let change: Change
  private let stream: Int
  /// The number of the first frame that may be taken.
  private var first: UInt64 = 0
  /// Whether pictures have been alike since the last change.
  private var isCalm = false

  init(_ plan: ShotPlan, _ watch: ShotWatch, _ access: ControlAccess, _ change: @escaping Change) {
    (self.plan, self.watch, self.access, self.change) = (plan, watch, access, change)
    stream = access.input.stream
  }

  /// Takes all pictures, which are of the present stream.
  func run() async throws(CaptureError) {
    first = try await watch.answer { $0.awaitChanges($1) }
    switch plan.shots {
    case .bracket(let steps):
      for index in steps.indices { try await take(index, of: steps) }
    case .flash(let step): try await takeLit(step)
    }
  }

  /// Ends the light of the flash, which may last longer than the photo needs.
  func endLight() {
    guard case .flash(let step) = plan.shots, let stop = step.stop else { return }
    _ = try? access.setValue(.press, of: stop)
  }

  private func requireSameStream() throws(CaptureError) {
    if stream != access.input.stream { throw .shotsEnded }
  }

  private func settled(from first: UInt64) async throws(CaptureError) -> ShotWatch.Settled {
    try await watch.answer { $0.settle(from: first, $1) }
  }

  // MARK: A bracket

  private func take(_ index: Int, of steps: [BracketStep]) async throws(CaptureError) {
    let (returns, step) = (plan.returns(before: index, of: steps), steps[index])
    let changed = (returns + step.changes).map(\.control)
    let needsPicture =
      access.meanings?.needPicture(
        changed, saysFacts: access.input.device.saysFacts, evenIfUnlikely: true) ?? true
    if needsPicture, !isCalm {
      _ = try await settled(from: first)
    }
    let effect = try await effect(of: returns, step.changes)
    guard case .frame(let frame, let evidence)? = effect else {
      throw await access.pipeline.loop.run { [watch] in watch.failure } ?? .unproven(index + 1)
    }
    var first = max(frame.sequence, first)
    // Controls that are set together may show in different frames.
    if needsPicture { first = try await settled(from: first).sequence }
    isCalm = needsPicture
    let shot = ResolvedShot(
      index: index + 1, count: steps.count, settings: try inForce(step.settings),
      evidence: evidence, exposure: exposureInForce, bias: step.bias)
    let target = ShotWatch.Target(first: first, facts: access.wantedFacts(changed), shot: shot)
    self.first = try await watch.answer { $0.take(target, $1) } + 1
  }

  /// Changes the controls and waits for the effect.
  private func effect(
    of returns: [Setting], _ changes: [Setting]
  ) async throws(CaptureError) -> ControlEffect? {
    try requireSameStream()
    // A stream would resume on another thread first, when this session's may have ended.
    let result: Result<ControlEffect?, CaptureError> = await withCheckedContinuation {
      // A search may end before its change fails.
      let answer = FirstAnswer($0)
      let request = EffectRequest(
        isWanted: true, isFirstWanted: false, deadline: watch.deadline
      ) { answer.give(.success(.success($0))) }
      do throws(CaptureError) {
        try change(returns, changes, request)
      } catch {
        answer.give(.success(.failure(error)))
      }
    }
    return try result.get()
  }

  /// How long each pixel is exposed, nanoseconds; nil if an automatic decides.
  private var exposureInForce: Int64? {
    guard let controls = try? access.input.device.controls() else { return nil }
    return ControlMeanings(controls).facts { try? access.value(of: $0) }.exposure
  }

  /// These settings with the values that took effect.
  private func inForce(_ settings: [Setting]) throws(CaptureError) -> [Setting] {
    let states = try access.states(of: settings.map(\.control))
    return zip(settings, states).map { setting, state in
      Setting(setting.control, to: state.value ?? setting.value)
    }
  }

  // MARK: A flash

  /// Fires the flash and takes a frame that it lights, again if its light has ended before one was
  /// certain.
  private func takeLit(_ step: FlashStep) async throws(CaptureError) {
    try requireSameStream()
    let pipeline = access.pipeline
    let newest = pipeline.loop.performAndWait { pipeline.ring.newest?.metadata }
    // Some chips forget a fault when it is read.
    _ = faults(of: step)
    try change([], step.changes, EffectRequest(isWanted: false, deadline: .now) { _ in })
    let saysFlash = newest.map { $0.facts.flash != nil } ?? access.input.device.saysFacts
    let dark =
      saysFlash ? nil : try await settled(from: (newest?.sequence ?? 0) + 1).brightnesses
    for _ in 0..<Self.mostStrobes {
      try requireSameStream()
      _ = try access.setValue(.press, of: step.strobe)
      let search = FlashSearch(until: .now + .nanoseconds(step.duration), dark: dark)
      try requireNoFault(of: step)
      if try await watch.answer({ $0.takeLit(search, $1) }) { return }
      try requireSameStream()
      try requireNoFault(of: step)
    }
    throw .unlit
  }

  private func faults(of step: FlashStep) -> FlashFaults {
    guard let control = step.faults, case .integer(let bits)? = try? access.value(of: control)
    else { return [] }
    return FlashFaults(rawValue: bits)
  }

  private func requireNoFault(of step: FlashStep) throws(CaptureError) {
    if let error = faults(of: step).error { throw error }
  }
}

extension CaptureError {
  fileprivate static var unlit: CaptureError {
    CaptureError(
      .deviceFailed,
      "no frame shows the light of the flash, and no other is taken: look whether its LED lights, or take the photo "
        + "without it if the scene is too bright or too far away for it")
  }
}
