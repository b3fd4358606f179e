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

  /// - Parameter number: what ``take()`` returns for this descriptor.
  package func add(_ watched: Int32, number: UInt64) {
    // The descriptor may be armed under the number of a connection that has ended since.
    if CLinux_awaitInput(descriptor, watched, number, 1) != 0 { arm(watched, number: number) }
  }

  package func arm(_ watched: Int32, number: UInt64) {
    _ = CLinux_awaitInput(descriptor, watched, number, 0)
  }

  /// The numbers of some descriptors that had input since they were armed.
  package func take() -> [UInt64] {
    unsafe [UInt64](unsafeUninitializedCapacity: 64) { numbers, count in
      count = Int(unsafe CLinux_takeInputs(descriptor, numbers.baseAddress, 64))
    }
  }
}
