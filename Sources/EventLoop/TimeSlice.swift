import CLinux

/// How long the kernel lets a thread run before another one that waits for the same core has its turn.
public enum TimeSlice: Sendable {
  /// What the kernel or whoever started the program has chosen, some milliseconds: for threads that compute.
  case ordinary
  /// A third of a millisecond: for threads that are woken often, have little to do and are waited for.
  ///
  /// Such a thread runs as soon as it is woken, where it would else wait until somebody who computes has used up a
  /// slice. It gets no larger share of the core by it, and needs no permission. Linux knows this since 6.12; an older one
  /// takes no notice.
  case short

  /// Less than the 0.7 ms that the kernel chooses at the least. With 0.1 ms a program's own short threads interrupt one
  /// another.
  private static let shortNanoseconds: UInt64 = 300_000

  /// Gives the calling thread such slices, but no thread that it starts.
  func apply() {
    if self == .short { CLinux_setSlice(Self.shortNanoseconds, 0) }
  }

  /// Has all threads that the calling one starts in `body` run with short slices.
  package static func shortForThreadsStarted<Result>(in body: () -> Result) -> Result {
    let previous = CLinux_slice(0)
    CLinux_setSlice(shortNanoseconds, 1)
    defer { CLinux_setSlice(previous, 1) }
    return body()
  }
}
