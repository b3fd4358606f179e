import Imaging
import Testing

struct OrientationExifTests {
  private enum Side { case top, bottom, left, right }

  /// Where the first row and the first column of the file are in the picture that is shown, by the
  /// words of the standard (Exif 2.32, section 4.6.4).
  private let definition: [(value: Int, row: Side, column: Side)] = [
    (1, .top, .left), (2, .top, .right), (3, .bottom, .right), (4, .bottom, .left),
    (5, .left, .top), (6, .right, .top), (7, .right, .bottom), (8, .left, .bottom),
  ]

  @Test func `Each value turns the file as the standard says`() throws {
    for (value, row, column) in definition {
      let orientation = try #require(Orientation(exifValue: value))
      #expect(orientation.exifValue == value)
      #expect(side(after: orientation, of: .top) == row)
      #expect(side(after: orientation, of: .left) == column)
    }
    #expect(Set(Orientation.allCases.map(\.exifValue)) == Set(1...8))
  }

  @Test(arguments: [.min, -1, 0, 9, 65_542, .max])
  func `Other values are refused`(value: Int) {
    #expect(Orientation(exifValue: value) == nil)
  }

  /// A side is turned clockwise, and then left and right change places.
  private func side(after orientation: Orientation, of side: Side) -> Side {
    var side = side
    for _ in 0..<(orientation.rotation.rawValue / 90) {
      side =
        switch side {
        case .top: .right
        case .right: .bottom
        case .bottom: .left
        case .left: .top
        }
    }
    if orientation.isMirrored {
      if side == .left { return .right }
      if side == .right { return .left }
    }
    return side
  }
}
