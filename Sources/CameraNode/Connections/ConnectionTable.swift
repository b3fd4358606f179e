/// Decides which of a node's connections must end, so that no client takes the memory and the
/// descriptors of others. Pure.
///
/// libzmq bounds the messages that wait for the node, but not the parts of a message that has not
/// ended: it hands them over together with the last part. So the table compares what libzmq has
/// received over a connection with what the node has read of it. The difference waits in libzmq.
///
/// Each endpoint announces its connections by itself, so the end of one may become known after the
/// begin of another that has got its descriptor at another endpoint. An announcement therefore
/// counts for a descriptor at one endpoint.
struct ConnectionTable<Connection: WatchedConnection>: Sendable {
  private struct Place: Hashable {
    let descriptor: Int32
    let endpoint: WatchedEndpoint
  }

  private struct Entry {
    let connection: Connection
    let endpoint: WatchedEndpoint
    /// The peer's machine or process.
    let origin: String
    /// Whether the node has ended it. It keeps its descriptor until libzmq closes that.
    var isEnding = false
    /// Whether the node has read a message. Until then the handshake may be unfinished.
    var hasSpoken = false
    /// The user id that came with it.
    var user: String?
    /// The bytes that libzmq has received.
    var received: UInt64 = 0
    /// When `received` was measured, as a moment of the table.
    var measured: UInt64 = 0
    /// At least this many of the bytes were read by the node.
    var read: UInt64 = 0

    var unreadByteCount: Int {
      isEnding ? 0 : Int(clamping: received - min(read, received))
    }
  }

  private let limits: ConnectionLimits
  /// By number. The numbers give the order in which the connections began.
  private var entries: [UInt64: Entry] = [:]
  private var numbers: [Place: UInt64] = [:]
  /// The endpoints that have had connections.
  private var endpoints: Set<WatchedEndpoint> = []
  /// What the node has read of connections that are not announced yet.
  private var early: [Place: (connection: Connection, user: String?, byteCount: UInt64)] = [:]
  private var lastNumber: UInt64 = 0
  /// Counts the measurements, so that they have an order.
  private var moment: UInt64 = 1
  /// When the node had last read every whole message of an endpoint.
  private var drained: [WatchedEndpoint: UInt64] = [:]

  init(limits: ConnectionLimits) {
    self.limits = limits
  }

  /// The connections that may have the descriptor, with their numbers. One of them has it.
  func connections(on descriptor: Int32) -> [(UInt64, Connection)] {
    endpoints.compactMap { endpoint in
      numbers[Place(descriptor: descriptor, endpoint: endpoint)].flatMap { number in
        entries[number].map { (number, $0.connection) }
      }
    }
  }

  func connections(at endpoint: WatchedEndpoint) -> [Connection] {
    entries.values.filter { $0.endpoint == endpoint }.map(\.connection)
  }

  /// The connections of a user, and those that may be, because their peers have said nothing yet.
  /// Another user's peer loses nothing by that: libzmq connects it again.
  func connections(of user: String) -> [Connection] {
    entries.values.filter { $0.user == user || !$0.hasSpoken }.map(\.connection)
  }

  // MARK: Begin and end

  /// Whether the connection was announced. The late event of one that had its descriptor announces
  /// it too.
  func knows(_ connection: Connection, at endpoint: WatchedEndpoint) -> Bool {
    let number = numbers[Place(descriptor: connection.descriptor, endpoint: endpoint)]
    return number.flatMap { entries[$0] }?.connection == connection
  }

  /// - Parameter origin: The peer's machine or process.
  /// - Returns: The connection's number.
  @discardableResult
  mutating func opened(
    _ connection: Connection, at endpoint: WatchedEndpoint, from origin: String
  ) -> UInt64 {
    let place = Place(descriptor: connection.descriptor, endpoint: endpoint)
    endpoints.insert(endpoint)
    lastNumber += 1
    var entry = Entry(connection: connection, endpoint: endpoint, origin: origin)
    if let early = early.removeValue(forKey: place), early.connection == connection {
      entry.hasSpoken = true
      entry.user = early.user
      entry.read = early.byteCount
    }
    entries[lastNumber] = entry
    if let former = numbers.updateValue(lastNumber, forKey: place) { entries[former] = nil }
    return lastNumber
  }

  /// - Returns: The connection; nil if the table has it no more.
  @discardableResult
  mutating func closed(_ descriptor: Int32, at endpoint: WatchedEndpoint) -> Connection? {
    let place = Place(descriptor: descriptor, endpoint: endpoint)
    return numbers.removeValue(forKey: place).flatMap {
      entries.removeValue(forKey: $0)?.connection
    }
  }

  /// Chooses the connection to end if an endpoint has too many.
  ///
  /// Peers that have said nothing get a quarter of the places. If they have more, the oldest must
  /// go: a peer that works needs milliseconds until its first message. Otherwise one of the machine
  /// with the most connections must go, if these are more than a sixteenth of the places: a process
  /// with a few may be honest, while an attacker has hundreds of processes. If not, one of all must
  /// go. The newest quarter takes turns, so that a newcomer is served for a while however many
  /// there are; those before it stay.
  mutating func excess(at endpoint: WatchedEndpoint) -> Connection? {
    let all = entries.filter { $0.value.endpoint.kind == endpoint.kind }
    let left = all.filter { !$0.value.isEnding }
    // libzmq keeps the descriptor of a connection that has ended until the node has read what came
    // over it before. It closes the newest at once, whose handshake is not over.
    if all.count > limits.descriptors { return left.keys.max().flatMap { end($0) } }
    guard left.count > limits.connections else { return nil }
    let silent = left.filter { !$0.value.hasSpoken }
    if silent.count > limits.connections / 4, let oldest = silent.keys.min() { return end(oldest) }
    let counts = left.values.reduce(into: [:]) { $0[$1.origin, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    let isGreedy = most > limits.connections / 16
    let greediest = left.filter { !isGreedy || counts[$0.value.origin] == most }.keys.sorted()
    guard !greediest.isEmpty else { return nil }
    return end(greediest[max(0, greediest.count - limits.connections / 4)])
  }

  private mutating func end(_ number: UInt64) -> Connection? {
    entries[number]?.isEnding = true
    return entries[number]?.connection
  }

  // MARK: What waits in libzmq

  /// The node has read a message of this many bytes on the wire.
  /// - Returns: How many bytes of the connection it has read.
  @discardableResult
  mutating func read(
    _ byteCount: Int, of connection: Connection, _ user: String? = nil,
    at endpoint: WatchedEndpoint
  ) -> UInt64 {
    let place = Place(descriptor: connection.descriptor, endpoint: endpoint)
    guard let number = numbers[place], var entry = entries[number], entry.connection == connection
    else {
      let before = early[place].flatMap { $0.connection == connection ? $0.byteCount : nil }
      let all = (before ?? 0) + UInt64(byteCount)
      early[place] = (connection, user, all)
      return all
    }
    entry.hasSpoken = true
    entry.user = user ?? entry.user
    entry.read += UInt64(byteCount)
    // The message was not whole when the node had read everything, so it ends behind all that had
    // been received before. This corrects what does not count as messages, such as pings.
    if drained[endpoint, default: 0] > entry.measured {
      entry.read = max(entry.read, entry.received)
    }
    entries[number] = entry
    return entry.read
  }

  /// The endpoint's socket was closed.
  mutating func forget(_ endpoint: WatchedEndpoint) {
    endpoints.remove(endpoint)
    drained[endpoint] = nil
  }

  /// The node has read every whole message.
  mutating func hasRead(all endpoint: WatchedEndpoint) {
    drained[endpoint] = moment
  }

  /// - Parameter byteCount: What libzmq has received over the connection since it began.
  mutating func received(_ byteCount: UInt64, over number: UInt64) {
    guard var entry = entries[number], !entry.isEnding else { return }
    entry.received = byteCount
    entry.measured = moment
    entry.read = min(entry.read, byteCount)
    entries[number] = entry
  }

  /// Chooses the connections to end because too much waits in libzmq. Call it after `received`.
  mutating func greedy() -> [Connection] {
    moment += 1
    let tooMuch = entries.filter {
      $0.value.unreadByteCount > limits.unreadByteCount($0.value.endpoint)
    }
    var ended = tooMuch.keys.compactMap { end($0) }
    var total = entries.values.reduce(0) { $0 + $1.unreadByteCount }
    while total > limits.unreadByteCountOfAll,
      let most = entries.max(by: { $0.value.unreadByteCount < $1.value.unreadByteCount })
    {
      total -= most.value.unreadByteCount
      if let connection = end(most.key) { ended.append(connection) }
    }
    return ended
  }
}
