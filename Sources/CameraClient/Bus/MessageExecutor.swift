import EventLoop

/// A connection's loop as a place for tasks, which outlives the loop: what comes after its end runs
/// elsewhere.
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
