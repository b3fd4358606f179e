import CPixels

extension MutableRawSpan {
  /// Copies all of a picture to the start of this memory. It must fit.
  ///
  /// A picture that nobody will read soon is copied past the caches. That is a third cheaper, and
  /// does not displace what others need there.
  package mutating func copyPicture(_ picture: RawSpan, isAwaited: Bool) {
    precondition(picture.byteCount <= byteCount, "a frame cannot exceed its memory")
    unsafe withUnsafeMutableBytes { target in
      unsafe picture.withUnsafeBytes { source in
        guard let start = target.baseAddress, !isAwaited else {
          return unsafe target.copyMemory(from: source)
        }
        unsafe CPixels_copyPastCaches(start, source.baseAddress, source.count)
      }
    }
  }
}
