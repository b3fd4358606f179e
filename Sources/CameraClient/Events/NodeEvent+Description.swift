extension NodeEvent: CustomStringConvertible {
  /// What happened, as a line for a log.
  public var description: String {
    switch self {
    case .snapshot(let node): "snapshot of \(node)"
    case .event(let event): event.description
    case .gap(let missed, let camera, let kind): "\(missed) \(kind) events of \(camera) are lost"
    case .nodeRestarted: "the node was restarted"
    case .disconnected(let reason):
      "nothing comes from the node" + (reason.map { ": \($0.message)" } ?? "")
    case .reconnected: "the node is back"
    }
  }
}

extension CameraEvent: CustomStringConvertible {
  /// "2026-11-21T09:07:07.123456789Z cam: brightness=128".
  public var description: String { "\(time) \(camera): \(body)" }
}

extension CameraEvent.Body: CustomStringConvertible {
  /// What happened, without the camera and the time.
  public var description: String {
    switch self {
    case .state(let status): status.words
    case .control(let control): control.description
    case .capture(let id, let event): "photo \(id): \(event)"
    case .recording(let id, let event): "recording \(id): \(event)"
    case .capabilities(let capabilities): capabilities.description
    case .deferred(_, let proxy, let event): "the final photo of \(proxy) \(event)"
    case .shot(let shot, let camera, let event): "shot \(shot) of \(camera) \(event)"
    case .subjectArea(let change): change.description
    case .library(let removal): removal.description
    case .sound(let change): change.description
    case .keys(let keys): keys.description
    case .devices(let devices): devices.description
    case .pressure(let pressure): pressure.description
    case .unknown: "something that this client does not know"
    }
  }
}

extension CaptureEvent: CustomStringConvertible {
  /// The step, with what is known of the photo by then.
  public var description: String {
    switch self {
    case .willBegin: "will begin"
    case .willCapture: "will be captured"
    case .didCapture(let resolved): "was captured, \(resolved)"
    case .didProcess(_, let file):
      "was processed, \(file.byteCount) bytes of \(file.mediaType)"
    case .didRecordMovie: "has the last frame of its movie"
    case .completed(let resolved, let assets):
      "is complete, "
        + (assets.isEmpty
          ? "\(resolved)" : assets.map(\.description).joined(separator: "; "))
    case .failed(let problem): "failed: \(problem)"
    case .unknown: "made a step that this client does not know"
    }
  }
}

extension DeferredEvent: CustomStringConvertible {
  /// What has become of the final photo: "is complete, cam/2026/….png, …".
  public var description: String {
    switch self {
    case .finished(_, let assets):
      "is complete, " + assets.map(\.description).joined(separator: "; ")
    case .failed(let problem): "failed: \(problem)"
    case .unknown: "made a step that this client does not know"
    }
  }
}

extension ShotEvent: CustomStringConvertible {
  /// How far it has come.
  public var description: String {
    switch self {
    case .prepared(let holder): "is prepared by \(holder)"
    case .committed(_, let moment): "will be taken at \(moment)"
    case .completed(let resolved, _): "is complete, \(resolved)"
    case .failed(let problem): "failed: \(problem)"
    case .aborted: "was given up"
    case .expired: "has expired"
    case .unknown: "made a step that this client does not know"
    }
  }
}

extension RecordingEvent: CustomStringConvertible {
  /// The beginning, or the end with the movie.
  public var description: String {
    switch self {
    case .started(let start): "began at \(start.started)"
    case .progress(let status): "has \(status.frames) frames in \(status.duration)"
    case .file(let file): "has \(file)"
    case .paused(let status): "is paused (\(status.pause.map(\.description) ?? "unknown"))"
    case .resumed: "goes on"
    case .finished(let movie): "ended, \(movie)"
    case .failed(let problem): "failed: \(problem)"
    case .unknown: "something that this client does not know"
    }
  }
}

extension ControlChange: CustomStringConvertible {
  /// "2026-11-21T09:07:07.123456789Z cam: brightness=128".
  public var description: String { "\(time) \(camera): \(control)" }
}

extension CaptureReport: CustomStringConvertible {
  /// When, of which camera, and the photo's step.
  public var description: String { "\(time) \(camera): photo \(requestID): \(event)" }
}

extension DeferredReport: CustomStringConvertible {
  /// When, of which camera and proxy, and what has become of the final photo.
  public var description: String { "\(time) \(camera): the final photo of \(proxy) \(event)" }
}

extension RecordingReport: CustomStringConvertible {
  /// When, of which camera, and the recording's beginning or end.
  public var description: String { "\(time) \(camera): recording \(id): \(event)" }
}
