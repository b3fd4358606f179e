extension Socket where Role: SendingRole {
  /// Sends a part with a copy of the bytes, and never waits.
  ///
  /// Parts with `more` are the beginning of one message: it leaves whole, with its last part, or not at all.
  /// - Returns: False when a peer's queue is full or nobody is there to send to; nothing was sent, and only a
  ///   message's first part can meet this. Publishers never return false, unless told to wait: they drop for the slow peer
  ///   alone.
  /// - Throws: `peerUnreachable` when a router does not have the peer; `messageCutShort` when the peer went away since
  ///   the first part; `socketClosed`.
  public func send(_ bytes: RawSpan, more: Bool = false) throws(ZeroMQError) -> Bool {
    try core.send(bytes, more: more)
  }

  /// Sends a part with a copy of the bytes: see ``send(_:more:)-(RawSpan,_)``.
  public func send(_ bytes: [UInt8], more: Bool = false) throws(ZeroMQError) -> Bool {
    try core.send(unsafe bytes.span.bytes, more: more)
  }

  /// Takes in what libzmq's own threads have to tell the socket: who has come and gone, where there is room again.
  ///
  /// Sending does so too, but once a millisecond at most: a peer that was full is taken for full until then.
  /// (`max_command_delay` in libzmq's `config.hpp`.)
  public func update() throws(ZeroMQError) {
    try core.update()
  }

  /// Sends a part without copying it: libzmq holds `object` until all peers have got it, and lets it go on any thread.
  ///
  /// Parts below 256 bytes are copied, for that is cheaper. Otherwise as ``send(_:more:)-(RawSpan,_)``.
  /// - Parameters:
  ///   - object: What holds the bytes.
  ///   - range: The offsets of the bytes to send; nil for all of them. Beyond the object's bytes it ends the program.
  ///   - lending: Counts the object for as long as libzmq holds it; it must have room.
  ///   - more: Whether another part of the same message follows.
  public func send(
    sharing object: some SharedBytes,
    range: Range<Int>? = nil,
    lending: Lending? = nil,
    more: Bool = false
  ) throws(ZeroMQError) -> Bool {
    try core.send(sharing: object, range: range, lending: lending, more: more)
  }

  /// Sends on a part that was received, without copying it: see ``send(sharing:range:lending:more:)``.
  public func send(sharing part: Message, more: Bool = false) throws(ZeroMQError) -> Bool {
    try core.send(sharing: Relayed(part), range: nil, lending: nil, more: more)
  }
}
