import EventLoop

extension Socket where Role: ReceivingRole {
  /// The most parts that a message may have; the default is 64. A longer message is dropped and
  /// reported as `tooManyParts`.
  public var maximumParts: Int {
    get { core.maximumParts }
    set {
      precondition(newValue > 0, "a message has at least one part")
      core.maximumParts = newValue
    }
  }

  /// Calls `read` with a whole message if one waits. It never blocks.
  ///
  /// Reading in place costs no copy and no memory. Take a part to keep it after the call: see
  /// ``Parts``.
  /// - Returns: Whether there was a message.
  /// - Throws: `tooManyParts`, after which the next message can be received; `socketClosed`.
  public func receive(_ read: (inout Parts) -> Void) throws(ZeroMQError) -> Bool {
    try core.receive(read)
  }

  /// Returns all parts of a message if one waits; otherwise nil. It never blocks.
  ///
  /// - Throws: `tooManyParts`, after which the next message can be received; `socketClosed`.
  public func receive() throws(ZeroMQError) -> [Message]? {
    try core.receive()
  }

  /// Waits for a whole message and returns its parts. Call it from an actor on the socket's loop.
  ///
  /// A cancelled wait loses no message.
  /// - Throws: `ZeroMQError` as ``receive()->[Message]?``, also when the socket closes during the
  ///   wait; `CancellationError` when the task is cancelled or the loop stops.
  public func receive() async throws -> [Message] {
    let core = self.core
    while true {
      if let message = try core.receive() { return message }
      try await core.loop.suspend { core.wait($0) }
    }
  }

  /// Calls `handler` on the loop's thread whenever messages wait, until the socket closes. A new
  /// handler replaces the old one.
  ///
  /// The handler may leave messages: the loop calls it again after its other sources had their
  /// turn. Use either this or the asynchronous `receive()`, because each takes the messages that it
  /// finds.
  public func onReadable(_ handler: @escaping () -> Void) {
    core.setReadableHandler(handler)
  }

  /// Pauses the handler of ``onReadable(_:)`` and the asynchronous ``receive()->[Message]`` until
  /// ``resumeReading()``.
  ///
  /// Messages wait meanwhile, and ``receive()->[Message]?`` can take them. The socket does not wake
  /// the loop during the pause. That helps an ``XPub``, because libzmq wakes its loop whenever a
  /// subscriber's full queue has room again.
  public func pauseReading() {
    core.pauseReading()
  }

  /// Ends the pause. Messages that arrived during it are reported too.
  public func resumeReading() {
    core.resumeReading()
  }
}
