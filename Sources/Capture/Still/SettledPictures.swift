import Imaging

/// Tells when a camera that has just started has settled: when its pictures do not become brighter
/// or darker any more. Pure.
///
/// A camera's automatics begin to work after some frames, which are all as dark as each other. So
/// pictures that are as bright as the stream was are believed soon, others only after more, and
/// those that are far from it not at all: then time decides.
struct SettledPictures {
  /// After this many pictures that are not far from what is expected, the last one will do: the
  /// light itself may change.
  static let most = 30
  /// How many in a row must be alike if they are as bright as expected, and if they are not.
  private static let few = 3
  static let many = 8
  /// Differences of luma, 0 to 255: between pictures that are alike, and from what is expected.
  private static let (tolerance, distance) = (2.0, 8.0)
  /// Pictures that are brighter or darker than expected by more than this factor are far from it.
  private static let far = 2.0

  /// How bright the pictures will be; nil if nobody knows.
  private let expected: Double?
  private(set) var count = 0
  /// The first of those in a row that are alike.
  private var first: Double?
  private var alike = 0

  init(expecting expected: Double? = nil) {
    self.expected = expected
  }

  /// - Parameter brightness: Nil for a picture that cannot be read.
  /// - Returns: Whether this picture is settled.
  mutating func take(_ brightness: Double?) -> Bool {
    guard let brightness else {
      (first, alike) = (nil, 0)
      count += 1
      return false
    }
    if let first, abs(first - brightness) <= Self.tolerance {
      alike += 1
    } else {
      (first, alike) = (brightness, 1)
    }
    let isExpected = expected.map { abs($0 - brightness) <= Self.distance } ?? false
    if !isExpected, let expected,
      max(expected, brightness) > Self.far * min(expected, brightness)
    {
      return false
    }
    count += 1
    return alike >= (isExpected ? Self.few : Self.many) || count >= Self.most
  }
}

extension LumaGrid {
  /// The mean of all cells; nil if there are none.
  var brightness: Double? {
    cells.isEmpty ? nil : Double(cells.reduce(0) { $0 + Int($1) }) / Double(cells.count)
  }
}
