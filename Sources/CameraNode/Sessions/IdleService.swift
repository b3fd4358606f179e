import CameraProtocol
import Capture
import EventLoop
import OperatingSystem

/// Closes cameras that nobody uses, if their options say so, and starts them again when somebody
/// does.
///
/// A session gets both wishes in the order in which they arise here, so that a camera that is
/// wanted while it is being closed is started again.
// Sendable: the constants are safe to share; it is used on the control loop.
final class IdleService: Sendable {
  private let loop: EventLoop

  init(on loop: EventLoop) {
    self.loop = loop
  }

  /// Something needs the camera's frames until `end`.
  /// - Parameter wakes: whether it waits for an idle camera to start.
  func begin(_ use: CameraUse, of camera: Camera, wakes: Bool = true) {
    guard camera.options.idleAfter != nil else { return }
    camera.uses.insert(use)
    update(camera)
    guard wakes else { return }
    tell(camera) { $0.wake() }
  }

  func end(_ use: CameraUse, of camera: Camera) {
    guard camera.uses.remove(use) != nil else { return }
    update(camera)
  }

  /// Starts an idle camera for a request that `begin` has announced, and waits until it streams.
  /// - Parameter needsPictures: whether pictures must be made of the stream's frames.
  /// - Returns: how long that took since the request, nanoseconds; 0 if it was not idle.
  /// - Throws: why it does not.
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
    guard let time = camera.options.idleAfter, camera.uses.isEmpty,
      camera.sessionStatus.state == .running
    else {
      camera.idleTimer?.cancel()
      camera.idleTimer = nil
      return
    }
    guard camera.idleTimer == nil else { return }
    camera.idleTimer = loop.schedule(at: .now + time) { [weak self, weak camera] in
      guard let camera else { return }
      camera.idleTimer = nil
      self?.tell(camera) { $0.idle() }
    }
  }

  /// While the node stops, the session's loop may have ended.
  private func tell(_ camera: Camera, _ body: @escaping @Sendable (isolated CaptureSession) -> Void)
  {
    let session = camera.session
    _ = session.loop.performUnlessStopped { session.assumeIsolated { body($0) } }
  }
}
