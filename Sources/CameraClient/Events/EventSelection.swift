package import CameraProtocol

/// One kind of events, and the values that a reader gets of them.
///
/// ```swift
/// for try await status in camera.events(of: .states) { print(status.state) }
/// for try await change in camera.events(of: .controls) { print(change.control.id) }
/// for try await photo in bus.events(of: .captures) { print(photo.camera, photo.event) }
/// for try await movie in bus.events(of: .recordings) { print(movie.camera, movie.event) }
/// ```
public struct EventSelection<Value: Sendable>: Sendable {
  let kind: EventKind
  /// The values for the reader in what a feed says.
  let values: @Sendable (NodeEvent) -> [Value]

  private init(_ kind: EventKind, _ values: @escaping @Sendable (NodeEvent) -> [Value]) {
    self.kind = kind
    self.values = values
  }

  private init(_ kind: EventKind, value: @escaping @Sendable (CameraEvent) -> Value?) {
    self.init(kind) { event in
      guard case .event(let event) = event, let value = value(event) else { return [] }
      return [value]
    }
  }
}

extension EventSelection where Value == CameraStatus {
  /// How each camera is: first as it is now, then after every change of its session, readiness,
  /// format or recording.
  ///
  /// After a gap, a restart or a broken connection it comes again as it is then, so the last value
  /// is always right.
  public static var states: EventSelection<CameraStatus> {
    EventSelection(.state) { event in
      switch event {
      case .snapshot(let node): return node.cameras
      case .event(let event):
        guard case .state(let status) = event.body else { return [] }
        return [status]
      default: return []
      }
    }
  }
}

extension EventSelection where Value == ControlChange {
  /// Controls whose value, range or flags changed, by any client or program.
  public static var controls: EventSelection<ControlChange> {
    EventSelection(.control) { event in
      guard case .control(let control) = event.body else { return nil }
      return ControlChange(camera: event.camera, time: event.time, control: control)
    }
  }
}

extension EventSelection where Value == CaptureReport {
  /// The steps of all clients' photos.
  public static var captures: EventSelection<CaptureReport> {
    EventSelection(.capture) { event in
      guard case .capture(let id, let step) = event.body else { return nil }
      return CaptureReport(camera: event.camera, time: event.time, requestID: id, event: step)
    }
  }
}

extension EventSelection where Value == DeferredReport {
  /// What becomes of the files that are made later, of all clients' photos.
  public static var deferred: EventSelection<DeferredReport> {
    EventSelection(.deferred) { event in
      guard case .deferred(let id, let proxy, let step) = event.body else { return nil }
      return DeferredReport(
        camera: event.camera, time: event.time, requestID: id, proxy: proxy, event: step)
    }
  }
}

extension EventSelection where Value == RecordingReport {
  /// The beginnings and ends of all clients' recordings.
  public static var recordings: EventSelection<RecordingReport> {
    EventSelection(.recording) { event in
      guard case .recording(let id, let step) = event.body else { return nil }
      return RecordingReport(camera: event.camera, time: event.time, id: id, event: step)
    }
  }
}

/// A control that changed.
public struct ControlChange: Hashable, Sendable {
  /// The camera's name.
  public var camera: String
  /// When it changed.
  public var time: Timestamp
  /// The control as it is now.
  public var control: Control
}

/// A step of a photo.
public struct CaptureReport: Sendable {
  /// The camera's name.
  public var camera: String
  /// When the step was made.
  public var time: Timestamp
  /// The request that asked for the photo.
  public var requestID: Identifier
  /// The step.
  public var event: CaptureEvent
}

/// What has become of the files in whose place a proxy stands.
public struct DeferredReport: Sendable {
  /// The camera's name.
  public var camera: String
  /// When it became known.
  public var time: Timestamp
  /// The request that asked for the photo.
  public var requestID: Identifier
  /// The proxy's id in the library.
  public var proxy: Identifier
  /// What has become of them.
  public var event: DeferredEvent
}

/// The beginning or the end of a recording.
public struct RecordingReport: Sendable {
  /// The camera's name.
  public var camera: String
  /// When it began or ended.
  public var time: Timestamp
  /// The recording's id.
  public var id: Identifier
  /// What happened.
  public var event: RecordingEvent
}

/// The events that one reader follows: of one camera or of all, of one kind or of all.
package struct EventScope: Hashable, Sendable {
  package var camera: String?
  package var kind: EventKind?

  package init(camera: String? = nil, kind: EventKind? = nil) {
    self.camera = camera
    self.kind = kind
  }

  /// The prefix to subscribe to. It covers more than the scope for one kind of all cameras, which
  /// have none in common.
  package var prefix: String {
    guard let camera, let kind else { return Topic.eventPrefix(camera: camera) }
    return Topic.event(camera: camera, kind: kind).name
  }

  /// Whether a topic's events are for the reader.
  package func contains(_ topic: String) -> Bool {
    topic.hasPrefix(prefix) && (kind.map { topic.hasSuffix("/\($0.rawValue)/") } ?? true)
  }
}
