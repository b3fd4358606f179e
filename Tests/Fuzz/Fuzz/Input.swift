extension RawSpan {
  /// Divides the input into at most this many parts. Two bytes say how long each is; the last has
  /// the rest.
  func parts(_ most: Int) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = array[...]
    while parts.count < most - 1, rest.count >= 2 {
      let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
      parts.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return parts + [Array(rest)]
  }

  var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
