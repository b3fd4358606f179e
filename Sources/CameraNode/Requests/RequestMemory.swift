import CameraProtocol
import Digest
import OperatingSystem

/// Which requests are under way, who waits for their replies, and what the finished ones were answered.
///
/// A request that is sent again attaches to the one in progress or gets the same answer: a retry never takes a
/// second photo, not even when the answer is forgotten. Pure; bounded in requests, bytes and time.
struct RequestMemory {
  /// A request as it comes in.
  struct Arrival {
    var id: RequestID
    var client: ClientAddress
    var fingerprint: SHA256Digest
    /// It changes what is there and must not be done twice, so its answer is kept.
    var mustNotRepeat: Bool
    /// When its sender does not wait any more.
    var deadline: MonotonicTime
  }

  /// What to do with a request that came in.
  enum Admission: Equatable {
    /// It is new: do it.
    case new
    /// It is under way: its replies go to this client too, who has missed these.
    case attached([ReplyParts])
    /// It is done: these were its replies.
    case done([ReplyParts])
    /// The id stands for another request.
    case idReused
    /// It is done, and so long ago that its answer is no longer known.
    case outcomeUnknown
    /// This client, or all of them, have as many requests under way as they may.
    case busy
  }

  struct Limits: Sendable {
    var requestsPerClient = WireLimits.requestsPerClient
    /// Under way at a time, of all clients.
    var requests = 1024
    /// Connections that wait for one request, of a client that tries one after the other: the newest.
    var clientsPerRequest = 8
    /// Answers to what was done.
    var answers = AnswerLog.Limits(count: 1024, byteCount: 16 << 20, age: .seconds(120))
    /// Answers to what was refused or came to nothing: apart, so that they, who cost a client nothing, do not push out
    /// the others.
    var refusals = AnswerLog.Limits(count: 1024, byteCount: 1 << 20, age: .seconds(120))
    /// Finished requests of which only the id is remembered.
    var forgotten = 65_536
  }

  private struct InProgress {
    var fingerprint: SHA256Digest
    var mustNotRepeat: Bool
    /// Oldest first.
    var clients: [ClientAddress]
    var awaitedUntil: MonotonicTime
    var replies: UInt32 = 0
    /// Replies that a late retry needs beside the final one.
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

  /// The requests under way.
  var requestsInProgress: [RequestID] { Array(inProgress.keys) }

  /// Who waits for a request that is under way.
  func clients(of id: RequestID) -> [ClientAddress] { inProgress[id]?.clients ?? [] }

  /// Whether a request was taken up, be it under way or done.
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

  /// The client has gone: nothing goes to it any more. Returns the requests that nobody is left to wait for.
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

  /// The number of the next reply to a request, counted from 1; nil when it is not under way.
  mutating func nextReply(to id: RequestID) -> UInt32? {
    inProgress[id]?.replies += 1
    return inProgress[id]?.replies
  }

  /// Who gets a progress reply.
  /// - Parameter isKept: a retry after the end needs it again.
  mutating func progressed(_ id: RequestID, _ reply: ReplyParts, isKept: Bool) -> [ClientAddress] {
    if isKept { inProgress[id]?.kept.append(reply) }
    return clients(of: id)
  }

  /// Ends a request and keeps its answer, if it may be done only once; returns who gets it.
  /// - Parameter isDone: something came of it, so that it is not done again when the answer is forgotten.
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

  /// Keeps the answer to a request that was not admitted: who has sent it twice must not be refused and then served.
  mutating func refuse(_ arrival: Arrival, _ reply: ReplyParts, at now: MonotonicTime) {
    guard arrival.mustNotRepeat else { return }
    _ = refusals.append(
      AnswerLog.Answer(
        id: arrival.id, fingerprint: arrival.fingerprint, replies: [reply],
        awaitedUntil: arrival.deadline, given: now))
  }

  // MARK: Time

  /// When `expire` has something to do; nil while nothing is kept.
  var nextExpiry: MonotonicTime? {
    [answers.nextExpiry, refusals.nextExpiry].compactMap(\.self).min()
  }

  /// Lets go of answers that are too old.
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
