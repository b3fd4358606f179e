/// Durations, kept in memory that is allocated beforehand.
struct Samples {
  private var values: [Int64] = []

  init(capacity: Int = 100_000) {
    values.reserveCapacity(capacity)
  }

  mutating func add(_ value: Int64) {
    if values.count < values.capacity { values.append(value) }
  }

  func percentile(_ part: Int) -> Int64 {
    values.isEmpty ? 0 : values.sorted()[values.count * part / 100]
  }

  /// Prints the result in the format of the floor's programs.
  func printResult(cpu: Int64, isLate: Bool = false, _ more: KeyValuePairs<String, Int64> = [:]) {
    let words =
      [
        "frames=\(values.count)", "cpu=\(cpu)", "late=\(isLate ? 1 : 0)",
        "p50=\(percentile(50))", "p99=\(percentile(99))",
      ] + more.map { "\($0)=\($1)" }
    print("result \(words.joined(separator: " "))")
  }
}
