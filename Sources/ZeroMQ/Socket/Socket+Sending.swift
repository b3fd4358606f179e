extension Socket where Role: SendingRole {
  /// Sends a copy of the bytes as one part. It never blocks.
  ///
  /// A part with `more` is followed by others of the same message. libzmq sends a message whole,
  /// with its last part, or not at all.
  /// - Returns: False when the peer's queue is full or no peer is connected. Then nothing was sent.
  ///   Only the first part of a message can be refused. Publishers drop messages for slow
  ///   subscribers and return true, unless `setWaitsForSlow` is on.
  /// - Throws: `peerUnreachable` when a router does not know the peer; `messageCutShort` when the
  ///   peer disconnected after the first part; `socketClosed`.
  public func send(_ bytes: RawSpan, more: Bool = false) throws(ZeroMQError) -> Bool {
    try core.send(bytes, more: more)
  }

  /// Sends a copy of the bytes as one part: see ``send(_:more:)-(RawSpan,_)``.
  public func send(_ bytes: [UInt8], more: Bool = false) throws(ZeroMQError) -> Bool {
    try core.send(unsafe bytes.span.bytes, more: more)
  }

  /// Processes news from libzmq's I/O threads: peers that came or left, and queues that have room
  /// again.
  ///
  /// Sending does this too, but at most once a millisecond, so a full peer counts as full until
  /// then. (`max_command_delay` in libzmq's `config.hpp`.)
  public func update() throws(ZeroMQError) {
    try core.update()
  }

  /// Sends a part without a copy. libzmq retains `object` until all peers have received it, and
  /// releases it on any thread.
  ///
  /// Parts below 256 bytes are copied, because that is cheaper. Otherwise this behaves as
  /// ``send(_:more:)-(RawSpan,_)``.
  /// - Parameters:
  ///   - object: The owner of the bytes.
  ///   - range: The offsets of the bytes to send; nil sends all. A range outside the object's bytes
  ///     ends the program.
  ///   - lending: Counts the object while libzmq holds it. It must have room.
  ///   - more: Whether another part of the same message follows.
  public func send(
    sharing object: some SharedBytes,
    range: Range<Int>? = nil,
    lending: Lending? = nil,
    more: Bool = false
  ) throws(ZeroMQError) -> Bool {
    try core.send(sharing: object, range: range, lending: lending, more: more)
  }

  /// Sends a received part without a copy: see ``send(sharing:range:lending:more:)``.
  public func send(sharing part: Message, more: Bool = false) throws(ZeroMQError) -> Bool {
    try core.send(sharing: Relayed(part), range: nil, lending: nil, more: more)
  }
}
