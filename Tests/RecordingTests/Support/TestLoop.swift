import EventLoop

/// A loop for recording, which stops with its test.
final class TestLoop: Sendable {
  let loop = EventLoop(name: "recording test")

  deinit {
    loop.stop()
  }

  /// Waits until the loop has done all earlier work.
  func finish() {
    loop.performAndWait {}
  }
}
