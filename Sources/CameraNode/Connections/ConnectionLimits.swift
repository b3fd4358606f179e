/// One of the node's sockets.
struct WatchedEndpoint: Hashable, Sendable {
  enum Kind: CaseIterable {
    case control, events, frames
  }

  static let control = WatchedEndpoint(kind: .control)
  static let events = WatchedEndpoint(kind: .events)
  static let frames = WatchedEndpoint(kind: .frames)

  /// The sockets of a kind share its places.
  let kind: Kind
  /// Distinguishes the sockets of keys that are limited to some cameras.
  var number = 0
}

/// How much of the node's memory and descriptors its connections may take.
struct ConnectionLimits: Sendable {
  /// How long a new connection may take for the handshake.
  static let handshakeTimeout = Duration.seconds(10)
  /// How many connections of a machine begin at one of the publishing endpoints within a second,
  /// and how many at once. When one ends, libzmq looks through the subscriptions of all. A
  /// subscriber loses nothing by a connection that is refused: the next one has its subscriptions
  /// too.
  static let rate = 50.0
  static let burst = 64.0
  /// What the system may receive before libzmq takes it. Requests and subscriptions are small.
  static let receiveBufferSize = 32 << 10

  /// The most connections of one endpoint.
  var connections = 256
  /// The most of one endpoint with those that have ended and that libzmq has not closed yet.
  var descriptors = 320
  /// The most bytes that wait in libzmq for all connections. A part without bytes takes two on the
  /// wire and 64 in memory, so they can take 32 times as much.
  var unreadByteCountOfAll = 2 << 20

  /// The most bytes that wait in libzmq for one connection: the largest request, or all
  /// subscriptions that one may have.
  func unreadByteCount(_ endpoint: WatchedEndpoint) -> Int {
    endpoint.kind == .control ? (1 << 20) + (1 << 19) : 32 << 10
  }

  /// The most bytes that wait in libzmq for all connections of a socket, if some of them have sent
  /// much. libzmq keeps subscriptions until the node has read them, also those of connections that
  /// have ended, and one of three bytes takes 50 times as much memory.
  func unreadByteCountOfAll(_ endpoint: WatchedEndpoint) -> Int {
    endpoint.kind == .control ? unreadByteCountOfAll : 128 << 10
  }
}

extension ConnectionLimits {
  /// Shares out the descriptors of the process.
  /// - Parameters:
  ///   - descriptors: How many may be open.
  ///   - used: How many are open before the cameras start.
  ///   - cameras: The number of cameras, which open some each.
  init(descriptors: Int, used: Int, cameras: Int) {
    // For photos, movies, downloads and the library.
    let reserve = 96 + 8 * cameras
    let share = (descriptors - used - reserve) / WatchedEndpoint.Kind.allCases.count
    connections = min(256, max(8, share * 4 / 5))
    self.descriptors = max(10, share)
  }
}
