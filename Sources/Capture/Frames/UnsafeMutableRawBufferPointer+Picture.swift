import Glibc

extension UnsafeMutableRawBufferPointer {
  /// Memory for a picture; what is never written of it is not taken from the machine.
  ///
  /// Memory that every picture fills is asked for in huge pages (madvise(2)), as far as they fit: in ordinary ones a
  /// copy of 1080p needs the addresses of a thousand pages translated, and the first copy a thousand page faults. The
  /// last huge page may reach beyond the picture by a sixteenth of it. The kernel may give ordinary ones all the same.
  /// - Parameter isFilled: whether every picture fills the memory, as raw ones do.
  static func allocatePicture(byteCount: Int, isFilled: Bool) -> Self {
    let inHugePages = isFilled ? (byteCount + byteCount / 16) / hugePage * hugePage : 0
    let isHuge = inHugePages > 0
    let memory = allocate(
      byteCount: Swift.max(byteCount, inHugePages), alignment: isHuge ? hugePage : cacheLine)
    if isHuge { unsafe madvise(memory.baseAddress, inHugePages, MADV_HUGEPAGE) }
    return unsafe Self(rebasing: memory[0..<byteCount])
  }
}

/// What they have where ordinary ones have 4 KiB; elsewhere the wish is too small to mean anything.
private let hugePage = 2 << 20
private let cacheLine = 64
