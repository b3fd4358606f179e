// Sendable: `handler` is touched on the loop's thread alone, which `cancel` checks.
/// One handler's wait on one descriptor, made by ``EventLoop/watch(_:for:_:)``. The loop holds it until it is cancelled.
public final class Watch: @unchecked Sendable {
  let descriptor: Int32
  let interest: Interest
  private unowned let loop: EventLoop
  private var handler: (@Sendable () -> Void)?

  init(
    _ descriptor: Int32,
    for interest: Interest,
    on loop: EventLoop,
    _ handler: @escaping @Sendable () -> Void
  ) {
    self.descriptor = descriptor
    self.interest = interest
    self.loop = loop
    self.handler = handler
  }

  /// Ends the wait: the handler is let go and never called again, also when its descriptor is ready already.
  /// Cancel before closing the descriptor. On the loop's thread only; cancelling again does nothing.
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
