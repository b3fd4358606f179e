import CameraClient
import CameraRig
import OperatingSystem
import Reports
import Words

/// Prints the events of many nodes, which come in order.
struct MonitorPrinter {
  private let filter: EventFilter
  /// The only camera that is asked for; nil for all.
  private let camera: String?
  private let asJSON: Bool
  private let programs: EventPrograms?
  /// The columns of the longest name of a node.
  private let width: Int
  /// How many events may still be printed.
  private var left: Int
  /// The nodes of which the events from before may still come.
  private var nodesOfPast: Set<String>
  /// The cameras and kinds of these of which an event has come.
  private var begun: Set<[String]> = []

  init(
    _ filter: EventFilter, camera: String?, nodes: [String], limit: Int, hasHistory: Bool,
    asJSON: Bool, _ programs: EventPrograms?
  ) {
    self.filter = filter
    self.camera = camera
    self.asJSON = asJSON
    self.programs = programs
    width = nodes.map(ShownText.columns).max() ?? 0
    left = limit
    nodesOfPast = hasHistory ? Set(nodes) : []
  }

  /// Whether all events are printed that were asked for.
  var isDone: Bool { left <= 0 }

  mutating func take(_ event: MonitorEvent) {
    var event = event
    switch event.body {
    case .node(.snapshot(var node)):
      nodesOfPast.remove(event.node)
      if let camera { node.cameras.removeAll { $0.name != camera } }
      event.body = .node(.snapshot(node))
    case .node(.event(let own)): printBeginning(own, of: event.node)
    default: break
    }
    guard lets(event), !isDone else { return }
    let report = EventReport(event)
    if asJSON {
      JSONLine.print(report)
    } else {
      for (time, line, style) in words(of: event) { write(time, event.node, line, style) }
    }
    if case .node(.snapshot) = event.body { return }
    programs?.run(report)
    left -= 1
  }

  private func lets(_ event: MonitorEvent) -> Bool {
    guard case .node(let own) = event.body else { return true }
    let isOfCamera =
      switch own {
      case .event(let event): camera.map { $0 == event.camera } ?? true
      case .gap(_, let name, _): camera.map { $0 == name } ?? true
      default: true
      }
    return isOfCamera && filter.lets(own)
  }

  /// Says from which number on the history is whole, where the node does not keep all of it.
  private mutating func printBeginning(_ event: CameraEvent, of node: String) {
    guard nodesOfPast.contains(node),
      begun.insert([node, event.camera, event.kind.rawValue]).inserted, event.sequence > 1,
      camera.map({ $0 == event.camera }) ?? true, filter.mayLackEvents(before: event)
    else { return }
    if asJSON {
      var report = EventReport(historyFrom: event)
      report.nodeName = node
      JSONLine.print(report)
    } else {
      let line = EventWords(node: node).beginning(event)
      StandardOutput.write(line: "\(ShownText.padded(node, to: width))  \(line)", style: .faint)
    }
  }

  private func write(_ time: String, _ node: String, _ line: String, _ style: Style) {
    StandardOutput.write(
      line: "\(time)  \(ShownText.padded(node, to: width))  \(line)", style: style)
  }

  private func words(of event: MonitorEvent) -> [(time: String, line: String, style: Style)] {
    let time = event.time.words
    let late = event.isLate ? " (came late)" : ""
    switch event.body {
    case .node(let own):
      let style = EventWords.style(own)
      return EventWords(node: event.node).linesWithoutTime(own).map { (time, $0 + late, style) }
    case .awaited(let problem): return [(time, "-- is waited for: \(problem.message) --", .warning)]
    case .clockChanged:
      return [
        (time, "-- a clock was changed: times before and after it cannot be compared --", .warning)
      ]
    @unknown default: return []
    }
  }
}

extension EstimatedTime {
  /// UTC to the millisecond, with the bound of the error where that shows: "… ±3.2 ms".
  fileprivate var words: String {
    guard let error else { return "\(wall.words) ±?" }
    return error < .milliseconds(1) ? wall.words : "\(wall.words) ±\(error.words)"
  }
}
