import EventLoop
import OperatingSystem

/// The thread of requests and events, which must never wait. What is marked with `@ControlLoop`
/// runs there alone, so it needs no lock. The nodes of a process share the thread, which lasts as
/// long as the process.
@globalActor actor ControlLoop: LoopActor {
  private static let started = Result { () throws(LoopShortage) in
    try EventLoop.starting(name: "control", slices: .short)
  }
  static let shared = ControlLoop()

  nonisolated let loop: EventLoop

  private init() {
    guard case .success(let loop) = Self.started else { preconditionFailure("see start()") }
    self.loop = loop
  }

  /// Starts the thread, if it has not started yet. Call it before anything else.
  static func start() throws(LoopShortage) -> EventLoop { try started.get() }

  /// Calls `body` once, at the deadline or as soon after it as the thread is free.
  @ControlLoop static func schedule(
    at deadline: MonotonicTime, _ body: @escaping @ControlLoop () -> Void
  ) -> LoopTimer {
    shared.loop.schedule(at: deadline) { body() }
  }

  /// Runs `body` soon, after what others have sent here before. Can be called on any thread.
  static func enter(_ body: @escaping @ControlLoop () -> Void) {
    // The same function without its isolation, which `perform` gives it: it runs on the thread.
    shared.loop.perform(unsafe unsafeBitCast(body, to: (@Sendable () -> Void).self))
  }

  /// Returns when everything is done that others have sent here before.
  static func turn() async { await shared.loop.run {} }
}
