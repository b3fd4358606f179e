import ArgumentParser
import CameraClient

/// Which events are printed.
struct EventFilter {
  /// What `--kind` takes.
  static let kinds: [CameraEvent.Kind] = [
    .state, .control, .capture, .deferred, .recording, .capabilities, .subjectArea, .keys, .devices,
    .pressure, .shot, .library, .sound,
  ]

  /// Empty for all of them.
  let kinds: Set<CameraEvent.Kind>
  /// The earliest moment.
  let since: WallInstant?

  static func kind(_ text: String) throws -> CameraEvent.Kind {
    // The protocol writes "subject_area".
    let name = text.filter { $0 != "_" && $0 != "-" }.lowercased()
    guard let kind = kinds.first(where: { $0.rawValue.lowercased() == name }) else {
      throw ValidationError("write \(kinds.map(\.rawValue).joined(separator: ", "))")
    }
    return kind
  }

  /// Losses and restarts concern every kind. The snapshot is about the state.
  func lets(_ event: NodeEvent) -> Bool {
    switch event {
    case .event(let event): mayLackEvents(before: event)
    case .gap(_, _, let kind): includes(kind)
    case .snapshot: includes(.state)
    default: true
    }
  }

  /// Whether events that are asked for may have come before this one, the first that is kept.
  func mayLackEvents(before event: CameraEvent) -> Bool {
    includes(event.kind) && since.map { event.time.wall >= $0 } ?? true
  }

  private func includes(_ kind: CameraEvent.Kind) -> Bool {
    kinds.isEmpty || kinds.contains(kind)
  }
}
