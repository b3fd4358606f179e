import CameraProtocol
import ZeroMQ

/// Counts the subscriptions of each prefix. Pure.
///
/// libzmq passes on all that a peer sends, also a subscription that it repeats and the end of one
/// that it never had. So the table keeps what each connection has subscribed to.
struct SubscriptionTable<Connection: Hashable & Sendable>: Equatable, Sendable {
  struct Limits: Equatable, Sendable {
    /// The most of one connection.
    var perConnection = 128
    /// The most of all connections together.
    var total = 4096
  }

  private let limits: Limits
  /// What each connection has subscribed to, with numbers that give the order.
  private var prefixes: [Connection: [[UInt8]: UInt64]] = [:]
  /// The cameras that a connection is limited to.
  private var cameras: [Connection: Set<String>] = [:]
  private var lastNumber: UInt64 = 0
  /// The number of all subscriptions.
  private var total = 0

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// - Parameter cameras: The cameras that the connection is limited to; nil for all.
  /// - Returns: The connection to end because there are too many subscriptions: the one that has
  ///   the most. Its subscriptions are removed.
  mutating func apply(
    _ change: Subscription, of connection: Connection, for cameras: Set<String>? = nil
  ) -> Connection? {
    if change.isBeginning {
      guard prefixes[connection]?[change.prefix] == nil else { return nil }
      lastNumber += 1
      prefixes[connection, default: [:]][change.prefix] = lastNumber
      self.cameras[connection] = cameras
      total += 1
      return excess(of: connection)
    } else {
      guard prefixes[connection]?.removeValue(forKey: change.prefix) != nil else { return nil }
      total -= 1
      if prefixes[connection]?.isEmpty == true { remove(connection) }
      return nil
    }
  }

  /// Removes the connections that have ended.
  /// - Returns: Whether there were any.
  mutating func removeConnections(where hasEnded: (Connection) -> Bool) -> Bool {
    let ended = prefixes.keys.filter(hasEnded)
    for connection in ended { remove(connection) }
    return !ended.isEmpty
  }

  private mutating func excess(of connection: Connection) -> Connection? {
    let greediest =
      if prefixes[connection, default: [:]].count > limits.perConnection {
        connection
      } else if total > limits.total {
        prefixes.max { $0.value.count < $1.value.count }?.key
      } else {
        Connection?.none
      }
    if let greediest { remove(greediest) }
    return greediest
  }

  private mutating func remove(_ connection: Connection) {
    total -= prefixes.removeValue(forKey: connection)?.count ?? 0
    cameras[connection] = nil
  }

  private func isFor(_ connection: Connection, _ camera: String) -> Bool {
    cameras[connection]?.contains(camera) ?? true
  }

  // MARK: Topics

  /// The number of subscriptions that match `topic`.
  /// - Parameter camera: The camera that it is about.
  func subscribers(of topic: String, camera: String = "") -> Int {
    let topic = Array(topic.utf8)
    return prefixes.reduce(0) { sum, entry in
      isFor(entry.key, camera) ? sum + entry.value.keys.count { topic.starts(with: $0) } : sum
    }
  }

  /// The streams of a camera that have subscribers, those first that are to be made if not all can
  /// be: the named ones, then the first size of each connection, then the second of each.
  ///
  /// A prefix that is shorter than a stream's name only means `preview`, because a subscription to
  /// everything must not start every encoder.
  func wantedStreams(of camera: String) -> [StreamName] {
    let preview = Topic.frame(camera: camera, stream: .preview).name
    var named: Set<StreamName> = []
    var sizes: [(rank: Int, number: UInt64, name: StreamName)] = []
    for (connection, subscriptions) in prefixes where isFor(connection, camera) {
      var own: [(number: UInt64, name: StreamName)] = []
      for (prefix, number) in subscriptions {
        if case .frame(camera, let stream)? = Topic(parsing: prefix) {
          if stream.isSize { own.append((number, stream)) } else { named.insert(stream) }
        } else if preview.utf8.starts(with: prefix) {
          named.insert(.preview)
        }
      }
      own.sort { $0.number < $1.number }
      sizes += own.enumerated().map { ($0, $1.number, $1.name) }
    }
    sizes.sort { ($0.rank, $0.number) < ($1.rank, $1.number) }
    var seen = named
    return named.sorted { $0.description < $1.description }
      + sizes.map(\.name).filter { seen.insert($0).inserted }
  }
}
