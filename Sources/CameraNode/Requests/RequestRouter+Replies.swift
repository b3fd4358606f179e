import CameraProtocol
import EventLoop
import FoundationEssentials
import OperatingSystem
import SwiftProtobuf
import ZeroMQ

extension RequestRouter {
  /// Sends a progress reply to the clients of a request: see
  /// ``Call/progress(_:attachment:isKept:)``.
  func progress(
    _ id: RequestID, _ body: WireReply.OneOf_Body, attachment: [UInt8]?, isKept: Bool
  ) -> Bool {
    guard let index = memory.nextReply(to: id) else { return false }
    let reply = reply(to: id.data, index: index, isFinal: false, body, attachment)
    return send(reply, to: memory.progressed(id, reply, isKept: isKept))
  }

  /// Sends the final reply; a second one is ignored.
  /// - Parameter isDone: Whether the request changed something, so that a retry is not served
  ///   again.
  func finish(_ call: Call, _ body: WireReply.OneOf_Body, isDone: Bool) {
    guard calls[call.id] === call, let index = memory.nextReply(to: call.id) else { return }
    calls[call.id] = nil
    if case .error(let error) = body, error.code == .busy { counters.busy += 1 }
    let reply = reply(to: call.id.data, index: index, isFinal: true, body, nil)
    send(reply, to: memory.finish(call.id, reply, isDone: isDone, at: .now))
    scheduleExpiry()
  }

  /// The reply to a request that is not admitted.
  /// - Parameter index: 0 if the id belongs to another request, which this reply does not end.
  func refusal(of id: Data, _ error: WireError, index: UInt32 = 1) -> ReplyParts {
    reply(to: id, index: index, isFinal: true, .error(error), nil)
  }

  /// Sends a reply to all clients that wait for it. Counts it if there are none, because they have
  /// disconnected.
  /// - Returns: Whether it was sent to at least one.
  @discardableResult
  private func send(_ reply: ReplyParts, to clients: [ClientAddress]) -> Bool {
    if clients.isEmpty { counters.undeliverable += 1 }
    return clients.count { send(reply, to: $0) } > 0
  }

  /// Sends a reply. Drops and counts it if the client has disconnected or has too much waiting; a
  /// retry can still get it if it is kept.
  /// - Returns: Whether it was sent.
  @discardableResult
  func send(_ reply: ReplyParts, to client: ClientAddress) -> Bool {
    guard let outbox = connection?.outbox else { return false }
    switch outbox.send(reply, to: client) {
    case .sent: return true
    case .noRoom: counters.undeliverable += 1
    case .gone:
      counters.undeliverable += 1
      for id in memory.remove(client) { calls[id]?.abandon() }
    }
    return false
  }

  private func reply(
    to id: Data, index: UInt32, isFinal: Bool, _ body: WireReply.OneOf_Body,
    _ attachment: [UInt8]?
  ) -> ReplyParts {
    let message = WireReply.with {
      $0.id = id
      $0.epoch = epoch.data
      $0.index = index
      $0.final = isFinal
      $0.body = body
    }
    return ReplyParts(message: message.bytes, attachment: attachment)
  }

  // MARK: Clients

  /// Whether all clients that wait for the request have room for more replies.
  func hasRoom(for id: RequestID) -> Bool {
    guard let outbox = connection?.outbox else { return false }
    return memory.clients(of: id).allSatisfy(outbox.hasRoom)
  }

  /// Whether a client that waits for the request is connected.
  func hasClient(for id: RequestID) -> Bool {
    guard let outbox = connection?.outbox else { return false }
    return memory.clients(of: id).contains(where: outbox.isConnected)
  }

  /// Ends the requests that are of no use without a client, if it was the connection of the last.
  func connectionHasEnded(_ ended: PeerConnection) {
    guard let client = connection?.outbox.client(ofEnded: ended) else { return }
    for (id, call) in calls where call.needsClient {
      if memory.clients(of: id).contains(client), !hasClient(for: id) { call.abandon() }
    }
  }

  /// Resumes the requests that wait until this client has room.
  func clientHasRoom(_ client: ClientAddress) {
    for (id, call) in calls where memory.clients(of: id).contains(client) { call.clientHasRoom() }
  }

  // MARK: Cancelling

  /// Cancels another request, if it can still be cancelled.
  func cancel(_ body: WireCancelRequest, _ call: Call) async {
    let outcome = await outcome(ofCancelling: RequestID(bytes: body.request), by: call)
    call.finish(.cancel(.with { $0.outcome = outcome }))
  }

  private func outcome(
    ofCancelling id: RequestID?, by asker: Call
  ) async -> WireCancelReply.Outcome {
    guard let id, memory.knows(id, of: asker.holder) else { return .unknown }
    guard let call = calls[id] else { return .tooLate }
    return await call.cancel() ? .cancelled : .tooLate
  }

  /// Cancels what has not begun of the requests of a client that may use the node no more.
  func cancelRequests(of holder: Holder) async {
    for call in calls.values where call.holder == holder { await call.cancel() }
  }

  // MARK: Time

  /// Removes old answers when they are due, even if no request arrives.
  func scheduleExpiry() {
    guard expiry == nil, let moment = memory.nextExpiry else { return }
    expiry = ControlLoop.schedule(at: moment) { [weak self] in self?.expire() }
  }

  private func expire() {
    expiry = nil
    memory.expire(at: .now)
    if memory.hasShrunk(), let connection { connection.watch.trimMemory() }
    scheduleExpiry()
  }
}
