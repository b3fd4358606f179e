import EventLoop

extension RequestRouter {
  /// Runs a task on the loop. The part before its first suspension runs before this returns.
  ///
  /// All tasks of a node start here, so that ``close()`` can wait for them: a task that resumes on
  /// a loop that has stopped would end the program.
  func run(_ kind: String, _ work: @escaping @ControlLoop () async -> Void) {
    taskCount += 1
    let number = taskCount
    loop.begin(kind) { @ControlLoop in
      await work()
      self.tasks[number] = nil
    } made: {
      tasks[number] = (kind, $0)
    }
  }

  /// Waits until no task runs of whose kind `isAwaited` is true.
  func ended(_ isAwaited: (String) -> Bool) async {
    while let running = tasks.values.first(where: { isAwaited($0.kind) }) {
      await running.task.value
    }
  }
}
