// Sendable: only the loop's thread uses `handler`; `cancel` checks that.
/// A handler that waits for one descriptor, made by ``EventLoop/watch(_:for:_:)``. The loop holds
/// it until it is cancelled.
public final class Watch: @unchecked Sendable {
  let descriptor: Int32
  let interest: Interest
  private unowned let loop: EventLoop
  private var handler: (() -> Void)?

  init(
    _ descriptor: Int32,
    for interest: Interest,
    on loop: EventLoop,
    _ handler: @escaping () -> Void
  ) {
    self.descriptor = descriptor
    self.interest = interest
    self.loop = loop
    self.handler = handler
  }

  /// Ends the wait. The handler is released and never called again, even if its descriptor is
  /// already ready. Cancel before closing the descriptor, on the loop's thread. A second call does
  /// nothing.
  public func cancel() {
    loop.checkIsolated()
    guard handler != nil else { return }
    handler = nil
    loop.poller.remove(self)
  }

  func fire() {
    handler?()
  }
}
