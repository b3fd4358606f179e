import CZeroMQ

// An option affects connections made after it is set, unless its description says otherwise. A
// value outside libzmq's range is a programming error and ends the program.

extension Socket {
  /// How long a closed socket still sends its queued messages, which ``Context/close()`` waits for.
  /// The default is 100 ms.
  public var linger: Duration {
    get { core.duration(ZMQ_LINGER) }
    set { core.set(ZMQ_LINGER, newValue) }
  }

  /// The longest message part that a peer may send, in bytes. A peer that sends more is
  /// disconnected. Nil, the default, means no limit.
  public var maximumMessageSize: Int? {
    get {
      let size = core.integer(ZMQ_MAXMSGSIZE, as: Int64.self)
      return size < 0 ? nil : Int(size)
    }
    set { core.set(ZMQ_MAXMSGSIZE, newValue.map(Int64.init) ?? -1) }
  }

  /// Whether messages are queued only for connected peers, and not while a connection is being
  /// made.
  ///
  /// Do not set it where a peer may be hostile: libzmq 4.3.5 aborts the program when the peer
  /// disconnects while a message of many parts is read (`socket_base.cpp`, `hiccuped`).
  public var immediate: Bool {
    get { core.integer(ZMQ_IMMEDIATE, as: Int32.self) != 0 }
    set { core.set(ZMQ_IMMEDIATE, Int32(newValue ? 1 : 0)) }
  }

  /// How long the handshake of a new connection may take. Zero means forever; the default is 30 s.
  public var handshakeTimeout: Duration {
    get { core.duration(ZMQ_HANDSHAKE_IVL) }
    set { core.set(ZMQ_HANDSHAKE_IVL, newValue) }
  }

  /// How often to ping an idle peer. Zero, the default, means never.
  ///
  /// A peer that is receiving a large message over a slow link cannot answer, so keep parts small
  /// or the timeout long.
  public var heartbeatInterval: Duration {
    get { core.duration(ZMQ_HEARTBEAT_IVL) }
    set { core.set(ZMQ_HEARTBEAT_IVL, newValue) }
  }

  /// How long to wait for the answer to a ping before closing the connection. The default is the
  /// interval.
  public var heartbeatTimeout: Duration {
    get { core.duration(ZMQ_HEARTBEAT_TIMEOUT) }
    set { core.set(ZMQ_HEARTBEAT_TIMEOUT, newValue) }
  }

  /// How long the peer may wait for a sign of life from this side before it closes the connection.
  /// The resolution is 0.1 s.
  public var heartbeatTimeToLive: Duration {
    get { core.duration(ZMQ_HEARTBEAT_TTL) }
    set { core.set(ZMQ_HEARTBEAT_TTL, newValue) }
  }

  /// How long to wait before reconnecting. The default is 100 ms.
  public var reconnectInterval: Duration {
    get { core.duration(ZMQ_RECONNECT_IVL) }
    set { core.set(ZMQ_RECONNECT_IVL, newValue) }
  }

  /// The upper limit of the reconnect interval, which doubles with each attempt. Zero, the default,
  /// keeps it constant.
  public var maximumReconnectInterval: Duration {
    get { core.duration(ZMQ_RECONNECT_IVL_MAX) }
    set { core.set(ZMQ_RECONNECT_IVL_MAX, newValue) }
  }

  /// How long one attempt to connect may take. Zero, the default, leaves it to the system.
  public var connectTimeout: Duration {
    get { core.duration(ZMQ_CONNECT_TIMEOUT) }
    set { core.set(ZMQ_CONNECT_TIMEOUT, newValue) }
  }

  /// How long the peer's machine may leave TCP unanswered before the connection is closed, and made
  /// again by the side that connected. Whole seconds, at least 2. Nil, the default, leaves it to
  /// the system, which may wait forever.
  ///
  /// The operating systems exchange these probes, so a busy or stopped peer, or one in the middle
  /// of a large message, keeps its connection. (tcp(7): keepalive, `TCP_USER_TIMEOUT`.)
  public var lossTimeout: Duration? {
    get {
      let timeout = core.duration(ZMQ_TCP_MAXRT)
      return timeout == .zero ? nil : timeout
    }
    set {
      let seconds = Int32(clamping: (newValue ?? .zero).components.seconds)
      precondition(newValue == nil || seconds >= 2, "a loss timeout is at least 2 seconds")
      core.set(ZMQ_TCP_MAXRT, seconds * 1000)
      core.set(ZMQ_TCP_KEEPALIVE, Int32(newValue == nil ? -1 : 1))
      guard newValue != nil else { return }
      // Probe after half the time without traffic, and then once a second.
      core.set(ZMQ_TCP_KEEPALIVE_IDLE, seconds / 2)
      core.set(ZMQ_TCP_KEEPALIVE_INTVL, Int32(1))
      core.set(ZMQ_TCP_KEEPALIVE_CNT, seconds - seconds / 2)
    }
  }

  /// Whether endpoints may be addresses of IPv6, and a name stands for its first address of IPv6.
  /// An endpoint `tcp://[::]:PORT` then takes peers of both families.
  public var isIPv6Enabled: Bool {
    get { core.integer(ZMQ_IPV6, as: Int32.self) != 0 }
    set { core.set(ZMQ_IPV6, Int32(newValue ? 1 : 0)) }
  }

  /// The kernel's send buffer per connection, in bytes. Nil, the default, leaves it to the system.
  public var sendBufferSize: Int? {
    get { core.size(ZMQ_SNDBUF) }
    set { core.set(ZMQ_SNDBUF, Int32(clamping: newValue ?? -1)) }
  }

  /// The kernel's receive buffer per connection, in bytes. Nil, the default, leaves it to the
  /// system.
  public var receiveBufferSize: Int? {
    get { core.size(ZMQ_RCVBUF) }
    set { core.set(ZMQ_RCVBUF, Int32(clamping: newValue ?? -1)) }
  }
}

extension Socket where Role: SendingRole {
  /// How many messages may wait to be sent to each peer. The default is 1000; 0 means no limit.
  public var sendHighWaterMark: Int {
    get { Int(core.integer(ZMQ_SNDHWM, as: Int32.self)) }
    set { core.set(ZMQ_SNDHWM, Int32(clamping: newValue)) }
  }
}

extension Socket where Role: ReceivingRole {
  /// How many messages from each peer may wait to be received. The default is 1000; 0 means no
  /// limit.
  public var receiveHighWaterMark: Int {
    get { Int(core.integer(ZMQ_RCVHWM, as: Int32.self)) }
    set { core.set(ZMQ_RCVHWM, Int32(clamping: newValue)) }
  }
}

extension Socket where Role == Dealer {
  /// The name under which routers know this socket: 1 to 255 bytes, the first of which is not 0. If
  /// it is empty, the default, each router chooses a name.
  public var routingID: [UInt8] {
    get { core.bytes(ZMQ_ROUTING_ID, capacity: 255) }
    set { core.set(ZMQ_ROUTING_ID, newValue) }
  }
}
