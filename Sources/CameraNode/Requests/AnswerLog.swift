import CameraProtocol
import DequeModule
import Digest
import OperatingSystem

/// The answers to finished requests, kept for clients that ask again. Pure.
///
/// Bounded in number, bytes and age. When there are too many, the client that has the most loses
/// its oldest, so a client that asks for much pushes out only its own answers.
struct AnswerLog {
  struct Limits: Sendable {
    var count: Int
    var byteCount: Int
    var age: Duration
  }

  struct Answer {
    var id: RequestID
    /// The client that sent the request first.
    var client: Holder
    var fingerprint: SHA256Digest
    var replies: [ReplyParts]
    /// After this moment no client waits for the answer.
    var awaitedUntil: MonotonicTime
    var given: MonotonicTime

    fileprivate var byteCount: Int { replies.reduce(0) { $0 + $1.byteCount } }
  }

  /// The answers of one client.
  private struct Share {
    /// Oldest first.
    var ids: Deque<RequestID> = []
    var byteCount = 0
  }

  private let limits: Limits
  private var answers: [RequestID: Answer] = [:]
  private var order: Deque<RequestID> = []
  private var shares: [Holder: Share] = [:]
  private(set) var byteCount = 0

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
    shares[answer.client, default: Share()].ids.append(answer.id)
    shares[answer.client]?.byteCount += answer.byteCount
    byteCount += answer.byteCount
    var gone: [Answer] = []
    while order.count > limits.count { gone.append(removeOldest(ofLargest: \.ids.count)) }
    while byteCount > limits.byteCount { gone.append(removeOldest(ofLargest: \.byteCount)) }
    return gone
  }

  /// Removes the answers that are too old, and returns them.
  mutating func expire(at now: MonotonicTime) -> [Answer] {
    var gone: [Answer] = []
    while let expiry = nextExpiry, expiry <= now, let oldest = order.first {
      gone.append(remove(oldest))
    }
    return gone
  }

  /// Removes the oldest answer of the client with the largest share. Among equal clients, the one
  /// with the older answer loses it.
  private mutating func removeOldest(ofLargest size: KeyPath<Share, Int>) -> Answer {
    let largest = shares.values.max { left, right in
      let (leftSize, rightSize) = (left[keyPath: size], right[keyPath: size])
      return leftSize == rightSize ? age(of: left) < age(of: right) : leftSize < rightSize
    }
    guard let oldest = largest?.ids.first else {
      preconditionFailure("there are answers, and no client has one")
    }
    return remove(oldest)
  }

  /// Larger for a share whose oldest answer is older.
  private func age(of share: Share) -> Int64 {
    share.ids.first.flatMap { answers[$0] }.map { -$0.given.nanoseconds } ?? .min
  }

  /// - Parameter id: The oldest answer of its client.
  private mutating func remove(_ id: RequestID) -> Answer {
    guard let answer = answers.removeValue(forKey: id), var share = shares[answer.client],
      let position = order.firstIndex(of: id)
    else { preconditionFailure("an answer is listed and not there") }
    order.remove(at: position)
    byteCount -= answer.byteCount
    share.ids.removeFirst()
    share.byteCount -= answer.byteCount
    shares[answer.client] = share.ids.isEmpty ? nil : share
    return answer
  }
}
