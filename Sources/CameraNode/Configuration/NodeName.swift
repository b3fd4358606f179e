/// The name that a node has in its status.
enum NodeName {
  /// Whether it is 1 to 64 printable characters on one line, and not only spaces.
  static func isValid(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    return (1...64).contains(scalars.count) && scalars.allSatisfy(isPrintable)
      && scalars.contains { $0.properties.generalCategory != .spaceSeparator }
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      false
    default: true
    }
  }
}
