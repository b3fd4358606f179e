import ArgumentParser

/// What `--count` takes.
enum PositiveCount {
  private static let maximum = 1_000_000_000

  static func parse(_ text: String) throws -> Int {
    guard let count = Int(text), (1...maximum).contains(count) else {
      throw ValidationError("write a whole number above 0 and of at most \(maximum)")
    }
    return count
  }
}
