import CZeroMQ

/// The role of a socket as a type. This module defines all roles.
public protocol SocketRole: Sendable {
  /// The role as a value.
  static var pattern: SocketPattern { get }
}

/// A role that sends.
public protocol SendingRole: SocketRole {}

/// A role that receives.
public protocol ReceivingRole: SocketRole {}

/// Publishes to all subscribers, and drops messages for which a slow subscriber has no room.
public enum Pub: SendingRole {
  /// The pattern of PUB sockets.
  public static var pattern: SocketPattern { .pub }
}

/// Receives the messages it subscribed to.
public enum Sub: ReceivingRole {
  /// The pattern of SUB sockets.
  public static var pattern: SocketPattern { .sub }
}

/// Publishes, and receives subscriptions: see ``Subscription``.
public enum XPub: SendingRole, ReceivingRole {
  /// The pattern of XPUB sockets.
  public static var pattern: SocketPattern { .xpub }
}

/// Receives messages, and subscribes by sending a ``Subscription``.
public enum XSub: SendingRole, ReceivingRole {
  /// The pattern of XSUB sockets.
  public static var pattern: SocketPattern { .xsub }
}

/// Talks to many peers. The first part of every message is the peer's routing ID. A message to a
/// peer that is not connected fails with `peerUnreachable`.
public enum Router: SendingRole, ReceivingRole {
  /// The pattern of ROUTER sockets.
  public static var pattern: SocketPattern { .router }
}

/// Sends to its peers in turn and receives from all of them. It is the asynchronous client of a
/// router.
public enum Dealer: SendingRole, ReceivingRole {
  /// The pattern of DEALER sockets.
  public static var pattern: SocketPattern { .dealer }
}

/// Talks to exactly one peer.
public enum Pair: SendingRole, ReceivingRole {
  /// The pattern of PAIR sockets.
  public static var pattern: SocketPattern { .pair }
}

/// Exchanges bytes with peers that do not speak ZeroMQ's protocol, over tcp. A message has two
/// parts: the connection's routing ID, and bytes. One without bytes tells that the connection was
/// made or has ended.
public enum Stream: SendingRole, ReceivingRole {
  /// The pattern of STREAM sockets.
  public static var pattern: SocketPattern { .stream }
}

/// The kinds of ZeroMQ sockets that this module knows.
public enum SocketPattern: Hashable, Sendable {
  /// One to many, by subscription.
  case pub, sub, xpub, xsub
  /// Requests and replies, without alternating strictly.
  case router, dealer
  /// One to one.
  case pair
  /// Bytes without ZeroMQ's protocol.
  case stream

  var type: Int32 {
    switch self {
    case .pub: ZMQ_PUB
    case .sub: ZMQ_SUB
    case .xpub: ZMQ_XPUB
    case .xsub: ZMQ_XSUB
    case .router: ZMQ_ROUTER
    case .dealer: ZMQ_DEALER
    case .pair: ZMQ_PAIR
    case .stream: ZMQ_STREAM
    }
  }
}
