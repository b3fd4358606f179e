import CameraProtocol
import Digest
import OperatingSystem

/// Remembers the requests in progress with the clients that wait for them, and the answers to
/// finished ones.
///
/// A request that is sent again joins the one in progress or gets the same answer. So a retry never
/// takes a second photo, not even after the answer was forgotten. Pure; bounded in requests, bytes
/// and time.
///
/// What one client leaves here costs no other client its service: a full memory refuses nobody, and
/// only requests under way count against a limit.
struct RequestMemory {
  /// A request that has just been received.
  struct Arrival {
    var id: RequestID
    var client: ClientAddress
    var holder: Holder
    var fingerprint: SHA256Digest
    /// The request changes something and must not be served twice, so its answer is kept.
    var mustNotRepeat: Bool
    /// The request names the epoch, so its client has sent it before.
    var isRepetition = false
    /// The request ends other work, so it passes when there is no room for more work.
    var isUrgent = false
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
    /// The request was served, or may have been, and its answer is no longer kept.
    case outcomeUnknown
    /// There is no room for another request under way.
    case busy(Crowd)
  }

  /// The clients that have as many requests under way as are allowed.
  enum Crowd {
    /// The sender alone.
    case sender
    /// All clients together.
    case everyone
  }

  struct Limits: Sendable {
    var requestsPerClient = WireLimits.requestsPerClient
    /// Urgent requests in progress that a client may have in addition.
    var urgentPerClient = WireLimits.requestsPerClient
    /// Requests in progress at a time, of all clients.
    var requests = 1024
    /// Requests in progress that a client may have although all clients together have reached their
    /// limit, so that others cannot take its place.
    var assuredPerClient = 4
    /// Connections that wait for one request, at least 2: a client that reconnects and retries adds
    /// one each time. The first one stays, so that a client that learns an id cannot take the
    /// replies away from it. The oldest of the others is replaced.
    var clientsPerRequest = 8
    /// Answers to requests that were served.
    var answers = AnswerLog.Limits(count: 1024, byteCount: 16 << 20, age: .seconds(120))
    /// Answers to requests that were refused or changed nothing. Kept apart, because a client can
    /// cause many of them at no cost, and they must not push out the other answers.
    var refusals = AnswerLog.Limits(count: 1024, byteCount: 1 << 20, age: .seconds(120))
    /// Served requests of which only the id is kept: at least as many as this, at most twice as
    /// many, which take about 8 MiB. The node must know an id for as long as a first sending can
    /// be delayed by a slow connection while its repetition overtakes it, and it cannot serve this
    /// many requests in that time.
    var forgotten = 262_144
  }

  /// A client that waits for a request.
  private struct Waiting {
    let address: ClientAddress
    /// Whose limit of requests it counts against; nil if the sender's does already.
    let holder: Holder?
  }

  private struct InProgress {
    var fingerprint: SHA256Digest
    var mustNotRepeat: Bool
    /// Whose client sent it first.
    let sender: Holder
    /// The first one, and then the newest ones, oldest first.
    var clients: [Waiting]
    var awaitedUntil: MonotonicTime
    var replies: UInt32 = 0
    /// Progress replies that a client gets again when it retries.
    var kept: [ReplyParts] = []
  }

  private let limits: Limits
  private var inProgress: [RequestID: InProgress] = [:]
  private var load: [Holder: Int] = [:]
  private var answers: AnswerLog
  private var refusals: AnswerLog
  private var forgotten: ForgottenRequests
  /// The most that the answers have taken since `hasShrunk` was true.
  private var peak = 0

  init(limits: Limits = Limits()) {
    self.limits = limits
    answers = AnswerLog(limits.answers)
    refusals = AnswerLog(limits.refusals)
    forgotten = ForgottenRequests(limit: limits.forgotten)
  }

  var requestsInProgress: [RequestID] { Array(inProgress.keys) }

  /// The clients that wait for a request in progress.
  func clients(of id: RequestID) -> [ClientAddress] {
    inProgress[id]?.clients.map(\.address) ?? []
  }

  /// Whether a request with this id is in progress or has ended.
  func knows(_ id: RequestID) -> Bool {
    inProgress[id] != nil || answers[id] != nil || refusals[id] != nil || forgotten.contains(id)
  }

  /// Whether a request of this client with this id is in progress or has ended. Where keys tell
  /// clients apart, one whose client is not known any more counts as somebody else's.
  func knows(_ id: RequestID, of holder: Holder) -> Bool {
    let client = inProgress[id]?.sender ?? answers[id]?.client ?? refusals[id]?.client
    if let client { return client.isSame(client: holder) }
    return if case .connection = holder { forgotten.contains(id) } else { false }
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
    if arrival.mustNotRepeat {
      if forgotten.contains(id) {
        forgotten.insert(id, awaitedUntil: arrival.deadline)
        return .outcomeUnknown
      }
      if arrival.isRepetition, forgotten.mayHaveDropped(at: now) { return .outcomeUnknown }
    }
    if let crowd = crowd(for: arrival) { return .busy(crowd) }
    inProgress[id] = InProgress(
      fingerprint: arrival.fingerprint, mustNotRepeat: arrival.mustNotRepeat,
      sender: arrival.holder, clients: [Waiting(address: arrival.client, holder: nil)],
      awaitedUntil: arrival.deadline)
    load[arrival.holder, default: 0] += 1
    return .new
  }

  /// The clients that leave no room for a new request; nil if there is room.
  private func crowd(for arrival: Arrival) -> Crowd? {
    let own = load[arrival.holder, default: 0]
    let limit = limits.requestsPerClient + (arrival.isUrgent ? limits.urgentPerClient : 0)
    if own >= limit { return .sender }
    let isAssured = arrival.isUrgent || own < limits.assuredPerClient
    return isAssured || inProgress.count < limits.requests ? nil : .everyone
  }

  private mutating func attach(_ arrival: Arrival) -> Admission {
    guard var request = inProgress[arrival.id] else { return .attached([]) }
    request.awaitedUntil = max(request.awaitedUntil, arrival.deadline)
    let isKnown = request.clients.contains { $0.address == arrival.client }
    if !isKnown {
      if request.clients.count >= limits.clientsPerRequest {
        release(request.clients.remove(at: 1).holder)
      }
      let holder = arrival.holder == request.sender ? nil : arrival.holder
      request.clients.append(Waiting(address: arrival.client, holder: holder))
      if let holder { load[holder, default: 0] += 1 }
    }
    inProgress[arrival.id] = request
    return .attached(isKnown ? [] : request.kept)
  }

  /// Removes a client that has disconnected, and returns the requests that no client waits for now.
  mutating func remove(_ client: ClientAddress) -> [RequestID] {
    var abandoned: [RequestID] = []
    for (id, request) in inProgress {
      guard let index = request.clients.firstIndex(where: { $0.address == client }) else {
        continue
      }
      release(request.clients[index].holder)
      inProgress[id]?.clients.remove(at: index)
      if request.clients.count == 1 { abandoned.append(id) }
    }
    // What a key has under way counts for the key's other connections.
    load[.connection(client)] = nil
    return abandoned
  }

  private mutating func release(_ holder: Holder?) {
    guard let holder, let count = load[holder] else { return }
    load[holder] = count > 1 ? count - 1 : nil
  }

  // MARK: Replies

  /// The number of the next reply to a request, from 1; nil when the request is not in progress.
  mutating func nextReply(to id: RequestID) -> UInt32? {
    inProgress[id]?.replies += 1
    return inProgress[id]?.replies
  }

  /// Returns the clients that get a progress reply.
  /// - Parameter isKept: Whether clients that retry later get this reply too.
  mutating func progressed(_ id: RequestID, _ reply: ReplyParts, isKept: Bool) -> [ClientAddress] {
    if isKept { inProgress[id]?.kept.append(reply) }
    return clients(of: id)
  }

  /// Ends a request, keeps the answer if it must not be served twice, and returns the clients that
  /// get the answer.
  /// - Parameter isDone: Whether the request changed something. Then it is not served again even
  ///   after its answer was forgotten.
  mutating func finish(
    _ id: RequestID, _ reply: ReplyParts, isDone: Bool, at now: MonotonicTime
  ) -> [ClientAddress] {
    guard let request = inProgress.removeValue(forKey: id) else { return [] }
    release(request.sender)
    for client in request.clients { release(client.holder) }
    if request.mustNotRepeat {
      let answer = AnswerLog.Answer(
        id: id, client: request.sender, fingerprint: request.fingerprint,
        replies: (isDone ? request.kept : []) + [reply],
        awaitedUntil: request.awaitedUntil, given: now)
      if isDone { forget(answers.append(answer)) } else { _ = refusals.append(answer) }
      peak = max(peak, answers.byteCount)
    }
    return request.clients.map(\.address)
  }

  /// Keeps the answer to a request that was not admitted. Without it, a client that sends a request
  /// twice could get a refusal for the first and be served for the second.
  mutating func refuse(_ arrival: Arrival, _ reply: ReplyParts, at now: MonotonicTime) {
    guard arrival.mustNotRepeat else { return }
    _ = refusals.append(
      AnswerLog.Answer(
        id: arrival.id, client: arrival.holder, fingerprint: arrival.fingerprint,
        replies: [reply], awaitedUntil: arrival.deadline, given: now))
  }

  // MARK: Time

  /// When the next answer becomes too old; nil while none is kept.
  var nextExpiry: MonotonicTime? {
    [answers.nextExpiry, refusals.nextExpiry].compactMap(\.self).min()
  }

  /// Removes the answers that are too old.
  mutating func expire(at now: MonotonicTime) {
    forget(answers.expire(at: now))
    _ = refusals.expire(at: now)
  }

  /// Whether the answers take 4 MiB less than at their most since this was true, so that it is
  /// worth giving the freed memory back to the system.
  mutating func hasShrunk() -> Bool {
    guard peak - answers.byteCount >= 4 << 20 else { return false }
    peak = answers.byteCount
    return true
  }

  private mutating func forget(_ answers: [AnswerLog.Answer]) {
    for answer in answers { forgotten.insert(answer.id, awaitedUntil: answer.awaitedUntil) }
  }
}
