import EventLoop
import OperatingSystem

extension CaptureSession {
  /// Finds the settings for the shots of a bracket, and what is to be put back after it. Changes
  /// nothing.
  /// - Throws: the session's error if it does not run; as `BracketPlanner.plan`.
  package func plan(_ shots: [BracketShot]) throws(CaptureError) -> ShotPlan {
    try plan { (present, device) throws(CaptureError) in
      try BracketPlanner(present).plan(shots, of: device)
    }
  }

  /// - Parameter make: makes a plan of the controls of the device with this identity.
  func plan(
    _ make: (PresentControls, String) throws(CaptureError) -> ShotPlan
  ) throws(CaptureError) -> ShotPlan {
    try requireStream()
    // What an earlier plan could not put back must not count as the old values.
    putBackOwed()
    if let owed = ledger.owed.first {
      throw CaptureError(
        .controlNotWritable,
        "\(owed.control) could not be put back after the last bracket or flash: set it first",
        field: owed.control.rawValue)
    }
    let present = PresentControls(try device.controls()) { try? self.value(of: $0) }
    return try make(present, device.identification.identity)
  }

  /// Takes the pictures of a plan and reports its steps, at most so many as there are files. At its
  /// end, also by an error, the controls are as they were; if the camera has gone, they will be
  /// when it is back. Only then is a failure reported.
  /// - Parameter onBegin: called on the frame loop with what ends the plan there.
  package func take(
    _ plan: ShotPlan, for request: PhotoRequest,
    onBegin: @escaping @Sendable (ShotHandle) -> Void = { _ in }
  ) async {
    let pipeline = pipeline
    let stream = input.stream
    do throws(CaptureError) {
      try requireStream()
    } catch {
      report.send(.controlsPutBack)
      return request.onStep(.failed(error))
    }
    guard let watch = pipeline.beginShots(for: request, onBegin) else {
      return report.send(.controlsPutBack)
    }
    ledger.owe(plan.before)
    var failure: CaptureError?
    do throws(CaptureError) {
      let first = try await pipeline.changed(watch)
      switch plan.shots {
      case .bracket(let steps):
        var progress = BracketProgress(first: first)
        for index in steps.indices {
          try await take(index, of: steps, in: plan, on: stream, watch, &progress)
        }
      case .flash(let step): try await takeLit(step, on: stream, watch)
      }
    } catch {
      failure = error
    }
    // The session has put back itself when its stream ended.
    if machine.state == .running {
      if case .flash(let step) = plan.shots { endLight(step) }
      putBackOwed()
    }
    pipeline.endShots(watch, failure)
  }

  /// Gives the controls the values that they had before a plan, and reports when none is left.
  func putBackOwed() {
    guard !ledger.owed.isEmpty else { return }
    let owed = Array(ledger.owed.reversed())
    // Photos of now wait until the old values show.
    let search = beginSearch(for: owed, EffectRequest(deadline: .now + .seconds(5)) { _ in })
    var refused = put(owed)
    for id in owed.map(\.control) {
      // Of a device that is being closed the next start tells what has changed.
      if format != nil { controlChanged(id) }
      // An automatic that has been put back sets it.
      if (try? device.control(id))?.flags.contains(.inactive) == true { refused[id] = nil }
    }
    search?.arm()
    ledger.settle(except: Set(refused.keys))
    if refused.isEmpty { report.send(.controlsPutBack) }
  }

  private func requireStream() throws(CaptureError) {
    guard machine.state != .running else { return }
    throw machine.state.failure?.error
      ?? CaptureError(.notRunning, "the camera does not run: start its session")
  }

  // MARK: One shot

  private struct BracketProgress {
    /// The number of the first frame that may be taken.
    var first: UInt64
    /// Whether pictures have been alike since the last change.
    var isCalm = false
  }

  private func take(
    _ index: Int, of steps: [BracketStep], in plan: ShotPlan, on stream: Int, _ watch: ShotWatch,
    _ progress: inout BracketProgress
  ) async throws(CaptureError) {
    let (returns, step) = (plan.returns(before: index, of: steps), steps[index])
    let changed = (returns + step.changes).map(\.control)
    let needsPicture =
      meanings?.needPicture(changed, saysFacts: device.saysFacts, evenIfUnlikely: true) ?? true
    if needsPicture, !progress.isCalm {
      _ = try await pipeline.settled(watch, from: progress.first)
    }
    let effect = try await change(returns, step.changes, until: watch.deadline, on: stream)
    guard case .frame(let frame, let evidence)? = effect else {
      try await pipeline.check(watch)
      throw .unproven(index + 1)
    }
    var first = max(frame.sequence, progress.first)
    // Controls that are set together may show in different frames.
    if needsPicture { first = try await pipeline.settled(watch, from: first).sequence }
    progress.isCalm = needsPicture
    let shot = ResolvedShot(
      index: index + 1, count: steps.count, settings: try inForce(step.settings),
      evidence: evidence, exposure: exposureInForce, bias: step.bias)
    let target = ShotWatch.Target(first: first, facts: wantedFacts(changed), shot: shot)
    progress.first = try await pipeline.taken(watch, target) + 1
  }

  /// Changes the controls and waits for the effect.
  private func change(
    _ returns: [Setting], _ changes: [Setting], until deadline: MonotonicTime, on stream: Int
  ) async throws(CaptureError) -> ControlEffect? {
    guard stream == input.stream else { throw .shotsEnded }
    // A stream would resume on another thread first, when this session's may have ended.
    let result: Result<ControlEffect?, CaptureError> = await withCheckedContinuation {
      let answer = EffectAnswer($0)
      let request = EffectRequest(isWanted: true, isFirstWanted: false, deadline: deadline) {
        answer.give(.success($0))
      }
      do throws(CaptureError) {
        try setForShot(returns, changes, effect: request)
      } catch {
        answer.give(.failure(error))
      }
    }
    return try result.get()
  }

  /// How long each pixel is exposed, nanoseconds; nil if an automatic decides.
  private var exposureInForce: Int64? {
    guard let controls = try? device.controls() else { return nil }
    return ControlMeanings(controls).facts { try? value(of: $0) }.exposure
  }

  /// These settings with the values that took effect.
  private func inForce(_ settings: [Setting]) throws(CaptureError) -> [Setting] {
    let states = try controls(settings.map(\.control))
    return zip(settings, states).map { setting, state in
      Setting(setting.control, to: state.value ?? setting.value)
    }
  }
}

/// The end of a change, of which the first answer counts: a search may end before its change fails.
private final class EffectAnswer: Sendable {
  typealias Answer = Result<ControlEffect?, CaptureError>

  private let waiting: Mutex<CheckedContinuation<Answer, Never>?>

  init(_ waiting: CheckedContinuation<Answer, Never>) {
    self.waiting = Mutex(waiting)
  }

  func give(_ answer: Answer) {
    let waiting = waiting.withLock { $0.take() }
    waiting?.resume(returning: answer)
  }
}

/// A plan on the frame loop.
extension FramePipeline {
  /// - Returns: nil if the photos have been refused.
  func beginShots(
    for request: PhotoRequest, _ onBegin: @escaping @Sendable (ShotHandle) -> Void
  ) -> ShotWatch? {
    loop.performAndWait { [self] in
      guard let photo = photos.beginShots(request) else { return nil }
      let watch = ShotWatch(photo, of: self)
      shots = watch
      watch.begin()
      onBegin(ShotHandle(watch))
      return watch
    }
  }

  func endShots(_ watch: ShotWatch, _ error: CaptureError?) {
    loop.performAndWait { [self] in
      shots = nil
      watch.end(error)
    }
  }

  /// Throws the error by which a plan has ended.
  func check(_ watch: ShotWatch) async throws(CaptureError) {
    let failure = await loop.run { watch.failure }
    if let failure { throw failure }
  }

  func changed(_ watch: ShotWatch) async throws(CaptureError) -> UInt64 {
    let loop = loop
    return try await withCheckedContinuation { continuation in
      loop.perform { watch.awaitChanges { continuation.resume(returning: $0) } }
    }.get()
  }

  func settled(
    _ watch: ShotWatch, from first: UInt64
  ) async throws(CaptureError) -> ShotWatch.Settled {
    let loop = loop
    return try await withCheckedContinuation { continuation in
      loop.perform { watch.settle(from: first) { continuation.resume(returning: $0) } }
    }.get()
  }

  func taken(
    _ watch: ShotWatch, _ target: ShotWatch.Target
  ) async throws(CaptureError) -> UInt64 {
    let loop = loop
    return try await withCheckedContinuation { continuation in
      loop.perform { watch.take(target) { continuation.resume(returning: $0) } }
    }.get()
  }

  func lit(_ watch: ShotWatch, _ search: FlashSearch) async throws(CaptureError) -> Bool {
    let loop = loop
    return try await withCheckedContinuation { continuation in
      loop.perform { watch.takeLit(search) { continuation.resume(returning: $0) } }
    }.get()
  }
}
