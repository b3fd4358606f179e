import CameraProtocol
import Capture
import EventLoop
import OperatingSystem

/// A request in progress, as a service sees it: its id and times, and the functions that send its
/// replies.
@ControlLoop final class Call {
  let id: RequestID
  /// The kind of request, as the table names it.
  let kind: String
  /// What the client that asked first may do.
  let access: Access
  /// Whose share of the node the request takes.
  let holder: Holder
  /// The lease under which it is made.
  let lease: RequestID?
  /// When the node read the request.
  let asked: MonotonicTime
  /// When the client stops waiting.
  let deadline: MonotonicTime

  /// Whether the request changed something. Then a retry is not served again, even if this request
  /// fails.
  var isDone = false

  private let router: RequestRouter
  /// The newest one counts. Tasks of one request may enter and leave theirs in any order.
  private var interruptions: [Interruption] = []

  init(
    _ id: RequestID, kind: String, access: Access, holder: Holder, lease: RequestID? = nil,
    asked: MonotonicTime, deadline: MonotonicTime, router: RequestRouter
  ) {
    self.id = id
    self.kind = kind
    self.access = access
    self.holder = holder
    self.lease = lease
    self.asked = asked
    self.deadline = deadline
    self.router = router
  }

  /// Runs `body` on `owner`. Until `body` begins, the request can be cancelled, and is refused when
  /// the node stops.
  /// - Parameter onLateCancel: Cancels the request while `body` runs; returns false if it cannot.
  /// - Throws: What `body` throws; `cancelled`, `deadlineExceeded` or `interrupted` when `body` was
  ///   not run.
  func work<Owner: Actor, R: Sendable>(
    on owner: Owner, onLateCancel: @escaping () -> Bool = { false },
    _ body: @Sendable (isolated Owner) throws -> R
  ) async throws -> R {
    let permit = StartPermit(until: deadline)
    return try await interruptible(by: permit.interruption(orElse: onLateCancel)) {
      try await permit.use(on: owner, body)
    }
  }

  /// Runs `body` on a camera's session, in the same way. A driver that does not come back is an
  /// error too, `deviceStalled`; what has begun then goes on when the driver does.
  func work<R: Sendable>(
    on camera: Camera,
    _ body: @escaping @Sendable (isolated CaptureSession) throws -> R
  ) async throws -> R {
    let permit = StartPermit(until: deadline)
    return try await interruptible(by: permit.interruption()) {
      try await camera.run { session in
        try permit.take()
        return try body(session)
      }
    }
  }

  /// Runs a task beside the request's own.
  func run(_ kind: String, _ work: @escaping @ControlLoop () async -> Void) {
    router.run(kind, work)
  }

  // MARK: Interruptions

  /// Runs `body`, which the client, its connection and the node can end in this way meanwhile.
  func interruptible<R>(
    by interruption: Interruption, _ body: () async throws -> R
  ) async rethrows -> R {
    interruptions.append(interruption)
    defer { interruptions.removeAll { $0 === interruption } }
    return try await body()
  }

  /// Cancels the request.
  /// - Returns: False when it is too late.
  @discardableResult
  func cancel() async -> Bool { await newest(\.onCancel)?() == true }

  /// The node stops.
  func stop() { newest(\.onStop)?() }

  /// A client that waits for the request has room for more replies.
  func clientHasRoom() { newest(\.onRoom)?() }

  /// The last client that waited for the request has disconnected.
  func abandon() { newest(\.onAbandoned)?() }

  /// Whether it ends when it has no client any more.
  var needsClient: Bool { newest(\.onAbandoned) != nil }

  private func newest<Handler>(_ handler: KeyPath<Interruption, Handler?>) -> Handler? {
    interruptions.lazy.reversed().compactMap { $0[keyPath: handler] }.first
  }

  // MARK: Replies

  /// Sends a progress reply; more replies follow.
  /// - Parameter isKept: Whether clients that retry later get this reply too.
  /// - Returns: Whether it was sent to at least one client.
  @discardableResult
  func progress(
    _ body: WireReply.OneOf_Body, attachment: [UInt8]? = nil, isKept: Bool = false
  ) -> Bool {
    router.progress(id, body, attachment: attachment, isKept: isKept)
  }

  /// Sends the final reply with the result. Ignored if there was a final reply before.
  /// - Parameter isDone: False if the request has changed nothing.
  func finish(_ result: WireReply.OneOf_Body, isDone: Bool = true) {
    router.finish(self, result, isDone: isDone)
  }

  /// Sends the final reply with an error. Ignored if there was a final reply before.
  func fail(_ error: any Error) {
    var error = WireError(error, in: kind)
    // The search for a camera does not know which request it is for.
    if error.code == .noSuchCamera { error.field = RequestField.camera(of: kind) }
    router.finish(self, .error(error), isDone: isDone)
  }

  /// How long ago the node read the request, nanoseconds.
  var age: Int64 { (MonotonicTime.now - asked).wholeNanoseconds }

  /// Whether the node stops.
  var nodeStops: Bool { router.isStopping }

  /// Whether a client that waits for this request is connected.
  var hasClient: Bool { router.hasClient(for: id) }

  /// Whether all clients that wait for this request have room for more replies.
  var hasRoom: Bool { router.hasRoom(for: id) }
}

/// The ways in which a request can be ended, or go on, from outside.
final class Interruption {
  /// Cancels the request; returns false when it is too late. Nil while it cannot be cancelled.
  let onCancel: (() async -> Bool)?
  /// Called when the node stops. Nil while there is nothing to stop.
  let onStop: (() -> Void)?
  /// Called when a client that waits for the request has room for more replies.
  let onRoom: (() -> Void)?
  /// Called when the last client that waited for the request has disconnected.
  let onAbandoned: (() -> Void)?

  init(
    onCancel: (() async -> Bool)? = nil, onStop: (() -> Void)? = nil,
    onRoom: (() -> Void)? = nil, onAbandoned: (() -> Void)? = nil
  ) {
    self.onCancel = onCancel
    self.onStop = onStop
    self.onRoom = onRoom
    self.onAbandoned = onAbandoned
  }
}
