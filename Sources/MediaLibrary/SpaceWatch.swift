import EventLoop
import OperatingSystem

/// Watches whether the library can store more.
///
/// The kernel does not report changes of free space, and other programs fill and empty the disk
/// too. So this looks whenever the library stores or deletes something, and once a second.
final class SpaceWatch {
  private static let pause = Duration.seconds(1)

  private let loop: EventLoop
  private let look: (_ byteCount: Int) -> LibraryRoom
  private let onChange: (LibraryRoom) -> Void
  /// What the last look has shown; nil before the first.
  private var room: LibraryRoom?
  /// The bytes of the largest photo so far. The next one may be as large.
  private(set) var largest = 0
  private var timer: LoopTimer?

  /// - Parameter look: Looks whether so many bytes can be stored.
  init(
    on loop: EventLoop, look: @escaping (_ byteCount: Int) -> LibraryRoom,
    onChange: @escaping (LibraryRoom) -> Void
  ) {
    self.loop = loop
    self.look = look
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
    let room = look(largest)
    guard room != self.room else { return }
    self.room = room
    onChange(room)
  }

  /// Takes the size of something that is about to be stored.
  func asked(for byteCount: Int) {
    largest = max(largest, byteCount)
    check()
  }
}
