import CameraProtocol
import Capture
import OperatingSystem
import SwiftProtobuf
import Yams

/// A camera or a rule for adoption in a configuration file: its source or its rule alone, or keys
/// of its own.
///
/// ```yaml
/// front:
///   source: v4l2:/dev/video0,1280x720@30,format=MJPG
///   position: front
///   idle: 30s
///   remember: true
///   mode: photo
///   maximum_rate: 10
///   capture: {rotation: 90, mirrored: true}
///   preview: {rotation: 90}
///   streams:
///     preview: {maximum_rate: 5, quality: 60}
///     full: {enabled: false}
///   controls:
///     exposure.mode: locked
///     exposure.duration: 10ms
///   subject_area: 0.2
///   live_photos: {before: 1.5s, after: 1.5s, sound: true}
/// ```
struct CameraEntry {
  private enum Key: String, CaseIterable {
    case remember, mode, preset
    case minimumRate = "minimum_rate"
    case maximumRate = "maximum_rate"
    case capture, preview, streams, controls
    case subjectArea = "subject_area"
    case livePhotos = "live_photos"
  }

  private static let modes: [String: WireMode] = ["photo": .photo, "video": .video]
  private static let presets = Dictionary(
    uniqueKeysWithValues: SessionPreset.allCases.map { ("\($0)", WirePreset($0)) })

  /// As on the command line, with what keys of its own say of how the camera is built in.
  private(set) var specification = ""
  private(set) var start = CameraStart()

  /// - Parameters:
  ///   - main: The key of the specification: `source` or `rule`.
  ///   - example: A specification that would be right, for the error.
  init(
    _ entry: ConfigurationEntry, main: String, such example: String
  ) throws(ConfigurationError) {
    guard let keys = entry.value.mapping else {
      specification = try entry.text(such: example)
      return
    }
    var options = ""
    for (key, value) in keys {
      let line = ConfigurationEntry(path: entry.path, key: key, value: value)
      if line.key == main {
        specification = try line.text(such: example)
      } else if let key = Key(rawValue: line.key) {
        try set(key, line)
        if let flaw = request.flaw { throw line.origin.mistake("is wrong: \(flaw.message)") }
      } else if CameraOptions.names.contains(Substring(line.key)) {
        let text = try line.text(such: "that of \(line.key)= on the command line")
        options += ",\(line.key)=\(text.replacing(",", with: #"\,"#))"
      } else {
        let known =
          [main] + Key.allCases.map(\.rawValue) + CameraOptions.names.sorted().map(String.init)
        throw line.unknown(among: known, of: "a camera")
      }
    }
    guard !specification.isEmpty else {
      throw entry.origin.mistake("has no \(main): write \(main): \(example)")
    }
    specification += options
    start.request = request
  }

  /// The request with both ends of the range of rates.
  private var request: WireConfigureRequest {
    var request = start.request
    guard request.minimumRate != 0 || request.maximumRate != 0 else { return request }
    if request.minimumRate == 0 { request.minimumRate = WireLimits.frameRates.lowerBound }
    if request.maximumRate == 0 { request.maximumRate = WireLimits.frameRates.upperBound }
    return request
  }

  private mutating func set(_ key: Key, _ entry: ConfigurationEntry) throws(ConfigurationError) {
    switch key {
    case .remember: start.remembers = try entry.boolean()
    case .mode: start.request.mode = try entry.choice(of: Self.modes)
    case .preset: start.request.preset = try entry.choice(of: Self.presets)
    case .minimumRate: start.request.minimumRate = try entry.number(such: "5")
    case .maximumRate: start.request.maximumRate = try entry.number(such: "30")
    case .capture: start.request.capture = try turn(entry)
    case .preview: start.request.preview = try turn(entry)
    case .subjectArea: start.request.subjectArea = try entry.number(such: "0.2")
    case .livePhotos: start.request.livePhotos = try livePhotos(entry)
    case .streams:
      for line in try entry.lines(such: "preview: {maximum_rate: 5}") {
        let settings = try stream(line)
        if let flaw = WireConfigureRequest.with({ $0.streams = [settings] }).flaw {
          throw line.origin.mistake("is wrong: \(flaw.message)")
        }
        start.request.streams.append(settings)
      }
    case .controls:
      for line in try entry.lines(such: "exposure.mode: locked") {
        start.controls.append(
          SessionStart.Control(ControlID(rawValue: line.key), to: try line.words()))
      }
      guard start.controls.count <= WireLimits.settings else {
        throw entry.origin.mistake("names more than \(WireLimits.settings) controls")
      }
    }
  }

  private func turn(
    _ entry: ConfigurationEntry
  ) throws(ConfigurationError) -> WireConfigureRequest.Turn {
    var turn = WireConfigureRequest.Turn()
    for line in try entry.lines(such: "rotation: 90") {
      switch line.key {
      case "rotation": turn.rotation = UInt32(clamping: try line.wholeNumber(such: "90"))
      case "mirrored": turn.mirrored = try line.boolean()
      default: throw line.unknown(among: ["rotation", "mirrored"], of: "an orientation")
      }
    }
    return turn
  }

  private func livePhotos(
    _ entry: ConfigurationEntry
  ) throws(ConfigurationError) -> WireLivePhotoSettings {
    var settings = WireLivePhotoSettings()
    for line in try entry.lines(such: "before: 1.5s") {
      switch line.key {
      case "before":
        settings.beforeNs = UInt64(clamping: try line.duration(such: "1.5s").wholeNanoseconds)
      case "after":
        settings.afterNs = UInt64(clamping: try line.duration(such: "1.5s").wholeNanoseconds)
      case "sound": settings.sound = try line.boolean()
      case "microphone":
        (settings.sound, settings.microphone) = (true, try line.text(such: "desk"))
      default:
        throw line.unknown(among: ["before", "after", "sound", "microphone"], of: "live photos")
      }
    }
    return settings
  }

  private func stream(_ entry: ConfigurationEntry) throws(ConfigurationError) -> WireStreamSettings
  {
    var settings = WireStreamSettings()
    settings.stream = entry.key
    for line in try entry.lines(such: "maximum_rate: 5") {
      switch line.key {
      case "maximum_rate": settings.maximumRate = try line.number(such: "5")
      case "quality": settings.quality = UInt32(clamping: try line.wholeNumber(such: "60"))
      case "enabled": settings.enabled = try line.boolean()
      case "bit_rate": settings.bitRate = UInt64(clamping: try line.wholeNumber(such: "4000000"))
      case "key_interval":
        settings.keyIntervalNs = UInt64(clamping: try line.duration(such: "1s").wholeNanoseconds)
      case "bound": settings.bound = try line.size(such: "1280x720")
      default:
        throw line.unknown(
          among: ["maximum_rate", "quality", "enabled", "bit_rate", "key_interval", "bound"],
          of: "a stream")
      }
    }
    return settings
  }
}
