import Dispatch
import EventLoop

/// A loop to record on, which ends with its test.
final class TestLoop: Sendable {
  let loop = EventLoop(name: "recording test")

  deinit {
    loop.stop()
  }

  /// Waits until what was asked of the loop so far is done.
  func finish() {
    loop.performAndWait {}
  }

  /// Does something while the loop's thread is held up, as by a slow disk.
  func whileBlocked<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    let (blocked, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    loop.perform {
      blocked.signal()
      released.wait()
    }
    blocked.wait()
    defer { released.signal() }
    try body()
  }
}
