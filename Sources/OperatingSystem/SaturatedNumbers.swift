extension FixedWidthInteger {
  /// The sum, or the number next to it where the type has no such number.
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// The difference, or the number next to it where the type has no such number.
  package func subtractingSaturated(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return other > 0 ? .min : .max
  }
}
