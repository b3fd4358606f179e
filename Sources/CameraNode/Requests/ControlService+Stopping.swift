import CameraProtocol
import Capture
import Recording

/// What the node's end waits for.
struct AwaitedEnd {
  let hasCome: (isolated ControlService) -> Bool
  let continuation: CheckedContinuation<Void, Never>
}

extension ControlService {
  /// Takes up nothing new, ends every recording, and waits until its movie is in the library.
  func beginStop() async {
    isStopping = true
    for camera in cameras { finishRecording(of: camera, reason: .nodeStopped) }
    await wait { $0.cameras.allSatisfy { !$0.isRecording } }
  }

  /// Waits until the photos whose frame is chosen are stored and answered. Called when the sessions
  /// have ended, which has failed the others.
  func finishCaptures() async {
    await wait { $0.captures.isEmpty }
  }

  private func wait(until hasCome: @escaping (isolated ControlService) -> Bool) async {
    await withCheckedContinuation { continuation in
      // Only here: on its way in, the task may let others on the loop go first.
      guard !hasCome(self) else { return continuation.resume() }
      awaitedEnd = AwaitedEnd(hasCome: hasCome, continuation: continuation)
    }
  }

  /// A capture or a recording has ended.
  func workEnded() {
    guard let end = awaitedEnd, end.hasCome(self) else { return }
    awaitedEnd = nil
    end.continuation.resume()
  }
}

extension CaptureError {
  static var nodeStops: CaptureError {
    CaptureError(.interrupted, "the node stops: ask again when it is back")
  }
}
