import CameraProtocol
import SwiftProtobuf
import Words
import Yams

/// One `key: value` of a configuration file. Its errors name file, line and key.
struct ConfigurationEntry {
  let path: String
  let key: String
  /// The line of the value.
  let line: Int
  let value: Yams.Node

  init(path: String, key: Yams.Node, value: Yams.Node) {
    self.path = path
    self.key = key.string ?? "?"
    self.value = value
    line = value.mark?.line ?? key.mark?.line ?? 1
  }

  var origin: SettingOrigin { .file(path: path, line: line, key: key) }

  /// - Parameter example: A value that would be right, for the error.
  func text(such example: String) throws(ConfigurationError) -> String {
    guard let text = value.string, !text.isEmpty else {
      throw origin.mistake("needs a text such as \(example), not \(found)")
    }
    return text
  }

  func boolean() throws(ConfigurationError) -> Bool {
    guard let value = value.bool else { throw origin.mistake("needs true or false, not \(found)") }
    return value
  }

  func logLevel() throws(ConfigurationError) -> LogLevel {
    guard let level = value.string.flatMap(LogLevel.init) else {
      let levels = LogLevel.allCases.map(\.rawValue)
      throw origin.mistake("is one of \(levels.joined(separator: ", ")), not \(found)")
    }
    return level
  }

  func duration(such example: String) throws(ConfigurationError) -> Duration {
    let read = value.string.flatMap { DurationText.parse($0, needsUnit: true) }
    guard let duration = read, duration > .zero else {
      throw origin.mistake("needs a time above 0 with its unit, such as \(example), not \(found)")
    }
    return duration
  }

  func byteCount() throws(ConfigurationError) -> Int {
    guard let byteCount = value.string.flatMap({ ByteCountText.parse($0) }) else {
      throw origin.mistake("needs \(ByteCountText.forms), not \(found)")
    }
    return byteCount
  }

  func pressure() throws(ConfigurationError) -> PressureSource {
    guard let source = value.string.flatMap(PressureSource.init) else {
      throw origin.mistake("is \(PressureSource.forms), not \(found)")
    }
    return source
  }

  func ports(such example: String) throws(ConfigurationError) -> ClosedRange<UInt16> {
    guard let ports = value.string.flatMap(PortRange.parse) else {
      throw origin.mistake("needs a range of ports such as \(example), not \(found)")
    }
    return ports
  }

  /// The lines below the key.
  func lines(such example: String) throws(ConfigurationError) -> [ConfigurationEntry] {
    guard let mapping = value.mapping, !mapping.isEmpty else {
      throw origin.mistake("needs keys of its own such as \(example), not \(found)")
    }
    return mapping.map { ConfigurationEntry(path: path, key: $0.key, value: $0.value) }
  }

  func number(such example: String) throws(ConfigurationError) -> Double {
    guard let number = value.string.flatMap({ Double($0) }), number.isFinite else {
      throw origin.mistake("needs a number such as \(example), not \(found)")
    }
    return number
  }

  func wholeNumber(such example: String) throws(ConfigurationError) -> Int {
    guard let number = value.string.flatMap({ Int($0) }), number >= 0 else {
      throw origin.mistake("needs a whole number such as \(example), not \(found)")
    }
    return number
  }

  func size(such example: String) throws(ConfigurationError) -> WireSize {
    guard let (width, height) = value.string.flatMap({ SizeText.sides(of: $0) }) else {
      throw origin.mistake("needs a size such as \(example), not \(found)")
    }
    return .with { ($0.width, $0.height) = (UInt32(clamping: width), UInt32(clamping: height)) }
  }

  /// A value of any kind as people write it on the command line: a list with commas.
  func words() throws(ConfigurationError) -> String {
    if let text = value.string { return text }
    guard let items = value.sequence?.map(\.string), !items.contains(nil) else {
      throw origin.mistake("needs a value such as 5, auto or [1, 2], not \(found)")
    }
    return items.compactMap(\.self).joined(separator: ",")
  }

  func choice<Choice>(of choices: [String: Choice]) throws(ConfigurationError) -> Choice {
    guard let choice = value.string.flatMap({ choices[$0] }) else {
      throw origin.mistake(
        "is one of \(choices.keys.sorted().joined(separator: ", ")), not \(found)")
    }
    return choice
  }

  /// The error for a key that nothing has.
  func unknown(among known: [String], of whole: String) -> ConfigurationError {
    let remedy =
      known.nearest(to: key).map { "did you mean '\($0)'?" }
      ?? "its keys are \(known.joined(separator: ", "))"
    return origin.error("\(whole) has no key '\(key)': \(remedy)")
  }

  /// The value in the words of an error.
  var found: String {
    switch value {
    case .mapping: "keys of its own"
    case .sequence: "a list"
    case .scalar(let scalar) where scalar.string.isEmpty: "nothing"
    case .scalar(let scalar): "'\(scalar.string)'"
    case .alias: "an alias"
    }
  }
}
