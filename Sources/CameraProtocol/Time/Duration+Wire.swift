extension Duration {
  /// Whole nanoseconds as requests carry them: 0 for what is negative, the greatest number for what is too long.
  package var wireNanoseconds: UInt64 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    let product = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let sum = product.partialValue.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
    return product.overflow || sum.overflow ? .max : sum.partialValue
  }
}
