/// The work that other threads and the loop's own handlers queue on a loop.
struct WorkQueue {
  enum Item {
    case job(UnownedJob)
    /// A job of another executor that borrows the loop's thread.
    case task(UnownedJob, any TaskExecutor)
    case body(@Sendable () -> Void)
  }

  /// Whether an item was taken, and whether the sleeping thread must be woken for it.
  enum Answer { case taken, wake, refused }

  private enum Phase { case open, stopping, stopped }
  private enum FirstJob { case none, expected, made(UnownedJob) }

  private var items: [Item] = []
  private var firstJob = FirstJob.none
  private var phase = Phase.open
  private var isAsleep = false

  /// Whether a stop was requested.
  var isStopping: Bool { phase != .open }

  /// - Parameter isOwn: Whether the loop's own thread adds it.
  mutating func add(_ item: Item, isOwn: Bool = false) -> Answer {
    guard phase != .stopped else { return .refused }
    if isOwn, case .expected = firstJob, case .job(let job) = item {
      firstJob = .made(job)
      return .taken
    }
    items.append(item)
    return wake() ? .wake : .taken
  }

  /// Keeps the next job of the loop's own thread out of the queue, for ``takeFirstJob()``.
  mutating func expectFirstJob() { firstJob = .expected }

  mutating func takeFirstJob() -> UnownedJob? {
    defer { firstJob = .none }
    return if case .made(let job) = firstJob { job } else { nil }
  }

  /// Requests the stop.
  /// - Returns: Whether the thread must be woken to notice it.
  mutating func stop() -> Bool {
    guard phase == .open else { return false }
    phase = .stopping
    return wake()
  }

  /// Moves the waiting items to the empty `batch`, whose memory the queue uses from then on.
  mutating func take(into batch: inout [Item]) {
    isAsleep = false
    swap(&items, &batch)
  }

  /// Marks the thread as asleep if nothing is left to run. From then on the next item wakes the
  /// thread.
  /// - Returns: Whether nothing is left.
  mutating func fallAsleep() -> Bool {
    guard items.isEmpty, phase == .open else { return false }
    isAsleep = true
    return true
  }

  /// Refuses all further items if a stop was requested and every accepted item has run.
  mutating func finish() -> Bool {
    guard items.isEmpty, phase != .open else { return false }
    phase = .stopped
    return true
  }

  private mutating func wake() -> Bool {
    defer { isAsleep = false }
    return isAsleep
  }
}
