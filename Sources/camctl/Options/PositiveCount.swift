import ArgumentParser

/// What `--count` takes.
enum PositiveCount {
  static func parse(_ text: String) throws -> Int {
    guard let count = Int(text), count > 0 else {
      throw ValidationError("write a whole number above 0")
    }
    return count
  }
}
