/// What other threads, and the loop's own handlers, hand to a loop to run.
struct WorkQueue {
  enum Item {
    case job(UnownedJob)
    /// Of an executor that borrows the loop's thread.
    case task(UnownedJob, any TaskExecutor)
    case body(@Sendable () -> Void)
  }

  /// Whether an item was taken, and whether the sleeping thread has to be woken for it.
  enum Answer { case taken, wake, refused }

  private enum Phase { case open, stopping, stopped }

  private var items: [Item] = []
  private var phase = Phase.open
  private var isAsleep = false

  /// Whether a stop was asked for.
  var isStopping: Bool { phase != .open }

  mutating func add(_ item: Item) -> Answer {
    guard phase != .stopped else { return .refused }
    items.append(item)
    return wake() ? .wake : .taken
  }

  /// Asks for the stop; true when the thread has to be woken to hear of it.
  mutating func stop() -> Bool {
    guard phase == .open else { return false }
    phase = .stopping
    return wake()
  }

  /// Exchanges the waiting items for the `batch`, which is empty and lends its memory.
  mutating func take(into batch: inout [Item]) {
    isAsleep = false
    swap(&items, &batch)
  }

  /// True when nothing is left to run: from now on whoever adds something has to wake the thread.
  mutating func fallAsleep() -> Bool {
    guard items.isEmpty, phase == .open else { return false }
    isAsleep = true
    return true
  }

  /// Refuses all further items if a stop was asked for and all that was taken has run.
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
