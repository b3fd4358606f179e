/// The part of a document that a request asks for (RFC 9110, chapter 14).
enum ByteRange: Hashable {
  case whole
  case part(Range<UInt64>)
  /// No byte of the document is in it.
  case outside

  /// - Parameters:
  ///   - header: `Range`; nil asks for all. Forms that this does not know, several ranges among
  ///     them, ask for all too, as the standard allows.
  ///   - count: The bytes of the document.
  init(_ header: String?, of count: UInt64) {
    self = .whole
    guard let header, header.hasPrefix("bytes=") else { return }
    let ends = header.dropFirst("bytes=".count).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }) else {
      return
    }
    // A number beyond what 64 bits hold is beyond every document.
    let numbers = ends.map { $0.isEmpty ? nil : UInt64($0) ?? .max }
    switch (numbers[0], numbers[1]) {
    case (nil, nil): return
    case (nil, let last?):
      self = last == 0 || count == 0 ? .outside : .part((count - min(last, count))..<count)
    case (let first?, let last):
      if let last, last < first { return }
      guard first < count else {
        self = .outside
        return
      }
      self = .part(first..<min(last ?? count - 1, count - 1) + 1)
    }
  }
}
