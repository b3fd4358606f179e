/// An actor that lives on an event loop, and can be asked to work without a task.
///
/// Its isolated methods do not suspend, so what is asked of it is done in order, and asking costs one hand-over.
package protocol LoopActor: Actor {
  nonisolated var loop: EventLoop { get }
}

extension LoopActor {
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  /// Does something on the actor's thread, soon; nothing when its loop has been stopped.
  package nonisolated func enter(_ body: @escaping @Sendable (isolated Self) -> Void) {
    _ = loop.performUnlessStopped { self.assumeIsolated(body) }
  }

  /// Does something on the actor's thread and tells the outcome there.
  package nonisolated func perform<R: Sendable, E: Error>(
    _ body: @escaping @Sendable (isolated Self) throws(E) -> R,
    then: @escaping @Sendable (Result<R, E>) -> Void
  ) {
    enter { actor in
      do throws(E) {
        then(.success(try body(actor)))
      } catch {
        then(.failure(error))
      }
    }
  }
}
