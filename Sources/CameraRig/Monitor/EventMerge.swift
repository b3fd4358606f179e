import CameraClient
import DequeModule

/// Puts what comes on several lanes into one order by time. Pure.
///
/// A lane's elements stay in their order. Each element is held back until the window is over,
/// counted from its time, so that one of another lane that happened before it and took longer to
/// arrive still comes first. An element of an earlier time than one that was handed out is late.
struct EventMerge<Element> {
  fileprivate struct Held {
    var element: Element
    var time: MonotonicInstant
  }

  /// What is handed out.
  struct Output {
    var element: Element
    var lane: Int
    var isLate: Bool
  }

  private let window: Duration
  /// The most elements that a lane holds.
  let laneLimit: Int
  private var lanes: [Deque<Held>]
  /// The latest time that was handed out.
  private var latest = MonotonicInstant(nanoseconds: .min)
  /// The lanes that have not begun, and until when nothing is handed out because of them.
  private var unsettled: Set<Int>
  private var beginning: MonotonicInstant

  /// - Parameters:
  ///   - window: How long an element is held back.
  ///   - totalLimit: About how many elements are held in all; each lane has an equal share.
  ///   - beginning: Nothing is handed out before this moment, unless all lanes have begun or one is
  ///     full, so that what they have of the past comes in one order.
  init(
    lanes count: Int, window: Duration, totalLimit: Int = 8192,
    beginning: MonotonicInstant = .init(nanoseconds: .min)
  ) {
    // A lane alone is in order.
    self.window = count > 1 ? window : .zero
    laneLimit = max(16, min(1024, totalLimit / max(1, count)))
    lanes = Array(repeating: [], count: count)
    unsettled = Set(lanes.indices)
    self.beginning = beginning
  }

  func isFull(_ lane: Int) -> Bool { lanes[lane].count >= laneLimit }

  /// Takes an element. Its time counts as that of its arrival if it is later than that.
  mutating func add(
    _ element: Element, on lane: Int, at time: MonotonicInstant, arrived: MonotonicInstant
  ) {
    lanes[lane].append(Held(element: element, time: min(time, arrived)))
  }

  /// Notes that the lane's present begins: what it has of the past was added.
  mutating func settle(_ lane: Int) { unsettled.remove(lane) }

  /// When ``next(at:)`` has something, if nothing else comes; nil while it holds nothing.
  var due: MonotonicInstant? {
    first.map { lane in
      let end = lanes[lane].first.map { $0.time + window } ?? beginning
      return isBeginning ? max(end, beginning) : end
    }
  }

  /// The next element whose time has come.
  mutating func next(at now: MonotonicInstant) -> Output? {
    guard let due, due <= now, let lane = first, let held = lanes[lane].popFirst() else {
      return nil
    }
    let isLate = held.time < latest
    latest = max(latest, held.time)
    return Output(element: held.element, lane: lane, isLate: isLate)
  }

  private var isBeginning: Bool {
    !unsettled.isEmpty && !lanes.indices.contains { isFull($0) }
  }

  /// The lane whose first element comes first.
  private var first: Int? {
    var first: (lane: Int, time: MonotonicInstant)?
    for (lane, held) in lanes.enumerated() {
      guard let time = held.first?.time else { continue }
      if first.map({ time < $0.time }) ?? true { first = (lane, time) }
    }
    return first?.lane
  }
}

extension EventMerge: Sendable where Element: Sendable {}
extension EventMerge.Held: Sendable where Element: Sendable {}
