import ArgumentParser
import CameraClient

extension SettingText {
  /// - Throws: `ValidationError` for what shows without the camera: a name twice, none, or a value
  ///   that stands alone.
  static func check(_ settings: [String]) throws {
    var names: Set<String> = []
    for (index, setting) in settings.enumerated() {
      let name = SettingText(setting).name
      guard names.insert(name).inserted else {
        throw ValidationError("'\(name)' is there twice: leave one of them out")
      }
      if setting.isEmpty || setting.hasPrefix("=") {
        throw ValidationError("'\(setting)' names no control: write NAME=VALUE")
      }
      // A value that stands alone: no control's name begins with a digit.
      guard index > 0, !setting.contains("="), setting.prefixMatch(of: /-?[0-9]/) != nil else {
        continue
      }
      throw ValidationError(
        "'\(setting)' is no control's name: write \(settings[index - 1])=\(setting)")
    }
  }

  /// The settings in the shapes of the camera's controls.
  static func values(
    _ settings: [String], of camera: Camera
  ) async throws -> [(id: String, value: ControlValue)] {
    guard !settings.isEmpty else { return [] }
    let texts = settings.map(SettingText.init)
    return try zip(texts, try await camera.controls(texts.map(\.name))).map { text, control in
      (id: control.id, value: try text.value(for: control))
    }
  }
}
