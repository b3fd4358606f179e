/// A range of at least two ports as people write it: `5580-5599`.
package enum PortRange {
  package static func parse(_ text: String) -> ClosedRange<UInt16>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt16($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first > 0, first < last else {
      return nil
    }
    return first...last
  }
}
