import CameraProtocol
import EventLoop
import SwiftProtobuf

import struct Synchronization.Atomic

extension ControlConnection {
  /// Like `enter`, but at once where the caller is on the loop's thread already. The
  /// connection's own handlers must not use it, because they would enter the connection twice.
  @discardableResult
  nonisolated func enterAtOnce(
    _ body: @escaping @Sendable (isolated ControlConnection) -> Void
  ) -> Bool {
    guard loop.isCurrent else { return enter(body) }
    assumeIsolated(body)
    return true
  }

  /// The most replies to one request that wait for their reader. Replies are few or come under
  /// credit, so a node that sends more breaks the protocol, and the request fails.
  private static let replyLimit = 128

  /// Sends a request. The stream has its progress and ends after its one outcome.
  ///
  /// A caller that stops reading abandons the request. Policy: up to 128 replies wait; more fail
  /// the request.
  /// - Parameters:
  ///   - isEndedWithCaller: Whether to ask the node to end a request that is abandoned.
  ///   - onAnswer: Called on the loop's thread with every reply or failure.
  ///   - onAbandoned: Called on the loop's thread when the caller has stopped reading.
  nonisolated func outcomes(
    of body: WireRequest.OneOf_Body,
    _ rule: PendingRequests.Rule,
    id: RequestID = .random(),
    under lease: RequestID? = nil,
    isEndedWithCaller: Bool = false,
    onAnswer: (@Sendable (Outcome) -> Void)? = nil,
    onAbandoned: (@Sendable () -> Void)? = nil
  ) -> AsyncStream<Outcome> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Outcome.self,
      bufferingPolicy: .bufferingOldest(Self.replyLimit)
    )
    continuation.onTermination = { [weak self] _ in
      self?.enter {
        $0.abandon(id, isEnded: isEndedWithCaller)
        onAbandoned?()
      }
    }
    let isSubmitted = enterAtOnce { connection in
      connection.submit(id, body, rule, under: lease) { outcome in
        onAnswer?(outcome)
        Self.pass(outcome, to: continuation)
      }
    }
    if !isSubmitted { Self.pass(.failed(.closed), to: continuation) }
    return stream
  }

  /// Sends a request that has one answer, and waits for it until the caller's task is cancelled.
  nonisolated func request(
    _ body: WireRequest.OneOf_Body,
    _ rule: PendingRequests.Rule,
    id: RequestID = .random(),
    under lease: RequestID? = nil
  ) async throws(CameraBusError) -> (body: WireReply.OneOf_Body, epoch: Epoch) {
    let caller = Caller()
    let outcome: Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isSubmitted = enterAtOnce { connection in
          guard !caller.hasLeft else { return continuation.resume(returning: .failed(.cancelled)) }
          connection.submit(id, body, rule, under: lease) { outcome in
            if case .progress = outcome { return }
            caller.answer.give()
            continuation.resume(returning: outcome)
          }
        }
        if !isSubmitted { continuation.resume(returning: .failed(.closed)) }
      }
    } onCancel: {
      caller.leave()
      enter { $0.cancel(id) }
    }
    caller.answer.take()
    switch outcome {
    case .finished(let body, let epoch): return (body, epoch)
    case .failed(let error): throw error
    case .progress: throw .unexpectedReply
    }
  }

  nonisolated func status(
    ofCamera camera: String?,
    timeout: Duration
  ) async throws(CameraBusError) -> NodeStatus {
    let reply = try await request(
      .status(.with { $0.camera = camera ?? "" }),
      .init(timeout: timeout, resending: .reading)
    )
    guard case (.status(let status), let epoch) = reply else { throw .unexpectedReply }
    return NodeStatus(status, epoch: epoch)
  }

  private static func pass(_ outcome: Outcome, to continuation: AsyncStream<Outcome>.Continuation) {
    if case .progress = outcome {
      guard case .dropped = continuation.yield(outcome) else { return }
      // There is no room for an error either, so the stream just ends.
      continuation.finish()
    } else {
      continuation.yield(outcome)
      continuation.finish()
    }
  }
}

/// The task that waits for an answer. It may be cancelled before its request is taken up.
private final class Caller: Sendable {
  private let isCancelled = Atomic(false)
  /// Orders the answer before its use.
  let answer = Handover()

  var hasLeft: Bool { isCancelled.load(ordering: .relaxed) }

  func leave() {
    isCancelled.store(true, ordering: .relaxed)
  }
}
