import EventLoop
import Imaging
import OperatingSystem

/// The session's controls, and what follows from a change of them.
extension CaptureSession {
  /// One control to set.
  package struct Setting: Codable, Hashable, Sendable {
    package var control: ControlID
    package var value: ControlValue

    package init(_ control: ControlID, to value: ControlValue) {
      self.control = control
      self.value = value
    }
  }

  /// All controls with their present values: those with a meaning, then the driver's own.
  package func controls() throws(CaptureError) -> [ControlState] { try access.states() }

  /// Some controls with their present values, in the order of `ids`.
  package func controls(_ ids: [ControlID]) throws(CaptureError) -> [ControlState] {
    try access.states(of: ids)
  }

  /// Sets all controls or none: if one fails, those before it get their old values back.
  /// - Parameter effect: What to find out about the change's effect on the frames.
  package func set(
    _ settings: [Setting], effect: EffectRequest? = nil
  ) throws(CaptureError) -> [ControlState] {
    // A ramp ends for a change of its control, and goes on from where it stands if that fails.
    if let ramp = zoom.ramp,
      try access.expanded(settings).contains(where: { $0.control == ramp.control })
    {
      stopRamp()
      do throws(CaptureError) {
        return try set(settings, effect: effect)
      } catch {
        zoom.resume(ramp)
        throw error
      }
    }
    defer { noteZoom() }
    let (states, effective) = try access.set(settings, effect: effect)
    if beginning.withdraw((settings + effective).map(\.control.rawValue)) { announce() }
    return states
  }

  /// Sets all controls or none, and begins to move the zoom among them from its value to the new
  /// one. It ends there, with the next change of the zoom or of the configuration, and with the
  /// stream.
  /// - Parameter rate: Doublings a second, above 0.
  /// - Throws: What `set` throws; `invalidArgument` without a zoom among the settings; `notRunning`
  ///   without frames.
  package func set(
    _ settings: [Setting], ramp rate: Double
  ) throws(CaptureError) -> [ControlState] {
    let ramp = try zoom.ramp(settings, rate: rate)
    let others = settings.filter { $0.control != .zoom }
    if !others.isEmpty { _ = try set(others) }
    stopRamp()
    try zoom.begin(ramp)
    return try controls(settings.map(\.control))
  }

  /// Ends a ramp where it stands.
  package func stopRamp() {
    if zoom.stop() { zoomHasMoved() }
  }

  /// Ends a ramp where it stands. Can be called on any thread.
  package nonisolated func stopRampSoon() {
    enter { $0.stopRamp() }
  }

  /// A ramp has moved the zoom, or has ended.
  func zoomHasMoved() {
    noteZoom()
    if zoom.ramp == nil { reportMemory() }
  }

  /// Puts back what plans and clients want of the controls of a device that was opened.
  /// - Returns: The outcome in words; nil if there was nothing to set.
  func restoreControls() -> String? {
    access.owe(input.left.takeOwed(to: device.identification.identity))
    readStartControls()
    return access.restore(beginning)
  }

  /// Gives the controls the values that they had before a plan.
  func putBackOwed() {
    guard !access.ledger.owed.isEmpty else { return }
    access.putBackOwed()
    noteZoom()
  }

  // MARK: Capabilities

  /// What the camera can do now.
  package func capabilities() throws(CaptureError) -> CameraCapabilities {
    let (formats, controls) = try input.withOpen { (device) throws(CaptureError) in
      (try device.formats(), try device.controls())
    }
    // The format in which it runs or starts again, thinned out as it is configured.
    let format = status.format
    let (pipeline, interval) = (pipeline, format?.frameRate?.interval)
    let orientation = (format?.layout.orientation ?? .upright).followed(
      by: configuration.orientations.capture)
    let (capacity, marks, keepsPictures) = pipeline.loop.performAndWait {
      let newest = pipeline.ring.newest
      return (
        pipeline.ring.capacity, newest?.metadata.marks,
        newest?.canTurn(orientation) ?? (orientation == .upright)
      )
    }
    let ring = CameraCapabilities.Ring(
      frames: capacity,
      duration: Int64(capacity - 1) * (interval ?? PipelineLimits.assumedInterval))
    return CameraCapabilities(
      formats: formats, format: format,
      orientation: orientation,
      keepsPictures: keepsPictures, isWhole: !pipeline.isCropping,
      controls: ControlMeanings(controls).controls,
      ring: machine.state == .running ? ring : nil,
      marks: marks, saysFacts: device.saysFacts,
      saysDeviceTime: device.saysDeviceTime, hasEncoder: pipeline.encoders.hasEncoder,
      hasFlash: FlashPlanner.canFire(controls))
  }

  /// Reports what the camera can do, if that is different from what was reported.
  func reportCapabilities() {
    if let capabilities = try? capabilities() { report.take(capabilities) }
  }

  /// Reports what the camera can do if the zoom that the node makes has begun or ended: photos are
  /// not the camera's own pictures meanwhile.
  func noteZoom() {
    guard let reported = report.capabilities, reported.isWhole == pipeline.isCropping else {
      return
    }
    reportCapabilities()
  }
}
