import Imaging

/// How a session's own device begins, what clients have changed of it since, and what of all that
/// the device did not take. Confined to the session's thread.
final class SessionBeginning {
  /// The fields of `configure` that choose a format.
  private static let formatFields = ["format", "size", "rate", "preset", "mode", "maximum_rate"]

  private let report: SessionReport
  /// What the node's configuration wants, until the device has been opened.
  private(set) var start: SessionStart?
  /// What clients have chosen; its settings count only until the device has been opened, and while
  /// another input is in force.
  private(set) var chosen = SessionMemory()
  /// What clients have chosen of a device of another model, which had its place before. It stays
  /// until they choose something of this one.
  private var waiting: SessionMemory?
  /// Whether somebody keeps what clients choose.
  private(set) var isKept = false
  /// What was reported to them last.
  private var reported = SessionMemory()
  private(set) var refusals: [Refusal] = []
  /// What the node's configuration wants of streams.
  private var streams: [String: StreamSettings] = [:]
  /// What is asked for if the format that was wanted does not work.
  private var reserve: FormatRequest?
  /// Whether no other format than the device's own is tried.
  private(set) var gaveFormatUp = false

  init(_ report: SessionReport) { self.report = report }

  /// - Parameter remembered: What clients have changed before; nil if nobody remembers that.
  /// - Returns: This configuration as it is to begin, apart from the format.
  func prepare(
    _ start: SessionStart, remembered: SessionMemory?, from configuration: ActiveConfiguration
  ) -> ActiveConfiguration {
    self.start = start
    streams = start.change.streams
    isKept = remembered != nil
    chosen = remembered ?? SessionMemory()
    reported = chosen
    var new = configuration
    new.take(streams: streams)
    new.orientations.preview = new.orientations.preview.merged(with: start.change.preview)
    new.orientations.capture = new.orientations.capture.merged(with: start.change.capture)
    // What clients have taken away may not be configured any more.
    for (name, settings) in chosen.streams
    where settings == StreamSettings().asChange && streams[name] == nil {
      chosen.streams[name] = nil
    }
    guard let remembered else { return new }
    var both = new
    both.take(streams: remembered.streams)
    if both.streams.count <= StreamSettings.most {
      new = both
    } else {
      refuse("streams", "too many streams would have settings")
    }
    new.orientations.preview = remembered.preview ?? new.orientations.preview
    new.orientations.capture = remembered.capture ?? new.orientations.capture
    return new
  }

  /// Takes what the configuration wants now.
  /// - Parameter isOpen: Whether the device streams; otherwise its format waits for its next
  ///   opening.
  /// - Returns: The change to make at once, of what clients have not chosen. Controls come later.
  func replace(by new: SessionStart, isOpen: Bool) -> SessionConfiguration {
    let old = streams
    streams = new.change.streams
    refusals = []
    gaveFormatUp = false
    var change = new.change
    let gone = old.filter { streams[$0.key] == nil }.mapValues { _ in
      StreamSettings.none
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
  func leftFormat(_ own: FormatRequest) { reserve = reserve ?? own }

  func formatWorks() { reserve = nil }

  /// - Returns: The device's own format; nil if it was asked for that.
  func giveFormatUp() -> FormatRequest? {
    guard let own = reserve else { return nil }
    (reserve, gaveFormatUp) = (nil, true)
    return own
  }

  /// The configuration's wishes of controls are being read. They count as taken.
  func takeStart() -> SessionStart? {
    defer { start = nil }
    return start
  }

  // MARK: Refusals

  /// Notes that the device did not take something, and says so.
  /// - Parameter words: A sentence for the log.
  func refuse(_ setting: String, _ reason: String, _ words: String? = nil) {
    refusals.removeAll { $0.setting == setting }
    refusals.append(Refusal(setting, reason))
    report.send(.remark(words ?? "it starts without \(setting) as it is configured: \(reason)"))
  }

  /// The device has taken these settings.
  /// - Returns: Whether it had refused one before.
  func withdraw(_ settings: [String]) -> Bool {
    let count = refusals.count
    refusals.removeAll { settings.contains($0.setting) }
    return refusals.count != count
  }

  // MARK: What clients have chosen

  /// What is to be remembered now.
  /// - Parameters:
  ///   - device: The session's own, if that is in force.
  ///   - ledger: What clients want of its controls.
  func memory(of device: DeviceDescription?, _ ledger: ControlLedger) -> SessionMemory {
    var memory = chosen
    if let device {
      var ledger = ledger
      if start != nil { ledger.replaceWishes(by: memory.settings + ledger.wanted) }
      if memory.settings != ledger.wanted {
        memory.settings = ledger.wanted
        memory.device = device
      }
    }
    if memory.format == nil, memory.settings.isEmpty {
      memory.device = waiting?.device
      (memory.format, memory.settings) = (waiting?.format, waiting?.settings ?? [])
    }
    return memory
  }

  /// - Returns: Nil if nobody keeps this memory, or it is as it was taken last.
  func take(_ memory: SessionMemory) -> SessionMemory? {
    guard isKept, memory != reported else { return nil }
    reported = memory
    return memory
  }

  func setKept(_ isKept: Bool) { (self.isKept, reported) = (isKept, SessionMemory()) }

  func forget() { (chosen, waiting) = (SessionMemory(), nil) }

  /// Another device is in force. Of the session's own this is remembered.
  func hold(_ memory: SessionMemory) { chosen = memory }

  /// The device is of another model than the one that clients chose a format and settings of.
  func setAside() {
    waiting = chosen
    (chosen.format, chosen.settings) = (nil, [])
  }

  /// Clients have chosen a format.
  /// - Parameter device: The session's own, if that is in force.
  func choseFormat(_ setup: SessionSetup, of device: DeviceDescription?) {
    _ = withdraw(Self.formatFields)
    guard let device else { return }
    (chosen.format, chosen.device) = (setup.format, device)
  }

  /// Clients have made this change, apart from a format.
  /// - Parameter isOwn: Whether the session's own device is in force.
  func chose(_ change: SessionConfiguration, _ configuration: ActiveConfiguration, isOwn: Bool) {
    for name in change.streams.keys {
      let settings = configuration.streams[name] ?? StreamSettings()
      let isUsual = settings == StreamSettings() && streams[name] == nil
      chosen.streams[name] = isUsual ? nil : settings.asChange
    }
    guard isOwn else { return }
    if change.preview != OrientationChange() { chosen.preview = configuration.orientations.preview }
    if change.capture != OrientationChange() { chosen.capture = configuration.orientations.capture }
  }
}

extension StreamSettings {
  /// The change that makes these settings of any others.
  var asChange: StreamSettings {
    let none = StreamSettings.none
    return StreamSettings(
      maximumRate: maximumRate ?? none.maximumRate, quality: quality ?? none.quality,
      isEnabled: isEnabled ?? none.isEnabled, bitRate: bitRate ?? none.bitRate,
      keyInterval: keyInterval ?? none.keyInterval, bound: bound ?? none.bound)
  }
}

extension OrientationChange {
  /// The change that makes the same orientation of any other.
  fileprivate var ofAnything: OrientationChange {
    OrientationChange(
      rotation: rotation ?? Orientation.Rotation.none, isMirrored: isMirrored ?? false)
  }
}
