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
}
