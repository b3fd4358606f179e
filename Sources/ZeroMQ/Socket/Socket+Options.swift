import CZeroMQ

// Options take effect for connections made after they are set, unless they say otherwise. Values beyond what libzmq
// takes are mistakes of the program and end it.

extension Socket {
  /// How long a closed socket, and with it ``Context/close()``, goes on sending what is queued. 100 ms unless set.
  public var linger: Duration {
    get { core.duration(ZMQ_LINGER) }
    set { core.set(ZMQ_LINGER, newValue) }
  }

  /// The longest message part that a peer may send, in bytes; the connection of one who sends more is closed. Nil, the
  /// default, is no limit.
  public var maximumMessageSize: Int? {
    get {
      let size = core.integer(ZMQ_MAXMSGSIZE, as: Int64.self)
      return size < 0 ? nil : Int(size)
    }
    set { core.set(ZMQ_MAXMSGSIZE, newValue.map(Int64.init) ?? -1) }
  }

  /// Whether messages are queued only for peers that are connected, not for those that are still to come.
  public var immediate: Bool {
    get { core.integer(ZMQ_IMMEDIATE, as: Int32.self) != 0 }
    set { core.set(ZMQ_IMMEDIATE, Int32(newValue ? 1 : 0)) }
  }

  /// How long a new connection may take to greet before it is closed; zero is for ever, 30 s the default.
  public var handshakeTimeout: Duration {
    get { core.duration(ZMQ_HANDSHAKE_IVL) }
    set { core.set(ZMQ_HANDSHAKE_IVL, newValue) }
  }

  /// How often to ask an idle peer whether it is there; zero, the default, is never.
  ///
  /// A peer that is in the middle of a large message on a slow link cannot answer: keep parts small, or the timeout long.
  public var heartbeatInterval: Duration {
    get { core.duration(ZMQ_HEARTBEAT_IVL) }
    set { core.set(ZMQ_HEARTBEAT_IVL, newValue) }
  }

  /// How long to wait for the answer before the connection is closed; unless set, the interval.
  public var heartbeatTimeout: Duration {
    get { core.duration(ZMQ_HEARTBEAT_TIMEOUT) }
    set { core.set(ZMQ_HEARTBEAT_TIMEOUT, newValue) }
  }

  /// What the peer is told: how long without a sign from here until it may close the connection. Tenths of seconds count.
  public var heartbeatTimeToLive: Duration {
    get { core.duration(ZMQ_HEARTBEAT_TTL) }
    set { core.set(ZMQ_HEARTBEAT_TTL, newValue) }
  }

  /// How long to wait before connecting again; 100 ms unless set.
  public var reconnectInterval: Duration {
    get { core.duration(ZMQ_RECONNECT_IVL) }
    set { core.set(ZMQ_RECONNECT_IVL, newValue) }
  }

  /// Up to where the wait doubles from one attempt to the next; zero, the default, does not double it.
  public var maximumReconnectInterval: Duration {
    get { core.duration(ZMQ_RECONNECT_IVL_MAX) }
    set { core.set(ZMQ_RECONNECT_IVL_MAX, newValue) }
  }

  /// How long one attempt to connect may take; zero, the default, leaves it to the system.
  public var connectTimeout: Duration {
    get { core.duration(ZMQ_CONNECT_TIMEOUT) }
    set { core.set(ZMQ_CONNECT_TIMEOUT, newValue) }
  }

  /// How long the other machine may leave TCP without an answer until the connection is closed, and tried again where
  /// this side made it; nil, the default, leaves it to the system, which may wait for ever. Whole seconds, at least 2.
  ///
  /// It is the machines that ask and answer here: a peer that is busy, stopped or in the middle of a large message
  /// loses no connection. (tcp(7): keepalive, `TCP_USER_TIMEOUT`.)
  public var lossTimeout: Duration? {
    get {
      let timeout = core.duration(ZMQ_TCP_MAXRT)
      return timeout == .zero ? nil : timeout
    }
    set {
      let seconds = Int32(clamping: (newValue ?? .zero).components.seconds)
      precondition(newValue == nil || seconds >= 2, "machines need two seconds to miss each other")
      core.set(ZMQ_TCP_MAXRT, seconds * 1000)
      core.set(ZMQ_TCP_KEEPALIVE, Int32(newValue == nil ? -1 : 1))
      guard newValue != nil else { return }
      // Asks after half the time without a word, and then once a second.
      core.set(ZMQ_TCP_KEEPALIVE_IDLE, seconds / 2)
      core.set(ZMQ_TCP_KEEPALIVE_INTVL, Int32(1))
      core.set(ZMQ_TCP_KEEPALIVE_CNT, seconds - seconds / 2)
    }
  }

  /// Whether endpoints may be IPv6 addresses and names.
  public var isIPv6Enabled: Bool {
    get { core.integer(ZMQ_IPV6, as: Int32.self) != 0 }
    set { core.set(ZMQ_IPV6, Int32(newValue ? 1 : 0)) }
  }

  /// The kernel's send buffer in bytes for each connection; nil, the default, leaves it to the system.
  public var sendBufferSize: Int? {
    get { core.size(ZMQ_SNDBUF) }
    set { core.set(ZMQ_SNDBUF, Int32(clamping: newValue ?? -1)) }
  }

  /// The kernel's receive buffer in bytes for each connection; nil, the default, leaves it to the system.
  public var receiveBufferSize: Int? {
    get { core.size(ZMQ_RCVBUF) }
    set { core.set(ZMQ_RCVBUF, Int32(clamping: newValue ?? -1)) }
  }
}

extension Socket where Role: SendingRole {
  /// How many messages may wait to be sent to each peer; 0 is no limit, 1000 the default.
  public var sendHighWaterMark: Int {
    get { Int(core.integer(ZMQ_SNDHWM, as: Int32.self)) }
    set { core.set(ZMQ_SNDHWM, Int32(clamping: newValue)) }
  }
}

extension Socket where Role: ReceivingRole {
  /// How many messages of each peer may wait to be received; 0 is no limit, 1000 the default.
  public var receiveHighWaterMark: Int {
    get { Int(core.integer(ZMQ_RCVHWM, as: Int32.self)) }
    set { core.set(ZMQ_RCVHWM, Int32(clamping: newValue)) }
  }
}

extension Socket where Role == Dealer {
  /// What routers call this socket, 1 to 255 bytes of which the first is not 0; empty, the default, lets each choose.
  public var routingID: [UInt8] {
    get { core.bytes(ZMQ_ROUTING_ID, capacity: 255) }
    set { core.set(ZMQ_ROUTING_ID, newValue) }
  }
}

extension Socket where Role == Router {
  /// Sets whether a new peer takes over the routing ID of an older one, whose connection is closed. Otherwise, and by
  /// default, the new one is turned away. libzmq does not tell which is set.
  public func setHandover(_ isOn: Bool) {
    core.set(ZMQ_ROUTER_HANDOVER, Int32(isOn ? 1 : 0))
  }
}
