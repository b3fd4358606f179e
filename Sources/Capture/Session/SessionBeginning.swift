import Imaging

/// How a session's own device begins, what clients have changed of it since, and what of all that
/// the device did not take. Pure.
struct SessionBeginning {
  /// What the node's configuration wants, until the device has been opened.
  var start: SessionStart?
  /// What clients have chosen; its settings count only until the device has been opened, and while
  /// another input is in force.
  var chosen = SessionMemory()
  /// What clients have chosen of a device of another model, which had its place before. It stays
  /// until they choose something of this one.
  var waiting: SessionMemory?
  /// Whether somebody keeps what clients choose.
  var isKept = false
  /// What was reported to them last.
  var reported = SessionMemory()
  var refusals: [Refusal] = []
  /// What the node's configuration wants of streams.
  private(set) var streams: [String: StreamSettings] = [:]
  /// What is asked for if the format that was wanted does not work.
  private var reserve: FormatRequest?
  /// Whether no other format than the device's own is tried.
  private(set) var gaveFormatUp = false

  init() {}

  init(_ start: SessionStart, remembered: SessionMemory?) {
    self.start = start
    streams = start.change.streams
    isKept = remembered != nil
    chosen = remembered ?? SessionMemory()
    reported = chosen
  }

  /// Takes what the configuration wants now.
  /// - Parameter isOpen: Whether the device streams; otherwise its format waits for its next
  ///   opening.
  /// - Returns: The change to make at once, of what clients have not chosen. Controls come later.
  mutating func replace(by new: SessionStart, isOpen: Bool) -> SessionConfiguration {
    let old = streams
    streams = new.change.streams
    refusals = []
    gaveFormatUp = false
    var change = new.change
    let gone = old.filter { streams[$0.key] == nil }.mapValues { _ in
      StreamSettings(maximumRate: 0, quality: 0, isEnabled: true)
    }
    change.streams = streams.mapValues(\.asChange).merging(gone) { new, _ in new }
    for name in chosen.streams.keys { change.streams[name] = nil }
    change.preview = chosen.preview == nil ? change.preview.ofAnything : OrientationChange()
    change.capture = chosen.capture == nil ? change.capture.ofAnything : OrientationChange()
    if chosen.format != nil || !isOpen {
      (change.mode, change.preset, change.rates) = (nil, nil, nil)
    }
    start = new
    if isOpen { start?.change = SessionConfiguration() }
    return change
  }

  /// The device is asked for another format than its own.
  mutating func leftFormat(_ own: FormatRequest) { reserve = reserve ?? own }

  mutating func formatWorks() { reserve = nil }

  /// - Returns: the device's own format; nil if it was asked for that.
  mutating func giveFormatUp() -> FormatRequest? {
    guard let own = reserve else { return nil }
    (reserve, gaveFormatUp) = (nil, true)
    return own
  }
}

extension StreamSettings {
  /// The change that makes these settings of any others.
  var asChange: StreamSettings {
    StreamSettings(
      maximumRate: maximumRate ?? 0, quality: quality ?? 0, isEnabled: isEnabled ?? true)
  }
}

extension OrientationChange {
  /// The change that makes the same orientation of any other.
  fileprivate var ofAnything: OrientationChange {
    OrientationChange(
      rotation: rotation ?? Orientation.Rotation.none, isMirrored: isMirrored ?? false)
  }
}
