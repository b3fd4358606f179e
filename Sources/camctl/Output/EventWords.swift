import CameraClient
import OperatingSystem
import Words

/// Events as people read them: the time, the camera, what happened.
struct EventWords {
  /// The node's name.
  var node: String

  func lines(_ event: NodeEvent) -> [String] {
    let words = linesWithoutTime(event)
    return switch event {
    case .snapshot(let node): words.map { "\(node.now.words)  \($0)" }
    case .event(let event): words.map { "\(event.time.words)  \($0)" }
    default: words.map { "\(WallTime.now)  \($0)" }
    }
  }

  /// The lines for an event, whose time stands somewhere else.
  func linesWithoutTime(_ event: NodeEvent) -> [String] {
    switch event {
    case .snapshot(let node):
      ["node \(node.name)  has \(node.cameras.count.counted("camera"))"]
        + node.cameras.map { "\($0.name)  is \(Self.words($0, at: node.now))" }
    case .event(let event):
      ["\(subject(event.camera))  \(Self.words(event.body, at: event.time))"]
    case .gap(let missed, let camera, let kind):
      [
        Self.noticed(
          "\(missed.counted("\(kind.rawValue.separated) event")) of \(subject(camera)) \(missed == 1 ? "is" : "are") lost"
        )
      ]
    case .nodeRestarted: [Self.noticed("the node \(node) has restarted")]
    case .disconnected(let reason):
      [Self.noticed(reason?.message ?? "nothing is heard of the node \(node)")]
    case .reconnected: [Self.noticed("the node \(node) is heard again")]
    }
  }

  /// Says that the node keeps no event of the camera and kind from before this one.
  func beginning(_ event: CameraEvent) -> String {
    "-- \(event.kind.rawValue.separated) events of \(subject(event.camera)) are whole from number \(event.sequence) on: "
      + "the node does not keep those before --"
  }

  private func subject(_ camera: String) -> String {
    camera == "_node" ? "node \(node)" : camera
  }

  private static func noticed(_ words: String) -> String {
    "-- \(words) --"
  }

  static func style(_ event: NodeEvent) -> Style {
    switch event {
    case .snapshot(let node):
      node.cameras.contains { $0.error != nil } ? .bad : .plain
    case .event(let event): style(event.body)
    case .gap, .nodeRestarted: .warning
    case .disconnected: .bad
    case .reconnected: .good
    }
  }

  private static func style(_ body: CameraEvent.Body) -> Style {
    switch body {
    case .state(let status): status.error == nil ? .plain : .bad
    case .pressure(let pressure): pressure.level.style
    case .sound(let change): change.interruption == nil ? .good : .bad
    case .capture(_, .completed), .recording(_, .finished), .deferred(_, _, .finished),
      .shot(_, _, .completed):
      .good
    case .capture(_, .failed), .recording(_, .failed), .deferred(_, _, .failed),
      .shot(_, _, .failed), .shot(_, _, .expired):
      .bad
    default: .plain
    }
  }

  private static func words(_ body: CameraEvent.Body, at time: Timestamp) -> String {
    switch body {
    case .state(let status): words(status, at: time)
    case .control(let control): control.assignment
    case .capture(let id, let event): "photo \(short(id)) \(words(event))"
    case .recording(let id, let event): "movie \(short(id)) \(words(event))"
    case .subjectArea(let change): change.description
    case .library(let removal): removal.description
    case .sound(let change):
      change.interruption.map { "movie \(short(change.recordingID)) is silent: \($0)" }
        ?? "movie \(short(change.recordingID)) has sound again"
    case .keys(let keys): keys.description
    case .capabilities(let capabilities): "can do: \(capabilities)"
    case .deferred(let id, let proxy, let event):
      "final photo \(short(id)) of proxy \(short(proxy)) \(words(event))"
    case .shot(let shot, let camera, let event): "shot \(short(shot)) of \(camera) \(words(event))"
    case .devices(let devices): devices.description
    case .pressure(let pressure): pressure.description
    case .unknown: "something that this camctl does not know"
    }
  }

  private static func words(_ status: CameraStatus, at time: Timestamp) -> String {
    if status.adoption == .ended { return "is no camera of the node any more" }
    if let trouble = TroubleWords(status, at: time) {
      return "\(trouble.cause): \(trouble.remedy)"
    }
    var words = "\(status.state.words), \(status.readiness.words)"
    if let format = status.format { words += ", \(format.words)" }
    if status.recording != nil { words += ", recording" }
    return ([words] + status.settingWords + status.refusalWords).joined(separator: "; ")
  }

  /// "picture 3 ", of a burst.
  private static func number(_ resolved: ResolvedCapture) -> String {
    resolved.picture > 1 ? "picture \(resolved.picture) " : ""
  }

  private static func words(_ event: CaptureEvent) -> String {
    switch event {
    case .willBegin: "will begin"
    case .willCapture: "will be captured"
    case .didCapture(let resolved): "\(number(resolved))was captured: \(resolved.words())"
    case .didProcess(let resolved, let file):
      "\(number(resolved))was processed: \(UInt64(file.byteCount).byteWords) of \(file.mediaType)"
        + (file.part.map { ", \($0)" } ?? "")
    case .didRecordMovie: "has the last frame of its movie"
    case .completed(_, let assets):
      "is complete" + (assets.isEmpty ? "" : ": " + assets.map(\.path).joined(separator: ", "))
    case .failed(let problem): "failed: \(problem.message)"
    case .unknown: "made a step that this camctl does not know"
    }
  }

  private static func words(_ event: DeferredEvent) -> String {
    switch event {
    case .finished(_, let assets): "is complete: \(assets.map(\.path).joined(separator: ", "))"
    case .failed(let problem): "failed: \(problem.message)"
    case .unknown: "made a step that this camctl does not know"
    }
  }

  private static func words(_ event: ShotEvent) -> String {
    switch event {
    case .prepared(let holder): "is prepared by \(holder)"
    case .committed(let id, let moment): "will be taken at \(moment.words), as photo \(short(id))"
    case .completed(let resolved, _): "is complete: \(resolved.words())"
    case .failed(let problem): "failed: \(problem.message)"
    case .aborted: "was given up"
    case .expired: "has expired: its holder fell silent"
    case .unknown: "made a step that this camctl does not know"
    }
  }

  private static func words(_ event: RecordingEvent) -> String {
    switch event {
    case .started: "began"
    case .progress(let status):
      "has \(status.frames.counted("frame")) in \(status.duration.words), \(status.bytes.byteWords)"
    case .file(let file):
      "has file \(file.number): \(file.frames.counted("frame")), "
        + (file.asset?.path ?? "which the library could not take: \(file.error?.message ?? "")")
    case .paused(let status):
      "is paused" + (status.pause == .cameraLost ? ": the camera is lost" : "")
    case .resumed: "goes on"
    case .finished(let movie):
      "ended (\(movie.reason?.words ?? "unknown")): \(movie.frames.counted("frame"))"
        + (movie.files > 1
          ? " in \(movie.files) files, the last is \(movie.asset.path)" : ", \(movie.asset.path)")
        + (movie.asset.isRecovered ? ", saved after the node was killed" : "")
    case .failed(let problem): "failed: \(problem.message)"
    case .unknown: "made a step that this camctl does not know"
    }
  }

  private static func short(_ id: Identifier) -> String {
    String(id.description.prefix(8))
  }
}
