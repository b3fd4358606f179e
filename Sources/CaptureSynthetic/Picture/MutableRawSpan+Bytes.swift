extension MutableRawSpan {
  /// Copies bytes within the same memory. The ranges may overlap.
  mutating func copyBytes(from source: Int, to destination: Int, count: Int) {
    precondition(min(source, destination) >= 0 && max(source, destination) + count <= byteCount)
    unsafe withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe (base + destination).copyMemory(from: base + source, byteCount: count)
    }
  }

  /// Copies all of `source` to the start of this memory. Traps if it does not fit.
  mutating func copyBytes(of source: RawSpan) {
    precondition(source.byteCount <= byteCount)
    unsafe withUnsafeMutableBytes { bytes in
      unsafe source.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
    }
  }

  /// Repeats the `period` bytes at `start` up to `end`.
  mutating func repeatBytes(at start: Int, period: Int, through end: Int) {
    var done = period
    while start + done < end {
      let count = min(done, end - start - done)
      copyBytes(from: start, to: start + done, count: count)
      done += count
    }
  }
}
