import CameraProtocol
import SwiftProtobuf

import struct Synchronization.Atomic

/// The right to configure a camera and to set its controls alone.
///
/// While it is held, everything that this program asks of the camera over the same ``CameraBus`` is
/// under it, and it renews itself. It ends with ``release()``, with the last reference to it, or
/// when the node hears nothing of this program for the term.
public final class CameraLease: Sendable {
  /// The camera.
  public let camera: Camera
  /// What other programs need to work under the lease: see ``Camera/useLease(_:)``.
  public let id: Identifier
  private let renewal: Task<Void, Never>
  private let holding: Holding

  init(_ id: RequestID, of camera: Camera, term: Duration) {
    self.camera = camera
    self.id = Identifier(id)
    let holding = Holding()
    self.holding = holding
    // A node may name any term.
    let interval = max(term, .seconds(1)) / 3
    renewal = Task {
      if await Self.isLost(camera, renewedEvery: interval) { holding.hasEnded() }
    }
    camera.use(id)
  }

  deinit { forget() }

  /// Whether it was not released, and the node has not said that it ended.
  public var isHeld: Bool { holding.isHeld }

  /// Returns when the lease has ended, or when the task is cancelled.
  public func end() async {
    await withTaskCancellationHandler {
      await renewal.value
    } onCancel: {
      renewal.cancel()
    }
  }

  /// Gives the camera back to everybody.
  public func release() async throws(CameraBusError) {
    renewal.cancel()
    holding.hasEnded()
    defer { forget() }
    try await camera.releaseLease()
  }

  private func forget() {
    renewal.cancel()
    camera.use(nil)
  }

  /// Renews the lease until it ends.
  /// - Returns: False if the task was cancelled before.
  private static func isLost(_ camera: Camera, renewedEvery interval: Duration) async -> Bool {
    while (try? await Task.sleep(for: interval)) != nil {
      do throws(CameraBusError) {
        try await camera.renewLease()
      } catch {
        // Other errors may pass before the term is over.
        if [.conflict, .closed, .forbidden, .notAuthorized].contains(error.code) {
          return true
        }
      }
    }
    return false
  }

  private final class Holding: Sendable {
    private let state = Atomic(true)
    var isHeld: Bool { state.load(ordering: .relaxed) }
    func hasEnded() { state.store(false, ordering: .relaxed) }
  }
}
