import CameraProtocol
import Capture

extension CaptureService {
  /// Whether a photo takes the flash. A frame of a certain moment may be from before the request, so
  /// AUTO leaves the flash out for it.
  /// - Throws: `noSuchControl` if the camera has none; why an idle camera does not start.
  func needsFlash(
    _ mode: WireFlashMode, _ timing: PhotoTiming, of camera: Camera, _ call: Call
  ) async throws -> Bool {
    switch mode {
    case .unspecified, .off, .UNRECOGNIZED: return false
    case .on: return true
    case .auto:
      try await call.work(on: camera.session) { session in try session.requireFlash() }
      guard timing.isOfNoMoment else { return false }
      try await idle.wake(camera, for: call)
      return await camera.pipeline.isDark(until: call.deadline)
    }
  }

  /// Begins a bracket or a photo with the flash.
  /// - Returns: nil if the photo is another one.
  func shots(
    _ body: WireCaptureRequest, _ timing: PhotoTiming, _ order: PhotoOrder, of camera: Camera,
    _ call: Call
  ) async throws -> ShotSeries? {
    if body.hasBracket {
      let shots = body.bracket.shots.map { BracketShot($0) }
      return try await self.shots("a bracket", timing, order, of: camera, call) {
        try $0.plan(shots)
      }
    }
    guard order.hasFlash else { return nil }
    return try await shots("a flash", timing, order, of: camera, call) { try $0.planFlash() }
  }
}
