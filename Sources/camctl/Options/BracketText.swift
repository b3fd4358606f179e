import ArgumentParser
import CameraClient
import Words

/// The shots of a bracket as people write them: `-2,0,2` in EV, `exposure:1ms,4ms,16ms`, or
/// `brightness=10,20,30` for any control. Semicolons divide values that have commas of their own:
/// `point_of_interest=0.2,0.5;0.8,0.5`.
enum BracketText {
  case steps([Double])
  case exposures([Duration])
  case values(String, [String])

  static func parse(_ text: String) throws -> BracketText {
    if text.hasPrefix("exposure:") {
      let parts = parts(text.dropFirst("exposure:".count))
      let times = parts.map { DurationText.parse($0, needsUnit: true) ?? .zero }
      guard times.allSatisfy({ $0 > .zero }) else { throw refusal(of: text) }
      return .exposures(times)
    }
    if let equals = text.firstIndex(of: "=") {
      let values = values(text[text.index(after: equals)...])
      guard equals > text.startIndex, values.allSatisfy({ !$0.isEmpty }) else {
        throw refusal(of: text)
      }
      return .values(String(text[..<equals]), values)
    }
    let steps = parts(text[...]).map { Double($0) ?? .nan }
    guard steps.allSatisfy(\.isFinite) else { throw refusal(of: text) }
    return .steps(steps)
  }

  private static func parts(_ text: Substring, at separator: Character = ",") -> [String] {
    text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  private static func values(_ text: Substring) -> [String] {
    guard text.contains(";") else { return parts(text) }
    // With a semicolon at the end it is one value.
    return parts(text.last == ";" ? text.dropLast() : text, at: ";")
  }

  private static func refusal(of text: String) -> ValidationError {
    ValidationError(
      "'\(text)' is no bracket: write -2,0,2 (EV), exposure:1ms,4ms,16ms (with units), or a control with "
        + "its values, as brightness=10,20,30")
  }

  var count: Int {
    switch self {
    case .steps(let steps): steps.count
    case .exposures(let times): times.count
    case .values(_, let values): values.count
    }
  }

  /// The shots, with values in the shape of the camera's control.
  /// The shots as far as they are known without the camera, whose controls say what a value is.
  var outline: [BracketShot] {
    switch self {
    case .steps(let steps): steps.map(BracketShot.ev)
    case .exposures(let times): times.map(BracketShot.exposure)
    case .values(let name, let texts):
      texts.map { .settings([ControlSetting(name, to: .string($0))]) }
    }
  }

  func shots(of camera: Camera) async throws -> [BracketShot] {
    switch self {
    case .steps, .exposures: return outline
    case .values(let name, let texts):
      guard let control = try await camera.controls([name]).first else { return [] }
      return try texts.map { text in
        .settings([ControlSetting(name, to: try Self.value(text, of: name, for: control))])
      }
    }
  }

  private static func value(
    _ text: String, of name: String, for control: Control
  ) throws -> ControlValue {
    do {
      return try SettingText("\(name)=\(text)").value(for: control)
    } catch var failure as CommandFailure where [.point, .array].contains(control.kind) {
      failure.message += "; in a bracket, end each value in a semicolon: '\(name)=V,V;V,V;'"
      throw failure
    }
  }
}

extension ResolvedShot {
  /// "shot 2 of 3 with exposure.duration=0.01 (metadata)".
  var words: String {
    let settings = settings.map { "\($0.id)=\($0.value)" }.joined(separator: ", ")
    return "shot \(index) of \(count) with \(settings) (\(evidence))"
  }
}
