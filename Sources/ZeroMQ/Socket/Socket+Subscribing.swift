import CZeroMQ

extension Socket where Role == Sub {
  /// Receives from now on what begins with these bytes; with none of them, everything.
  ///
  /// Publishers hear of it with a delay: what they sent before is not received. Subscriptions are counted, so that two
  /// of the same need two `unsubscribe`.
  public func subscribe(_ prefix: [UInt8]) {
    core.set(ZMQ_SUBSCRIBE, prefix)
  }

  /// Receives from now on what begins with this text.
  public func subscribe(_ prefix: String) {
    subscribe(Array(prefix.utf8))
  }

  /// Takes one subscription of these bytes back; without one it does nothing.
  public func unsubscribe(_ prefix: [UInt8]) {
    core.set(ZMQ_UNSUBSCRIBE, prefix)
  }

  /// Takes one subscription of this text back; without one it does nothing.
  public func unsubscribe(_ prefix: String) {
    unsubscribe(Array(prefix.utf8))
  }
}

extension Socket where Role == XPub {
  /// Sets whether sending waits for the slow: a message that any of its subscribers has no room for is then not sent,
  /// and `send` returns false. Otherwise, and by default, it is dropped for that subscriber alone.
  ///
  /// A publisher that is to know of losses sends with it on and, when refused, once more with it off. It hears of each
  /// subscriber's first loss only: libzmq 4.3 passes it over from there on, until it has read half of its queue. libzmq
  /// does not tell which is set.
  public func setWaitsForSlow(_ isOn: Bool) {
    core.set(ZMQ_XPUB_NODROP, Int32(isOn ? 1 : 0))
  }

  /// Chooses which subscriptions are received.
  public func report(_ reports: Subscription.Reports) {
    // Each option switches the other off.
    switch reports {
    case .changes: core.set(ZMQ_XPUB_VERBOSE, Int32(0))
    case .everyBeginning: core.set(ZMQ_XPUB_VERBOSE, Int32(1))
    case .all: core.set(ZMQ_XPUB_VERBOSER, Int32(1))
    }
  }
}
