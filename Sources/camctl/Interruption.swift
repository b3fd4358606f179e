import UnixSignals

/// Ctrl-C, from when this is made, as something to wait for instead of the program's end.
struct Interruption {
  private let signals: UnixSignalsSequence

  init() async {
    signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
  }

  /// Waits for it; false when the task is cancelled before.
  func comes() async -> Bool {
    for await _ in signals { return true }
    return false
  }

  /// Runs `body` and cancels it when the interruption comes; either way, what it returns is
  /// returned.
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
