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

  /// Runs `body` on the actor's thread soon. It does nothing if the loop was stopped.
  package nonisolated func enter(_ body: @escaping @Sendable (isolated Self) -> Void) {
    _ = loop.performUnlessStopped { self.assumeIsolated(body) }
  }
}
