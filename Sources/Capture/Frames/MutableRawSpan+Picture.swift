import CPixels

extension MutableRawSpan {
  /// Copies all of a picture to the start of this memory, which has room for it.
  ///
  /// One that nobody waits for is copied past the caches: that is a third cheaper, and leaves in them what others need.
  /// Somebody may read it later all the same.
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
