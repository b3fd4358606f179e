import CameraClient

/// What `events --json` prints. `type` tells which of the other fields there are.
struct EventReport: Encodable {
  var type: String
  /// Of a snapshot.
  var node: NodeStatus?
  /// Of a gap: how many events of the camera are lost, and of which kind.
  var missed: Int?
  var kind: CameraEvent.Kind?
  /// Of what happened to a camera; the number counts its events of this type in the epoch, from 1.
  var epoch: Identifier?
  var sequence: UInt64?
  var camera: String?
  var time: Timestamp?
  /// Of a state: all of it.
  var status: CameraStatus?
  var control: Control?
  /// Of a photo or recording: the request it comes from, and how far it has come.
  var requestID: Identifier?
  var step: String?
  var resolved: ResolvedCapture?
  var byteCount: Int?
  var asset: Asset?
  var recording: RecordingStart?
  var movie: Movie?
  var error: Problem?

  init(_ event: NodeEvent) {
    switch event {
    case .snapshot(let node):
      type = "snapshot"
      self.node = node
    case .event(let event):
      type = "state"
      epoch = event.epoch
      sequence = event.sequence
      camera = event.camera
      time = event.time
      fill(event.body)
    case .gap(let missed, let camera, let kind):
      type = "gap"
      self.missed = missed
      self.camera = camera
      self.kind = kind
    case .nodeRestarted: type = "nodeRestarted"
    case .disconnected: type = "disconnected"
    case .reconnected: type = "reconnected"
    }
  }

  private mutating func fill(_ body: CameraEvent.Body) {
    switch body {
    case .state(let status):
      type = "state"
      self.status = status
    case .control(let control):
      type = "control"
      self.control = control
    case .capture(let id, let event):
      type = "capture"
      requestID = id
      fill(event)
    case .recording(let id, let event):
      type = "recording"
      requestID = id
      fill(event)
    case .unknown: type = "unknown"
    }
  }

  private mutating func fill(_ event: CaptureEvent) {
    switch event {
    case .willBegin: step = "willBegin"
    case .willCapture: step = "willCapture"
    case .didCapture(let resolved):
      step = "didCapture"
      self.resolved = resolved
    case .didProcess(let resolved, let byteCount):
      step = "didProcess"
      self.resolved = resolved
      self.byteCount = byteCount
    case .completed(let resolved, let asset):
      step = "completed"
      self.resolved = resolved
      self.asset = asset
    case .failed(let problem):
      step = "failed"
      error = problem
    case .unknown: step = "unknown"
    }
  }

  private mutating func fill(_ event: RecordingEvent) {
    switch event {
    case .started(let recording):
      step = "started"
      self.recording = recording
    case .finished(let movie):
      step = "finished"
      self.movie = movie
    case .failed(let problem):
      step = "failed"
      error = problem
    case .unknown: step = "unknown"
    }
  }
}
