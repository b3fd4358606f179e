import Imaging

/// Tells when a camera that has just started has settled: when its pictures do not become brighter
/// or darker any more. Pure.
struct SettledPictures {
  /// After this many pictures the last one will do: the light itself may change.
  static let most = 30
  /// Of 255, between two pictures.
  private static let tolerance = 1.0

  private(set) var count = 0
  private var last: Double?
  /// How many pictures in a row were like the one before.
  private var alike = 0

  /// - Parameter grid: nil for a picture that cannot be read.
  /// - Returns: whether this picture is settled.
  mutating func take(_ grid: LumaGrid?) -> Bool {
    count += 1
    guard let grid, !grid.cells.isEmpty else {
      (last, alike) = (nil, 0)
      return false
    }
    let brightness = Double(grid.cells.reduce(0) { $0 + Int($1) }) / Double(grid.cells.count)
    alike = last.map { abs($0 - brightness) <= Self.tolerance } == true ? alike + 1 : 0
    last = brightness
    return alike >= 2 || count >= Self.most
  }
}
