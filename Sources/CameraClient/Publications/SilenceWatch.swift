import OperatingSystem

/// How long a subscription has heard nothing, and what follows from that. Pure.
///
/// ZeroMQ does not notice a connection that died without a word, but a node sends a heartbeat every
/// second.
struct SilenceWatch {
  enum Action: Hashable {
    /// The subscription never reached the node.
    case giveUp
    /// Report that nothing has been heard for three seconds.
    case reportSilence
    /// Replace the connection, which may be dead.
    case reconnect
  }

  /// After this long without a message the node counts as gone.
  private static let limit = Duration.seconds(3)
  /// For the last part of that time the program must have run and listened: while it was stopped,
  /// libzmq could not read what has arrived.
  private static let listening = Duration.seconds(1)
  /// The longest that a connection may bring nothing before it is replaced. The wait starts at
  /// `limit` and doubles each time, because a large frame takes its time on a slow link.
  private static let longestPatience = Duration.seconds(30)

  /// How long the first connection may take.
  private let timeout: Duration
  private var opened: MonotonicTime
  /// The last message or connection; nil before the first connection.
  private var lastSign: MonotonicTime?
  /// Whether a silence was reported and lasts.
  private(set) var isReported = false
  /// When the program began to listen for the last part of the time.
  private var listeningSince: MonotonicTime?
  private var patience = limit

  init(timeout: Duration, at now: MonotonicTime) {
    self.timeout = timeout
    opened = now
  }

  /// A connection is being made.
  mutating func connecting(at now: MonotonicTime) {
    opened = now
  }

  /// A message came, or a connection was made.
  /// - Returns: Whether the deadline moved to an earlier moment. Otherwise a timer for the old one
  ///   may run on.
  mutating func hear(at now: MonotonicTime) -> Bool {
    let isFirst = lastSign == nil
    lastSign = now
    listeningSince = nil
    guard isReported || isFirst else { return false }
    isReported = false
    return true
  }

  /// When ``expire(at:isConnected:)`` has something to do unless a message comes; nil when it has
  /// nothing.
  func deadline(isConnected: Bool) -> MonotonicTime? {
    guard let lastSign else { return opened + timeout }
    if !isReported {
      return listeningSince.map { $0 + Self.listening } ?? lastSign + Self.limit - Self.listening
    }
    // Without a connection, libzmq goes on trying to make one by itself.
    return isConnected ? lastSign + patience : nil
  }

  mutating func expire(at now: MonotonicTime, isConnected: Bool) -> [Action] {
    guard let deadline = deadline(isConnected: isConnected), deadline <= now else { return [] }
    guard let lastSign else { return [.giveUp] }
    var actions: [Action] = []
    if !isReported {
      guard listeningSince != nil else {
        listeningSince = now
        return []
      }
      isReported = true
      actions.append(.reportSilence)
    }
    if isConnected, lastSign + patience <= now {
      patience = min(patience * 2, Self.longestPatience)
      actions.append(.reconnect)
    }
    return actions
  }
}
