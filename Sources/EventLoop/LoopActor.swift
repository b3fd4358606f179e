/// An actor that runs on an event loop and that can be called without a task.
///
/// Calls are done in order, and each costs one hand-over between threads.
package protocol LoopActor: Actor {
  nonisolated var loop: EventLoop { get }
}

extension LoopActor {
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  /// Runs `body` on the actor's thread soon. If the loop was stopped, it does nothing and returns
  /// false.
  @discardableResult
  package nonisolated func enter(_ body: @escaping @Sendable (isolated Self) -> Void) -> Bool {
    loop.performUnlessStopped { self.assumeIsolated(body) }
  }

  /// Returns a handler for the loop to call on its thread. It does nothing when the actor is gone.
  package nonisolated func handler(
    _ body: @escaping @Sendable (isolated Self) -> Void
  ) -> @Sendable () -> Void {
    { [weak self] in self?.assumeIsolated(body) }
  }

  package nonisolated func handler<Value: Sendable>(
    _ body: @escaping @Sendable (isolated Self, Value) -> Void
  ) -> @Sendable (Value) -> Void {
    { [weak self] value in self?.assumeIsolated { body($0, value) } }
  }
}
