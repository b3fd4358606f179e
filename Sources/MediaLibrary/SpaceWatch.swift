import EventLoop
import OperatingSystem

/// Watches the room on the library's disk, and whether its folder is there.
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
  private let onChange: (LibraryRoom) -> Void
  /// What the last look has shown; nil before the first.
  private var room: LibraryRoom?
  /// The bytes of the largest photo so far. The next one may be as large.
  private var largest = 0
  private var timer: LoopTimer?

  /// - Parameters:
  ///   - reserve: the bytes that must stay free.
  ///   - freeBytes: returns the free bytes, or nil if the folder is gone or its disk cannot
  ///     be read.
  init(
    on loop: EventLoop, reserve: Int, freeBytes: @escaping () -> Int?,
    onChange: @escaping (LibraryRoom) -> Void
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

  func check() { take(freeBytes()) }

  /// Takes what was found for something of `byteCount` bytes that is about to be stored.
  func asked(for byteCount: Int, free: Int) {
    largest = max(largest, byteCount)
    take(free)
  }

  private func take(_ free: Int?) {
    let isFull = free.map { $0 - largest < reserve } ?? false
    let room = LibraryRoom(freeByteCount: free, reserve: reserve, isFull: isFull)
    guard room != self.room else { return }
    self.room = room
    onChange(room)
  }
}
