import EventLoop
import OperatingSystem

extension CaptureSession {
  /// How often the flash is fired for a photo, if no frame shows its light.
  private static let mostStrobes = 3

  /// Finds out how the flash is fired, and what is to be put back after it. Changes nothing.
  /// - Throws: the session's error if it does not run; as `FlashPlanner.plan`.
  package func planFlash() throws(CaptureError) -> ShotPlan {
    try plan { (present, device) throws(CaptureError) in
      try FlashPlanner(present).plan(of: device)
    }
  }

  /// - Throws: `noSuchControl` if the camera has no flash that a photo can fire.
  package func requireFlash() throws(CaptureError) {
    let controls = try input.withOpen { (device) throws(CaptureError) in try device.controls() }
    _ = try FlashPlanner.parts(of: controls)
  }

  /// Fires the flash and takes a frame that it lights, again if its light has ended before one was
  /// certain.
  func takeLit(
    _ step: FlashStep, on stream: Int, _ watch: ShotWatch
  ) async throws(CaptureError) {
    guard stream == input.stream else { throw .shotsEnded }
    let pipeline = pipeline
    let newest = pipeline.loop.performAndWait { pipeline.ring.newest?.metadata }
    // Some chips forget a fault when it is read.
    _ = faults(of: step)
    try setForShot(
      [], step.changes, effect: EffectRequest(isWanted: false, deadline: .now) { _ in })
    let saysFlash = newest.map { $0.facts.flash != nil } ?? device.saysFacts
    let dark: [Double]? =
      !saysFlash
      ? try await pipeline.settled(watch, from: (newest?.sequence ?? 0) + 1).brightnesses : nil
    for _ in 0..<Self.mostStrobes {
      guard stream == input.stream else { throw .shotsEnded }
      _ = try setValue(.press, of: step.strobe)
      let search = FlashSearch(until: .now + .nanoseconds(step.duration), dark: dark)
      try requireNoFault(of: step)
      if try await pipeline.lit(watch, search) { return }
      guard stream == input.stream else { throw .shotsEnded }
      try requireNoFault(of: step)
    }
    throw .unlit
  }

  /// Ends the light of the flash, which may last longer than the photo needs.
  func endLight(_ step: FlashStep) {
    if let stop = step.stop { _ = try? setValue(.press, of: stop) }
  }

  private func faults(of step: FlashStep) -> FlashFaults {
    guard let control = step.faults, case .integer(let bits)? = try? value(of: control) else {
      return []
    }
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
