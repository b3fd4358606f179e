import CZeroMQ

/// What a socket is for, as a type: the roles of this module and no others.
public protocol SocketRole: Sendable {
  /// The same as a value.
  static var pattern: SocketPattern { get }
}

/// A role that sends.
public protocol SendingRole: SocketRole {}

/// A role that receives.
public protocol ReceivingRole: SocketRole {}

/// Publishes to all subscribers; drops what a slow one has no room for.
public enum Pub: SendingRole {
  /// PUB.
  public static var pattern: SocketPattern { .pub }
}

/// Receives what it subscribed to.
public enum Sub: ReceivingRole {
  /// SUB.
  public static var pattern: SocketPattern { .sub }
}

/// Publishes, and receives its subscribers' subscriptions: see ``Subscription``.
public enum XPub: SendingRole, ReceivingRole {
  /// XPUB.
  public static var pattern: SocketPattern { .xpub }
}

/// Receives what it subscribed to by sending a ``Subscription``.
public enum XSub: SendingRole, ReceivingRole {
  /// XSUB.
  public static var pattern: SocketPattern { .xsub }
}

/// Talks to many peers: the first part of every message is the peer's routing ID. A message to a peer that is not
/// there fails with `peerUnreachable`.
public enum Router: SendingRole, ReceivingRole {
  /// ROUTER.
  public static var pattern: SocketPattern { .router }
}

/// Sends to its peers in turn and receives from all: the asynchronous client of a router.
public enum Dealer: SendingRole, ReceivingRole {
  /// DEALER.
  public static var pattern: SocketPattern { .dealer }
}

/// Talks to exactly one peer.
public enum Pair: SendingRole, ReceivingRole {
  /// PAIR.
  public static var pattern: SocketPattern { .pair }
}

/// The kinds of ZeroMQ sockets that this module knows.
public enum SocketPattern: Hashable, Sendable {
  /// One to many, by subscription.
  case pub, sub, xpub, xsub
  /// Requests and replies, without lock step.
  case router, dealer
  /// One to one.
  case pair

  var type: Int32 {
    switch self {
    case .pub: ZMQ_PUB
    case .sub: ZMQ_SUB
    case .xpub: ZMQ_XPUB
    case .xsub: ZMQ_XSUB
    case .router: ZMQ_ROUTER
    case .dealer: ZMQ_DEALER
    case .pair: ZMQ_PAIR
    }
  }
}
