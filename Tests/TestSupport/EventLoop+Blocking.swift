import Dispatch
package import EventLoop

extension EventLoop {
  /// Does something while the loop's thread is held up, as by a slow disk.
  package func whileBlocked<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    let (blocked, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    perform {
      blocked.signal()
      released.wait()
    }
    blocked.wait()
    defer { released.signal() }
    try body()
  }
}
