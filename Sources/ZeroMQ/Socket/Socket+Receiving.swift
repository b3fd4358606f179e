import EventLoop

extension Socket where Role: ReceivingRole {
  /// The most parts that a message may have, 64 unless set. What has more is thrown away and reported as `tooManyParts`.
  public var maximumParts: Int {
    get { core.maximumParts }
    set {
      precondition(newValue > 0, "a message has at least one part")
      core.maximumParts = newValue
    }
  }

  /// Lends a whole message to `read`, if one waits. It never blocks.
  ///
  /// What is only read costs no copy and no memory; a part that is to outlive the call is taken: see ``Parts``.
  /// - Returns: Whether there was one.
  /// - Throws: `tooManyParts`, after which the next message can be received; `socketClosed`.
  public func receive(_ read: (inout Parts) -> Void) throws(ZeroMQError) -> Bool {
    try core.receive(read)
  }

  /// A whole message, part by part, if one waits; otherwise nil. It never blocks.
  ///
  /// - Throws: `tooManyParts`, after which the next message can be received; `socketClosed`.
  public func receive() throws(ZeroMQError) -> [Message]? {
    try core.receive()
  }

  /// A whole message, waiting for one if need be. Call it from an actor on the socket's loop.
  ///
  /// A cancelled wait takes no message with it.
  /// - Throws: `ZeroMQError` as ``receive()->[Message]?``, also when the socket is closed meanwhile; `CancellationError`
  ///   when the task is cancelled or the loop stops.
  public func receive() async throws -> [Message] {
    let core = self.core
    while true {
      if let message = try core.receive() { return message }
      try await core.loop.suspend { core.wait($0) }
    }
  }

  /// Calls `handler` on the loop's thread whenever messages wait, until the socket closes. One handler; a new one replaces it.
  ///
  /// It need not take all that waits: as long as a message is left, it is called again, after others on the loop had
  /// their turn. Use either this or the `receive()` that waits, for both take what they find.
  public func onReadable(_ handler: @escaping @Sendable () -> Void) {
    core.setReadableHandler(handler)
  }

  /// Lets messages wait that long from now on: the handler of ``onReadable(_:)`` is called for them afterwards.
  ///
  /// A publisher is woken by whatever its subscribers' queues have to say, which is more than their subscriptions;
  /// meanwhile it is not.
  public func rest(for duration: Duration) {
    core.rest(for: duration)
  }
}
