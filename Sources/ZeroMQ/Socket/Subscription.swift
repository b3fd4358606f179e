/// The begin or end of a subscription. An ``XPub`` receives it; an ``XSub`` sends it.
public struct Subscription: Hashable, Sendable {
  /// Which subscriptions an ``XPub`` receives.
  public enum Reports: Sendable {
    /// The first subscription to a prefix and the end of the last one, over all peers. It tells
    /// whether anyone subscribes. The default.
    case changes
    /// Every new subscription and the end of the last one. It tells when a late subscriber comes.
    case everyBeginning
    /// Every begin and every end. It tells the number of subscribers.
    case all
  }

  /// Whether the subscription begins. Otherwise it ends.
  public var isBeginning: Bool
  /// The bytes with which the wanted messages begin.
  public var prefix: [UInt8]

  /// Makes the begin or end of a subscription to messages with this prefix.
  public init(_ prefix: [UInt8], isBeginning: Bool = true) {
    self.prefix = prefix
    self.isBeginning = isBeginning
  }

  /// Returns nil if the message is not a subscription.
  public init?(_ message: Message) {
    let bytes = message.bytes
    guard let first = bytes.first, first <= 1 else { return nil }
    self.init(Array(bytes.dropFirst()), isBeginning: first == 1)
  }

  /// The subscription as sent over the wire.
  public var bytes: [UInt8] { [isBeginning ? 1 : 0] + prefix }
}
