import Capture

extension CaptureService {
  /// Decides whether a photo takes the flash. A frame of a certain moment may be from before the
  /// request, so AUTO leaves the flash out for it.
  /// - Throws: `noSuchControl` if the camera has none; why an idle camera does not start.
  func decideFlash(_ job: inout CaptureJob) async throws {
    switch job.order.flash {
    case .off: break
    case .on: job.order.photos.hasFlash = true
    case .auto:
      let (camera, call) = (job.camera, job.call)
      let isIdle = camera.isIdle
      try await call.work(on: camera) { session in try session.requireFlash() }
      guard job.order.timing.isOfNoMoment else { return }
      _ = try await idle.wake(camera, for: call)
      job.order.photos.hasFlash = await camera.pipeline.isDark(until: call.deadline)
      // The frames before the one that was judged are those of a camera that has just started.
      job.start = isIdle ? call.age : 0
    }
  }

  /// Begins a bracket or a photo with the flash.
  /// - Returns: Nil if the photo is another one.
  func shots(_ job: CaptureJob, _ depth: DepthTaker?) async throws -> ShotSeries? {
    let shots = job.order.bracket
    if !shots.isEmpty {
      return try await self.shots("a bracket", job, depth) { try $0.plan(shots) }
    }
    guard job.order.photos.hasFlash else { return nil }
    return try await self.shots("a flash", job, depth) { try $0.planFlash() }
  }
}
