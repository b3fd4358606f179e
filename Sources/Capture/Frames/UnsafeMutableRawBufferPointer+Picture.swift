import Glibc

extension UnsafeMutableRawBufferPointer {
  /// Allocates memory for a picture. Pages that are never written take no memory of the machine.
  ///
  /// Memory that every picture fills asks for huge pages (madvise(2)), because a copy of 1080p
  /// otherwise translates the addresses of a thousand pages, and the first copy has a thousand page
  /// faults. The last huge page may exceed the picture by a sixteenth of its size. The kernel may
  /// still give ordinary pages.
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

/// The size of huge pages on machines with ordinary pages of 4 KiB. Where they are larger, the
/// advice has no effect.
private let hugePage = 2 << 20
private let cacheLine = 64
