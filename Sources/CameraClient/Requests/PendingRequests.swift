package import CameraProtocol
package import OperatingSystem

/// The requests that wait for answers: when each is sent, repeated and failed. Pure.
///
/// A connection begins with a probe, whose answer has the node's epoch. Requests are sent after
/// that: new ones, and those of the last connection again under their old ids. A repetition that
/// changes something names the epoch that it was first sent to. A node that restarted refuses it,
/// because it cannot know whether it was done already.
///
/// A connection that brings nothing while requests wait is probed, and replaced if that brings
/// nothing either. Any reply counts as a sign of life, because a large one on a slow link delays
/// the others. A large reply begins again with each connection, so the patience doubles until a
/// request gets something.
package struct PendingRequests {
  /// Whether a request may be sent again on a new connection.
  package enum Resending: Sendable {
    /// To any start of the node, because it only reads, or does the same when it is done twice.
    case reading
    /// To the same start of the node only. Another start answers that the outcome is unknown.
    case changing
    /// Never, because its replies cannot come twice. It fails with the connection.
    case never
  }

  /// How a request waits.
  package struct Rule: Sendable {
    package var timeout: Duration
    package var resending: Resending
    /// How long to wait from each reply for the next one: the node may take its time. Nil to wait
    /// no longer for that.
    package var stepTimeout: Duration?

    /// The most that a request may say it waits.
    package static let longest = Duration.nanoseconds(WireLimits.wait)

    package init(timeout: Duration, resending: Resending, stepTimeout: Duration? = nil) {
      self.timeout = timeout
      self.resending = resending
      self.stepTimeout = stepTimeout
    }
  }

  package enum Action: Hashable {
    /// Ask for the node's epoch.
    case probe
    /// Replace the connection, which is dead.
    case reconnect
    /// Send the request, which has this long left. A repetition may be for one start of the node
    /// only.
    case send(RequestID, remaining: Duration, only: Epoch?)
    case fail(RequestID, Failure)
  }

  package enum Failure: Hashable {
    case unreachable
    /// The node is there, and has not answered.
    /// - Parameter mayBeDone: Whether it may have changed what it was asked to change.
    case timedOut(Duration, mayBeDone: Bool)
    /// It was sent, and then the connection broke and did not come back.
    case outcomeUnknown
  }

  private enum Connection {
    case absent
    case probing
    case open(Epoch)
  }

  private struct Entry {
    let rule: Rule
    var deadline: MonotonicTime
    /// When it fails for lack of a connection.
    var unreachableAt: MonotonicTime?
    /// When it is sent once more, unless a reply comes first.
    var repeatAt: MonotonicTime?
    /// The start of the node that it was first sent to.
    var epoch: Epoch?
    var lastIndex: UInt32 = 0

    /// The end of the time that the node is told.
    var statedEnd: MonotonicTime { deadline - grace }

    /// What a repetition names; nil in the first sending.
    var repetitionEpoch: Epoch? { mayBeDone ? epoch : nil }

    /// Whether it was sent, and changes something.
    var mayBeDone: Bool { rule.resending == .changing && epoch != nil }

    var nextDeadline: MonotonicTime {
      min(deadline, unreachableAt ?? deadline, repeatAt ?? deadline)
    }
  }

  /// A request waits this much longer than the time that it states, so that the node's own answer
  /// comes first, which says what was done.
  package static let grace = Duration.milliseconds(300)
  /// How long a connection may bring nothing before it is probed, and again before it is replaced.
  private static let patience = (first: Duration.milliseconds(1500), longest: Duration.seconds(15))

  private let connectTimeout: Duration
  private var connection = Connection.absent
  private var entries: [RequestID: Entry] = [:]
  /// In the order in which they were made and are sent.
  private var order: [RequestID] = []
  /// When the last reply came, or the first request after none.
  private var quietSince = MonotonicTime(nanoseconds: 0)
  /// Whether the connection was probed since then.
  private var isProbed = false
  private var patience = PendingRequests.patience.first

  package init(connectTimeout: Duration) {
    self.connectTimeout = connectTimeout
  }

  package var isEmpty: Bool { entries.isEmpty }

  /// Whether there is a connection whose epoch is not known yet.
  package var isProbing: Bool { if case .probing = connection { true } else { false } }

  // MARK: Requests

  package mutating func add(_ id: RequestID, _ rule: Rule, at now: MonotonicTime) -> [Action] {
    if entries.isEmpty { heard(at: now) }
    entries[id] = Entry(rule: rule, deadline: now + rule.timeout + Self.grace)
    order.append(id)
    switch connection {
    case .absent: entries[id]?.unreachableAt = now + connectTimeout
    case .probing: break
    case .open(let epoch): return [send(id, to: epoch, at: now)].compactMap(\.self)
    }
    return []
  }

  package mutating func remove(_ id: RequestID) {
    entries[id] = nil
    order.removeAll { $0 == id }
  }

  /// Takes a reply. A final one ends its request.
  /// - Returns: Whether a request waits for it and did not get it before.
  package mutating func accept(
    _ id: RequestID,
    index: UInt32,
    isFinal: Bool,
    at now: MonotonicTime
  ) -> Bool {
    guard var entry = entries[id], isFinal || index > entry.lastIndex else { return false }
    patience = Self.patience.first
    if isFinal {
      remove(id)
      return true
    }
    entry.lastIndex = index
    entry.repeatAt = nil
    if let timeout = entry.rule.stepTimeout { entry.deadline = now + timeout + Self.grace }
    entries[id] = entry
    return true
  }

  // MARK: The connection

  package mutating func connected(at now: MonotonicTime) -> [Action] {
    connection = .probing
    heard(at: now)
    for id in order { entries[id]?.unreachableAt = nil }
    return [.probe]
  }

  /// The probe was answered by this start of the node.
  package mutating func opened(_ epoch: Epoch, at now: MonotonicTime) -> [Action] {
    guard case .probing = connection else { return [] }
    connection = .open(epoch)
    return order.compactMap { id in
      send(id, to: epoch, at: now)
    }
  }

  /// Some reply came.
  package mutating func heard(at now: MonotonicTime) {
    quietSince = now
    isProbed = false
  }

  package mutating func disconnected(at now: MonotonicTime) -> [Action] {
    // A failed attempt does not extend the wait for a connection.
    if case .absent = connection { return [] }
    connection = .absent
    return order.compactMap { id in
      guard let entry = entries[id] else { return nil }
      if entry.rule.resending == .never, entry.epoch != nil {
        remove(id)
        return .fail(id, .unreachable)
      }
      entries[id]?.repeatAt = nil
      // A request that may have been done waits for its outcome to the end.
      entries[id]?.unreachableAt = entry.mayBeDone ? entry.deadline : now + connectTimeout
      return nil
    }
  }

  /// The node does not let this program in, which waiting does not change.
  package mutating func refused() -> [Action] {
    order.compactMap { id in
      guard let entry = entries[id] else { return nil }
      remove(id)
      return .fail(id, entry.mayBeDone ? .outcomeUnknown : .unreachable)
    }
  }

  // MARK: Time

  /// When to call `expire` next.
  package var nextDeadline: MonotonicTime? {
    entries.values.reduce(lifeDeadline) { earliest, entry in
      min(earliest ?? entry.nextDeadline, entry.nextDeadline)
    }
  }

  /// When the connection is probed or replaced.
  private var lifeDeadline: MonotonicTime? {
    if entries.isEmpty { return nil }
    if case .absent = connection { return nil }
    return quietSince + patience + (isProbed ? patience : .zero)
  }

  package mutating func expire(at now: MonotonicTime) -> [Action] {
    expireRequests(at: now) + expireConnection(at: now)
  }

  private mutating func expireConnection(at now: MonotonicTime) -> [Action] {
    guard let lifeDeadline, lifeDeadline <= now else { return [] }
    guard isProbed else {
      isProbed = true
      return [.probe]
    }
    patience = min(patience + patience, Self.patience.longest)
    return disconnected(at: now) + [.reconnect]
  }

  private mutating func expireRequests(at now: MonotonicTime) -> [Action] {
    order.compactMap { id in
      guard let entry = entries[id], entry.nextDeadline <= now else { return nil }
      if entry.deadline <= now {
        remove(id)
        // Without a connection, more time would not have helped.
        guard entry.unreachableAt != nil else {
          return .fail(id, .timedOut(entry.rule.timeout, mayBeDone: entry.mayBeDone))
        }
        return .fail(id, entry.mayBeDone ? .outcomeUnknown : .unreachable)
      }
      if let moment = entry.unreachableAt, moment <= now {
        remove(id)
        return .fail(id, .unreachable)
      }
      entries[id]?.repeatAt = nil
      return .send(id, remaining: entry.statedEnd - now, only: entry.repetitionEpoch)
    }
  }

  private mutating func send(_ id: RequestID, to epoch: Epoch, at now: MonotonicTime) -> Action? {
    guard var entry = entries[id] else { return nil }
    // Its replies take as long as the client takes them.
    let remaining = entry.rule.resending == .never ? Rule.longest : entry.statedEnd - now
    let only = entry.repetitionEpoch
    entry.epoch = entry.epoch ?? epoch
    // The second half of the time is for the answer to a repetition. A download's chunks cannot
    // come twice.
    if entry.rule.resending != .never { entry.repeatAt = now.halfway(to: entry.statedEnd) }
    entries[id] = entry
    return .send(id, remaining: remaining, only: only)
  }
}

extension MonotonicTime {
  fileprivate func halfway(to later: MonotonicTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds + (later.nanoseconds - nanoseconds) / 2)
  }
}
