public import OperatingSystem

/// A thread that is the executor of actors and waits for descriptors, sockets and timers in one
/// system call.
///
/// An actor runs on a loop if it names the loop as its executor. The loop's handlers then enter the
/// actor without a hop:
/// ```swift
/// actor Echo {
///   nonisolated let loop: EventLoop
///   nonisolated var unownedExecutor: UnownedSerialExecutor {
///     unsafe loop.asUnownedSerialExecutor()
///   }
///   func start(_ descriptor: Int32) {
///     watch = loop.watch(descriptor, for: .readable) { self.assumeIsolated { $0.answer() } }
///   }
/// }
/// ```
/// An actor's initializer does *not* run on the loop.
///
/// The loop works in rounds. A round gives a few turns to every source that has work, to jobs in
/// the order of their arrival, and to timers that are due, until nothing is left. Then it sleeps
/// until something is ready and calls the handlers of the ready descriptors. A job or a handler
/// that blocks holds up everything else on the loop.
///
/// The thread holds the loop until ``stop()``, so that the loop outlives the actors on it. A loop
/// that is never stopped lives as long as the process. The thread receives no signals.
public final class EventLoop: SerialExecutor, TaskExecutor, Sendable {
  /// The thread's name. The system's listings show its first 15 bytes.
  public let name: String

  private let thread = LoopThread()
  private let wakeUp: WakeUp
  private let queue = Mutex(WorkQueue())
  let poller: Poller
  let timers = TimerQueue()
  let suspensions = SuspensionList()

  let slices: TimeSlice
  let turns = TurnClock()

  /// Starts the thread. Ends the program if the system has no thread or descriptor left:
  /// ``starting(name:slices:)`` reports that instead.
  ///
  /// - Parameter slices: `short` suits a loop that others wait for. Such a loop must not compute
  ///   for long.
  public convenience init(name: String, slices: TimeSlice = .ordinary) {
    do {
      try self.init(starting: name, slices: slices)
    } catch {
      preconditionFailure(error.message)
    }
  }

  /// Starts a loop, whose number depends on the configuration.
  package static func starting(
    name: String, slices: TimeSlice = .ordinary
  ) throws(LoopShortage) -> EventLoop {
    try EventLoop(starting: name, slices: slices)
  }

  private init(starting name: String, slices: TimeSlice) throws(LoopShortage) {
    self.name = name
    self.slices = slices
    guard let wakeUp = WakeUp() else { throw LoopShortage(name: name, what: .descriptor) }
    poller = Poller(wakeUp: wakeUp.descriptor, turns)
    self.wakeUp = wakeUp
    guard thread.start(self) else { throw LoopShortage(name: name, what: .thread) }
  }

  /// Whether the caller is on the loop's thread.
  public var isCurrent: Bool { thread.isCurrent }

  /// Runs all queued work, including work that it queues in turn, then ends the thread and waits
  /// for its end.
  ///
  /// Watches, sources and timers are released without a call. Callers that wait in
  /// ``ready(_:for:)`` or ``sleep(until:)`` get a `CancellationError`. Enqueuing afterwards ends
  /// the program. Close sockets before. Call this from any thread but the loop's own; further calls
  /// do nothing.
  public func stop() {
    precondition(
      !isCurrent,
      "the event loop '\(name)' cannot wait for its own end: stop it from another thread"
    )
    if queue.withLock({ $0.stop() }) { wakeUp.signal() }
    thread.join()
  }

  // MARK: Executor

  /// Queues an actor's job. Ends the program if the loop was stopped, because the job would never
  /// run.
  public func enqueue(_ job: consuming ExecutorJob) {
    add(.job(UnownedJob(job)))
  }

  /// Runs `body` on the loop's thread soon, after the work that is queued already. Ends the program
  /// if the loop was stopped.
  public func perform(_ body: @escaping @Sendable () -> Void) {
    add(.body(body))
  }

  /// Like ``perform(_:)``, but if the loop was stopped it does nothing and returns false.
  package func performUnlessStopped(_ body: @escaping @Sendable () -> Void) -> Bool {
    offer(.body(body))
  }

  /// Runs a job of another executor on the loop's thread. If the loop was stopped, it does nothing
  /// and returns false.
  package func runUnlessStopped(_ job: UnownedJob, of executor: any TaskExecutor) -> Bool {
    offer(.task(job, executor))
  }

  /// Starts a task of an actor of the loop. The part before its first suspension runs before this
  /// returns. Call it on the loop's thread.
  ///
  /// A task of `Task.immediate` would begin without the knowledge of its preferred executor. Then
  /// its first call of an actor's async function would wait at the end of the queue.
  /// - Parameter made: Called before the task begins.
  package func begin(
    _ name: String, _ work: @escaping @isolated(any) @Sendable () async -> Void,
    made: (Task<Void, Never>) -> Void
  ) {
    checkIsolated()
    queue.withLock { $0.expectFirstJob() }
    made(Task(name: name, executorPreference: self, operation: work))
    if let job = queue.withLock({ $0.takeFirstJob() }) { run(job) }
  }

  /// Ends the program unless the caller is on the loop's thread.
  public func checkIsolated() {
    precondition(isCurrent, "this is for the thread of the event loop '\(name)' alone")
  }

  /// Whether the caller is on the loop's thread.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  // MARK: Waiting, on the loop's thread only
  // The handlers run on this thread too, so they need not be Sendable.

  /// Calls `onReady` in every round in which the descriptor is ready, until the watch is cancelled.
  ///
  /// A descriptor that stays ready is reported in every round, so read what is there or cancel.
  public func watch(
    _ descriptor: Int32,
    for interest: Interest,
    _ onReady: @escaping () -> Void
  ) -> Watch {
    checkIsolated()
    let watch = Watch(descriptor, for: interest, on: self, onReady)
    poller.add(watch)
    return watch
  }

  /// Calls `body` once, at the deadline or as soon after it as the loop is free.
  @discardableResult
  public func schedule(
    at deadline: MonotonicTime,
    _ body: @escaping () -> Void
  ) -> LoopTimer {
    checkIsolated()
    return timers.add(at: deadline, on: self, body)
  }

  /// Adds a source, which the loop asks for work before every sleep. The loop holds it until
  /// ``remove(_:)``.
  public func add(_ source: any EventSource) {
    checkIsolated()
    poller.add(source)
  }

  /// The longest time so far in which the loop did not look at its descriptors.
  package var longestTurn: Duration { turns.longestTurn }

  /// Notes a request that is served on the loop, for the report of a loop that is stuck.
  /// - Parameter request: Evaluated on the watchdog's thread, and only if the loop is stuck.
  package func note(request: @autoclosure @escaping @Sendable () -> String) {
    turns.note(request)
  }

  /// Removes the source. The loop does not call it again.
  public func remove(_ source: any EventSource) {
    checkIsolated()
    poller.remove(source)
  }

  // MARK: The thread

  /// The thread's whole life.
  func run() {
    thread.didStart(name: name, slices: slices)
    turns.begin()
    var batch: [WorkQueue.Item] = []
    var isEnding = false
    while !isEnding {
      if work(&batch) {
        wait(until: timers.nextDeadline)
      } else {
        wait(until: .distantPast)
        isEnding = queue.withLock { $0.isStopping }
      }
    }
    suspensions.cancelAll()
    while !queue.withLock({ $0.finish() }) { runQueued(&batch) }
    timers.removeAll()
    poller.removeAll()
    turns.end()
    thread.willEnd()
  }

  /// Works until nothing is left, or until it is time to look at the descriptors. Several rounds
  /// pass before that, because looking at the descriptors is a system call.
  /// - Returns: Whether nothing is left. Then anyone who adds work wakes the thread.
  private func work(_ batch: inout [WorkQueue.Item]) -> Bool {
    for _ in 0..<8 {
      let hadSources = poller.processSources()
      let hadQueued = runQueued(&batch)
      turns.enter(.timers)
      let hadTimers = timers.fire()
      // Any of this may have made work for a source.
      if hadSources || hadQueued || hadTimers {
        if turns.isLong { return false }
        continue
      }
      if queue.withLock({ $0.fallAsleep() }) { return true }
    }
    return false
  }

  private func wait(until deadline: MonotonicTime?) {
    if poller.wait(until: deadline) { wakeUp.reset() }
  }

  /// - Returns: Whether anything was queued.
  @discardableResult
  private func runQueued(_ batch: inout [WorkQueue.Item]) -> Bool {
    queue.withLock { $0.take(into: &batch) }
    guard !batch.isEmpty else { return false }
    turns.enter(.queue)
    for item in batch {
      switch item {
      case .job(let job): run(job)
      case .task(let job, let executor):
        unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
      case .body(let body): body()
      }
    }
    batch.removeAll(keepingCapacity: true)
    return true
  }

  private func run(_ job: UnownedJob) {
    unsafe job.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
  }

  private func add(_ item: WorkQueue.Item) {
    precondition(
      offer(item),
      "the event loop '\(name)' was stopped: it must outlive everything that runs on it"
    )
  }

  private func offer(_ item: WorkQueue.Item) -> Bool {
    let isOwn = isCurrent
    let answer = queue.withLock { $0.add(item, isOwn: isOwn) }
    // On its own thread the loop drains the queue before it sleeps.
    if answer == .wake, !isOwn { wakeUp.signal() }
    return answer != .refused
  }
}
