import Glibc

extension UnsafeMutableRawBufferPointer {
  /// Memory for a picture; what is not written of it is not taken from the machine.
  ///
  /// Of what will be filled, the most is asked for in huge pages (madvise(2)): a copy goes through a thousand addresses
  /// that need a translation, and a new picture through as many page faults. The last of them may be a sixteenth of the
  /// picture larger than needed. The kernel is free to give ordinary ones.
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
