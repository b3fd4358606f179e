extension Duration {
  /// The whole nanoseconds for a request. Negative durations become 0, and too long ones the
  /// greatest number.
  package var wireNanoseconds: UInt64 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    let product = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let sum = product.partialValue.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
    return product.overflow || sum.overflow ? .max : sum.partialValue
  }
}
