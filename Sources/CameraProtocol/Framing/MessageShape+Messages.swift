extension WireRequest: ShapedMessage {
  package static let shape = MessageShape(
    once: [10...35], inner: bodies,
    limits: .init(fields: WireLimits.requestFields, fieldByteCount: WireLimits.fieldByteCount))

  private static let bodies = [UInt64: MessageShape](
    uniqueKeysWithValues: (10...35).map { ($0, MessageShape()) }
  ).merging([
    11: MessageShape(once: [3...3], inner: [3: .plain]),
    15: MessageShape(inner: [2: .setting]),
    16: MessageShape(
      once: [2...7, 18...18],
      inner: [
        2: .plain, 3: .plain, 12: .plain, 13: .plain, 14: .plain, 16: .plain,
        18: MessageShape(inner: [1: .shot]),
      ]),
    24: MessageShape(inner: [1: .plain]),
    33: MessageShape(
      once: [4...4, 10...10, 11...11],
      inner: [4: .plain, 7: .setting, 10: .plain, 11: .plain, 13: .plain]),
  ]) { $1 }
}

extension WireReply: ShapedMessage {
  package static let shape = MessageShape(
    once: [10...30],
    inner: [
      13: MessageShape(inner: [1: .control]),
      24: MessageShape(inner: [1: .assetResult]),
      25: MessageShape(inner: [1: .assetResult]),
      28: MessageShape(inner: [2: .control]),
      29: .capabilities,
    ])
}

extension WireEvent: ShapedMessage {
  package static let shape = MessageShape(
    once: [10...19],
    inner: [
      11: .control, 12: MessageShape(once: [2...4]), 13: MessageShape(once: [2...4]),
      16: .capabilities, 19: MessageShape(once: [3...4]),
    ])
}

extension MessageShape {
  /// A message of which only the size matters.
  fileprivate static let plain = MessageShape()
  fileprivate static let controlValue = MessageShape(
    once: [1...7], inner: [4: .plain, 7: .plain])
  fileprivate static let setting = MessageShape(once: [2...2], inner: [2: .controlValue])
  fileprivate static let shot = MessageShape(
    once: [1...3], inner: [3: MessageShape(inner: [1: .setting])])
  fileprivate static let control = MessageShape(once: [15...15], inner: [15: .controlValue])
  fileprivate static let capabilities = MessageShape(inner: [5: .control])
  fileprivate static let assetResult = MessageShape(once: [2...3])
}
