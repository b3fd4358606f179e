import CameraProtocol
import DequeModule
import Digest
import OperatingSystem

/// The answers to finished requests, kept for clients that ask again. Pure.
///
/// Bounded in number, bytes and age. The oldest answer is removed first.
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
    /// After this moment no client waits for the answer.
    var awaitedUntil: MonotonicTime
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

  /// When the oldest answer becomes too old; nil when there is none.
  var nextExpiry: MonotonicTime? {
    order.first.flatMap { answers[$0] }.map { $0.given + limits.age }
  }

  /// A client has asked for the answer again, and waits for it until `deadline`.
  mutating func await(_ id: RequestID, until deadline: MonotonicTime) {
    guard let answer = answers[id] else { return }
    answers[id]?.awaitedUntil = max(answer.awaitedUntil, deadline)
  }

  /// Adds an answer, and returns the answers that were removed to make room: this one too if it
  /// alone is too large.
  mutating func append(_ answer: Answer) -> [Answer] {
    answers[answer.id] = answer
    order.append(answer.id)
    byteCount += answer.byteCount
    var gone: [Answer] = []
    while order.count > limits.count || byteCount > limits.byteCount { gone.append(removeOldest()) }
    return gone
  }

  /// Removes the answers that are too old, and returns them.
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
