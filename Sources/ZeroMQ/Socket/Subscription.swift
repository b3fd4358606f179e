/// What an ``XPub`` receives when somebody subscribes, and an ``XSub`` sends in order to.
public struct Subscription: Hashable, Sendable {
  /// Which subscriptions an ``XPub`` receives.
  public enum Reports: Sendable {
    /// The first of each prefix and the end of its last, over all peers: whether anybody listens. The default.
    case changes
    /// Every new one, and the end of the last: somebody came, perhaps late.
    case everyBeginning
    /// All of both: how many listen.
    case all
  }

  /// Whether it begins; otherwise it ends.
  public var isBeginning: Bool
  /// How the wanted messages begin.
  public var prefix: [UInt8]

  /// A subscription to what begins with these bytes, or its end.
  public init(_ prefix: [UInt8], isBeginning: Bool = true) {
    self.prefix = prefix
    self.isBeginning = isBeginning
  }

  /// Nil unless the message is a subscription.
  public init?(_ message: Message) {
    let bytes = message.bytes
    guard let first = bytes.first, first <= 1 else { return nil }
    self.init(Array(bytes.dropFirst()), isBeginning: first == 1)
  }

  /// As it goes over the wire.
  public var bytes: [UInt8] { [isBeginning ? 1 : 0] + prefix }
}
