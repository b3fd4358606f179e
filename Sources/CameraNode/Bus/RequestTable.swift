import CameraProtocol
import DequeModule
import Digest
import EventLoop

/// Which requests are under way, who waits for their replies, and what the finished ones were answered.
///
/// A request that is sent again attaches to the one in progress or gets the same answer: a retry never takes a
/// second photo, not even when the answer is forgotten. Pure; bounded in requests, bytes and time.
struct RequestTable {
  /// A client's address on the control socket.
  typealias Client = [UInt8]

  /// What to do with a request that came in.
  enum Admission {
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

  struct Limits {
    var requestsPerClient = WireLimits.requestsPerClient
    /// Under way at a time, of all clients.
    var requests = 1024
    /// Finished requests remembered with their answers, by number, bytes and age.
    var finished = 1024
    var finishedByteCount = 16 << 20
    var finishedAge = Duration.seconds(120)
    /// Finished requests of which only the id is remembered.
    var forgotten = 65_536
  }

  private struct InProgress {
    var fingerprint: SHA256Digest
    var clients: [Client]
    var replies: UInt32 = 0
    /// Replies that a late retry needs beside the final one.
    var kept: [ReplyParts] = []
  }

  private struct Finished {
    var fingerprint: SHA256Digest
    var replies: [ReplyParts]
    var byteCount: Int
    var at: MonotonicTime
  }

  private let limits: Limits
  private var inProgress: [RequestID: InProgress] = [:]
  private var finished: [RequestID: Finished] = [:]
  private var finishedOrder: Deque<RequestID> = []
  private var finishedByteCount = 0
  private var forgotten: Set<RequestID> = []
  private var forgottenOrder: Deque<RequestID> = []
  private var load: [Client: Int] = [:]

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// The requests under way.
  var requestsInProgress: [RequestID] { Array(inProgress.keys) }

  /// Whether a request was taken up, be it under way or done.
  func knows(_ id: RequestID) -> Bool {
    inProgress[id] != nil || finished[id] != nil || forgotten.contains(id)
  }

  mutating func admit(
    _ id: RequestID,
    from client: Client,
    fingerprint: SHA256Digest,
    at now: MonotonicTime
  ) -> Admission {
    forget(before: now - limits.finishedAge)
    if let request = inProgress[id] {
      guard request.fingerprint == fingerprint else { return .idReused }
      guard !request.clients.contains(client) else { return .attached([]) }
      inProgress[id]?.clients.append(client)
      load[client, default: 0] += 1
      return .attached(request.kept)
    }
    if let request = finished[id] {
      return request.fingerprint == fingerprint ? .done(request.replies) : .idReused
    }
    guard !forgotten.contains(id) else { return .outcomeUnknown }
    guard load[client, default: 0] < limits.requestsPerClient, inProgress.count < limits.requests
    else { return .busy }
    inProgress[id] = InProgress(fingerprint: fingerprint, clients: [client])
    load[client, default: 0] += 1
    return .new
  }

  /// The number of the next reply to a request, counted from 1; nil when it is not under way.
  mutating func nextReply(to id: RequestID) -> UInt32? {
    inProgress[id]?.replies += 1
    return inProgress[id]?.replies
  }

  /// Who gets a progress reply.
  /// - Parameter isKept: a retry after the end needs it again.
  mutating func progressed(_ id: RequestID, _ reply: ReplyParts, isKept: Bool) -> [Client] {
    if isKept { inProgress[id]?.kept.append(reply.copied) }
    return inProgress[id]?.clients ?? []
  }

  /// Ends a request and remembers its answer; returns who gets it.
  /// - Parameter isRemembered: false for requests that may as well be done again.
  mutating func finish(
    _ id: RequestID,
    _ reply: ReplyParts,
    isRemembered: Bool,
    at now: MonotonicTime
  ) -> [Client] {
    guard let request = inProgress.removeValue(forKey: id) else { return [] }
    for client in request.clients { release(client) }
    if isRemembered {
      let replies = request.kept + [reply]
      let byteCount = replies.reduce(0) { $0 + $1.byteCount }
      finished[id] = Finished(
        fingerprint: request.fingerprint,
        replies: replies,
        byteCount: byteCount,
        at: now
      )
      finishedOrder.append(id)
      finishedByteCount += byteCount
      while finishedOrder.count > limits.finished || finishedByteCount > limits.finishedByteCount {
        forgetOldest()
      }
    }
    return request.clients
  }

  private mutating func release(_ client: Client) {
    guard let count = load[client] else { return }
    load[client] = count > 1 ? count - 1 : nil
  }

  private mutating func forget(before moment: MonotonicTime) {
    while let oldest = finishedOrder.first, let entry = finished[oldest], entry.at < moment {
      forgetOldest()
    }
  }

  private mutating func forgetOldest() {
    let id = finishedOrder.removeFirst()
    if let entry = finished.removeValue(forKey: id) { finishedByteCount -= entry.byteCount }
    forgotten.insert(id)
    forgottenOrder.append(id)
    if forgottenOrder.count > limits.forgotten { forgotten.remove(forgottenOrder.removeFirst()) }
  }
}
