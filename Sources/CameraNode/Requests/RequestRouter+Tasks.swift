import EventLoop

extension RequestRouter {
  /// Runs a task on the loop. The part before its first suspension runs before this returns.
  ///
  /// All tasks of a node start here, so that ``close()`` can wait for them: a task that resumes on
  /// a loop that has stopped would end the program.
  func run(_ kind: String, _ work: @escaping @Sendable () async -> Void) {
    let key = Key()
    let task = Task.immediate(name: kind, executorPreference: loop) {
      await work()
      self.tasks[ObjectIdentifier(key)] = nil
      key.hasEnded = true
    }
    if !key.hasEnded { tasks[ObjectIdentifier(key)] = (kind, task) }
  }

  /// Waits until no task runs of whose kind `isAwaited` is true.
  func ended(_ isAwaited: (String) -> Bool) async {
    while let running = tasks.values.first(where: { isAwaited($0.kind) }) {
      await running.task.value
    }
  }
}

/// Identifies a task, and records whether it ended before it was added to the list.
// Sendable: used on the router's loop only.
private final class Key: @unchecked Sendable {
  var hasEnded = false
}
