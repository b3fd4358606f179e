package import OperatingSystem

/// Photos that need more of the camera than a frame of its stream.
extension CaptureSession {
  private func requireStream() throws(CaptureError) {
    guard machine.state != .running else { return }
    throw machine.state.failure?.error
      ?? CaptureError(.notRunning, "the camera does not run: start its session")
  }

  // MARK: Other formats

  /// The format for a photo of the largest size.
  /// - Returns: Nil if the stream has frames as large.
  package func stillFormat() throws(CaptureError) -> FormatRequest? {
    guard let running = format,
      let choice = CameraCapabilities.still(of: try device.formats(), besides: running)
    else { return nil }
    return FormatRequest(
      pixelFormat: choice.pixelFormat, size: choice.size,
      framesPerSecond: choice.frameRates.first?.framesPerSecond)
  }

  /// Ends the stream, takes a settled frame in another format, and lets the stream go on as it was.
  /// It blocks meanwhile, so that nothing comes between. Photos that wait for a frame wait on.
  /// - Parameter deadline: When nobody waits for the photo any more.
  /// - Throws: The session's error if it does not run; the device's, in which case the stream goes
  ///   on too, if it can.
  package func still(
    in wanted: FormatRequest, until deadline: MonotonicTime
  ) throws(CaptureError) -> StillFrame {
    try requireStream()
    try device.check(wanted)
    let moving = zoom.ramp
    let (last, brightness) = stills.begin()
    interruptStream()
    let result = Result { () throws(CaptureError) in
      try stills.frame(in: wanted, expecting: brightness, until: deadline) {
        _ = restoreControls()
      }
    }
    stills.end()
    attempt()
    let first = machine.state == .running ? stills.firstFrame() : nil
    zoom.resume(moving)
    return StillFrame(
      frame: try result.get(), gap: ((first ?? .now) - last).wholeNanoseconds)
  }

  // MARK: Brackets and the flash

  /// Finds the settings for the shots of a bracket, and what is to be put back after it. Changes
  /// nothing.
  /// - Throws: The session's error if it does not run; as `BracketPlanner.plan`.
  package func plan(_ shots: [BracketShot]) throws(CaptureError) -> ShotPlan {
    try BracketPlanner(try presentControls())
      .plan(shots, of: device.identification.identity)
  }

  /// Finds out how the flash is fired, and what is to be put back after it. Changes nothing.
  /// - Throws: The session's error if it does not run; as `FlashPlanner.plan`.
  package func planFlash() throws(CaptureError) -> ShotPlan {
    try FlashPlanner(try presentControls()).plan(of: device.identification.identity)
  }

  /// - Throws: `noSuchControl` if the camera has no flash that a photo can fire.
  package func requireFlash() throws(CaptureError) {
    let controls = try input.withOpen { (device) throws(CaptureError) in try device.controls() }
    _ = try FlashPlanner.parts(of: controls)
  }

  private func presentControls() throws(CaptureError) -> PresentControls {
    try requireStream()
    // What an earlier plan could not put back must not count as the old values.
    putBackOwed()
    if let owed = ledger.owed.first {
      throw CaptureError(
        .controlNotWritable,
        "\(owed.control) could not be put back after the last bracket or flash: set it first",
        part: .control(owed.control))
    }
    return PresentControls(try device.controls()) { [access] in try? access.value(of: $0) }
  }

  /// Takes the pictures of a plan and reports its steps, at most so many as there are files. At its
  /// end, also by an error, the controls are as they were; if the camera has gone, they will be
  /// when it is back. Only then is a failure reported.
  /// - Parameter onBegin: Called on the frame loop with what ends the plan there.
  package func take(
    _ plan: ShotPlan, for request: PhotoRequest,
    onBegin: @escaping @Sendable (ShotHandle) -> Void = { _ in }
  ) async {
    do throws(CaptureError) {
      try requireStream()
    } catch {
      report.send(.controlsPutBack)
      return request.onStep(.failed(error))
    }
    guard let watch = pipeline.beginShots(for: request, onBegin) else {
      return report.send(.controlsPutBack)
    }
    access.owe(plan.before)
    let stream = input.stream
    let taker = ShotTaker(plan, watch, access) {
      (returns, changes, effect) throws(CaptureError) in
      // Where the stream has ended meanwhile, the controls are as they were already.
      guard self.machine.state == .running, stream == self.input.stream else {
        throw CaptureError(.interrupted, "the camera's stream ended: take the photo again")
      }
      try self.setForShot(returns, changes, effect: effect)
    }
    var failure: CaptureError?
    do throws(CaptureError) {
      try await taker.run()
    } catch {
      failure = error
    }
    // The session has put back itself when its stream ended.
    if machine.state == .running {
      taker.endLight()
      putBackOwed()
    }
    pipeline.endShots(watch, failure)
  }

  private func setForShot(
    _ returns: [Setting], _ changes: [Setting], effect: EffectRequest
  ) throws(CaptureError) {
    if let ramp = zoom.ramp, (returns + changes).contains(where: { $0.control == ramp.control }) {
      stopRamp()
    }
    defer { noteZoom() }
    try access.setForShot(returns, changes, effect: effect)
  }
}
