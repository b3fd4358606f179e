import EventLoop
import OperatingSystem

/// Watches whether the library's disk has room for another photo.
///
/// The kernel does not report changes of free space, and other programs fill and empty the disk
/// too. So this looks whenever the library stores or deletes something, and once a second, which
/// costs one system call.
// @unchecked: used on the library's thread only.
final class SpaceWatch: @unchecked Sendable {
  private static let pause = Duration.seconds(1)

  private let loop: EventLoop
  private let reserve: Int
  private let freeBytes: () -> Int?
  private let onChange: (_ isFull: Bool) -> Void
  private var isFull = false
  /// The bytes of the largest photo so far. The next one may be as large.
  private var largest = 0
  private var timer: LoopTimer?

  /// - Parameters:
  ///   - reserve: the bytes that must stay free.
  ///   - freeBytes: returns the free bytes, or nil if they cannot be read; then the last answer
  ///     stays.
  init(
    on loop: EventLoop, reserve: Int, freeBytes: @escaping () -> Int?,
    onChange: @escaping (_ isFull: Bool) -> Void
  ) {
    self.loop = loop
    self.reserve = reserve
    self.freeBytes = freeBytes
    self.onChange = onChange
  }

  func begin() {
    check()
    timer = loop.schedule(at: .now + Self.pause) { [weak self] in
      guard let self else { return }
      check()
      timer?.again(at: .now + Self.pause)
    }
  }

  func end() {
    timer?.cancel()
    timer = nil
  }

  func check() {
    if let free = freeBytes() { take(free) }
  }

  /// Takes what was found for something of `byteCount` bytes that is about to be stored.
  func asked(for byteCount: Int, free: Int) {
    largest = max(largest, byteCount)
    take(free)
  }

  private func take(_ free: Int) {
    let isFull = free - largest < reserve
    guard isFull != self.isFull else { return }
    self.isFull = isFull
    onChange(isFull)
  }
}
