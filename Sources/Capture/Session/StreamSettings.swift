/// How one of a camera's streams is sent, apart from how all of them are turned.
package struct StreamSettings: Hashable, Sendable {
  /// How many streams of a camera may have settings.
  package static let most = 32

  /// Frames a second at most; nil for all.
  package var maximumRate: Double?
  /// JPEG quality, 1...100; nil for the node's.
  package var quality: Int?
  /// False for a stream that is not sent at all; nil for all others.
  package var isEnabled: Bool?

  package init(maximumRate: Double? = nil, quality: Int? = nil, isEnabled: Bool? = nil) {
    self.maximumRate = maximumRate
    self.quality = quality
    self.isEnabled = isEnabled
  }

  /// These settings after a change, which is nil where it changes nothing, and 0 or true where it
  /// takes the setting away.
  func merged(with change: StreamSettings) -> StreamSettings {
    var new = self
    if let rate = change.maximumRate { new.maximumRate = rate > 0 ? rate : nil }
    if let quality = change.quality { new.quality = quality > 0 ? quality : nil }
    if let isEnabled = change.isEnabled { new.isEnabled = isEnabled ? nil : false }
    return new
  }
}
