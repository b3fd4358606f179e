import CLinux
import Glibc

/// Signals that wait to be read instead of interrupting the program (signalfd(2)).
///
/// To take them needs no thread of its own, so that a signal ends a program also where its user has
/// no thread left. A signal that comes again before it was read counts once.
package final class SignalQueue: Sendable {
  /// Readable while a signal waits.
  package let descriptor: Int32

  /// Call it before the program starts another thread: the queue gets a signal only if every thread
  /// blocks it, and threads inherit what they block.
  /// - Throws: The system has no descriptor left.
  package init(_ signals: [Int32]) throws(SystemError) {
    descriptor = try systemCall("signalfd") {
      unsafe CLinux_queueSignals(signals, Int32(signals.count))
    }
  }

  deinit { close(descriptor) }

  /// Takes a signal; nil if none waits.
  package func next() -> Int32? {
    let signal = CLinux_nextSignal(descriptor)
    return signal == 0 ? nil : signal
  }

  /// Takes a signal, and waits until there is one. For threads that may block.
  package func wait() -> Int32 {
    while true {
      if let signal = next() { return signal }
      try? Interrupter.wait(for: POLLIN, on: descriptor, until: nil)
    }
  }
}
