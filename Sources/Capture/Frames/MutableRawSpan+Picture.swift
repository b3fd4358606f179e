import CPixels

extension MutableRawSpan {
  /// Copies all of a picture, or of a part that has its place at `offset`, to this memory. It must
  /// fit.
  ///
  /// A picture that nobody will read soon is copied past the caches. That is a third cheaper, and
  /// does not displace what others need there.
  package mutating func copyPicture(_ picture: RawSpan, at offset: Int = 0, isAwaited: Bool) {
    precondition(
      (0...byteCount).contains(offset) && picture.byteCount <= byteCount - offset,
      "a frame cannot exceed its memory")
    unsafe withUnsafeMutableBytes { bytes in
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
      unsafe picture.withUnsafeBytes { source in
        guard let start = target.baseAddress, !isAwaited else {
          return unsafe target.copyMemory(from: source)
        }
        unsafe CPixels_copyPastCaches(start, source.baseAddress, source.count)
      }
    }
  }
}
