import EventLoop

/// Runs tasks on a connection's loop and, when the loop has ended, on the global executor.
final class MessageExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !loop.runUnlessStopped(job, of: self) { globalConcurrentExecutor.enqueue(job) }
  }
}
