import UnixSignals

/// Turns Ctrl-C from the program's end into an event to wait for, from the moment that this is
/// made.
struct Interruption {
  private let signals: UnixSignalsSequence

  init() async {
    signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
  }

  /// Waits for Ctrl-C. False when the task is cancelled first.
  func comes() async -> Bool {
    for await _ in signals { return true }
    return false
  }

  /// Runs `body`, cancels it at Ctrl-C, and returns its result in both cases.
  func ending<R: Sendable>(
    _ body: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    try await withThrowingTaskGroup(of: R?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        _ = await comes()
        return nil
      }
      while let outcome = try await group.next() {
        group.cancelAll()
        if let outcome { return outcome }
      }
      throw CancellationError()
    }
  }
}
