import ArgumentParser

/// The distances of a matte as people write them: `0.3-1.2`, in metres.
enum MatteText {
  static func parse(_ text: String) throws -> ClosedRange<Double> {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let ends = parts.compactMap { Double($0) }
    guard parts.count == 2, ends.count == 2, ends[0] < ends[1]
    else {
      throw ValidationError(
        "'\(text)' is no range of distances: write two in metres, the nearer one first, as 0.3-1.2"
      )
    }
    return ends[0]...ends[1]
  }
}
