import CameraProtocol
import Digest
import OperatingSystem

/// Remembers the requests in progress with the clients that wait for them, and the answers to
/// finished ones.
///
/// A request that is sent again joins the one in progress or gets the same answer. So a retry never
/// takes a second photo, not even after the answer was forgotten. Pure; bounded in requests, bytes
/// and time.
struct RequestMemory {
  /// A request that has just been received.
  struct Arrival {
    var id: RequestID
    var client: ClientAddress
    var fingerprint: SHA256Digest
    /// The request changes something and must not be served twice, so its answer is kept.
    var mustNotRepeat: Bool
    /// The sender waits until this moment.
    var deadline: MonotonicTime
  }

  /// What to do with a request that has just been received.
  enum Admission: Equatable {
    /// The request is new: serve it.
    case new
    /// The request is in progress: the client now gets its replies too. The earlier replies to send
    /// to it are attached.
    case attached([ReplyParts])
    /// The request has ended with these replies.
    case done([ReplyParts])
    /// The id belongs to a request with other settings.
    case idReused
    /// The request was served so long ago that its answer is no longer kept.
    case outcomeUnknown
    /// This client, or all clients together, have reached their limit of requests.
    case busy
  }

  struct Limits: Sendable {
    var requestsPerClient = WireLimits.requestsPerClient
    /// Requests in progress at a time, of all clients.
    var requests = 1024
    /// Connections that wait for one request: a client that reconnects and retries adds one each
    /// time. The oldest is replaced.
    var clientsPerRequest = 8
    /// Answers to requests that were served.
    var answers = AnswerLog.Limits(count: 1024, byteCount: 16 << 20, age: .seconds(120))
    /// Answers to requests that were refused or changed nothing. Kept apart, because a client can
    /// cause many of them at no cost, and they must not push out the other answers.
    var refusals = AnswerLog.Limits(count: 1024, byteCount: 1 << 20, age: .seconds(120))
    /// Served requests of which only the id is kept.
    var forgotten = 65_536
  }

  private struct InProgress {
    var fingerprint: SHA256Digest
    var mustNotRepeat: Bool
    /// Oldest first.
    var clients: [ClientAddress]
    var awaitedUntil: MonotonicTime
    var replies: UInt32 = 0
    /// Progress replies that a client gets again when it retries.
    var kept: [ReplyParts] = []
  }

  private let limits: Limits
  private var inProgress: [RequestID: InProgress] = [:]
  private var load: [ClientAddress: Int] = [:]
  private var answers: AnswerLog
  private var refusals: AnswerLog
  private var forgotten: ForgottenRequests

  init(limits: Limits = Limits()) {
    self.limits = limits
    answers = AnswerLog(limits.answers)
    refusals = AnswerLog(limits.refusals)
    forgotten = ForgottenRequests(limit: limits.forgotten)
  }

  var requestsInProgress: [RequestID] { Array(inProgress.keys) }

  /// The clients that wait for a request in progress.
  func clients(of id: RequestID) -> [ClientAddress] { inProgress[id]?.clients ?? [] }

  /// Whether a request with this id is in progress or has ended.
  func knows(_ id: RequestID) -> Bool {
    inProgress[id] != nil || answers[id] != nil || refusals[id] != nil || forgotten.contains(id)
  }

  // MARK: Requests

  mutating func admit(_ arrival: Arrival, at now: MonotonicTime) -> Admission {
    expire(at: now)
    let id = arrival.id
    if let request = inProgress[id] {
      return request.fingerprint == arrival.fingerprint ? attach(arrival) : .idReused
    }
    if let answer = answers[id] ?? refusals[id] {
      guard answer.fingerprint == arrival.fingerprint else { return .idReused }
      answers.await(id, until: arrival.deadline)
      return .done(answer.replies)
    }
    guard !arrival.mustNotRepeat || !forgotten.contains(id) else { return .outcomeUnknown }
    guard load[arrival.client, default: 0] < limits.requestsPerClient,
      inProgress.count < limits.requests, !arrival.mustNotRepeat || forgotten.hasRoom(at: now)
    else { return .busy }
    inProgress[id] = InProgress(
      fingerprint: arrival.fingerprint, mustNotRepeat: arrival.mustNotRepeat,
      clients: [arrival.client],
      awaitedUntil: arrival.deadline)
    load[arrival.client, default: 0] += 1
    return .new
  }

  private mutating func attach(_ arrival: Arrival) -> Admission {
    guard var request = inProgress[arrival.id] else { return .attached([]) }
    request.awaitedUntil = max(request.awaitedUntil, arrival.deadline)
    let isKnown = request.clients.contains(arrival.client)
    if !isKnown {
      if request.clients.count >= limits.clientsPerRequest {
        release(request.clients.removeFirst())
      }
      request.clients.append(arrival.client)
      load[arrival.client, default: 0] += 1
    }
    inProgress[arrival.id] = request
    return .attached(isKnown ? [] : request.kept)
  }

  /// Removes a client that has disconnected, and returns the requests that no client waits for now.
  mutating func remove(_ client: ClientAddress) -> [RequestID] {
    guard load.removeValue(forKey: client) != nil else { return [] }
    var abandoned: [RequestID] = []
    for (id, request) in inProgress where request.clients.contains(client) {
      inProgress[id]?.clients.removeAll { $0 == client }
      if request.clients.count == 1 { abandoned.append(id) }
    }
    return abandoned
  }

  private mutating func release(_ client: ClientAddress) {
    guard let count = load[client] else { return }
    load[client] = count > 1 ? count - 1 : nil
  }

  // MARK: Replies

  /// The number of the next reply to a request, from 1; nil when the request is not in progress.
  mutating func nextReply(to id: RequestID) -> UInt32? {
    inProgress[id]?.replies += 1
    return inProgress[id]?.replies
  }

  /// Returns the clients that get a progress reply.
  /// - Parameter isKept: whether clients that retry later get this reply too.
  mutating func progressed(_ id: RequestID, _ reply: ReplyParts, isKept: Bool) -> [ClientAddress] {
    if isKept { inProgress[id]?.kept.append(reply) }
    return clients(of: id)
  }

  /// Ends a request, keeps the answer if it must not be served twice, and returns the clients that
  /// get the answer.
  /// - Parameter isDone: whether the request changed something. Then it is not served again even
  ///   after its answer was forgotten.
  mutating func finish(
    _ id: RequestID, _ reply: ReplyParts, isDone: Bool, at now: MonotonicTime
  ) -> [ClientAddress] {
    guard let request = inProgress.removeValue(forKey: id) else { return [] }
    for client in request.clients { release(client) }
    if request.mustNotRepeat {
      let answer = AnswerLog.Answer(
        id: id, fingerprint: request.fingerprint, replies: (isDone ? request.kept : []) + [reply],
        awaitedUntil: request.awaitedUntil, given: now)
      if isDone { forget(answers.append(answer), at: now) } else { _ = refusals.append(answer) }
    }
    return request.clients
  }

  /// Keeps the answer to a request that was not admitted. Without it, a client that sends a request
  /// twice could get a refusal for the first and be served for the second.
  mutating func refuse(_ arrival: Arrival, _ reply: ReplyParts, at now: MonotonicTime) {
    guard arrival.mustNotRepeat else { return }
    _ = refusals.append(
      AnswerLog.Answer(
        id: arrival.id, fingerprint: arrival.fingerprint, replies: [reply],
        awaitedUntil: arrival.deadline, given: now))
  }

  // MARK: Time

  /// When the next answer becomes too old; nil while none is kept.
  var nextExpiry: MonotonicTime? {
    [answers.nextExpiry, refusals.nextExpiry].compactMap(\.self).min()
  }

  /// Removes the answers that are too old.
  mutating func expire(at now: MonotonicTime) {
    forget(answers.expire(at: now), at: now)
    _ = refusals.expire(at: now)
  }

  private mutating func forget(_ answers: [AnswerLog.Answer], at now: MonotonicTime) {
    for answer in answers {
      forgotten.insert(answer.id, awaitedUntil: answer.awaitedUntil, at: now)
    }
  }
}
