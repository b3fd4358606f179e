extension String {
  /// Whether the text is shown as it is, on one line: it has no control characters, separators of
  /// lines, or marks that turn the direction of writing.
  package var isPrintableLine: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
        .unassigned:
        false
      default: true
      }
    }
  }
}
