import CameraProtocol
import DequeModule
import Digest
import OperatingSystem

/// What finished requests were answered, kept for those who ask again: bounded in number, bytes and
/// age; the oldest goes first. Pure.
struct AnswerLog {
  struct Limits: Sendable {
    var count: Int
    var byteCount: Int
    var age: Duration
  }

  struct Answer {
    var id: RequestID
    var fingerprint: SHA256Digest
    var replies: [ReplyParts]
    /// When nobody waits for it any more.
    var awaitedUntil: MonotonicTime
    /// When it was given.
    var given: MonotonicTime

    fileprivate var byteCount: Int { replies.reduce(0) { $0 + $1.byteCount } }
  }

  private let limits: Limits
  private var answers: [RequestID: Answer] = [:]
  private var order: Deque<RequestID> = []
  private var byteCount = 0

  init(_ limits: Limits) {
    self.limits = limits
  }

  subscript(id: RequestID) -> Answer? { answers[id] }

  /// When the oldest one is too old; nil when there is none.
  var nextExpiry: MonotonicTime? {
    order.first.flatMap { answers[$0] }.map { $0.given + limits.age }
  }

  /// Somebody asked for it again, and waits.
  mutating func await(_ id: RequestID, until deadline: MonotonicTime) {
    guard let answer = answers[id] else { return }
    answers[id]?.awaitedUntil = max(answer.awaitedUntil, deadline)
  }

  /// Keeps an answer, if it is not too large; returns those that had to go.
  mutating func append(_ answer: Answer) -> [Answer] {
    answers[answer.id] = answer
    order.append(answer.id)
    byteCount += answer.byteCount
    var gone: [Answer] = []
    while order.count > limits.count || byteCount > limits.byteCount { gone.append(removeOldest()) }
    return gone
  }

  /// Lets go of what is too old, and returns it.
  mutating func expire(at now: MonotonicTime) -> [Answer] {
    var gone: [Answer] = []
    while let expiry = nextExpiry, expiry <= now { gone.append(removeOldest()) }
    return gone
  }

  private mutating func removeOldest() -> Answer {
    guard let answer = answers.removeValue(forKey: order.removeFirst()) else {
      preconditionFailure("an answer is listed and not there")
    }
    byteCount -= answer.byteCount
    return answer
  }
}
