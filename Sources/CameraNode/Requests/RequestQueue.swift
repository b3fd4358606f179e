import CameraProtocol
import Capture
import EventLoop

/// Gives requests something one at a time, in turns: the library, or a camera's session.
///
/// So they hold little memory, however many there are, and no client waits for all the requests of
/// another.
@ControlLoop final class RequestQueue {
  private struct Waiting {
    let call: Call
    let timer: LoopTimer
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// Whether the requests change nothing. Such a request waits until its client has room for the
  /// result, and is not served when the client has gone.
  private let isOfQuestions: Bool
  private var turns = RequestTurns()
  private var waiting: [RequestID: Waiting] = [:]
  private var isBusy = false

  init(ofQuestions isOfQuestions: Bool) { self.isOfQuestions = isOfQuestions }

  /// Runs `body`, which serves the request, when it is the request's turn. Until then the request
  /// can be cancelled, and is refused when the node stops.
  /// - Parameter cost: How long the request takes beside others.
  /// - Throws: What `body` throws. If it was not run: `cancelled`, also when the client is gone;
  ///   `deadlineExceeded`; `interrupted` when the node stops.
  func run<R>(_ call: Call, cost: Double = 1, _ body: () async throws -> R) async throws -> R {
    try await waitForTurn(call, cost)
    defer {
      isBusy = false
      beginNext()
    }
    // The node may not have noticed yet that the client has gone.
    guard !isOfQuestions || call.hasClient else { throw CaptureError.clientIsGone }
    return try await body()
  }

  private func waitForTurn(_ call: Call, _ cost: Double) async throws {
    let id = call.id
    let interruption = Interruption(
      onCancel: { self.end(id, with: .requestCancelled) },
      onStop: { self.end(id, with: .nodeStops) },
      onRoom: isOfQuestions ? { self.beginNext() } : nil,
      onAbandoned: isOfQuestions ? { self.end(id, with: .clientIsGone) } : nil)
    try await call.interruptible(by: interruption) {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        guard !call.nodeStops else { return continuation.resume(throwing: CaptureError.nodeStops) }
        let timer = ControlLoop.schedule(at: call.deadline) { self.end(id, with: .timeIsOver) }
        waiting[id] = Waiting(call: call, timer: timer, continuation: continuation)
        turns.add(id, of: call.holder, cost: cost)
        beginNext()
      }
    }
  }

  private func beginNext() {
    guard !isBusy, let next = turns.next(where: isReady) else { return }
    isBusy = true
    take(next)?.continuation.resume()
  }

  private func isReady(_ request: RequestID) -> Bool {
    !isOfQuestions || waiting[request]?.call.hasRoom == true
  }

  /// Ends the wait of a request that will not be served.
  /// - Returns: Whether it waited.
  @discardableResult
  private func end(_ request: RequestID, with error: CaptureError) -> Bool {
    guard let waiting = take(request) else { return false }
    turns.remove(request)
    waiting.continuation.resume(throwing: error)
    return true
  }

  private func take(_ request: RequestID) -> Waiting? {
    let waiting = waiting.removeValue(forKey: request)
    waiting?.timer.cancel()
    return waiting
  }
}
