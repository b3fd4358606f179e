import CameraProtocol
import Capture
import EventLoop
import OperatingSystem

/// Closes cameras that nobody uses, if their options say so, and starts them again when somebody
/// does.
///
/// A session gets both wishes in the order in which they arise here, so that a camera that is
/// wanted while it is being closed is started again.
@ControlLoop final class IdleService {
  /// Something needs the camera's frames until `end`.
  /// - Parameter wakes: Whether it waits for an idle camera to start.
  func begin(_ use: CameraUse, of camera: Camera, wakes: Bool = true) {
    guard camera.options.idleAfter != nil else { return }
    camera.part(Idling.self).uses.insert(use)
    update(camera)
    guard wakes else { return }
    camera.session.enter { $0.wake() }
  }

  func end(_ use: CameraUse, of camera: Camera) {
    guard camera.part(Idling.self).uses.remove(use) != nil else { return }
    update(camera)
  }

  /// Starts an idle camera for a request that `begin` has announced, and waits until it streams.
  /// - Parameter needsPictures: Whether pictures must be made of the stream's frames.
  /// - Returns: How long that took since the request, nanoseconds; 0 if it was not idle.
  /// - Throws: Why it does not.
  @discardableResult
  func wake(
    _ camera: Camera, for call: Call, needsPictures: Bool = true
  ) async throws -> Int64 {
    guard camera.options.idleAfter != nil else { return 0 }
    let wasIdle = camera.isIdle
    try await camera.work(for: call) { session in session.wake() }
    do {
      _ = try camera.pictureFormat
    } catch let error as CaptureError where error.code == .unsupportedFormat && !needsPictures {
      // It streams.
    }
    return wasIdle ? call.age : 0
  }

  /// The uses or the state of the camera have changed.
  func update(_ camera: Camera) {
    let part = camera.part(Idling.self)
    guard let time = camera.options.idleAfter, part.uses.isEmpty,
      camera.sessionStatus.state == .running
    else { return part.endTimer() }
    guard part.timer == nil else { return }
    part.timer = ControlLoop.schedule(at: .now + time) { [weak camera] in
      guard let camera else { return }
      camera.part(Idling.self).timer = nil
      camera.session.enter { $0.idle() }
    }
  }

  /// The camera's options have changed.
  func restart(_ camera: Camera) {
    camera.part(Idling.self).endTimer()
    update(camera)
  }
}

private final class Idling: CameraPart {
  /// What needs the camera's frames.
  var uses: Set<CameraUse> = []
  /// Closes the camera when it fires.
  var timer: LoopTimer?

  func endTimer() {
    timer?.cancel()
    timer = nil
  }
}

/// Something that needs a camera's frames.
enum CameraUse: Hashable {
  /// Subscribers to its streams.
  case subscribers
  /// A photo or a movie, by the request's id.
  case request(RequestID)
}
