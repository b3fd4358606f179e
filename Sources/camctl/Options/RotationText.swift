import ArgumentParser

/// What options that turn pictures take: degrees clockwise.
enum RotationText {
  static let values = ["0", "90", "180", "270"]

  static func parse(_ text: String) throws -> Int {
    guard values.contains(text), let rotation = Int(text) else {
      throw ValidationError("write 0, 90, 180 or 270")
    }
    return rotation
  }
}
