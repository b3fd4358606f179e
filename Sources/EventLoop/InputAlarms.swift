import CLinux
import Glibc

// Sendable: epoll(7) may be used by any thread, and the descriptor never changes.
/// Reports input once for each descriptor, until it is armed again.
///
/// Unlike a ``Watch`` it suits descriptors of others, who read them and close them at any time: a
/// closed descriptor is forgotten, and one that stays readable is reported only once.
package final class InputAlarms: Sendable {
  /// Readable while a report waits.
  package let descriptor: Int32

  /// Nil when no descriptor is left.
  package init?() {
    descriptor = CLinux_epoll()
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Begins to watch a descriptor, or arms it again.
  package func add(_ watched: Int32) {
    if CLinux_awaitInput(descriptor, watched, 1) != 0 { arm(watched) }
  }

  package func arm(_ watched: Int32) { _ = CLinux_awaitInput(descriptor, watched, 0) }

  /// Some of the descriptors that had input since they were armed.
  package func take() -> [Int32] {
    unsafe [Int32](unsafeUninitializedCapacity: 64) { descriptors, count in
      count = Int(unsafe CLinux_takeInputs(descriptor, descriptors.baseAddress, 64))
    }
  }
}
