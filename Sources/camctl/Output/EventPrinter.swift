import CameraClient
import OperatingSystem
import Reports

/// Prints events: those that come together in the order of their times, and the others at once.
struct EventPrinter {
  /// The event's kind of one camera.
  private struct Topic: Hashable, Comparable {
    var camera: String
    var kind: String

    static func < (left: Topic, right: Topic) -> Bool {
      (left.camera, left.kind) < (right.camera, right.kind)
    }
  }

  private let filter: EventFilter
  private let asJSON: Bool
  private let programs: EventPrograms?
  private var words: EventWords
  /// How many events may still be printed.
  private var left: Int
  /// What happened before, until the snapshot says that this is all; nil while events are printed
  /// as they come.
  private var past: [CameraEvent]?
  /// Whether what happened before is the history that was asked for.
  private var isHistory: Bool

  /// - Parameters:
  ///   - node: The node's name.
  ///   - limit: How many events to print.
  ///   - programs: What is started for each of them.
  init(
    _ filter: EventFilter, of node: String, limit: Int, hasHistory: Bool, asJSON: Bool,
    _ programs: EventPrograms?
  ) {
    self.programs = programs
    self.filter = filter
    self.asJSON = asJSON
    words = EventWords(node: node)
    left = limit
    isHistory = hasHistory
    past = hasHistory ? [] : nil
  }

  /// Whether all events are printed that were asked for.
  var isDone: Bool { left <= 0 }

  mutating func take(_ event: NodeEvent) {
    switch event {
    case .event(let event) where past != nil: past?.append(event)
    case .snapshot(let node):
      printPast()
      words.node = node.name
      print(event, counts: false)
    case .nodeRestarted, .reconnected:
      printPast()
      print(event)
      // What happened meanwhile follows, and then a snapshot.
      past = []
    default:
      printPast()
      print(event)
    }
  }

  /// Prints what has come so far, before the command ends.
  mutating func printPast() {
    guard let past else { return }
    self.past = nil
    if isHistory { printBeginnings(of: past) }
    isHistory = false
    let sorted = past.enumerated().sorted { left, right in
      let times = (left.element.time.monotonic, right.element.time.monotonic)
      return times.0 == times.1 ? left.offset < right.offset : times.0 < times.1
    }
    for (_, event) in sorted { print(.event(event)) }
  }

  /// Says from which number on the history is whole, where the node does not keep all of it.
  private func printBeginnings(of past: [CameraEvent]) {
    var firsts: [Topic: CameraEvent] = [:]
    for event in past {
      let topic = Topic(camera: event.camera, kind: event.kind.rawValue)
      if firsts[topic].map({ event.sequence < $0.sequence }) ?? true { firsts[topic] = event }
    }
    for (_, event) in firsts.sorted(by: { $0.key < $1.key })
    where event.sequence > 1 && filter.mayLackEvents(before: event) {
      if asJSON {
        JSONLine.print(EventReport(historyFrom: event))
      } else {
        StandardOutput.write(line: words.beginning(event), style: .faint)
      }
    }
  }

  private mutating func print(_ event: NodeEvent, counts: Bool = true) {
    guard filter.lets(event), !isDone else { return }
    if asJSON {
      JSONLine.print(EventReport(event))
    } else {
      let style = EventWords.style(event)
      for line in words.lines(event) { StandardOutput.write(line: line, style: style) }
    }
    guard counts else { return }
    programs?.run(EventReport(event))
    left -= 1
  }
}
