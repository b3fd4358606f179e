import CameraClient
import OperatingSystem

/// Between the tasks that follow the nodes and the one reader of their events.
final class MonitorQueue: Sendable {
  enum Outcome {
    case event(MonitorEvent)
    case failed(CameraBusError)
    /// Nothing is due before this moment; nil while nothing is held.
    case wait(until: MonotonicInstant?)
  }

  private struct State {
    var merge: EventMerge<MonitorEvent>
    var failure: CameraBusError?
  }

  private let state: Mutex<State>
  private let news = Wakeup()
  private let rooms: [Wakeup]

  init(_ merge: EventMerge<MonitorEvent>, lanes: Int) {
    state = Mutex(State(merge: merge))
    rooms = (0..<lanes).map { _ in Wakeup() }
  }

  // MARK: The nodes' side

  /// Puts an event in, and waits while its node has too many there. It drops it in a task that is
  /// cancelled.
  func put(_ event: MonitorEvent, on lane: Int, arrived: MonotonicInstant) async {
    while !Task.isCancelled {
      enum Step { case isFull, isPut(isFirst: Bool) }
      let step = state.withLock { state -> Step in
        if state.merge.isFull(lane) { return .isFull }
        let before = state.merge.due
        state.merge.add(event, on: lane, at: event.time.moment, arrived: arrived)
        let isFirst = before.map { before in state.merge.due.map { $0 < before } ?? false } ?? true
        return .isPut(isFirst: isFirst)
      }
      switch step {
      case .isFull: await rooms[lane].wait()
      case .isPut(let isFirst):
        if isFirst { news.ring() }
        return
      }
    }
  }

  /// Notes that everything which the node has of the past was put in.
  func settle(_ lane: Int) {
    state.withLock { $0.merge.settle(lane) }
    news.ring()
  }

  /// Ends the reader's sequence with an error.
  func fail(_ error: CameraBusError) {
    state.withLock { if $0.failure == nil { $0.failure = error } }
    news.ring()
  }

  // MARK: The reader's side

  func take(at now: MonotonicInstant) -> Outcome {
    let (outcome, lane) = state.withLock { state -> (Outcome, Int?) in
      if let failure = state.failure { return (.failed(failure), nil) }
      guard let output = state.merge.next(at: now) else {
        return (.wait(until: state.merge.due), nil)
      }
      var event = output.element
      event.isLate = output.isLate
      return (.event(event), output.lane)
    }
    if let lane { rooms[lane].ring() }
    return outcome
  }

  /// Waits until the moment, or until something changes that ``take(at:)`` should know of.
  func wait(until moment: MonotonicInstant?) async {
    guard let moment else { return await news.wait() }
    await withTaskGroup { group in
      group.addTask { try? await Task.sleep(for: max(.zero, moment - .now)) }
      group.addTask { [news] in await news.wait() }
      await group.next()
      group.cancelAll()
    }
  }
}
