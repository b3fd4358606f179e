import CameraProtocol
import EventLoop
import OperatingSystem

/// One request under way, as the router passes it to a service: its name and times, and the way back for its replies.
// Sendable: the constants are safe to share; everything else belongs to the router's loop.
final class Call: @unchecked Sendable {
  let id: RequestID
  /// The kind of request, as the table names it.
  let kind: String
  /// When the node read the request.
  let asked: MonotonicTime
  /// When the client stops waiting.
  let deadline: MonotonicTime

  /// Something was done that a repetition must not do again, even if the request fails.
  var isDone = false
  /// Cancels the request; returns false when it is too late for that. Nil while the request cannot be cancelled.
  var onCancel: (() async -> Bool)?
  /// A client that waits for this request has room for more replies.
  var onRoom: (() -> Void)?
  /// The last client that waited for this request has gone.
  var onAbandoned: (() -> Void)?

  private let router: RequestRouter

  init(
    _ id: RequestID, kind: String, asked: MonotonicTime, deadline: MonotonicTime,
    router: RequestRouter
  ) {
    self.id = id
    self.kind = kind
    self.asked = asked
    self.deadline = deadline
    self.router = router
  }

  /// Does slow work on the actor that owns it, when its turn comes there. Until then it can be cancelled.
  /// - Throws: what `body` throws; `cancelled` or `deadlineExceeded` when it was not begun.
  func work<Owner: Actor, R: Sendable>(
    on owner: Owner, _ body: @Sendable (isolated Owner) throws -> R
  ) async throws -> R {
    let permit = StartPermit(until: deadline)
    onCancel = { permit.cancel() }
    defer { onCancel = nil }
    return try await permit.use(on: owner, body)
  }

  // MARK: Replies; on the router's loop

  /// Sends a reply that others follow.
  /// - Parameter isKept: a retry that comes after the end gets it again.
  /// - Returns: whether at least one client gets it.
  @discardableResult
  func progress(
    _ body: WireReply.OneOf_Body, attachment: [UInt8]? = nil, isKept: Bool = false
  ) -> Bool {
    router.assumeIsolated { $0.progress(id, body, attachment: attachment, isKept: isKept) }
  }

  /// Sends the one final reply: the result.
  func finish(_ result: WireReply.OneOf_Body) {
    router.assumeIsolated { $0.finish(self, result, isDone: true) }
  }

  /// Sends the one final reply: why there is no result.
  func fail(_ error: any Error) {
    router.assumeIsolated { $0.finish(self, .error(WireError(error)), isDone: isDone) }
  }

  /// Whether all clients that wait for this request take what they are sent.
  var hasRoom: Bool { router.assumeIsolated { $0.hasRoom(for: id) } }
}
