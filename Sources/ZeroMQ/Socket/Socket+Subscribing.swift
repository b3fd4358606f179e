import CZeroMQ

extension Socket where Role == Sub {
  /// Subscribes to messages that begin with these bytes. An empty prefix matches every message.
  ///
  /// The subscription takes time to reach publishers, and messages sent before that are missed.
  /// Subscriptions are counted: two equal ones need two calls of `unsubscribe`.
  public func subscribe(_ prefix: [UInt8]) {
    core.set(ZMQ_SUBSCRIBE, prefix)
  }

  /// Subscribes to messages that begin with this text.
  public func subscribe(_ prefix: String) {
    subscribe(Array(prefix.utf8))
  }

  /// Removes one subscription to this prefix. Without one it does nothing.
  public func unsubscribe(_ prefix: [UInt8]) {
    core.set(ZMQ_UNSUBSCRIBE, prefix)
  }

  /// Removes one subscription to this prefix. Without one it does nothing.
  public func unsubscribe(_ prefix: String) {
    unsubscribe(Array(prefix.utf8))
  }
}

extension Socket where Role == XPub {
  /// Sets whether `send` refuses a message that any subscriber has no room for: it then returns
  /// false and sends nothing. By default such a message is dropped for the slow subscriber only.
  ///
  /// To count losses, send with this on, and after a refusal again with it off. That reveals only
  /// each subscriber's first loss, because libzmq 4.3 then skips it until it has read half of its
  /// queue. libzmq offers no way to read this option.
  public func setWaitsForSlow(_ isOn: Bool) {
    core.set(ZMQ_XPUB_NODROP, Int32(isOn ? 1 : 0))
  }

  /// Chooses which subscriptions the socket receives.
  public func report(_ reports: Subscription.Reports) {
    // Each option switches the other one off.
    switch reports {
    case .changes: core.set(ZMQ_XPUB_VERBOSE, Int32(0))
    case .everyBeginning: core.set(ZMQ_XPUB_VERBOSE, Int32(1))
    case .all: core.set(ZMQ_XPUB_VERBOSER, Int32(1))
    }
  }
}
