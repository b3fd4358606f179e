extension Orientation {
  /// The numbers of EXIF for how a viewer has to turn the picture, by quarter turns: not mirrored
  /// and mirrored.
  ///
  /// EXIF's numbers say where the first row and the first column of the file are in the picture: 6
  /// for example has its first row at the right side, so that the file has to be turned clockwise.
  private static let turned: [UInt16] = [1, 6, 3, 8]
  private static let mirrored: [UInt16] = [2, 5, 4, 7]

  /// The value of EXIF's orientation tag, from 1 to 8 (Exif 2.32, section 4.6.4).
  package var exifValue: UInt16 {
    (isMirrored ? Self.mirrored : Self.turned)[rotation.rawValue / 90]
  }

  /// Nil for values that are not defined.
  package init?(exifValue: Int) {
    guard let found = Self.allCases.first(where: { Int($0.exifValue) == exifValue }) else {
      return nil
    }
    self = found
  }
}
