import EventLoop
import OperatingSystem

/// Zooms that move smoothly, a step with each frame.
extension CaptureSession {
  /// A ramp of the zoom that is under way.
  struct Ramp {
    /// Where it will come to rest.
    let target: Double
    /// Doublings a second.
    let rate: Double
    /// The setting with which it comes to rest, of the driver's control or of the zoom that the
    /// node makes.
    let goal: Setting
    /// What was set last.
    var last: Setting?

    var control: ControlID { goal.control }
  }

  /// Sets all controls or none, and begins to move the zoom among them from its value to the new
  /// one. It ends there, with the next change of the zoom or of the configuration, and with the
  /// stream.
  /// - Parameter rate: doublings a second, above 0.
  /// - Throws: what `set` throws; `invalidArgument` without a zoom among the settings; `notRunning`
  ///   without frames.
  package func set(
    _ settings: [Setting], ramp rate: Double
  ) throws(CaptureError) -> [ControlState] {
    guard rate > 0, rate <= ZoomRamp.fastest,
      let wanted = settings.last(where: { $0.control == .zoom })
    else {
      throw CaptureError(
        .invalidArgument,
        "a ramp moves zoom, by at most \(Int(ZoomRamp.fastest)) doublings a second: set zoom with it",
        field: "ramp_rate")
    }
    guard format != nil else {
      throw CaptureError(
        .notRunning,
        "a zoom moves with the frames, and the camera delivers none: start its session, or set zoom without a ramp",
        field: "ramp_rate")
    }
    // Refuses what `set` would refuse, before anything is changed.
    _ = try expanded(settings)
    guard let step = try expanded([wanted]).last, let target = try zoom(for: step) else {
      throw .noSuchControl(.zoom, among: [])
    }
    let others = settings.filter { $0.control != .zoom }
    if !others.isEmpty { _ = try set(others) }
    stopRamp()
    guard case .number(let start)? = try controls([.zoom]).first?.value else {
      throw CaptureError(.deviceFailed, "the camera does not say its zoom: set zoom without a ramp")
    }
    begin(Ramp(target: target, rate: rate, goal: step), from: start)
    return try controls(settings.map(\.control))
  }

  /// Ends a ramp where it stands.
  package func stopRamp() {
    guard ramp != nil else { return }
    let pipeline = pipeline
    pipeline.loop.performAndWait { pipeline.endRamp() }
    endRamp()
  }

  /// Ends a ramp where it stands. Can be called on any thread.
  package nonisolated func stopRampSoon() {
    loop.perform { self.assumeIsolated { $0.stopRamp() } }
  }

  /// A frame has brought the ramp to another zoom.
  func handle(_ step: ZoomStep) {
    guard ramp != nil, step.ramp == rampCount else { return }
    if pipeline.crop == nil {
      do throws(CaptureError) {
        try move(to: step.zoom)
      } catch {
        report.send(.remark("the zoom does not move on: \(error.message)"))
        return stopRamp()
      }
      let pipeline = pipeline
      pipeline.loop.perform { pipeline.stepIsMade(step) }
    }
    if step.isLast { endRamp() } else { noteZoom() }
  }

  /// Ends a ramp for a change, and lets it go on from where it stands if the change fails.
  func endingRamp<R>(
    _ change: () throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    let ended = ramp
    stopRamp()
    do throws(CaptureError) {
      return try change()
    } catch {
      resume(ended)
      throw error
    }
  }

  /// Lets a ramp that has ended go on from where it stands, if the camera still delivers frames.
  func resume(_ ended: Ramp?) {
    guard let ended, ramp == nil, format != nil,
      case .number(let zoom)? = try? controls([.zoom]).first?.value
    else { return }
    begin(ended, from: zoom)
  }

  private func begin(_ ramp: Ramp, from start: Double) {
    rampCount += 1
    self.ramp = ramp
    let motion = ZoomRamp(from: start, to: ramp.target, rate: ramp.rate)
    let (pipeline, count) = (pipeline, rampCount)
    pipeline.loop.performAndWait { pipeline.begin(motion, number: count, of: ramp.control) }
    controlChanged(.zoom)
  }

  /// Moves the driver's zoom.
  private func move(to zoom: Double) throws(CaptureError) {
    for setting in try expanded([Setting(.zoom, to: .number(zoom))]) where setting != ramp?.last {
      _ = try device.setValue(setting.value, of: setting.control)
      ramp?.last = setting
    }
  }

  private func endRamp() {
    guard let ramp else { return }
    self.ramp = nil
    if let factor = pipeline.crop {
      ledger.want(Setting(.zoom, to: .number(factor)))
    } else if let last = ramp.last {
      ledger.want(last)
    }
    controlChanged(ramp.control)
    controlChanged(.zoom)
    noteZoom()
    reportMemory()
  }

  /// The zoom that a setting of its control makes, which a driver may have rounded.
  private func zoom(for setting: Setting) throws(CaptureError) -> Double? {
    let meanings = ControlMeanings(try device.controls())
    let state = meanings.state(of: try meanings.control(.zoom)) { id in
      id == setting.control ? setting.value : nil
    }
    guard case .number(let zoom)? = state.value else { return nil }
    return zoom
  }
}
