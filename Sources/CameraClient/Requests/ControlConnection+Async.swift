import CameraProtocol
import EventLoop
import SwiftProtobuf

extension ControlConnection {
  /// How many replies to one request may wait for their reader. Replies come under credit or are few: a node that sends
  /// more breaks the protocol, and the request fails.
  private static let replyLimit = 128

  /// Sends a request; the stream has its progress and ends after its one outcome.
  ///
  /// A caller that stops listening lets the request go. Policy: up to 128 replies wait; more fail the request.
  /// - Parameters:
  ///   - isEndedWithCaller: Whether the node is asked to end the request when its caller lets it go.
  ///   - onAnswer: Called on the loop when the first sign of the request's fate comes.
  nonisolated func outcomes(
    of body: WireRequest.OneOf_Body,
    _ rule: RequestTable.Rule,
    id: RequestID = .random(),
    isEndedWithCaller: Bool = false,
    onAnswer: (@Sendable () -> Void)? = nil
  ) -> AsyncStream<Outcome> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Outcome.self,
      bufferingPolicy: .bufferingOldest(Self.replyLimit)
    )
    continuation.onTermination = { [weak self] _ in
      self?.perform { $0.abandon(id, isEnded: isEndedWithCaller) }
    }
    let isSubmitted = perform { connection in
      connection.submit(id, body, rule) { outcome in
        onAnswer?()
        Self.pass(outcome, to: continuation)
      }
    }
    if !isSubmitted { Self.pass(.failed(.closed), to: continuation) }
    return stream
  }

  /// Sends a request that has one answer, and waits for it.
  nonisolated func request(
    _ body: WireRequest.OneOf_Body,
    _ rule: RequestTable.Rule,
    id: RequestID
  ) async throws(CameraBusError) -> WireReply.OneOf_Body {
    try await finish(outcomes(of: body, rule, id: id)).body
  }

  nonisolated func status(
    ofCamera camera: String?,
    timeout: Duration
  ) async throws(CameraBusError) -> NodeStatus {
    let outcomes = outcomes(
      of: .status(.with { $0.camera = camera ?? "" }),
      .init(timeout: timeout, resending: .reading)
    )
    guard case (.status(let status), let epoch) = try await finish(outcomes) else {
      throw .unexpectedReply
    }
    return NodeStatus(status, epoch: epoch)
  }

  private nonisolated func finish(
    _ outcomes: AsyncStream<Outcome>
  ) async throws(CameraBusError) -> (body: WireReply.OneOf_Body, epoch: Epoch) {
    for await outcome in outcomes {
      switch outcome {
      case .progress: continue
      case .finished(let body, let epoch): return (body, epoch)
      case .failed(let error): throw error
      }
    }
    throw .endedEarly
  }

  private static func pass(_ outcome: Outcome, to continuation: AsyncStream<Outcome>.Continuation) {
    if case .progress = outcome {
      guard case .dropped = continuation.yield(outcome) else { return }
      // There is no room for the error either: the end alone tells the reader.
      continuation.finish()
    } else {
      continuation.yield(outcome)
      continuation.finish()
    }
  }
}
