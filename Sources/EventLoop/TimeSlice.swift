import CLinux

/// How long the kernel lets a thread run before another thread gets the same core.
public enum TimeSlice: Sendable {
  /// The system's default of some milliseconds, for threads that compute.
  case ordinary
  /// A third of a millisecond, for threads that wake often, do little, and that others wait for.
  ///
  /// Such a thread runs as soon as it wakes. With an ordinary slice it would wait until a thread
  /// that computes has used up its own. Its share of the core stays the same, and it needs no
  /// permission. Linux supports this since 6.12; an older kernel ignores it.
  case short

  /// Below the kernel's own minimum of 0.7 ms. With 0.1 ms a program's own short threads interrupt
  /// one another.
  private static let shortNanoseconds: UInt64 = 300_000

  /// Gives the calling thread such slices. Threads that it starts do not inherit them.
  func apply() {
    if self == .short { CLinux_setSlice(Self.shortNanoseconds, 0) }
  }

  /// Gives short slices to all threads that the calling thread starts in `body`.
  package static func shortForThreadsStarted<Result>(in body: () -> Result) -> Result {
    let previous = CLinux_slice(0)
    CLinux_setSlice(shortNanoseconds, 1)
    defer { CLinux_setSlice(previous, 1) }
    return body()
  }
}
