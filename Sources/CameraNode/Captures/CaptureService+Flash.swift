import CameraProtocol
import Capture

extension CaptureService {
  /// Whether a photo takes the flash. A frame of a certain moment may be from before the request,
  /// so AUTO leaves the flash out for it.
  /// - Returns: also how long an idle camera took to start for that, nanoseconds.
  /// - Throws: `noSuchControl` if the camera has none; why an idle camera does not start.
  func needsFlash(
    _ mode: WireFlashMode, _ timing: PhotoTiming, of camera: Camera, _ call: Call
  ) async throws -> (Bool, start: Int64) {
    switch mode {
    case .unspecified, .off, .UNRECOGNIZED: return (false, 0)
    case .on: return (true, 0)
    case .auto:
      let isIdle = camera.isIdle
      try await call.work(on: camera) { session in try session.requireFlash() }
      guard timing.isOfNoMoment else { return (false, 0) }
      _ = try await idle.wake(camera, for: call)
      let isDark = await camera.pipeline.isDark(until: call.deadline)
      // The frames before the one that was judged are those of a camera that has just started.
      return (isDark, isIdle ? call.age : 0)
    }
  }

  /// Begins a bracket or a photo with the flash.
  /// - Parameter start: how long an idle camera took to start so far, nanoseconds.
  /// - Returns: nil if the photo is another one.
  func shots(
    _ body: WireCaptureRequest, _ timing: PhotoTiming, _ order: PhotoOrder, _ depth: DepthTaker?,
    after start: Int64, of camera: Camera, _ call: Call
  ) async throws -> ShotSeries? {
    if body.hasBracket {
      let shots = body.bracket.shots.map { BracketShot($0) }
      return try await self.shots(
        "a bracket", timing, order, depth, after: start, of: camera, call
      ) {
        try $0.plan(shots)
      }
    }
    guard order.hasFlash else { return nil }
    return try await shots("a flash", timing, order, depth, after: start, of: camera, call) {
      try $0.planFlash()
    }
  }
}
