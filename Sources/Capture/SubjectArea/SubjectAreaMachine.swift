import Imaging

/// Decides from looks at a camera's pictures whether its scene has changed. Pure.
///
/// It compares with the picture of a settled scene: two looks in a row that are alike. A change is
/// reported once, and the next reference is taken when the scene has settled again.
struct SubjectAreaMachine: Sendable {
  /// Which part of the picture must look different, 0...1.
  let threshold: Double
  private var reference: LumaGrid?
  private var last: LumaGrid?

  init(threshold: Double) {
    self.threshold = threshold
  }

  /// - Returns: which part of the picture has changed, if that reaches the threshold.
  mutating func take(_ grid: LumaGrid) -> Double? {
    defer { last = grid }
    guard let reference else {
      // A scene in which half of the threshold moves all the time never settles.
      if let last, grid.difference(from: last) < threshold / 2 { self.reference = grid }
      return nil
    }
    let change = grid.difference(from: reference)
    guard change >= threshold else { return nil }
    self.reference = nil
    return change
  }
}
