import CLinux
import Glibc
import OperatingSystem

/// An eventfd that ends a loop's sleep from any thread.
struct WakeUp: ~Copyable, Sendable {
  let descriptor: Int32

  /// Nil when no descriptor is left.
  init?() {
    let descriptor = CLinux_eventfd()
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Makes the descriptor readable. The call fails only when the counter is full; then the
  /// descriptor is readable already.
  func signal() {
    var one: UInt64 = 1
    _ = try? systemCall("write to the wake-up") {
      unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
  }

  /// Makes the descriptor unreadable again.
  func reset() {
    var count: UInt64 = 0
    _ = try? systemCall("read the wake-up") {
      unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
  }
}
